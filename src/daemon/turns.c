#include "daemon/turns.h"

#include <string.h>

#include "base/wait.h"

static void release(struct turns *t)
{
    (void)pthread_cond_destroy(&t->wake);
    (void)pthread_mutex_destroy(&t->lock);
}

int turns_start(struct turns *t, void *(*work)(void *), void *context, struct error *err)
{
    t->is_ending = false;
    (void)pthread_mutex_init(&t->lock, NULL);
    wait_init(&t->wake);
    const int failed = pthread_create(&t->thread, NULL, work, context);
    if (!failed)
        return 0;
    release(t);
    return err_set(err, -failed, BLAME_HOST, NULL, "start a thread: %s", strerror(failed));
}

bool turns_rest(struct turns *t, uint64_t until_ms)
{
    (void)pthread_mutex_lock(&t->lock);
    if (!t->is_ending)
        (void)wait_until(&t->wake, &t->lock, until_ms);
    (void)pthread_mutex_unlock(&t->lock);
    return !t->is_ending;
}

void turns_stop(struct turns *t)
{
    (void)pthread_mutex_lock(&t->lock);
    t->is_ending = true;
    (void)pthread_cond_signal(&t->wake);
    (void)pthread_mutex_unlock(&t->lock);
    (void)pthread_join(t->thread, NULL);
    release(t);
}
