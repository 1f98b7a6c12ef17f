#include "engine/reason.h"

enum run_reason reason_decide(const struct reason_facts *f)
{
    if (f->forced != REASON_COMPLETED)
        return f->forced;
    if (f->has_ended && f->end.has_exit && f->end.exit_code == 0)
        return REASON_COMPLETED;
    if (f->oom_kills || f->was_oom_killed)
        return REASON_OOM;
    if (!f->has_ended)
        return REASON_SANDBOX_ERROR;
    if (f->pids_hits)
        return REASON_PIDS_LIMIT;
    return f->end.has_signal ? REASON_SIGNAL : REASON_ERROR;
}
