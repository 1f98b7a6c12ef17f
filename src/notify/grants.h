/* grants.h - forks that were permitted and have not happened yet.
 *
 * Between our answer and the new process lies whatever the scheduler likes, and two askers must not both get the last
 * place. A grant counts as a process until there is evidence that its call is over: the asker asks again or is gone, or
 * all the processes that were granted are there to be counted. An asker that shows none for GRANT_LIMIT_US is
 * forgotten: it may have forked a process that ended.
 *
 * Pure: who is there is for the caller to say.
 */
#pragma once
#include "base/base.h"

#define GRANTS_MAX     64 /* more at once than any profile that is counted has processes */
#define GRANT_LIMIT_US (5u * 1000 * 1000)

struct grants {
    uint32_t count, base; /* base: processes that were there, or came from forgotten grants, when the list began */
    struct {
        uint32_t tid;
        uint64_t until_us;
    } list[GRANTS_MAX];
};

typedef bool is_thread_there_fn(const void *context, uint32_t tid);

/* tid asks to fork; count processes are there, of at most `most`. True: it may, and has a grant. */
bool grants_take(struct grants *g, uint32_t tid, uint32_t count, uint32_t most, uint64_t now_us,
                 is_thread_there_fn *is_there, const void *context);

/* What was answered, for the detector of fork bombs. */
struct fork_tally {
    uint64_t granted;
    uint32_t refused;
    uint32_t askers[8]; /* threads among those that were refused; distinct */
    uint32_t asker_count;
};
/* One shell that tries again is no bomb, a process and its children and theirs are. */
void fork_tally_refused(struct fork_tally *t, uint32_t tid);
