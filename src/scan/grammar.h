/* grammar.h - one row per language: its grammar (if `npm ci` brought it) and its resolver. */
#pragma once
#include "config/profile.h"
#include "scan/resolver.h"

struct grammar {
    const char *name;                    /* python, node, bash, go, rust */
    const TSLanguage *(*language)(void); /* NULL: was not there when this was built */
    resolver_fn *resolve;
};

const struct grammar *grammar_of(enum language language); /* NULL for LANG_COMMAND */
bool grammar_find(const char *name, enum language *ret);
