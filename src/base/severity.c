#include "base/severity.h"

const char *const severity_names[] = { "info", "low", "medium", "high", "critical", NULL };
