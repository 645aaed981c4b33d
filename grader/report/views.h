/* Optional parts of the report for a terminal. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "report/page.h"

void view_lanes(const struct page *p, const json_t *record);        /* --lanes */
void view_explanations(const struct page *p, const json_t *record); /* --explain */
void view_beside(const struct page *p, const json_t *record);       /* --diff-solution */
/* Returns the paragraph on a kind of finding or a failed check, or NULL if there is none. */
const char *view_explanation(const char *key, unsigned taught);

#endif
