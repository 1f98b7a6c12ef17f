/* severity.h - how bad a finding or a violation is: one scale for scan, policy, result and audit. */
#pragma once
#include "base/base.h"

enum severity { SEVERITY_INFO, SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH, SEVERITY_CRITICAL, SEVERITY_COUNT };
extern const char *const severity_names[]; /* "info" ... "critical", NULL */
