/* Declares the type that the judge's headers use. The code in the page creates no records. */
#ifndef LIVE_JANSSON_H
#define LIVE_JANSSON_H

typedef struct json_t json_t;

#endif
