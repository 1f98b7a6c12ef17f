/* compile.c - `sandbox-policy compile`: slow path of the policy cache.
 *
 * sandbox-agent starts us with a pipe when the cache missed. Exactly one answer goes into --out-fd:
 * the blob, or an error that compiled_receive() understands. Storing the blob for the next run comes
 * first (the caller reads to the end of the pipe and may exit at once) and may fail quietly.
 */
#include "filter/filter.h"
#include "filter/syscalls.h"
#include "tool/bytecode.h"
#include "tool/load.h"
#include "tool/tool.h"

#include "base/fnv.h"
#include "base/parse.h"
#include "base/watch_bits.h"

#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>

#define OCI_MAX_BYTES   (1024u * 1024u)
#define GUARD_MAX_BYTES (256u * 1024u)
#define JSON_MAX_BYTES  (512u * 1024u)

struct request {
    struct compiled_key key;
    const char *cache_dir;
    int out_fd;
};

struct policy {
    struct loaded loaded;
    struct sock_filter filter[BPF_MAXINSNS], filter_asking[BPF_MAXINSNS], filter_volumes[BPF_MAXINSNS];
    size_t filter_count, filter_asking_count, filter_volumes_count;
    struct buf summary, json, watched_json, guard[LANG_COUNT], container_guard[LANG_COUNT];
    struct compiled_source guard_source[LANG_COUNT];
    struct compiled_guard guards[LANG_COUNT]; /* borrows from those above and the next */
    char python_stamp[COMPILED_STAMP_MAX];
};

/* ---- filter ---- */

static struct filter_options filter_options_of(const struct profile *p)
{
    return (struct filter_options){
        /* A loopback that is up is a network the code may use, of its own network namespace. */
        .allow_inet = p->network.mode == NETWORK_BRIDGE || !p->network.disable_loopback,
        .refuse_setuid_bits = p->security.disable_setuid,
        .uid = p->security.user.uid,
        .gid = p->security.user.gid,
        .kill_on_violation = p->security.seccomp_kill,
        .is_brokered = p->network.mode == NETWORK_BRIDGE,
    };
}

/* What the profile names, before its options are laid over it. */
static int read_spec(struct policy *p, struct filter_spec *spec, struct error *err)
{
    static const struct filter_options none = { .allow_inet = true };
    const char *name = p->loaded.profile.security.seccomp;
    const struct compiled_source *s;
    int r;
    if (str_eq(name, "default") || str_eq(name, "strict")) {
        r = filter_builtin(str_eq(name, "strict") ? FILTER_STRICT : FILTER_DEFAULT, &none, spec);
        return r < 0 ? err_set(err, r, BLAME_US, NULL, "the %s filter cannot be described: %s", name, strerror(-r)) : 0;
    }
    if ((r = load_source(&p->loaded, name, OCI_MAX_BYTES, &s, err)) < 0)
        return err_wrap(err, "security.seccomp");
    if (!s->is_present)
        return err_set(err, -ENOENT, BLAME_CALLER, NULL, "security.seccomp: %s: there is no such file", name);
    return filter_load_oci(name, s->content.data, s->content.size, spec, err);
}

static int narrow_spec(const struct policy *p, const struct filter_options *opt, struct filter_spec *spec,
                       struct error *err)
{
    int r = filter_narrow(spec, opt);
    return r < 0 ? err_set(err, r, BLAME_CALLER, NULL, "%s: the filter has too many rules",
                           p->loaded.profile.security.seccomp)
                 : 0;
}

/* sandbox-entry lays landlock over the payload when the engine's filter is in force already. All that these calls can
 * do is to take away from who calls them. */
static void permit_landlock(struct filter_spec *spec)
{
    static const int calls[] = { NR_landlock_create_ruleset, NR_landlock_add_rule, NR_landlock_restrict_self };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        filter_set(spec, calls[i], SECCOMP_RET_ALLOW);
}

/* Where sandbox-entry loads the asking filter for the payload, and then a plain one for itself: what loading and
 * listening take, and looking at who asks. The payload's own filter refuses it these calls. */
