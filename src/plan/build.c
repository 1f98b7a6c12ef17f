/* build.c - the plan, piece by piece: identity and limits, the tree (tree.c, tree_container.c), the job. */
#include "plan/builder.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/watch_bits.h"
#include "base/kernel.h"
#include "net/make.h"
#include "steward/protocol.h"

#ifdef __aarch64__
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#endif
#define CERTIFICATES "/etc/ssl/certs/ca-certificates.crt"

/* --- limits and identity -------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned bit;
} grantable[] = {
    { "CHOWN", CAP_CHOWN },       { "DAC_OVERRIDE", CAP_DAC_OVERRIDE },
    { "FOWNER", CAP_FOWNER },     { "FSETID", CAP_FSETID },
    { "KILL", CAP_KILL },         { "SETGID", CAP_SETGID },
    { "SETUID", CAP_SETUID },     { "NET_BIND_SERVICE", CAP_NET_BIND_SERVICE },
    { "IPC_LOCK", CAP_IPC_LOCK },
};

static uint64_t capability_bit(const char *name)
{
    const char *bare = str_starts(name, "CAP_") ? name + 4 : name;
    for (size_t i = 0; i < ARRAY_LEN(grantable); i++)
        if (str_eq(bare, grantable[i].name))
            return UINT64_C(1) << grantable[i].bit;
    return 0;
}

static void plan_capabilities(struct builder *b)
{
    const struct profile *p = b->p;
    if (p->security.drop_all_caps)
        return;
    STRLIST_FOREACH(name, &p->security.cap_add)
    {
        uint64_t bit = capability_bit(name);
        if (!bit) {
            b->failed = err_set(b->err, -EINVAL, BLAME_CALLER, "PLAN",
                                "security.capabilities.add: %s cannot be granted", name);
            (void)err_remedy(b->err, "grantable are CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID "
                                     "NET_BIND_SERVICE IPC_LOCK, inside the sandbox's own user namespace");
            return;
        }
        b->plan->shape.keep_caps |= bit;
    }
    STRLIST_FOREACH(name, &p->security.cap_drop)
    b->plan->shape.keep_caps &= ~capability_bit(name);
}

static void plan_limits(struct builder *b)
{
    const struct profile *p = b->p;
    struct shape *s = &b->plan->shape;
    s->uid = p->security.user.uid;
    s->gid = p->security.user.gid;
    s->require = p->security.require;
    s->hostname = "sandbox";
    s->loopback = !p->network.disable_loopback ||
                  p->network.mode == NETWORK_BRIDGE; /* net/rules.h says who may use it then */
    s->deny_tcp = p->network.disable_loopback;
    s->readonly_root = p->filesystem.readonly_root;
    s->no_setuid_bits = p->security.disable_setuid;
    s->no_new_privs = p->security.no_new_privileges;
    s->memory_bytes = p->resources.memory;
    s->cpu_milli = p->resources.cpu;
    s->pids = p->resources.pids;
    s->max_processes = p->execution.max_processes;
    s->io_rbps = p->resources.io.rbps;
    s->io_wbps = p->resources.io.wbps;
    s->io_riops = p->resources.io.riops;
    s->io_wiops = p->resources.io.wiops;
    s->nofile_hard = MAX_OF(p->execution.max_open_files, p->execution.max_file_descriptors);
    s->nofile_soft = MIN_OF(p->execution.max_open_files, p->execution.max_file_descriptors);
    s->fsize_bytes = p->execution.max_file_size;
    /* the root holds directories, links, a few small texts and the code; more only where it may be written */
    s->root_bytes = p->filesystem.readonly_root ? 32 * MIB : MAX_OF(p->resources.storage, 32 * MIB);
    plan_capabilities(b);
}

static void plan_apparmor(struct builder *b)
{
    const char *name = b->p->security.apparmor;
    if (!name || str_eq(name, "none"))
        return;
    bool is_ours = str_eq(name, "default") || str_eq(name, "confined");
    b->plan->shape.apparmor = is_ours ? arena_printf(b->arena, "sandbox-agent-%s", name) : name;
}

