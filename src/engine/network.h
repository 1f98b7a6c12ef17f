/* network.h - the bridge network of containers that have one: ours, made where it is absent. */
#pragma once
#include "engine/api.h"

int network_get(struct engine *e, struct arena *a, const char *name, struct error *err);