static void permit_listening(struct filter_spec *spec)
{
    static const int calls[] = { NR_seccomp,       NR_process_vm_readv, NR_pidfd_open, NR_pidfd_getfd, NR_openat2,
                                 NR_epoll_create1, NR_epoll_ctl,        NR_epoll_wait, NR_epoll_pwait };
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        filter_set(spec, calls[i], SECCOMP_RET_ALLOW);
}

/* Left empty where an engine's words do not suffice. */
static int write_json(const struct filter_spec *spec, struct buf *out, struct error *err)
{
    int r = filter_write_oci(spec, out);
    if (r < 0)
        buf_done(out);
    return r == 0 || r == -E2BIG || r == -EMSGSIZE
               ? 0
               : err_set(err, r, BLAME_US, NULL, "the filter cannot be written as JSON: %s", strerror(-r));
}

/* For container engines, where no broker hands in sockets of the host. A profile that they cannot be told is fine for
 * native runs, and the backend refuses it; without the second it is not watched there. */
static int write_profiles(struct policy *p, struct filter_spec *spec, struct error *err)
{
    struct filter_options opt = filter_options_of(&p->loaded.profile);
    opt.is_brokered = false;
    opt.kernel_judges_ids = p->loaded.profile.security.drop_all_caps || !p->loaded.profile.security.cap_add.count;
    /* else the rule for ids is tried, and where it cannot be said the backend refuses the profile */
    int r = narrow_spec(p, &opt, spec, err);
    if (r < 0)
        return r;
    permit_landlock(spec);
    if ((r = write_json(spec, &p->json, err)) < 0)
        return r;
    if (filter_watch(spec, profile_watch(&p->loaded.profile)) < 0)
        return 0; /* nor is the other one to be had */
    filter_leave_to_listener(spec);
    permit_listening(spec);
    return write_json(spec, &p->watched_json, err);
}

static int compile_filters(struct policy *p, struct error *err)
{
    struct filter_options opt = filter_options_of(&p->loaded.profile);
    cleanup(freep) struct filter_spec *spec = calloc(2, sizeof *spec);
    if (!spec)
        return err_set(err, -ENOMEM, BLAME_US, NULL, "out of memory");
    int r = read_spec(p, spec, err);
    if (r < 0)
        return r;
    spec[1] = spec[0];
    if ((r = write_profiles(p, &spec[1], err)) < 0 || (r = narrow_spec(p, &opt, spec, err)) < 0)
        return r;
    if ((r = filter_compile(spec, p->filter, BPF_MAXINSNS, &p->filter_count, err)) < 0)
        return r;
    if (filter_summary(spec, &p->summary) < 0)
        return err_set(err, -ENOMEM, BLAME_US, NULL, "the filter cannot be summed up");
    const uint32_t watch = profile_watch(&p->loaded.profile);
    spec[1] = spec[0];
    if ((r = filter_watch(&spec[0], watch)) < 0 || (r = filter_watch(&spec[1], watch | NOTIFY_VOLUMES)) < 0)
        return err_set(err, r, BLAME_CALLER, NULL, "the filter has too many rules");
    r = filter_compile(&spec[0], p->filter_asking, BPF_MAXINSNS, &p->filter_asking_count, err);
    return r < 0 ? r : filter_compile(&spec[1], p->filter_volumes, BPF_MAXINSNS, &p->filter_volumes_count, err);
}

/* ---- guards ---- */

/* A string literal that Python and JavaScript read alike. profile_check() lets only module names through;
 * this does not rely on it. Bytes above ASCII stay: both read their source as UTF-8. */
static void add_literal(struct buf *out, const char *s)
{
    (void)buf_addc(out, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\' || c < 0x20 || c == 0x7f)
            (void)buf_addf(out, "\\u%04x", c);
        else
            (void)buf_addc(out, *s);
    }
    (void)buf_addc(out, '"');
}

