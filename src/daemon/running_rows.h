/* running_rows.h - what the two sources of rows share. */
#pragma once
#include "daemon/running.h"

#define RUNNING_AGENT_COMM "sandbox-agent"

/* A further row, for the caller to fill; NULL: there are RUNNING_MAX (is_cut), or there is no memory. */
struct running_row *running_add(struct running *r);
