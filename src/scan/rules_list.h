/* rules_list.h - lists of regexes that rules share (rules/lists.yaml), so that a fact is written down once for all
 * languages. Lives in the rule set's arena.
 */
#pragma once
#include "scan/rule.h"

/* Alternatives, as «one|two». false: the name is taken, or out of memory. Keeps both texts. */
bool rules_list_add(struct ruleset *s, const char *name, const char *regex);
/* The regex with every {name} written out; NULL and the name: there is no such list. */
const char *rules_list_expand(struct ruleset *s, const char *source, const char **ret_unknown);