static void add_literals(struct buf *out, const struct strlist *l)
{
    const char *separator = "";
    (void)buf_addc(out, '[');
    STRLIST_FOREACH(s, l)
    {
        (void)buf_adds(out, separator);
        add_literal(out, s);
        separator = ",";
    }
    (void)buf_addc(out, ']');
}

/* What Python and JavaScript (and JSON) write differently. */
static const struct words {
    const char *none, *yes, *no;
} python_words = { "None", "True", "False" }, json_words = { "null", "true", "false" };

/* Without the braces. */
static void add_module_rules(struct buf *out, const struct language_rules *r, const struct words *w)
{
    (void)buf_adds(out, "\"allowed\":");
    if (strlist_has(&r->allowed_modules, "all"))
        (void)buf_adds(out, w->none);
    else
        add_literals(out, &r->allowed_modules);
    (void)buf_adds(out, ",\"blocked\":");
    add_literals(out, &r->blocked_modules);
    (void)buf_addf(out, ",\"interpreter_only\":%s,\"restricted\":%s,\"report_fd\":%d,\"code_dir\":\"/code\"",
                   r->interpreter_only ? w->yes : w->no, r->restricted ? w->yes : w->no, GUARD_REPORT_FD);
}
static bool has_module_rules(const struct language_rules *r)
{
    return r->restricted || r->interpreter_only || r->blocked_modules.count || !strlist_has(&r->allowed_modules, "all");
}
static void add_python_rules(struct buf *out, const struct language_rules *r)
{
    (void)buf_adds(out, "RULES = ");
    if (!has_module_rules(r))
        (void)buf_adds(out, "{\"idle\":True}");
    else {
        (void)buf_addc(out, '{');
        add_module_rules(out, r, &python_words);
        (void)buf_addc(out, '}');
    }
}
static void add_node_rules(struct buf *out, const struct language_rules *r)
{
    (void)buf_adds(out, "const RULES = ");
    if (!has_module_rules(r))
        (void)buf_adds(out, "{idle: true}");
    else {
        (void)buf_addc(out, '{');
        add_module_rules(out, r, &json_words);
        (void)buf_addc(out, '}');
    }
    (void)buf_addc(out, ';');
}

/* Names between blanks in single quotes: profile_check() lets no quote and no blank through. */
static void add_names(struct buf *out, const struct strlist *l)
{
    STRLIST_FOREACH(s, l)
    {
        assert(!strpbrk(s, "' \n"));
        (void)buf_addf(out, "%s%s", out->data[out->size - 1] == '\'' ? "" : " ", s);
    }
}
static bool has_command_rules(const struct language_rules *r)
{
    return r->blocked_commands.count || r->restricted_commands.count;
}
static void add_bash_rules(struct buf *out, const struct language_rules *r)
{
    if (!has_command_rules(r)) {
        (void)buf_adds(out, "  local blocked='' report_fd=''\n  unset -f command_not_found_handle");
        return;
    }
    (void)buf_adds(out, "  local blocked='");
    add_names(out, &r->blocked_commands);
    add_names(out, &r->restricted_commands);
    (void)buf_addf(out, "' report_fd=%d", GUARD_REPORT_FD);
}

static const struct guard_kind {
    enum language lang;
    const char *file, *marker;
    bool (*is_needed)(const struct language_rules *r);
    void (*add_rules)(struct buf *out, const struct language_rules *r);
    bool is_optional; /* only explains what the mounts do anyway */
} guard_kinds[] = {
    { LANG_PYTHON, "python_guard.py", "RULES = None  # replaced by the launcher", has_module_rules, add_python_rules,
      false },
    { LANG_NODE, "node_guard.js", "const RULES = null; // replaced by the launcher", has_module_rules, add_node_rules,
      false },
    { LANG_BASH, "bash_guard.sh", "  local blocked='' report_fd='' # replaced by the launcher", has_command_rules,
      add_bash_rules, true },
};

