/* Which names a level blocks: the same answers as the guards give at run time. */
#include "policy/names.h"
#include "test.h"

static void add(struct strlist *l, const char *const *words)
{
    for (; *words; words++)
        CHECK(strlist_add(l, *words) == 0);
}

static const char *ask(const struct profile *p, enum language lang, enum name_kind kind, const char *name)
{
    const char *rule = name_rule_against(p, lang, kind, name);
    return rule ? rule : "";
}

TEST(a_blocked_module_covers_what_is_below_it_and_its_other_half)
{
    struct profile p;
    profile_defaults(&p);
    struct language_rules *r = &p.languages[LANG_PYTHON];
    strlist_done(&r->blocked_modules);
    strlist_done(&r->allowed_modules);
    add(&r->blocked_modules, (const char *const[]){ "os", "urllib", "socket", "importlib", NULL });
    add(&r->allowed_modules, (const char *const[]){ "all", NULL });
    static const char *const refused[] = { "os", "os.path", "urllib.request", "_socket", "posix", "_imp", "_os" };
    static const char *const free_ones[] = { "oslo", "urllib3", "sockets", "math", "json.os", "_pickle" };
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, refused[i]), "blocked_modules");
    for (size_t i = 0; i < ARRAY_LEN(free_ones); i++)
        CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, free_ones[i]), "");
    profile_done(&p);
}

TEST(an_allow_list_allows_what_it_names_and_an_empty_one_nothing)
{
    struct profile p;
    profile_defaults(&p);
    struct language_rules *r = &p.languages[LANG_PYTHON];
    strlist_done(&r->blocked_modules);
    strlist_done(&r->allowed_modules);
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, "json"), "allowed_modules");
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, "__future__"), "");
    add(&r->allowed_modules, (const char *const[]){ "math", "json", NULL });
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, "json.decoder"), "");
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_MODULE, "re"), "allowed_modules");
    profile_done(&p);
}

TEST(node_s_names_are_plain_with_and_without_their_prefix)
{
    struct profile p;
    profile_defaults(&p);
    struct language_rules *r = &p.languages[LANG_NODE];
    strlist_done(&r->blocked_modules);
    strlist_done(&r->allowed_modules);
    add(&r->blocked_modules, (const char *const[]){ "fs", NULL });
    add(&r->allowed_modules, (const char *const[]){ "all", NULL });
    r->interpreter_only = true;
    CHECK_STR(ask(&p, LANG_NODE, NAME_MODULE, "node:fs/promises"), "blocked_modules");
    CHECK_STR(ask(&p, LANG_NODE, NAME_MODULE, "fs-extra"), "");
    CHECK_STR(ask(&p, LANG_NODE, NAME_MODULE, "./fs"), "");
    CHECK_STR(ask(&p, LANG_NODE, NAME_MODULE, "child_process"), "interpreter_only");
    profile_done(&p);
}

TEST(commands_and_builtins_have_rules_of_their_own)
{
    struct profile p;
    profile_defaults(&p);
    struct language_rules *r = &p.languages[LANG_BASH];
    strlist_done(&r->blocked_commands);
    strlist_done(&r->restricted_commands);
    add(&r->blocked_commands, (const char *const[]){ "nc", NULL });
    add(&r->restricted_commands, (const char *const[]){ "curl", NULL });
    CHECK_STR(ask(&p, LANG_BASH, NAME_COMMAND, "nc"), "blocked_commands");
    CHECK_STR(ask(&p, LANG_BASH, NAME_COMMAND, "curl"), "restricted_commands");
    CHECK_STR(ask(&p, LANG_BASH, NAME_COMMAND, "ncal"), "");
    p.languages[LANG_PYTHON].restricted = false;
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_BUILTIN, "eval"), "");
    p.languages[LANG_PYTHON].restricted = true;
    CHECK_STR(ask(&p, LANG_PYTHON, NAME_BUILTIN, "eval"), "restricted");
    CHECK_STR(ask(&p, LANG_COMMAND, NAME_COMMAND, "nc"), "");
    CHECK_STR(name_violation_type(NAME_COMMAND), "blocked_command");
    profile_done(&p);
}
