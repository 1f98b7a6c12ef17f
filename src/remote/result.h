/* result.h - what the other sandboxd says of a run, as an outcome. It is another machine's word: bounded, and nothing
 * of it is taken for more than text. */
#pragma once
#include <jansson.h>
#include "base/arena.h"
#include "plan/plan.h"

/* Lives in the arena. address: for isolation.remote. */
void result_outcome(const json_t *result, const char *address, struct arena *a, struct outcome *ret);