/* The line that consists of the marker and nothing else. */
static const char *find_marker(const char *text, const char *marker)
{
    size_t n = strlen(marker);
    for (const char *p = text; (p = strstr(p, marker)); p += n)
        if ((p == text || p[-1] == '\n') && (p[n] == '\n' || p[n] == '\0'))
            return p;
    return NULL;
}

/* The text with the rules in their line. */
static int finish_text(struct policy *p, const struct guard_kind *k, struct error *err)
{
    struct buf *out = &p->guard[k->lang];
    const struct compiled_source *s = &p->guard_source[k->lang];
    const char *text = s->content.data;
    const char *marker = find_marker(text, k->marker);
    if (!marker || strlen(text) != s->content.size) {
        (void)err_set(err, -EINVAL, BLAME_HOST, NULL, "%s: not a guard of this version", s->path);
        return err_remedy(err, "install sandbox-agent again");
    }
    buf_init(out, 2 * GUARD_MAX_BYTES);
    (void)buf_add(out, text, (size_t)(marker - text));
    k->add_rules(out, &p->loaded.profile.languages[k->lang]);
    (void)buf_adds(out, marker + strlen(k->marker));
    return out->failed
               ? err_set(err, -EMSGSIZE, BLAME_CALLER, NULL, "%s: the lists of the profile are too long", s->path)
               : 0;
}

/* Python's rules once more, and which text they are for: src/fork has that text, too. */
static void add_last_line(struct buf *out, const struct compiled_source *text, const struct language_rules *r)
{
    (void)buf_addf(out, "\n#RULES {\"source\":%u,", fnv_add(FNV_START, text->content.data, text->content.size));
    if (!has_module_rules(r))
        (void)buf_adds(out, "\"idle\":true");
    else
        add_module_rules(out, r, &json_words);
    (void)buf_addc(out, '}');
}

/* Python's in place of the text: its rules are its last line. Any failure leaves the text, which does the same. */
static void try_bytecode(struct policy *p, const struct guard_kind *k)
{
    cleanup(buf_done) struct buf out;
    buf_init(&out, 2 * BYTECODE_MAX_BYTES);
    if (!p->python_stamp[0] || bytecode_make(p->guard_source[k->lang].content, &out) < 0)
        return;
    add_last_line(&out, &p->guard_source[k->lang], &p->loaded.profile.languages[k->lang]);
    if (out.failed)
        return;
    buf_done(&p->guard[k->lang]);
    p->guard[k->lang] = out;
    out = (struct buf){ 0 };
}

static int finish_guard(const struct request *q, struct policy *p, const struct guard_kind *k, struct error *err)
{
    const struct compiled_source *s = &p->guard_source[k->lang];
    const struct buf *out = &p->guard[k->lang], *text = &p->container_guard[k->lang];
    int r = finish_text(p, k, err); /* first: it knows what is no guard */
    if (r < 0)
        return r;
    buf_init(&p->container_guard[k->lang], 2 * GUARD_MAX_BYTES);
    (void)buf_add(&p->container_guard[k->lang], out->data, out->size);
    if (k->lang == LANG_PYTHON) {
        compiled_python_stamp(p->python_stamp);
        /* it takes ten times as long to make as it saves: only for a policy that more than one run will use */
        if (q->cache_dir && compiled_can_write(q->cache_dir))
            try_bytecode(p, k);
    }
    p->guards[k->lang] = (struct compiled_guard){ .path = s->path,
                                                  .source = s->content,
                                                  .content = { out->data, (uint32_t)out->size },
                                                  .container = { text->data, (uint32_t)text->size },
                                                  .stamp = k->lang == LANG_PYTHON ? p->python_stamp : NULL };
    return 0;
}

/* Without rules: only for interpreters that are started early. Its source is none of the blob's: BUILD_ID has it, and
 * what such a one cannot do is done by one that is started cold. */
