#include "run/policy.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "run/receipt.h"

static void add_option(struct strlist *argv, const char *name, const char *value)
{
    if (!value)
        return;
    (void)strlist_add(argv, name); /* a dozen short words cannot exceed a strlist */
    (void)strlist_add(argv, value);
}

/* The slow path: another program knows YAML. */
static int compile(const struct compiled_key *key, const struct paths *p, bool store, struct compiled *ret,
                   struct error *err)
{
    int pair[2];
    struct strlist words = { 0 };
    char program[4200];
    (void)snprintf(program, sizeof program, "%s/sandbox-policy", p->libexec);
    if (pipe2(pair, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, "POLICY", "pipe: %m");
    cleanup(closep) int in = pair[0];
    add_option(&words, "sandbox-policy", "compile");
    add_option(&words, "--data-dir", key->data_dir);
    add_option(&words, "--level", key->level);
    add_option(&words, "--profile", key->profile_path);
    add_option(&words, "--config", key->config_path);
    add_option(&words, "--system-config", key->system_config);
    add_option(&words, "--user-config", key->user_config);
    if (store && p->cache)
        add_option(&words, "--cache-dir", p->cache);
    else
        (void)strlist_add(&words, "--no-store");
    add_option(&words, "--out-fd", "3");
    char **argv = strlist_argv(&words);
    volatile int exec_errno = 0;
    pid_t pid = argv ? vfork() : -1;
    if (pid == 0) {
        int fd = pair[1] == 3 ? dup(3) : pair[1];
        if (fd >= 0 && dup2(fd, 3) == 3)
            (void)execv(program, argv);
        exec_errno = errno;
        _exit(125);
    }
    (void)close(pair[1]);
    free(argv);
    strlist_done(&words);
    if (pid < 0 || exec_errno) {
        (void)err_set(err, -(exec_errno ? exec_errno : errno), BLAME_HOST, "POLICY", "start %s: %s", program,
                      strerror(exec_errno ? exec_errno : errno));
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    int e = compiled_receive(in, ret, err);
    (void)waitpid(pid, NULL, 0);
    return e;
}

/* bounded: by what the level gives. */
static void lay_over(struct compiled *c, const struct options *o, bool is_bounded)
{
    for (enum limit_kind k = 0; k < LIMIT_KINDS; k++) {
        uint64_t most = is_bounded ? limit_of(&c->profile, k) : UINT64_MAX;
        if (!o->limits[k].is_set || o->limits[k].value > most)
            continue; /* the level's stays */
        limit_set(&c->profile, k, o->limits[k].value);
        c->profile.origin[profile_find_key(limit_key(k))] = (struct origin){ .source = ORIGIN_OPTION };
    }
}

/* What pip and npm need, and the network that they may have. In their tmpfs lie downloads beside what is unpacked, and
 * that is memory. */
static void lay_build(struct profile *p, const struct build_options *b)
{
    const uint64_t storage = b->max_bytes + b->max_bytes / 2 + 256 * MIB;
    p->network.allow = b->hosts;
    p->network.deny = p->network.ports = (struct strlist){ 0 };
    p->resources.timeout = b->timeout_ms;
    p->resources.storage = storage;
    p->resources.memory = MAX_OF(p->resources.memory, storage + GIB);
    p->resources.cpu = MAX_OF(p->resources.cpu, 2000u);
    p->resources.pids = MAX_OF(p->resources.pids, 128u);
    p->filesystem.temp_size = 256 * MIB;
    p->execution.max_processes = MAX_OF(p->execution.max_processes, 128u);
    p->execution.max_file_size = MAX_OF(p->execution.max_file_size, storage);
    p->execution.allow_package_install = true;
    p->execution.shell_access = SHELL_TRUE;
    p->monitoring.canaries = (struct strlist){ 0 }; /* they would be a part of the set */
}

/* Its own loopback stays, which a rule of deny would take, too. An allow list that names nothing else is what is not
 * reached by any name (RFC 6761). */
static void lay_no_network(struct profile *p)
{
    static char nothing[] = "nothing.invalid";
    p->network.allow = (struct strlist){ .data = nothing, .size = sizeof nothing, .count = 1 };
    p->network.dns = DNS_DISABLED;
}

/* Rules of the request's own: only what allow names can be reached, and nothing of deny. */
static int lay_rules(struct profile *p, const struct options *o, struct error *err)
{
    if (o->allow.count)
        p->network.allow = o->allow;
    if (!o->deny.count)
        return 0;
    if (p->network.deny.count) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--deny: the profile has rules of network.deny already");
        return err_remedy(err, "write them all into the profile");
    }
    p->network.deny = o->deny;
    return 0;
}

void policy_clamped(const struct options *o, const struct profile *in_force, struct limits_clamped *ret)
{
    *ret = (struct limits_clamped){ 0 };
    for (enum limit_kind k = 0; k < LIMIT_KINDS; k++) {
        uint64_t granted = limit_of(in_force, k);
        if (!o->limits[k].is_set || o->limits[k].value <= granted)
            continue;
        ret->list[ret->count].kind = k;
        ret->list[ret->count].requested = o->limits[k].value;
        ret->list[ret->count++].granted = granted;
    }
}

static int find_policy(const struct options *o, const struct paths *p, const char *level, enum language lang,
                       struct compiled *ret, struct error *err)
{
    const struct compiled_key key = { .level = level,
                                      .profile_path = o->profile,
                                      .config_path = o->config,
                                      .system_config = p->system_config,
                                      .user_config = p->user_config,
                                      .data_dir = p->data };
    if (p->cache && compiled_lookup_for(p->cache, &key, lang, ret) == 1)
        return 0;
    return compile(&key, p, !o->dry_run, ret, err);
}

static void borrow_policy(const struct policy_set *set, const char *level, struct compiled *ret)
{
    *ret = set->level[level ? risk_level_find(level) : (int)set->default_level];
    ret->blob = NULL; /* the set's */
    ret->is_mapped = false;
}

int policy_load(const struct options *o, const struct paths *p, const struct policy_set *set, const char *level,
                enum language lang, struct compiled *ret, struct error *err)
{
    const char *name = level ? level : o->has_level ? risk_level_names[o->risk_level] : NULL;
    if (set)
        borrow_policy(set, name, ret);
    else {
        int e = find_policy(o, p, name, lang, ret, err);
        if (e < 0)
            return e;
    }
    lay_over(ret, o, set != NULL);
    int e = lay_rules(&ret->profile, o, err);
    if (e < 0) {
        compiled_done(ret);
        return e;
    }
    if (o->no_network)
        lay_no_network(&ret->profile);
    if (o->build)
        lay_build(&ret->profile, o->build);
    return 0;
}

void policy_notices(const struct compiled *c, const char *profile, struct buf *out)
{
    const char *dir = c->config.sandbox.paths.profiles_dir;
    struct stat st;
    if (!dir || profile || (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)))
        return;
    (void)buf_adds(out, "sandbox.paths.profiles_dir ");
    (void)buf_adds_clean(out, dir);
    (void)buf_adds(out, ": there is no such directory: the installed profiles are used");
}

