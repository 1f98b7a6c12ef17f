/* orphans.h - executions of a service that died: told in store and audit when the next one starts, so that every
 * accepted one has an end. */
#pragma once
#include "daemon/service.h"

int orphans_tell(struct service *v, struct error *err);
