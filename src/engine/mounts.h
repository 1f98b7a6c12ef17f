/* mounts.h - is there anything mounted in a container that the plan did not ask for?
 *
 * What an engine says of its mounts was compared before (readback.h); this is the kernel's own list, from inside. A
 * mount is let in if the plan asked for it, or it is one that engines always make, which mounts.c has in two tables.
 * Any other refuses the run, whatever the profile requires: it may be the host's. docker.container.accept_mounts names
 * places where it does not.
 */
#pragma once
#include "engine/check.h"

int mounts_check(const struct check_input *in, struct error *err);
/* What is there because the configuration accepts it. */
void mounts_list_accepted(const struct check_input *in, struct strlist *missing);
