/* run.h - one run on the other machine: the request, what its program writes, and the end. */
#pragma once
#include "remote/peer.h"

/* Closes the run's descriptors before it answers. */
void remote_run(struct remote_run *r);