static void plan_selinux(struct builder *b)
{
    const char *name = b->p->security.selinux, *apparmor = b->p->security.apparmor;
    if (!name || str_eq(name, "none") || str_eq(name, "off"))
        return;
    b->plan->shape.selinux_is_auto = str_eq(name, "auto");
    if (b->plan->shape.selinux_is_auto)
        name = apparmor && str_eq(apparmor, "default") ? "default" : "confined";
    b->plan->shape.selinux = str_eq(name, "default")    ? "sandbox_agent_t"
                             : str_eq(name, "confined") ? "sandbox_agent_confined_t"
                                                        : name;
}

/* --- the job -------------------------------------------------------------------------------- */

void builder_add(struct builder *b, int r)
{
    if (r < 0 && !b->failed)
        b->failed = err_set(b->err, r, BLAME_CALLER, "PLAN", "arguments and environment exceed %u bytes",
                            STRLIST_MAX_BYTES);
}

/* A session has contexts only where a level has no commands: no /workspace, and of programs one interpreter. */
static bool is_bare(const struct profile *p)
{
    return p->execution.shell_access == SHELL_NONE;
}

/* Built from nothing: the caller's environment has no business inside. Later ones win. */
static void put_env(struct builder *b, struct strlist *into, const char *pair)
{
    struct strlist out = { 0 };
    size_t n = strcspn(pair, "=") + 1;
    STRLIST_FOREACH(old, into)
    if (strncmp(old, pair, n) != 0)
        builder_add(b, strlist_add(&out, old));
    builder_add(b, strlist_add(&out, pair));
    strlist_done(into);
    *into = out;
}

/* pip and npm install into the /workspace of this session. */
static bool may_install(const struct builder *b)
{
    return b->r->session == SESSION_JOB && !is_bare(b->p) && b->p->execution.allow_package_install &&
           b->p->network.mode == NETWORK_BRIDGE;
}

/* What pip and npm ask where they may install, and where the rest of a job finds it: pip's own place for a user, and
 * node_modules in /workspace. Debian marks its Python as the system's (PEP 668): what is installed here is not. */
static void plan_installers(struct builder *b, struct strlist *env)
{
    static const char *const fixed[] = {
        "PIP_BREAK_SYSTEM_PACKAGES=1",     "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_CACHE_DIR=1",
        "npm_config_cache=/tmp/.npm",      "npm_config_audit=false",          "npm_config_fund=false",
        "npm_config_update_notifier=false"
    };
    const char *index = b->config->packages.python_index;
    if (!may_install(b))
        return;
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        put_env(b, env, fixed[i]);
    put_env(b, env, arena_printf(b->arena, "PIP_INDEX_URL=%s", index));
    if (str_starts(index, "http:")) {
        const char *host = strstr(index, "://") + 3;
        put_env(b, env, arena_printf(b->arena, "PIP_TRUSTED_HOST=%.*s", (int)strcspn(host, ":/"), host));
    }
    put_env(b, env, arena_printf(b->arena, "npm_config_registry=%s", b->config->packages.node_registry));
    if (access(CERTIFICATES, R_OK) == 0) /* npm has some of its own; whom the host trusts decides, as for pip */
        put_env(b, env, "npm_config_cafile=" CERTIFICATES);
}

/* A command of a session finds the set of its session as code does. */
static void plan_packages_env(struct builder *b, struct strlist *env)
{
    const bool is_shell = b->r->language == LANG_COMMAND || b->r->language == LANG_BASH;
    if (b->r->session == SESSION_JOB && is_shell && b->r->packages.name && !b->r->packages.is_node)
        put_env(b, env, "PYTHONPATH=" PACKAGES_OF_PYTHON);
}

static void plan_env(struct builder *b)
{
    struct strlist *env = &b->plan->job.env;
    bool has_workspace = strlist_has(&b->p->filesystem.writable_paths, "/workspace");
    if (!b->is_container) /* the image knows its own */
        builder_add(b, strlist_add(env, "PATH=/usr/local/bin:/usr/bin:/bin"));
    builder_add(b, strlist_add(env, has_workspace && !b->compiles ? "HOME=/workspace" : "HOME=/tmp"));
    builder_add(b, strlist_add(env, "TMPDIR=/tmp"));
    builder_add(b, strlist_add(env, "LANG=C.UTF-8"));
    builder_add(b, strlist_add(env, "USER=sandbox"));
    if (b->compiles)
        return;
    if (b->r->language < LANG_COUNT && lang_driver(b->r->language)->env)
        for (const char *const *e = lang_driver(b->r->language)->env; *e; e++)
            put_env(b, env, *e);
    plan_installers(b, env);
    plan_packages_env(b, env);
    STRLIST_FOREACH(pair, &b->p->environment.default_env)
    put_env(b, env, pair);
    STRLIST_FOREACH(pair, &b->r->env)
    put_env(b, env, pair);
    /* ours, so it comes last and is no business of restricted_env */
    if (b->guard.size && lang_driver(b->r->language)->guard_env)
        put_env(b, env,
                arena_printf(b->arena, "%s=%s/%s", lang_driver(b->r->language)->guard_env, b->code_dir,
                             lang_driver(b->r->language)->guard_file));
}

