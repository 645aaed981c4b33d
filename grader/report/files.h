/* Writes reports to files. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "report/sink.h"

/* Writes a report to `path` atomically: the old file remains until the new one is complete. "-" is standard output.
 * Writes directly to a pipe or a device. On failure returns false with errno. */
bool report_write(const struct sink *sink, const json_t *record, const char *path, const struct sink_options *options);

#endif