int policy_set_load(const struct paths *p, const char *config_path, struct policy_set **ret, struct error *err)
{
    struct policy_set *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, "POLICY", "no memory");
    s->refs = 1;
    for (size_t i = 0; i < RISK_COUNT; i++) {
        const struct compiled_key key = { .level = risk_level_names[i],
                                          .config_path = config_path,
                                          .system_config = p->system_config,
                                          .user_config = p->user_config,
                                          .data_dir = p->data };
        int e = p->cache && compiled_lookup(p->cache, &key, &s->level[i]) == 1
                    ? 0
                    : compile(&key, p, true, &s->level[i], err);
        if (e < 0) {
            (void)policy_set_unref(s);
            return e;
        }
    }
    for (size_t i = 0; i < RISK_COUNT; i++)
        receipt_policy_hash(&s->level[i], s->hash[i]);
    s->default_level = (enum risk_level)s->level[0].config.sandbox.default_risk_level;
    *ret = s;
    return 0;
}

struct policy_set *policy_set_ref(struct policy_set *s)
{
    s->refs++;
    return s;
}

struct policy_set *policy_set_unref(struct policy_set *s)
{
    if (!s || --s->refs)
        return NULL;
    for (size_t i = 0; i < RISK_COUNT; i++)
        compiled_done(&s->level[i]);
    free(s);
    return NULL;
}
