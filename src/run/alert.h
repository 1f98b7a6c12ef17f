/* alert.h - alerts out of the house: monitoring.alerts.channels.
 *
 *   log           a line in alerts.log beside the audit
 *   command:PATH  the program, with one JSON object on its standard input; 5 seconds, then it is killed
 *   webhook       posted by the service (daemon/webhook.h); the command line has no HTTP, and says so
 *   email:ADDRESS, slack:FILE, teams:FILE, matrix:FILE   sent by the service (daemon/messenger.h), likewise
 * The audit has the event in any case. A channel that fails is a word on stderr: the run is over and stands.
 */
#pragma once
#include "run/trail.h"

void alert_send(const struct trail *t, const struct config *c, const char *condition, const char *agent_id,
                const char *message, struct arena *a);
