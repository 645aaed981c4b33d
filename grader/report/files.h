/* Reports in files. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "report/sink.h"

/* Writes a report to `path` as a whole or not at all: what stood there stays until the new one is complete. "-" is the
 * standard output; what is no regular file (a pipe, a device) is written as it is. False, with errno, if it could not
 * be. */
bool report_write(const struct sink *sink, const json_t *record, const char *path, const struct sink_options *options);

#endif
