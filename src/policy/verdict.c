#include "policy/verdict.h"

#include <stdio.h>

#include "base/path.h"

#define INSTALL_WORDS 8u
#define INSTALL_WORD  64u

static int refuse(struct error *err, const char *what, const char *remedy)
{
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "%s", what);
    return err_remedy(err, "%s", remedy);
}

/* «use --profile with a profile», where the request can name one. */
static const char *other_profile(const struct run_request *r)
{
    return request_word(r->words, REQUEST_PROFILE) ? "use --profile with a profile"
                                                   : "have the level's profile changed to one";
}

static int check_language(const struct config *c, const struct profile *p, const struct run_request *r,
                          struct error *err)
{
    const enum language lang = r->language;
    const char *level = request_word(r->words, REQUEST_RISK_LEVEL);
    if (r->session == SESSION_OPENS) /* its program is ours; each of its jobs is asked about */
        return 0;
    if (r->session == SESSION_JOB && p->execution.shell_access == SHELL_NONE && !r->is_kernel && !r->is_cell)
        return refuse(err, "a session at this level has contexts only: execution.shell_access is none",
                      "create a context (POST /sessions/{id}/contexts) and run the code as its cells");
    if ((r->is_kernel || r->is_cell) && p->execution.shell_access == SHELL_NONE && lang != LANG_PYTHON)
        return refuse(err, "contexts of a session at this level are for python: execution.shell_access is none",
                      "create one with language python");
    if (lang == LANG_COMMAND) {
        if (p->execution.shell_access != SHELL_NONE)
            return 0;
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "execution.shell_access is none at this level: commands are refused");
        return err_remedy(err, "take a lower %s, or a profile that sets execution.shell_access: limited", level);
    }
    const char *name = language_names[lang];
    if (!c->languages[lang].enabled) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "language %s is disabled by the configuration", name);
        return err_remedy(err, "set languages.%s.enabled: true", name);
    }
    if ((lang == LANG_GO || lang == LANG_RUST) && !config_may_compile(c, p, lang)) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "%s has to be compiled, which execution.allow_compilation forbids at level %s", name,
                      risk_level_names[p->risk_level]);
        if (p->execution.allow_compilation) {
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                          "%s has to be compiled, which languages.%s.allow_compilation of the configuration forbids at "
                          "level %s",
                          name, name, risk_level_names[p->risk_level]);
            return err_remedy(err, "take a lower %s, or set languages.%s.allow_compilation: true", level, name);
        }
        return err_remedy(err, "take a lower %s, or a profile that sets execution.allow_compilation: true", level);
    }
    return 0;
}

static int check_env(const struct profile *p, const struct run_request *r, struct error *err)
{
    STRLIST_FOREACH(pair, &r->env)
    {
        char name[128];
        size_t n = strcspn(pair, "=");
        if (n >= sizeof name) {
            (void)field_refuse(r->words, err, -EACCES, BLAME_CALLER, REQUEST_ENV, NULL, "a name of %zu bytes", n);
            return err_remedy(err, "names have at most 127 bytes");
        }
        memcpy(name, pair, n);
        name[n] = '\0';
        if (!p->environment.allow_custom_env) {
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                          "environment variable %s: environment.allow_custom_env is false at level %s", name,
                          risk_level_names[p->risk_level]);
            return err_remedy(err, "leave out %s, or %s that sets environment.allow_custom_env: true",
                              request_word(r->words, REQUEST_ENV), other_profile(r));
        }
        if (strlist_has(&p->environment.restricted_env, name)) {
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "environment variable %s is in environment.restricted_env",
                          name);
            return err_remedy(err, "choose another name, or %s that does not list it", other_profile(r));
        }
    }
    return 0;
}

/* Host directories whose content is not a user's to hand out: only a profile that names them does. */
static bool is_sensitive(const char *path)
{
    static const char *const dirs[] = { "/etc",     "/root",    "/proc", "/sys", "/dev",  "/boot", "/run",
                                        "/var/run", "/var/lib", "/usr",  "/bin", "/sbin", "/lib",  "/lib64" };
    if (str_eq(path, "/") || str_eq(path, "/home") || str_eq(path, "/var"))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (path_is_within(path, dirs[i]))
            return true;
    return false;
}

