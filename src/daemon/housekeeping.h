/* housekeeping.h - what is due now and then, in two threads: lines of the audit go to the disk; the store is kept
 * small, and dead owners' runs are settled. */
#pragma once
#include "daemon/service.h"

struct housekeeping;
int housekeeping_start(struct service *v, struct housekeeping **ret, struct error *err);
struct housekeeping *housekeeping_stop(struct housekeeping *h);
