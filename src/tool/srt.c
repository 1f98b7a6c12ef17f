/* srt.c - settings of Anthropic's sandbox-runtime as words of `sandbox-agent wrap`.
 *
 * The format is that of SandboxRuntimeConfigSchema in @anthropic-ai/sandbox-runtime 0.0.78. Its model is another one:
 * there everything may be read but what is denied, here nothing is visible but the project, the system's programs and
 * what is given. So most of denyRead is kept by itself. What cannot be kept is an error that names the key, and so is a
 * key that is not known; what comes out stricter is said on standard error.
 */
#include "tool/tool.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/path.h"
#include "base/strlist.h"

struct srt {
    const char *file, *home;
    char project[PATH_MAX];
    struct strlist words; /* of wrap */
    struct strlist allow_read, allow_write;
    struct strlist deny_read; /* outside of the project: not visible, unless allowWrite makes a volume of it */
    struct error *err;
};

static int cannot(struct srt *s, const char *key, const char *value, const char *why)
{
    (void)err_set(s->err, -ENOTSUP, BLAME_CALLER, NULL, "%s: %s%s%.300s: %s", s->file, key, value ? ": " : "",
                  value ? value : "", why);
    return err_remedy(s->err, "take it out of the file, or leave --srt-settings out: docs/wrap.md has what is kept");
}

static void say(const struct srt *s, const char *key, const char *value, const char *what)
{
    struct buf b;
    buf_init(&b, 8 * KIB);
    (void)buf_addf(&b, "sandbox-agent: %s: %s: ", s->file, key);
    (void)buf_adds_clean(&b, value);
    (void)buf_addf(&b, ": %s\n", what);
    (void)fwrite(b.data, 1, b.size, stderr);
    buf_done(&b);
}

static int add_option(struct srt *s, const char *option, const char *value)
{
    int e = strlist_add(&s->words, option);
    if (e == 0 && value)
        e = strlist_add(&s->words, value);
    return e < 0 ? err_set(s->err, e, BLAME_CALLER, NULL, "%s: its rules together exceed %u bytes", s->file,
                           STRLIST_MAX_BYTES)
                 : 0;
}

/* --- lists of texts -------------------------------------------------------------------------------- */

typedef int each(struct srt *s, const char *key, const char *value);

static int for_each(struct srt *s, const json_t *group, const char *name, const char *key, bool is_needed, each *f)
{
    const json_t *list = json_object_get(group, name);
    int e = 0;
    if (!list && !is_needed)
        return 0;
    if (!json_is_array(list))
        return cannot(s, key, NULL, list ? "not a list" : "is missing");
    for (size_t i = 0; i < json_array_size(list) && e == 0; i++) {
        const json_t *v = json_array_get(list, i);
        const char *text = json_string_value(v);
        if (!text || !*text || strlen(text) != json_string_length(v))
            return cannot(s, key, NULL, "an entry that is no text, or empty");
        e = f(s, key, text);
    }
    return e;
}

/* --- network ----------------------------------------------------------------------------------------- */

static int allow_domain(struct srt *s, const char *key, const char *value)
{
    const size_t n = strcspn(value, ":");
    const bool is_local = (n == 9 && strncmp(value, "localhost", 9) == 0) ||
                          (n > 10 && strncmp(value + n - 10, ".localhost", 10) == 0);
    if (is_local) {
        say(s, key, value, "is the sandbox's own loopback here, not the host's");
        return 0;
    }
    return str_eq(value, "*") ? cannot(s, key, value, "stands for every host") : add_option(s, "--allow", value);
}

/* There «*» means addresses, too; here it is a rule for names. read_network() has had «*» alone. */
static int deny_domain(struct srt *s, const char *key, const char *value)
{
    char rule[32];
    (void)key;
    if (str_eq(value, "*"))
        return 0;
    int e = add_option(s, "--deny", value);
    if (!str_starts(value, "*:") || strlen(value) > 8)
        return e;
    (void)snprintf(rule, sizeof rule, "0.0.0.0/0%s", value + 1);
    e = e < 0 ? e : add_option(s, "--deny", rule);
    (void)snprintf(rule, sizeof rule, "[::/0]%s", value + 1);
    return e < 0 ? e : add_option(s, "--deny", rule);
}

static int deny_address(struct srt *s, const char *key, const char *value)
{
    (void)key;
    return add_option(s, "--deny", value);
}

/* Denied is more than allowed; the rules of the latter are looked at all the same. */
static int deny_all(struct srt *s)
{
    strlist_done(&s->words);
    return add_option(s, "--no-network", NULL);
}

