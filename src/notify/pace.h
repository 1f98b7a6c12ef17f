/* pace.h - how fast refused calls are answered.
 *
 * An answer costs us more than the call costs the program that made it, and what it costs is not charged to it: a loop
 * of refused calls took 2 to 3 times the sandbox's own CPU from the host. So each sandbox has a bucket of answers. When
 * it is empty, an answer waits in a queue until there is one again, and its asker with it. Nothing else waits: other
 * calls, other sandboxes, events (they are told before), a kill (which a waiting asker dies of).
 *
 * Programs that are refused something now and then never meet the bucket's end: 4000 at once, 2000 a second.
 */
#pragma once
#include "base/base.h"

#define PACE_BURST     4000u
#define PACE_PER_S     2000u
#define PACE_QUEUE_MAX 512u /* asking threads; beyond that the oldest is answered at once */

struct pace {
    uint32_t left;        /* answers in the bucket */
    uint64_t filled_us;   /* when the last one was put in; 0: never used */
    uint32_t count, size; /* of the queue */
    struct late_answer {
        uint64_t id;
        int error;
    } * queue;
};

/* Now: answer this one. Else it is in the queue. */
bool pace_may_answer(struct pace *p, uint64_t id, int error, uint64_t now_us);
/* The next one of the queue that is due, or that has no place. False: none. */
bool pace_next(struct pace *p, uint64_t now_us, struct late_answer *ret);
/* When pace_next() has something; 0: nothing waits. */
uint64_t pace_due_us(const struct pace *p);
void pace_done(struct pace *p);
