/* remote.h - a run that goes to another sandboxd (plan/remote.h): it is judged, booked and told here, and there again.
 *
 * What is asked for and cannot travel (volumes, package sets, network rules of its own, a terminal, a working
 * directory, sessions) is refused by name. */
#pragma once
#include "run/exec.h"

/* After the level is decided: whether this run goes away. */
bool remote_is_wanted(const struct exec *s);
/* The plan, and in s->remote_body the request. Reads standard input. */
int remote_build(struct exec *s, struct error *err);