static bool has_text(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *one = json_string_value(json_array_get(list, i));
        if (one && str_eq(one, text))
            return true;
    }
    return false;
}

static int read_network(struct srt *s, const json_t *n)
{
    int e = for_each(s, n, "allowedDomains", "network.allowedDomains", true, allow_domain);
    const bool is_none = e == 0 && s->words.count == 0; /* empty means none, there as here */
    if (e == 0 && (is_none || has_text(json_object_get(n, "deniedDomains"), "*")))
        e = deny_all(s);
    if (e == 0)
        e = for_each(s, n, "deniedDomains", "network.deniedDomains", true, deny_domain);
    if (e == 0)
        e = for_each(s, n, "deniedResolvedAddresses", "network.deniedResolvedAddresses", false, deny_address);
    if (e == 0 && json_is_true(json_object_get(n, "allowAllUnixSockets")))
        say(s, "network.allowAllUnixSockets", "true", "sockets of the host are not reached here");
    return e;
}

/* --- files --------------------------------------------------------------------------------------------- */

static bool is_of_system(const char *path)
{
    static const char *const dirs[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (path_meets(path, dirs[i]))
            return true;
    return str_eq(path, "/");
}

/* path is absolute and folded. Links in its deepest part that exists are followed; the rest stays as it is. */
static bool resolve(char path[static PATH_MAX])
{
    char real[PATH_MAX], whole[2 * PATH_MAX];
    for (size_t n = strlen(path); n; n--) {
        if (path[n] && path[n] != '/')
            continue;
        const char kept = path[n];
        path[n] = '\0';
        const bool exists = realpath(path, real) != NULL;
        path[n] = kept;
        if (!exists)
            continue;
        (void)snprintf(whole, sizeof whole, "%s%s", str_eq(real, "/") && kept ? "" : real, path + n);
        const size_t size = strlen(whole) + 1;
        if (size <= PATH_MAX)
            memcpy(path, whole, size);
        return size <= PATH_MAX;
    }
    return true;
}

/* Absolute and without links as far as it exists: what the kernel would reach. */
static int full_path(struct srt *s, const char *key, const char *value, char ret[static PATH_MAX])
{
    char text[2 * PATH_MAX];
    if (strpbrk(value, "*?[{"))
        return cannot(s, key, value, "a pattern: name the paths");
    if (value[0] == '~' && (!value[1] || value[1] == '/') && s->home)
        (void)snprintf(text, sizeof text, "%s%s", s->home, value + 1);
    else
        (void)snprintf(text, sizeof text, "%s%s%s", value[0] == '/' ? "" : s->project, value[0] == '/' ? "" : "/",
                       value);
    if (!path_fold(text, strlen(text), ret, PATH_MAX) || !resolve(ret))
        return cannot(s, key, value, "not a path");
    return 0;
}

static int note_path(struct srt *s, const char *key, const char *value, struct strlist *list)
{
    char path[PATH_MAX];
    int e = full_path(s, key, value, path);
    return e < 0 ? e : strlist_add(list, path) < 0 ? cannot(s, key, value, "too many") : 0;
}

static int allow_read(struct srt *s, const char *key, const char *value)
{
    return note_path(s, key, value, &s->allow_read);
}

/* dir: becomes a volume, which is readable as a whole. allowRead may give it back, as long as it lies below denied. */
static bool denies(const struct srt *s, const char *denied, const char *dir)
{
    STRLIST_FOREACH(p, &s->allow_read)
    if (path_is_within(p, denied) && path_is_within(dir, p))
        return false;
    return path_is_within(dir, denied) || path_is_within(denied, dir);
}

static int deny_outside(struct srt *s, const char *key, const char *value, const char *path)
{
    STRLIST_FOREACH(dir, &s->allow_write)
    if (!path_is_within(dir, s->project) && denies(s, path, dir))
        return cannot(s, key, value, "allowWrite makes it readable: only places in the project are hidden");
    return strlist_add(&s->deny_read, path) < 0 ? cannot(s, key, value, "too many") : 0;
}

static int deny_read(struct srt *s, const char *key, const char *value)
{
    char path[PATH_MAX];
    int e = full_path(s, key, value, path);
    if (e < 0)
        return e;
    if (is_of_system(path))
        return cannot(s, key, value, "the system's programs and settings are readable");
    if (path_is_within(s->project, path)) { /* all around the project: nothing of it is visible */
        STRLIST_FOREACH(p, &s->allow_read)
        if (path_is_within(p, path) && path_is_within(s->project, p))
            return deny_outside(s, key, value, path);
        return cannot(s, key, value, "it has the project in it, and allowRead does not give that back");
    }
    if (!path_is_within(path, s->project))
        return deny_outside(s, key, value, path);
    STRLIST_FOREACH(p, &s->allow_read)
    if (!str_eq(p, path) && path_is_within(p, path))
        say(s, "filesystem.allowRead", p, "is hidden with the directory above it");
    return access(path, F_OK) == 0 ? add_option(s, "--hide", path)
                                   : cannot(s, key, value, "is not there, so nothing can be laid over it");
}

static int allow_write(struct srt *s, const char *key, const char *value)
{
    char path[PATH_MAX], volume[3 * PATH_MAX];
    int e = full_path(s, key, value, path);
    if (e == 0 && strlist_add(&s->allow_write, path) < 0)
        e = cannot(s, key, value, "too many");
    if (e < 0 || path_is_within(path, s->project))
        return e;
    if (str_eq(path, "/tmp") || str_eq(path, "/var/tmp") || str_starts(path, "/dev/")) {
        say(s, key, value, "is the sandbox's own here");
        return 0;
    }
    if (path_is_within(s->project, path))
        return cannot(s, key, value, "more than the project would be writable: name directories beside it");
    if (access(path, F_OK) < 0 || strchr(path, ':'))
        return cannot(s, key, value, "is not there, or has a colon in its name");
    STRLIST_FOREACH(denied, &s->deny_read)
    if (denies(s, denied, path))
        return cannot(s, key, value, "denyRead names a place in it or above it, and it would be readable as a whole");
    (void)snprintf(volume, sizeof volume, "%s:%s:rw", path, path);
    return add_option(s, "--volume", volume);
}

static int deny_write(struct srt *s, const char *key, const char *value)
{
    char path[PATH_MAX];
    int e = full_path(s, key, value, path);
    if (e < 0)
        return e;
    if (path_is_within(path, s->project) && !str_eq(path, s->project))
        return add_option(s, "--read-only", path);
    STRLIST_FOREACH(p, &s->allow_write)
    if (path_is_within(path, p) || path_is_within(p, path))
        return cannot(s, key, value, "only places in the project are kept read-only");
    return 0; /* nothing there is writable */
}

static bool writes_project(const struct srt *s)
{
    STRLIST_FOREACH(p, &s->allow_write)
    if (path_is_within(s->project, p))
        return true;
    return false;
}

static int read_files(struct srt *s, const json_t *f)
{
    if (json_is_true(json_object_get(f, "disabled")))
        return cannot(s, "filesystem.disabled", "true", "there is no run without a file system of its own");
    int e = for_each(s, f, "allowRead", "filesystem.allowRead", false, allow_read);
    if (e == 0)
        e = for_each(s, f, "denyRead", "filesystem.denyRead", true, deny_read);
    if (e == 0)
        e = for_each(s, f, "allowWrite", "filesystem.allowWrite", true, allow_write);
    if (e == 0 && !writes_project(s))
        return cannot(s, "filesystem.allowWrite", s->project,
                      "is not in the list, and wrap makes the project writable");
    if (e == 0)
        e = for_each(s, f, "denyWrite", "filesystem.denyWrite", true, deny_write);
    if (e == 0 && json_is_true(json_object_get(f, "allowGitConfig")))
        e = add_option(s, "--writable", ".git/config");
    return e;
}

/* mode deny: a variable is never given to the tool, a file is hidden or not visible. */
static int read_credentials(struct srt *s, const json_t *c)
{
    static const char *const lists[] = { "envVars", "files" };
    for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
        const json_t *list = json_object_get(c, lists[k]);
        if (list && !json_is_array(list))
            return cannot(s, "credentials", lists[k], "not a list");
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *entry = json_array_get(list, i);
            const char *mode = json_string_value(json_object_get(entry, "mode"));
            const char *path = json_string_value(json_object_get(entry, "path"));
            if (!mode || !str_eq(mode, "deny"))
                return cannot(s, "credentials", lists[k], "only mode deny is kept");
            int e = k == 1 ? (path ? deny_read(s, "credentials.files", path)
                                   : cannot(s, "credentials.files", NULL, "an entry without a path"))
                           : 0;
            if (e < 0)
                return e;
        }
    }
    const json_t *pairs = json_object_get(c, "awsPairs");
    return pairs && (!json_is_array(pairs) || json_array_size(pairs))
               ? cannot(s, "credentials.awsPairs", NULL, "no request is signed here")
               : 0;
}

