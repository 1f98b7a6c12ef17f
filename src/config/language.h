/* language.h - the names under which a language may be asked for. Results always have the canonical one,
 * language_names[]. */
#pragma once
#include "config/profile.h"

#define LANGUAGE_ACCEPTED "python, node, bash, go and rust"
#define LANGUAGE_ALIASES                                                                                    \
    "in any case; py and python3, javascript, js and nodejs, sh and shell, golang, rs are other names for " \
    "them"

/* A name or an alias, in upper or lower case. Never LANG_COMMAND. False: it is none. */
bool language_by_name(const char *word, enum language *ret);