static int make_park(struct policy *p, const struct guard_kind *k, struct error *err)
{
    int r = p->guard_source[k->lang].is_present ? finish_text(p, k, err) : 0;
    if (r == 0 && p->guard_source[k->lang].is_present && k->lang == LANG_PYTHON)
        add_last_line(&p->guard[k->lang], &p->guard_source[k->lang], &p->loaded.profile.languages[k->lang]);
    if (r == 0)
        p->guards[k->lang].park = (struct bytes){ p->guard[k->lang].data, (uint32_t)p->guard[k->lang].size };
    return r;
}

static int make_guard(const struct request *q, struct policy *p, const struct guard_kind *k, struct error *err)
{
    struct compiled_source *s = &p->guard_source[k->lang];
    const struct compiled_source *absent;
    char path[4096];
    const bool is_needed = k->is_needed(&p->loaded.profile.languages[k->lang]);
    (void)snprintf(path, sizeof path, "%s/guards/%s", q->key.data_dir, k->file);
    int r = source_read(path, GUARD_MAX_BYTES, s, err);
    if (r < 0)
        return r;
    if (!is_needed)
        return make_park(p, k, err);
    if (s->is_present)
        return finish_guard(q, p, k, err);
    if (k->is_optional) /* it may appear */
        return load_source(&p->loaded, path, GUARD_MAX_BYTES, &absent, err);
    (void)err_set(err, -ENOENT, BLAME_HOST, NULL, "%s: the guard is not installed, and this profile restricts %s", path,
                  language_names[k->lang]);
    return err_remedy(err, "install sandbox-agent again");
}

/* ---- the whole ---- */

static int build_policy(const struct request *q, struct policy *p, struct error *err)
{
    const char *const files[CONFIG_FILE_COUNT] = { q->key.system_config, q->key.user_config, q->key.config_path };
    int r = load_config(&p->loaded, files, err);
    if (r < 0 || (r = load_profile(&p->loaded, q->key.data_dir, q->key.level, q->key.profile_path, err)) < 0)
        return r;
    if ((r = compile_filters(p, err)) < 0)
        return r;
    for (size_t i = 0; i < ARRAY_LEN(guard_kinds); i++)
        if ((r = make_guard(q, p, &guard_kinds[i], err)) < 0)
            return r;
    return 0;
}

static int pack_policy(const struct request *q, const struct policy *p, struct buf *out, struct error *err)
{
    struct compiled_parts parts = {
        .config = &p->loaded.config,
        .profile = &p->loaded.profile,
        .filter = { p->filter, (uint32_t)(p->filter_count * sizeof p->filter[0]) },
        .filter_asking = { p->filter_asking, (uint32_t)(p->filter_asking_count * sizeof p->filter[0]) },
        .filter_volumes = { p->filter_volumes, (uint32_t)(p->filter_volumes_count * sizeof p->filter[0]) },
        .filter_summary = p->summary.data ? p->summary.data : "",
        .seccomp_json = p->json.data,
        .watched_json = p->watched_json.data,
        .profile_file = p->loaded.profile_file,
        .sources = p->loaded.sources,
        .source_count = p->loaded.source_count,
    };
    for (int l = 0; l < LANG_COUNT; l++)
        parts.guard[l] = p->guards[l];
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        parts.config_file[f] = p->loaded.config_file[f];
    int r = compiled_pack(&q->key, &parts, out);
    return r < 0 ? err_set(err, r, BLAME_CALLER, NULL, "the compiled policy is larger than %u MiB",
                           COMPILED_MAX_BYTES >> 20)
                 : 0;
}

static struct policy *policy_new(void)
{
    struct policy *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    loaded_init(&p->loaded);
    buf_init(&p->summary, 64 * 1024);
    buf_init(&p->json, JSON_MAX_BYTES);
    buf_init(&p->watched_json, JSON_MAX_BYTES);
    return p;
}
static struct policy *policy_free(struct policy *p)
{
    if (!p)
        return NULL;
    loaded_done(&p->loaded);
    buf_done(&p->summary);
    buf_done(&p->json);
    buf_done(&p->watched_json);
    for (int l = 0; l < LANG_COUNT; l++) {
        buf_done(&p->guard[l]);
        buf_done(&p->container_guard[l]);
        source_done(&p->guard_source[l]);
    }
    free(p);
    return NULL;
}

