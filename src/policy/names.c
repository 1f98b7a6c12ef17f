#include "policy/names.h"

static bool covers(const struct strlist *list, const char *name, const char *separators)
{
    size_t n = strlen(name);
    STRLIST_FOREACH(entry, list)
    {
        size_t m = strlen(entry);
        if (m <= n && strncmp(entry, name, m) == 0 && (m == n || strchr(separators, name[m])))
            return true;
    }
    return false;
}

static bool is_blocked_python(const struct strlist *list, const char *name)
{
    static const char *const halves[][2] = { { "os", "posix" },
                                             { "subprocess", "_posixsubprocess" },
                                             { "importlib", "_imp" },
                                             { "importlib", "_frozen_importlib" },
                                             { "importlib", "_frozen_importlib_external" } };
    if (covers(list, name, ".") || (name[0] == '_' && covers(list, name + 1, ".")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(halves); i++)
        if (str_eq(name, halves[i][1]) && strlist_has(list, halves[i][0]))
            return true;
    return false;
}

static const char *against_python(const struct language_rules *r, const char *name)
{
    if (is_blocked_python(&r->blocked_modules, name))
        return "blocked_modules";
    if (strlist_has(&r->allowed_modules, "all") || covers(&r->allowed_modules, name, ".") ||
        str_eq(name, "__future__") || str_eq(name, "__main__"))
        return NULL;
    return "allowed_modules";
}

static const char *against_node(const struct language_rules *r, const char *name)
{
    if (str_starts(name, "node:"))
        name += strlen("node:");
    if (name[0] == '.' || name[0] == '/') /* a file of its own */
        return NULL;
    if (covers(&r->blocked_modules, name, "/"))
        return "blocked_modules";
    if (r->restricted && (str_eq(name, "vm") || str_eq(name, "inspector") || str_eq(name, "repl")))
        return "restricted";
    if (r->interpreter_only && (str_eq(name, "child_process") || str_eq(name, "cluster")))
        return "interpreter_only";
    return strlist_has(&r->allowed_modules, "all") || covers(&r->allowed_modules, name, "/") ? NULL : "allowed_modules";
}

static const char *against_path(const struct language_rules *r, const char *name, const char *separators)
{
    if (covers(&r->blocked_modules, name, separators))
        return "blocked_modules";
    return strlist_has(&r->allowed_modules, "all") || covers(&r->allowed_modules, name, separators) ? NULL
                                                                                                    : "allowed_modules";
}

static const char *against_module(const struct language_rules *r, enum language lang, const char *name)
{
    switch (lang) {
    case LANG_PYTHON:
        return against_python(r, name);
    case LANG_NODE:
        return against_node(r, name);
    case LANG_GO:
        return against_path(r, name, "/");
    case LANG_RUST:
        return against_path(r, name, ":");
    default:
        return NULL; /* bash has no modules */
    }
}

const char *name_rule_against(const struct profile *p, enum language lang, enum name_kind kind, const char *name)
{
    if (lang >= LANG_COUNT)
        return NULL;
    const struct language_rules *r = &p->languages[lang];
    switch (kind) {
    case NAME_MODULE:
        return against_module(r, lang, name);
    case NAME_BUILTIN:
        return r->restricted ? "restricted" : NULL;
    case NAME_COMMAND:
        if (strlist_has(&r->blocked_commands, name))
            return "blocked_commands";
        return strlist_has(&r->restricted_commands, name) ? "restricted_commands" : NULL;
    case NAME_KINDS:
        break;
    }
    return NULL;
}

const char *name_violation_type(enum name_kind kind)
{
    return kind == NAME_MODULE ? "blocked_module" : kind == NAME_COMMAND ? "blocked_command" : "blocked_builtin";
}
