/* fault.h - whose fault it is that a program of a batch has not ended well (docs/batch.md). */
#pragma once
#include "plan/plan.h"

enum fault { FAULT_NONE, FAULT_PROGRAM, FAULT_LIMIT, FAULT_POLICY, FAULT_INFRASTRUCTURE, FAULT_COUNT };
extern const char *const fault_names[FAULT_COUNT];
/* was_stopped: a caller asked for its end; otherwise a kill switch did it. */
enum fault fault_of_reason(enum run_reason reason, bool was_stopped);
