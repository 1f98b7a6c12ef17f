/* habits.h - what a run did, as short sentences that are compared with those of earlier runs of the same agent: the
 * programs it ran, the hosts it connected to, the files of consequence it opened, the calls that were refused.
 *
 * Bounded: HABITS_MAX sentences of HABIT_MAX bytes; what comes beyond is not kept. Texts of the sandbox are printable
 * here, as in evidence. Pure.
 */
#pragma once
#include "base/buf.h"
#include "watch/event.h"

#define HABITS_MAX 48u
#define HABIT_MAX  128u

struct habits {
    uint32_t count;
    char text[HABITS_MAX][HABIT_MAX];
};
void habits_add(struct habits *h, const struct watch_event *e);
/* One a line. */
void habits_print(const struct habits *h, struct buf *b);