/* --- which keys --------------------------------------------------------------------------------------- */

static const char *const top_keys[] = { "network", "filesystem", "credentials",
                                        /* reporting, other systems, and where srt finds its helpers */
                                        "ignoreViolations", "enableWeakerNestedSandbox", "enableWeakerNetworkIsolation",
                                        "allowAppleEvents", "ripgrep", "mandatoryDenySearchDepth", "allowPty",
                                        "seccomp", "bwrapPath", "socatPath", "javaAgentJarPath", "windows", "git",
                                        "$schema", NULL };
static const char *const network_keys[] = {
    "allowedDomains",   "deniedDomains",       "deniedDomainReasons", "strictAllowlist", "deniedResolvedAddresses",
    "allowUnixSockets", "allowAllUnixSockets", "allowLocalBinding",   "allowMachLookup", NULL
};
static const char *const file_keys[] = { "disabled",  "denyRead",       "allowRead", "allowWrite",
                                         "denyWrite", "allowGitConfig", NULL };
static const char *const credential_keys[] = { "envVars", "files", "awsPairs", "allowPlaintextInject", NULL };

static int check_keys(struct srt *s, const json_t *o, const char *group, const char *const *known)
{
    const char *key;
    const json_t *value;
    if (!json_is_object(o))
        return cannot(s, group, NULL, o ? "not an object" : "is missing");
    json_object_foreach((json_t *)o, key, value) if (!str_is_one_of(key, known)) return cannot(
        s, group, key, "this key is not known, or cannot be kept");
    return 0;
}

