/* fill.h - the code goes into its volume while the run's own container is made: each takes the engine 50 to 250 ms, and neither needs the other.
 *
 * A thread, with a connection, an arena and JSON of its own: it shares nothing with the caller but what fill_wait() and fill_finish() hand over. It
 * creates the container that lends its volume for PUT archive, puts, and removes that container again, which nobody waits for before fill_finish().
 */
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include "engine/api.h"

struct fill {
    struct engine engine;
    struct arena arena;
    struct buf tar;
    json_t *body;
    pthread_t thread;
    sem_t is_filled;
    bool is_running;
    struct error err;   /* of the filling; code 0: it is filled */
    const char *filler; /* its id where it could not be removed, else NULL */
    struct error unremoved;
};

/* Takes the bytes of tar, whatever comes of it. volume is there already. */
int fill_start(struct fill *f, const struct engine *e, const char *volume, const char *image, const json_t *labels, struct buf *tar, struct error *err);
/* Until the bytes are there: what has to be before the volume is used. */
int fill_wait(struct fill *f, struct error *err);
/* Until nothing of it is left; fine also where nothing was started. Afterwards f->filler tells, until fill_done(). */
void fill_finish(struct fill *f);
void fill_done(struct fill *f);
