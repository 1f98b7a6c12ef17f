/* turns.h - a thread of the service that does something again and again, and rests in between, until it is told to end.
 */
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct turns {
    pthread_t thread;
    pthread_mutex_t lock; /* also for what the owner's thread and others share */
    pthread_cond_t wake;  /* is_ending has changed */
    _Atomic bool is_ending;
};

/* work(context) runs in the thread until turns_rest() says so. On failure there is nothing to be stopped. */
int turns_start(struct turns *t, void *(*work)(void *), void *context, struct error *err);
/* Until clock_ms() is until_ms, or the end. False: it is to end. */
bool turns_rest(struct turns *t, uint64_t until_ms);
/* Returns when the thread has ended. */
void turns_stop(struct turns *t);
