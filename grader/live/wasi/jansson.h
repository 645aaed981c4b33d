/* The judge's headers name the type; the code in the page makes no records. */
#ifndef LIVE_JANSSON_H
#define LIVE_JANSSON_H

typedef struct json_t json_t;

#endif
