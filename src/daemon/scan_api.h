/* scan_api.h - POST /scan: what the scan before a run finds in this code, without running it: as `sandbox-agent scan
 * --json`. */
#pragma once
#include "daemon/service.h"

void scan_code(struct call *c, struct http_answer *a);
