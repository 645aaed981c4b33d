/* Headers of the judge name the type; what the page runs makes no record. */
#ifndef LIVE_JANSSON_H
#define LIVE_JANSSON_H

typedef struct json_t json_t;

#endif
