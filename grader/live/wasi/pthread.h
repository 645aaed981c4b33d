/* The simulator in a page has a single thread. Creating another thread fails, and the caller does the work itself. */
#ifndef LIVE_PTHREAD_H
#define LIVE_PTHREAD_H

typedef int pthread_t;
#define pthread_create(thread, attributes, start, argument) ((void)(thread), (void)(start), (void)(argument), 1)
#define pthread_join(thread, result) ((void)(thread), (void)(result))

#endif
