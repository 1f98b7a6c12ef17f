/* profiles_api.h - the levels as they are in force now, from the policies in memory: as `sandbox-agent profiles
 * list|show --json`. */
#pragma once
#include "daemon/service.h"

void profiles_list(struct call *c, struct http_answer *a);
void profiles_show(struct call *c, struct http_answer *a);