/* The blob, or what went wrong, in out. */
static int make_blob(const struct request *q, struct buf *out, struct error *err)
{
    struct policy *p = policy_new();
    int r = p ? build_policy(q, p, err) : err_set(err, -ENOMEM, BLAME_US, NULL, "out of memory");
    if (r == 0)
        r = pack_policy(q, p, out, err);
    policy_free(p);
    if (r < 0) {
        buf_done(out);
        compiled_pack_error(err, out);
    }
    return r;
}

static int write_out(int fd, const struct buf *b)
{
    for (size_t done = 0; done < b->size;) {
        ssize_t n = write(fd, b->data + done, b->size - done);
        if (n < 0 && errno != EINTR)
            return -errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int answer(const struct request *q)
{
    struct error err = { 0 };
    cleanup(buf_done) struct buf out = { 0 };
    int r = make_blob(q, &out, &err);
    if (r == 0 && q->cache_dir)
        (void)compiled_write(q->cache_dir, &q->key, (struct bytes){ out.data, (uint32_t)out.size }); /* see above */
    int w = write_out(q->out_fd, &out);
    if (w < 0) {
        struct error lost = { 0 };
        (void)err_set(&lost, w, BLAME_CALLER, NULL, "--out-fd %d: %s", q->out_fd, strerror(-w));
        return tool_complain(&lost);
    }
    return r < 0 ? 2 : 0;
}

/* ---- options ---- */

static int parse_fd(const char *v, int *ret)
{
    uint64_t fd;
    if (parse_u64(v, &fd) < 0 || fd > 65535)
        return -EINVAL;
    *ret = (int)fd;
    return 0;
}

static int parse_options(int argc, char **argv, struct request *q)
{
    static const struct option options[] = {
        { "data-dir", required_argument, NULL, 'd' },      { "level", required_argument, NULL, 'l' },
        { "profile", required_argument, NULL, 'p' },       { "config", required_argument, NULL, 'c' },
        { "system-config", required_argument, NULL, 's' }, { "user-config", required_argument, NULL, 'u' },
        { "cache-dir", required_argument, NULL, 'C' },     { "no-store", no_argument, NULL, 'n' },
        { "out-fd", required_argument, NULL, 'o' },        { NULL, 0, NULL, 0 }
    };
    bool may_store = true;
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 'd':
            q->key.data_dir = optarg;
            break;
        case 'l':
            q->key.level = optarg;
            break;
        case 'p':
            q->key.profile_path = optarg;
            break;
        case 'c':
            q->key.config_path = optarg;
            break;
        case 's':
            q->key.system_config = optarg;
            break;
        case 'u':
            q->key.user_config = optarg;
            break;
        case 'C':
            q->cache_dir = optarg;
            break;
        case 'n':
            may_store = false;
            break;
        case 'o':
            if (parse_fd(optarg, &q->out_fd) < 0)
                return -EINVAL;
            break;
        default:
            return -EINVAL;
        }
    if (!may_store)
        q->cache_dir = NULL;
    return optind == argc && q->out_fd >= 0 ? 0 : -EINVAL;
}

int cmd_compile(struct tool *t, int argc, char **argv)
{
    struct request q = { .key.data_dir = t->data_dir, .out_fd = -1 };
    if (parse_options(argc, argv, &q) < 0) {
        (void)fprintf(stderr,
                      "usage: sandbox-policy compile --out-fd N [--data-dir D] [--level L] [--profile F] [--config F]\n"
                      "       [--system-config F] [--user-config F] [--cache-dir C | --no-store]\n");
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);             /* a caller that went away is an error of write(), not our death */
    (void)signal(SIGCHLD, SIG_DFL);             /* an ignored one survives exec, and no child could be waited for */
    (void)fcntl(q.out_fd, F_SETFD, FD_CLOEXEC); /* python3 need not have it; if this fails, so will the write */
    return answer(&q);
}
