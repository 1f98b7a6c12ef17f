/* make.h - from a profile's network.* and the configuration to rules. The command line's part: the broker has no
 * profile. */
#pragma once
#include "config/config.h"
#include "net/rules.h"

/* Copies; the caller frees with net_rules_done(), after a failure too. -ENOMEM, or -EINVAL: a rule that profile_check()
 * would have refused. A profile of mode none has rules, too: they are not asked. */
int net_rules_make(const struct profile *p, const struct config *c, bool is_learning, struct net_rules *ret,
                   struct error *err);
