/* queue.h - who may run now: so many at once; later ones wait in a bounded line that is fair between callers.
 *
 * A caller is a name: the agent's, or that of the key for anonymous runs. Turns go round the names that wait, first
 * come first served within each. One name may take at most three quarters of the line, so that there is room for others
 * whatever it does. What runs in the background of a session, as a rule until its deadline, has three quarters of the
 * turns, all names together: there are turns for what ends soon. Of these one name may have three quarters.
 */
#pragma once
#include <pthread.h>
#include "base/base.h"

#define QUEUE_NAME_MAX 160u

struct queue;
struct queue_place { /* in the line, or a turn; the caller's memory until queue_leave() */
    char name[QUEUE_NAME_MAX];
    struct queue *queue;
    struct queue_place *next;         /* of the same name */
    struct queue_place *next_lasting; /* of any name, where it lasts */
    pthread_cond_t turn;
    bool is_waiting, has_turn, is_lasting;
    uint64_t joined_us, granted_us;
};
enum queue_answer { QUEUE_TURN, QUEUE_TIMEOUT, QUEUE_STOPPED, QUEUE_MOVED };

struct queue *queue_new(uint32_t slots, uint32_t size);
struct queue *queue_free(struct queue *q); /* it must be empty */
void queue_resize(struct queue *q, uint32_t slots, uint32_t size);
/* False: full; *ret_wait_ms: when to come again. is_lasting: it is no run that a client waits for. */
bool queue_join(struct queue *q, const char *name, bool is_lasting, struct queue_place *p, uint64_t *ret_wait_ms);
/* How many of the lasting ones there may be, running and waiting, of all names together. */
uint32_t queue_lasting_max(struct queue *q);
/* Until it is p's turn. stop: an eventfd that is readable when the execution is to end; peer: the client's socket; -1:
 * none. is_away becomes true when another node has it; NULL: none can. */
enum queue_answer queue_wait(struct queue_place *p, uint64_t max_ms, int stop, int peer, const _Atomic bool *is_away);
/* Gives the turn or the place up; also twice. */
void queue_leave(struct queue_place *p);

struct queue_counts {
    uint32_t slots, size, running, waiting;
};
void queue_count(struct queue *q, struct queue_counts *ret);
