/* usage_api.h - GET /usage: what runs took, by agent, key and time. A key of role run sees its own. */
#pragma once
#include "daemon/service.h"

void usage_show(struct call *c, struct http_answer *a);