/* allowed_mounts: «/» permits every place that is not sensitive; an empty list permits nothing. */
static int check_volume(const struct profile *p, const struct run_request *r, const struct request_volume *v,
                        struct error *err)
{
    bool is_general = false;
    STRLIST_FOREACH(dir, &p->filesystem.allowed_mounts)
    {
        if (str_eq(dir, "/"))
            is_general = true;
        else if (path_is_within(v->host, dir))
            return 0;
    }
    if (is_general && !is_sensitive(v->host))
        return 0;
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                  "volume %s: filesystem.allowed_mounts does not permit it at level %s", v->host,
                  risk_level_names[p->risk_level]);
    return err_remedy(err, "%s that lists it in filesystem.allowed_mounts", other_profile(r));
}

/* packages.allow: the word all, or names. */
static int check_packages(const struct profile *p, const struct run_request *r, struct error *err)
{
    const struct strlist *allow = &p->packages.allow;
    if (!r->packages.name || strlist_has(allow, "all") || strlist_has(allow, r->packages.name))
        return 0;
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "packages %s: packages.allow does not permit them at level %s",
                  r->packages.name, risk_level_names[p->risk_level]);
    return err_remedy(err, "%s that lists them in packages.allow", other_profile(r));
}

/* The first words of a command, or of the text of one that bash -c is given. */
static uint32_t first_words(const struct run_request *r, char ret[static INSTALL_WORDS][INSTALL_WORD])
{
    const char *list[3] = { "", "", "" };
    uint32_t n = 0, count = 0;
    STRLIST_FOREACH(word, &r->command)
    {
        if (n < ARRAY_LEN(list))
            list[n++] = word;
        if (count < INSTALL_WORDS)
            (void)snprintf(ret[count++], INSTALL_WORD, "%s", word);
    }
    if (!str_eq(list[0], "bash") || !str_eq(list[1], "-c"))
        return count;
    count = 0;
    for (const char *at = list[2] + strspn(list[2], " \t\n"); *at && count < INSTALL_WORDS;) {
        const size_t size = strcspn(at, " \t\n;&|<>()");
        (void)snprintf(ret[count++], INSTALL_WORD, "%.*s", (int)MIN_OF(size, INSTALL_WORD - 1), at);
        at += size;
        if (!*at || !strchr(" \t", *at))
            break;
        at += strspn(at, " \t");
    }
    return count;
}

/* «pip install X», «python3 -m pip install X», «npm ci»: the beginning of a command, no more. */
static bool is_install(const struct run_request *r)
{
    static const char *const installers[] = { "pip", "pip3", "npm", NULL };
    static const char *const verbs[] = { "install", "i", "add", "ci", "download", NULL };
    char words[INSTALL_WORDS][INSTALL_WORD];
    const uint32_t count = first_words(r, words);
    uint32_t at = count > 2 && str_starts(path_last(words[0]), "python3") && str_eq(words[1], "-m") ? 2 : 0;
    if (at >= count || !str_is_one_of(path_last(words[at]), installers))
        return false;
    for (at++; at < count && words[at][0] == '-';)
        at++;
    return at < count && str_is_one_of(words[at], verbs);
}

/* In a session, where pip and npm are expected to work: a plain no in place of what they say without a network. */
static int check_install(const struct profile *p, const struct run_request *r, struct error *err)
{
    const bool may = p->execution.allow_package_install && p->network.mode == NETWORK_BRIDGE;
    if (r->session != SESSION_JOB || r->language != LANG_COMMAND || may || !is_install(r))
        return 0;
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "packages cannot be installed in a session at level %s: %s is %s",
                  risk_level_names[p->risk_level],
                  p->execution.allow_package_install ? "network.mode" : "execution.allow_package_install",
                  p->execution.allow_package_install ? "none" : "false");
    return err_remedy(err, "create the session with a package set (packages), or at a level that permits it");
}

int verdict_decide(const struct config *c, const struct profile *p, const struct run_request *r, struct error *err)
{
    if (!c->sandbox.enabled)
        return refuse(err, "sandbox.enabled is false, and code never runs outside a sandbox",
                      "set sandbox.enabled: true");
    int e = check_language(c, p, r, err);
    if (e == 0)
        e = check_env(p, r, err);
    for (uint32_t i = 0; i < r->volume_count && e == 0; i++)
        e = check_volume(p, r, &r->volumes[i], err);
    if (e == 0)
        e = check_install(p, r, err);
    return e < 0 ? e : check_packages(p, r, err);
}
