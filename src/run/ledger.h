/* ledger.h - which program keeps what is known of agents, and where: the configuration's store.* and
 * sandbox.paths.state_dir. The same for runs and for commands. */
#pragma once
#include "config/config.h"
#include "run/paths.h"
#include "store/place.h"
#include "store/remote.h"

struct store_place ledger_place(const struct config *c);
/* Starts it (store_start). may_make false: where there is no store yet none is made, and *ret is not open. */
int ledger_start(const struct paths *p, const struct config *c, bool may_make, struct arena *a, struct store *ret,
                 struct error *err);