static const char *add_file(struct builder *b, const char *name, uint64_t size, uint32_t mode)
{
    struct job *j = &b->plan->job;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < j->file_count; i++)
        offset += j->files[i].size;
    const char *path = arena_printf(b->arena, "%s/%s", b->code_dir, name);
    j->files[j->file_count++] = (struct plan_file){ .path = path, .offset = offset, .size = size, .mode = mode };
    return path;
}

/* Where a program that names no directory reads and writes: /workspace, where the level or a volume makes it writable.
 */
static const char *place_to_work(const struct builder *b)
{
    if (b->r->workdir && !b->compiles)
        return b->r->workdir;
    bool is_writable = strlist_has(&b->p->filesystem.writable_paths, "/workspace");
    for (uint32_t i = 0; i < b->r->volume_count; i++)
        is_writable |= b->r->volumes[i].is_writable && str_eq(b->r->volumes[i].inside, "/workspace");
    return is_writable ? "/workspace" : "/tmp";
}

static void plan_shape(struct builder *b)
{
    plan_limits(b);
    plan_apparmor(b);
    plan_selinux(b);
    if (b->is_container)
        builder_container_tree(b);
    else
        builder_tree(b);
}

static int plan_common(struct builder *b, const char *id)
{
    struct job *j = &b->plan->job;
    const struct profile *p = b->p;
    if (b->like)
        b->plan->shape = b->like->shape;
    else
        plan_shape(b);
    plan_env(b);
    j->id = id;
    j->timeout_ms = p->resources.timeout;
    j->grace_ms = p->execution.grace;
    j->ends_fork_bomb = p->execution.disable_fork_bomb && !profile_kills(p, "fork_bomb_detection");
    j->cwd = place_to_work(b);
    return b->failed;
}

