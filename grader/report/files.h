/* Writes reports to files. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "report/sink.h"

/* Writes a report to `path` atomically: the old file stays until the new one is complete. "-" is standard output; a
 * pipe or a device is written directly. Returns false with errno on failure. */
bool report_write(const struct sink *sink, const json_t *record, const char *path, const struct sink_options *options);

#endif
