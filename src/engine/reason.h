/* reason.h - why a run ended, in the order of the native backend (launch/run.c): we first (deadline, kill), then the
 * kernel (memory, pids), then the program itself. A run that ends well in spite of a refused fork or a killed helper
 * process has ended well.
 */
#pragma once
#include "engine/usage.h"
#include "entry/frame.h"

struct reason_facts {
    enum run_reason forced; /* REASON_COMPLETED: we did not end it */
    bool has_started, has_ended;
    struct entry_end end;          /* where it has ended */
    uint32_t oom_kills, pids_hits; /* since GO */
    bool was_oom_killed;           /* the engine says so, and the control group cannot be seen */
};
enum run_reason reason_decide(const struct reason_facts *f);