/* Every member of PATH inside, against the host's tree, which is what will be mounted. */
static const char *find_command(const char *name, struct arena *a)
{
    static const char *const dirs[] = { "/usr/local/bin", "/usr/bin", "/bin" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        const char *path = arena_printf(a, "%s/%s", dirs[i], name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

static int plan_command(struct builder *b)
{
    struct job *j = &b->plan->job;
    const char *name = strlist_first(&b->r->command);
    STRLIST_FOREACH(word, &b->r->command)
    builder_add(b, strlist_add(&j->argv, word));
    j->program = b->is_container || strchr(name, '/') ? name : find_command(name, b->arena);
    if (!j->program) {
        (void)err_set(b->err, -ENOENT, BLAME_GUEST, "EXEC", "%s: not found in /usr/local/bin, /usr/bin, /bin", name);
        return b->err->code;
    }
    if (strchr(name, '/') && name[0] != '/')
        return err_set(b->err, -ENOENT, BLAME_GUEST, "EXEC", "%s: give a name or an absolute path", name);
    return b->failed;
}

/* The session's one program. */
static int plan_steward(struct builder *b)
{
    struct job *j = &b->plan->job;
    struct shape *s = &b->plan->shape;
    j->program = add_file(b, "steward", b->binary_size, 0555);
    builder_add(b, strlist_add(&j->argv, j->program));
    j->steward_fd = STEWARD_FD;
    j->timeout_ms = SESSION_LIFE_MAX_MS; /* its time to live can be extended: the service keeps it */
    s->room_max = is_bare(b->p) ? STEWARD_BARE_PROCESSES : STEWARD_PROCESSES;
    return b->failed;
}

/* Of Python's: the guard puts them where they are found. */
static bool has_packages(const struct builder *b)
{
    return b->r->packages.name && b->r->language == LANG_PYTHON && !b->r->packages.is_node;
}

static int plan_program(struct builder *b, uint64_t binary_size)
{
    struct job *j = &b->plan->job;
    const struct lang_driver *d = lang_driver(b->r->language);
    if (d->is_compiled) {
        const char *binary = add_file(b, "main", binary_size, 0555);
        j->program = binary;
        builder_add(b, strlist_add(&j->argv, binary));
    } else {
        const char *guard_path = b->guard.size ? add_file(b, d->guard_file, b->guard.size, 0444) : NULL;
        const char *code = add_file(b, d->file, b->r->code_size, b->p->security.read_only_code ? 0444 : 0644);
        b->plan->guard = b->guard;
        for (uint32_t i = 0; i < b->r->file_count; i++)
            (void)add_file(b, b->r->files[i].path, b->r->files[i].size, 0444);
        j->report_fd = b->guard.size ? GUARD_REPORT_FD : 0;
        j->program = b->program;
        builder_add(b, strlist_add(&j->argv, b->program));
        const char *last = has_packages(b) ? NULL : code;
        const uint32_t reads = (b->r->file_count ? LANG_READS_BESIDE : 0) |
                               (may_install(b) && !b->has_rules ? LANG_READS_SITE : 0);
        builder_add(b, b->r->is_kernel ? d->kernel_arguments(b->p, reads, guard_path, last, &j->argv, b->arena)
                                       : d->arguments(b->p, reads, guard_path, last, &j->argv, b->arena));
        if (has_packages(b)) { /* read by the guard, before the program */
            builder_add(b, strlist_add(&j->argv, "--packages"));
            builder_add(b, strlist_add(&j->argv, PACKAGES_OF_PYTHON));
            builder_add(b, strlist_add(&j->argv, code));
        }
        if (b->r->is_kernel) {
            j->kernel_fd = KERNEL_FD;
            j->reaper_fd = b->r->language == LANG_PYTHON ? KERNEL_REAPER_FD : 0;
            j->timeout_ms = SESSION_LIFE_MAX_MS; /* each of its cells has a deadline */
        }
    }
    STRLIST_FOREACH(word, &b->r->command)
    builder_add(b, strlist_add(&j->argv, word));
    return b->failed;
}

#define WORKSPACE "/workspace"

static bool has_own_workspace(const struct builder *b)
{
    bool is_own = false;
    for (uint32_t i = 0; i < b->plan->shape.mount_count; i++) {
        const struct plan_mount *m = &b->plan->shape.mounts[i];
        if (str_eq(m->target, WORKSPACE))
            is_own = m->kind == MOUNT_TMPFS || (m->kind == MOUNT_DIR && !b->p->filesystem.readonly_root);
    }
    return is_own;
}

/* What the program leaves in /workspace is kept, where that is a place of the sandbox's own that it may write into: a
 * volume laid over it is the user's already. */
static void plan_workspace(struct builder *b, const struct config *c)
{
    bool is_kept = c->security.store_artifacts.enabled && c->security.store_artifacts.max_size;
    if (b->r->session == SESSION_JOB) /* it belongs to the session */
        return;
    if ((is_kept || b->r->wants_workspace || b->r->session == SESSION_OPENS) && has_own_workspace(b))
        b->plan->job.workspace = WORKSPACE;
}

/* Each run's own words: who finds them somewhere knows where they came from. */
static const char *canary_text(struct builder *b, const char *id)
{
    return arena_printf(b->arena, "# credentials\n[default]\naccess_key_id = AKIA%.16s\nsecret_access_key = %s\n",
                        id + MIN_OF(strlen(id), (size_t)5), id);
}

/* All with the same content, behind the code. A compiled program comes in a memfd of its own, with no room behind it.
 */
static void plan_canaries(struct builder *b, const char *id)
{
    struct job *j = &b->plan->job;
    const struct strlist *paths = &b->p->monitoring.canaries;
    const char *text = canary_text(b, id);
    uint64_t offset = 0, size = text ? strlen(text) : 0;
    if (!paths->count || b->compiles)
        return;
    if (b->r->session != SESSION_NONE) {
        (void)strlist_add(&b->plan->notes, "canaries: not planted in a session");
        return;
    }
    if (!profile_recognises(b->p, "data_exfiltration")) {
        (void)strlist_add(
            &b->plan->notes,
            "canaries: not planted: neither monitoring.pattern_matching nor kill_switches has data_exfiltration");
        return;
    }
    if (b->is_container) {
        (void)strlist_add(&b->plan->notes, "canaries: not planted: in a container the opening of a file is not seen");
        return;
    }
    if (!j->workspace || (b->r->language < LANG_COUNT && lang_driver(b->r->language)->is_compiled)) {
        (void)strlist_add(&b->plan->notes, "canaries: not planted: there is no /workspace of the sandbox's own, "
                                           "artifacts are not stored, or the language is compiled");
        return;
    }
    for (uint32_t i = 0; i < j->file_count; i++)
        offset += j->files[i].size;
    STRLIST_FOREACH(path, paths)
    {
        if (j->file_count >= PLAN_MAX_FILES) {
            (void)strlist_addf(&b->plan->notes, "canaries: %s and what follows are not planted: too many files", path);
            break;
        }
        j->files[j->file_count++] = (struct plan_file){ .path = path, .offset = offset, .size = size, .mode = 0644 };
    }
    b->plan->canary = (struct bytes){ text, (uint32_t)size };
}

/* The working directory has copies of the further files, where it is the sandbox's own: programs open their data by
 * relative names. After the canaries, whose place in the memfd is behind all others'. */
static void plan_copies(struct builder *b)
{
    struct job *j = &b->plan->job;
    if (b->compiles || b->r->session == SESSION_JOB || !(str_eq(j->cwd, "/tmp") || has_own_workspace(b)))
        return;
    for (uint32_t i = 0; i < b->r->file_count; i++)
        for (uint32_t k = 0; k < j->file_count; k++)
            if (str_eq(j->files[k].path, arena_printf(b->arena, "/code/%s", b->r->files[i].path))) {
                j->files[j->file_count++] = (struct plan_file){ .path = arena_printf(b->arena, "%s/%s", j->cwd,
                                                                                     b->r->files[i].path),
                                                                .offset = j->files[k].offset,
                                                                .size = j->files[k].size,
                                                                .mode = 0644 };
                break;
            }
}

/* The rules as the broker reads them; the launcher passes them on unread. */
static int plan_network(struct builder *b, const struct compiled *c)
{
    struct net_rules rules = { 0 };
    cleanup(buf_done) struct buf packed;
    buf_init(&packed, NETWORK_MAX_BYTES);
    int e = net_rules_make(b->p, &c->config, b->r->is_learning, &rules, b->err);
    if (e == 0)
        net_rules_pack(&packed, &rules);
    net_rules_done(&rules);
    if (e < 0)
        return e;
    if (packed.failed)
        return err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "network.allow, deny and ports together exceed %u bytes",
                       NETWORK_MAX_BYTES);
    const char *copy = arena_copy_bytes(b->arena, packed.data, packed.size);
    b->plan->job.network = (struct bytes){ copy, (uint32_t)packed.size };
    return 0;
}

/* A session's steward fences each job by landlock, which the strict filter does not know, and its workers resolve the
 * paths of files by openat2, which the filter refuses where it forbids set-id bits (filter/narrow.c), and watch the
 * workspace by inotify (filter/builtin.c): these seven calls are permitted before the filter is asked. The steward
 * takes them away from the jobs again (steward/fence.c). */
static struct bytes with_fences(struct builder *b, struct bytes filter)
{
    static const struct sock_filter first[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 0, 8),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_OPENAT2, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_init1, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_add_watch, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_rm_watch, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_LANDLOCK_CREATE, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_LANDLOCK_RESTRICT, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    char *both = arena_zero(b->arena, sizeof first + filter.size);
    if (!both)
        return filter; /* no memory: the arena says so at the end */
    memcpy(both, first, sizeof first);
    memcpy(both + sizeof first, filter.data, filter.size);
    return (struct bytes){ both, (uint32_t)sizeof first + filter.size };
}

/* A compiler is not watched: what it is given to compile is not executed. */
static void plan_watch(struct builder *b, const struct compiled *c)
{
    struct shape *s = &b->plan->shape;
    uint32_t watch = profile_watch(b->p);
    s->watch = b->compiles ? 0 : watch | (b->r->volume_count ? NOTIFY_VOLUMES : 0);
    s->is_brokered = s->watch & NOTIFY_BRIDGE && !b->is_container; /* there the engine's bridge leads out */
    s->filter = s->watch & NOTIFY_VOLUMES     ? c->filter_volumes
                : s->watch & NOTIFY_BY_FILTER ? c->filter_asking
                                              : c->filter;
    s->verdicts = s->watch & NOTIFY_BY_FILTER ? c->filter : (struct bytes){ 0 };
    if (b->r->session == SESSION_OPENS)
        s->filter = with_fences(b, s->filter);
    b->plan->job.has_terminal = b->r->has_terminal && !b->compiles;
    b->plan->job.wants_events = s->watch & ~(uint32_t)(NOTIFY_FORKS | NOTIFY_VOLUMES) || b->plan->canary.size;
}

/* Asked for by the profile, not done by this version: said, never silent. */
static void plan_notes(struct builder *b)
{
    struct strlist *n = &b->plan->notes;
    for (const char *line = b->r->missing ? strlist_first(b->r->missing) : NULL; line;
         line = strlist_next(b->r->missing, line))
        (void)strlist_add(n, line);
    if (b->plan->job.report_fd >= b->plan->shape.nofile_soft && b->plan->job.report_fd)
        (void)strlist_add(n,
                          "reports: execution.max_open_files leaves the language's guard no descriptor to report by");
}

/* The interpreter and its guard. In a container the name of the one and the text of the other: which version reads it
 * is the image's. */
static int plan_language(struct builder *b, const struct compiled *c)
{
    if (b->is_container && compiled_container(c, b->r->language, &b->container) < 0)
        return err_set(b->err, -EBADMSG, BLAME_HOST, "PLAN", "the compiled policy is damaged");
    if (b->r->language >= LANG_COUNT)
        return 0;
    const struct lang_driver *d = lang_driver(b->r->language);
    if (b->compiles)
        return 0;
    if (b->like)
        b->program = b->like->job.program;
    else if (!d->is_compiled)
        b->program = b->is_container ? d->name : lang_find_program(b->r->language, b->arena, b->err);
    if (!d->is_compiled && !b->program)
        return b->err->code;
    if (d->guard_file)
        b->guard = b->is_container ? b->container.guard : c->guard[b->r->language];
    b->has_rules = b->guard.size;
    if (!has_packages(b) || b->guard.size)
        return 0;
    /* at low nothing is refused; the guard without rules knows the set all the same */
    if (compiled_park(c, LANG_PYTHON, &b->guard) == 0 && b->guard.size)
        return 0;
    (void)err_set(b->err, -ENOENT, BLAME_HOST, "PLAN", "packages: the guard of python is not installed");
    return err_remedy(b->err, "install sandbox-agent again");
}

/* A session has a /workspace that its code may write into, unless it is bare. The list borrows from the arena. */
static int session_profile(struct profile *own, struct arena *a, struct error *err)
{
    struct strlist *paths = &own->filesystem.writable_paths;
    if (is_bare(own) || strlist_has(paths, WORKSPACE))
        return 0;
    char *data = arena_zero(a, paths->size + sizeof WORKSPACE);
    if (!data)
        return err_set(err, -ENOMEM, BLAME_HOST, "PLAN", "no memory");
    if (paths->size)
        memcpy(data, paths->data, paths->size);
    memcpy(data + paths->size, WORKSPACE, sizeof WORKSPACE);
    *paths = (struct strlist){ .data = data, .size = paths->size + sizeof WORKSPACE, .count = paths->count + 1 };
    return 0;
}

static int build(const struct compiled *c, const struct run_request *r, const char *id, uint64_t binary_size,
                 const struct plan *like, struct arena *a, struct plan *ret, struct error *err)
{
    *ret = (struct plan){ 0 };
    struct profile own = c->profile;
    struct builder b = { .p = r->session == SESSION_NONE ? &c->profile : &own,
                         .r = r,
                         .arena = a,
                         .plan = ret,
                         .err = err,
                         .config = &c->config,
                         .like = like,
                         .binary_size = binary_size,
                         .code_dir = r->session == SESSION_JOB ? arena_printf(a, BUILDER_CODE_DIR "/%s", id)
                                                               : BUILDER_CODE_DIR,
                         .is_container = r->backend == BACKEND_DOCKER };
    int e = r->session == SESSION_NONE ? 0 : session_profile(&own, a, err);
    struct run_request bare = *r;
    bare.language = LANG_PYTHON; /* of a bare session's contexts: its sandbox has what they need */
    if (r->session == SESSION_OPENS && is_bare(&own))
        b.r = &bare;
    if (e == 0)
        e = plan_language(&b, c);
    if (e == 0)
        e = plan_common(&b, id);
    if (e == 0)
        e = r->session == SESSION_OPENS   ? plan_steward(&b)
            : r->language == LANG_COMMAND ? plan_command(&b)
                                          : plan_program(&b, binary_size);
    if (e < 0)
        return e;
    plan_workspace(&b, &c->config);
    plan_canaries(&b, id);
    plan_copies(&b);
    plan_notes(&b);
    plan_watch(&b, c);
    if (b.is_container && (e = builder_container(&b, c)) < 0)
        return e;
    if (ret->shape.is_brokered && (e = plan_network(&b, c)) < 0)
        return e;
    return a->failed ? err_set(err, -ENOMEM, BLAME_HOST, "PLAN", "no memory") : 0;
}

int plan_build(const struct compiled *c, const struct run_request *r, const char *id, uint64_t binary_size,
               struct arena *a, struct plan *ret, struct error *err)
{
    return build(c, r, id, binary_size, NULL, a, ret, err);
}

int plan_build_like(const struct compiled *c, const struct run_request *r, const char *id, const struct plan *like,
                    struct arena *a, struct plan *ret, struct error *err)
{
    assert(!like->shape.template_argv.count && !like->shape.guards.count); /* these have an owner */
    return build(c, r, id, 0, like, a, ret, err);
}

/* Compilers get what compiling takes, whatever the level grants the program; but no network and no volumes. */
static void compiler_limits(struct profile *p)
{
    p->resources.memory = MAX_OF(p->resources.memory, 1536 * MIB);
    p->resources.timeout = 180 * 1000;
    p->resources.storage = 2 * GIB;
    p->filesystem.temp_size = 2 * GIB;
    p->resources.cpu = MAX_OF(p->resources.cpu, 2000u);
    p->resources.pids = 128;
    p->execution.max_processes = 128;
    p->execution.max_file_descriptors = p->execution.max_open_files = 1024;
    p->execution.max_file_size = 512 * MIB;
    p->filesystem.noexec_tmp = false;
    p->network.disable_loopback = true;
    p->filesystem.writable_paths = (struct strlist){ 0 };
    p->security.read_only_code = true;
}

int plan_build_compiler(const struct compiled *c, const struct run_request *r, const char *id, const char *compiler,
                        struct arena *a, struct plan *ret, struct error *err)
{
    *ret = (struct plan){ 0 };
    struct profile limits = c->profile;
    compiler_limits(&limits);
    struct builder b = { .p = &limits,
                         .r = r,
                         .arena = a,
                         .plan = ret,
                         .err = err,
                         .program = compiler,
                         .code_dir = BUILDER_CODE_DIR,
                         .compiles = true,
                         .is_container = r->backend == BACKEND_DOCKER };
    int e = plan_language(&b, c);
    if (e == 0)
        e = plan_common(&b, id);
    if (e < 0)
        return e;
    struct job *j = &ret->job;
    const char *code = add_file(&b, lang_driver(r->language)->file, r->code_size, 0444);
    j->program = compiler;
    j->artifact = COMPILE_OUTPUT;
    j->artifact_max = MAX_BINARY_BYTES;
    builder_add(&b, lang_compile_arguments(r->language, code, &j->argv, &j->env));
    if (b.is_container)
        e = builder_container(&b, c);
    else
        ret->shape.filter = c->filter;
    return b.failed ? b.failed : e;
}

void plan_done(struct plan *p)
{
    strlist_done(&p->job.argv);
    strlist_done(&p->job.env);
    strlist_done(&p->shape.template_argv);
    strlist_done(&p->shape.template_env);
    strlist_done(&p->shape.template_modules);
    strlist_done(&p->shape.guards);
    strlist_done(&p->notes);
    strlist_done(&p->container.masks);
}
