/* sweep.h - removes containers and volumes of ours whose owner is dead, and nothing else. */
#pragma once
#include "engine/api.h"
#include "engine/owner.h"

enum sweep_state { SWEEP_LIVE, SWEEP_STOPPED }; /* a container's */
/* labels: of a container or volume, JSON. One that was to be kept stays once it has stopped; a volume is a stopped
 * thing. */
bool sweep_takes(const struct owner *self, const json_t *labels, enum sweep_state state,
                 enum process_state (*look)(uint64_t pid, uint64_t start));
/* How many were removed. Bounded by the engine's time for an answer, each call. */
unsigned sweep(struct engine *e);
