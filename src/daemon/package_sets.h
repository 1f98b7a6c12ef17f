/* package_sets.h - what is known of package sets, as JSON: for the command line and for the API. */
#pragma once
#include <jansson.h>

#include "packages/store.h"

/* The caller's. NULL: it is not there (any more), or err says what is wrong with it. */
json_t *package_set_load(int store, const char *name, struct error *err);
/* All, by name. damaged (may be NULL) is told of those that cannot be read; without it the first one is an error. */
json_t *package_sets_load(int store, void (*damaged)(void *context, const char *name), void *context,
                          struct error *err);
/* A copy without what is long. */
json_t *package_set_short(json_t *set);
/* A member's text, borrowed; "": there is none. */
const char *package_set_text(const json_t *set, const char *key);
