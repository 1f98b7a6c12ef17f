/* names.h - modules, builtins and commands that a level blocks, compared with what a scan saw. Pure.
 *
 * The same rules are applied again at run time by the guards (guards/) and by what is absent from the sandbox; names.c
 * and guards/python_guard.py, node_guard.js agree on what covers what: `urllib` covers `urllib.request`, `fs` covers
 * `node:fs/promises`, and the C half of a blocked Python module (`_socket`, `posix`) is the module.
 */
#pragma once
#include "config/config.h"

enum name_kind { NAME_MODULE, NAME_COMMAND, NAME_BUILTIN /* eval, exec, compile, __import__, Function */, NAME_KINDS };

/* The key below languages.L that refuses the name («blocked_modules», «allowed_modules», «blocked_commands»,
 * «restricted_commands», «restricted»), or NULL. */
const char *name_rule_against(const struct profile *p, enum language lang, enum name_kind kind, const char *name);
/* blocked_module, blocked_command, blocked_builtin: the type of the violation. */
const char *name_violation_type(enum name_kind kind);
