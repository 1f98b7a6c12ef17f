#include "plan/fault.h"

const char *const fault_names[FAULT_COUNT] = { "none", "program", "limit", "policy", "infrastructure" };

enum fault fault_of_reason(enum run_reason reason, bool was_stopped)
{
    switch (reason) {
    case REASON_COMPLETED:
        return FAULT_NONE;
    case REASON_ERROR:
    case REASON_SIGNAL:
        return FAULT_PROGRAM;
    case REASON_TIMEOUT:
    case REASON_OOM:
    case REASON_PIDS_LIMIT:
    case REASON_OUTPUT_LIMIT:
        return FAULT_LIMIT;
    case REASON_KILLED: /* by a kill switch, if no client asked for it */
        return was_stopped ? FAULT_NONE : FAULT_POLICY;
    case REASON_POLICY_DENIED:
        return FAULT_POLICY;
    case REASON_SANDBOX_ERROR:
    case REASON_COUNT:
        break;
    }
    return FAULT_INFRASTRUCTURE;
}
