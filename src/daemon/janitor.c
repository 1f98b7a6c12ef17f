#include "daemon/janitor.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct janitor {
    void (*work)(void *item);
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread, is_ending;
    void *items[JANITOR_MAX]; /* a ring */
    uint32_t first, count;
};

static void *run(void *context)
{
    struct janitor *j = context;
    /* what wakes us has an answer to send first, perhaps on the same processor */
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){ 0 });
    (void)pthread_mutex_lock(&j->lock);
    for (;;) {
        while (!j->count && !j->is_ending)
            (void)pthread_cond_wait(&j->changed, &j->lock);
        if (!j->count)
            break;
        void *item = j->items[j->first];
        j->first = (j->first + 1) % JANITOR_MAX;
        j->count--;
        (void)pthread_mutex_unlock(&j->lock);
        j->work(item);
        (void)pthread_mutex_lock(&j->lock);
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

struct janitor *janitor_new(void (*work)(void *item))
{
    struct janitor *j = calloc(1, sizeof *j);
    if (!j)
        abort();
    j->work = work;
    (void)pthread_mutex_init(&j->lock, NULL);
    (void)pthread_cond_init(&j->changed, NULL);
    j->has_thread = pthread_create(&j->thread, NULL, run, j) == 0;
    return j;
}

void janitor_add(struct janitor *j, void *item)
{
    (void)pthread_mutex_lock(&j->lock);
    bool is_taken = j->has_thread && !j->is_ending && j->count < JANITOR_MAX;
    if (is_taken) {
        j->items[(j->first + j->count++) % JANITOR_MAX] = item;
        (void)pthread_cond_signal(&j->changed);
    }
    (void)pthread_mutex_unlock(&j->lock);
    if (!is_taken)
        j->work(item);
}

struct janitor *janitor_stop(struct janitor *j)
{
    if (!j)
        return NULL;
    (void)pthread_mutex_lock(&j->lock);
    j->is_ending = true;
    (void)pthread_cond_signal(&j->changed);
    (void)pthread_mutex_unlock(&j->lock);
    if (j->has_thread)
        (void)pthread_join(j->thread, NULL);
    (void)pthread_mutex_destroy(&j->lock);
    (void)pthread_cond_destroy(&j->changed);
    free(j);
    return NULL;
}