static int read_settings(struct srt *s, const json_t *o)
{
    const json_t *network = json_object_get(o, "network"), *files = json_object_get(o, "filesystem");
    const json_t *credentials = json_object_get(o, "credentials");
    int e = check_keys(s, o, "settings", top_keys);
    if (e == 0)
        e = check_keys(s, network, "network", network_keys);
    if (e == 0)
        e = check_keys(s, files, "filesystem", file_keys);
    if (e == 0 && credentials)
        e = check_keys(s, credentials, "credentials", credential_keys);
    if (e == 0)
        e = read_network(s, network);
    if (e == 0)
        e = read_files(s, files);
    return e == 0 && credentials ? read_credentials(s, credentials) : e;
}

/* --- and on -------------------------------------------------------------------------------------------- */

static int start_wrap(const struct tool *t, struct srt *s, int argc, char **argv)
{
    char agent[PATH_MAX];
    char **words = calloc((size_t)argc + s->words.count + 3, sizeof *words);
    size_t n = 0;
    if (!words)
        return err_set(s->err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    words[n++] = (char *)"sandbox-agent";
    words[n++] = (char *)"wrap";
    STRLIST_FOREACH(word, &s->words)
    words[n++] = (char *)word;
    memcpy(words + n, argv, (size_t)argc * sizeof *words);
    (void)snprintf(agent, sizeof agent, "%s/../../bin/sandbox-agent", t->exe_dir);
    (void)execv(agent, words);
    int e = err_set(s->err, -errno, BLAME_HOST, NULL, "%s: %m", agent);
    free(words);
    return e;
}

/* srt FILE PROJECT WORD...: the words of `wrap` without --srt-settings. Becomes `sandbox-agent wrap`. */
int cmd_srt(struct tool *t, int argc, char **argv)
{
    struct error err = { 0 };
    json_error_t why;
    if (argc < 3)
        return 2;
    struct srt s = { .file = argv[1], .home = getenv("HOME"), .err = &err };
    int e = realpath(argv[2], s.project) ? 0 : err_set(&err, -errno, BLAME_CALLER, NULL, "--project %s: %m", argv[2]);
    json_t *o = e == 0 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &why) : NULL;
    if (e == 0 && !o)
        e = why.line > 0 ? err_set(&err, -EINVAL, BLAME_CALLER, NULL, "--srt-settings %s: line %d: %s", argv[1],
                                   why.line, why.text)
                         : err_set(&err, -EINVAL, BLAME_CALLER, NULL, "--srt-settings: %s", why.text);
    if (e == 0)
        e = read_settings(&s, o);
    json_decref(o);
    if (e == 0)
        e = start_wrap(t, &s, argc - 3, argv + 3);
    strlist_done(&s.words);
    strlist_done(&s.allow_read);
    strlist_done(&s.allow_write);
    strlist_done(&s.deny_read);
    return tool_complain(&err);
}
