/* build.c - the plan, piece by piece: identity and limits, the tree of mounts, access rules, the job. */
#include "plan/build.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/watch_bits.h"
#include "net/make.h"
#include "plan/lang.h"

#define MAX_BINARY_BYTES (256 * MIB)

/* What one plan is being made from; lives for one call. */
struct builder {
    const struct profile *p;
    const struct run_request *r;
    struct arena *arena;
    struct plan *plan;
    struct error *err;
    const char *program; /* resolved on the host; NULL: language command */
    struct bytes guard;  /* of the program's language; size 0: none */
    bool sees_usr;       /* the whole of /usr, not only what the interpreter needs */
    bool has_proc, has_etc, has_dev, has_var;
    bool compiles;
    int failed;
};

/* --- small builders ------------------------------------------------------------------------ */

static struct plan_mount *add_mount(struct builder *b, enum mount_kind kind, const char *source,
                                    const char *target, uint32_t flags)
{
    static struct plan_mount overflow;
    struct shape *s = &b->plan->shape;
    if (s->mount_count >= PLAN_MAX_MOUNTS) {
        b->failed = err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "more than %d mounts", PLAN_MAX_MOUNTS);
        return &overflow;
    }
    struct plan_mount *m = &s->mounts[s->mount_count++];
    *m = (struct plan_mount){ .kind = (uint8_t)kind, .source = source, .target = target, .flags = flags };
    return m;
}

static void add_tmpfs(struct builder *b, const char *target, uint64_t bytes, uint32_t flags)
{
    struct plan_mount *m = add_mount(b, MOUNT_TMPFS, NULL, target, flags);
    m->size_bytes = MAX_OF(bytes, (uint64_t)4096);
    /* one inode per 8 KiB, as mke2fs would, within what a small sandbox may cost the kernel */
    m->inodes = (uint32_t)MIN_OF(MAX_OF(bytes / 8192, (uint64_t)256), (uint64_t)65536);
    m->mode = 01777;
}

static void add_access(struct builder *b, const char *path, uint32_t access)
{
    struct shape *s = &b->plan->shape;
    if (s->access_count >= PLAN_MAX_ACCESS)
        b->failed = err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "more than %d access rules", PLAN_MAX_ACCESS);
    else
        s->access[s->access_count++] = (struct plan_access){ path, access };
}

static bool is_blocked(const struct profile *p, const char *path)
{
    return strlist_has(&p->filesystem.blocked_paths, path);
}

/* --- limits and identity -------------------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned bit;
} grantable[] = {
    { "CHOWN", CAP_CHOWN },           { "DAC_OVERRIDE", CAP_DAC_OVERRIDE },
    { "FOWNER", CAP_FOWNER },         { "FSETID", CAP_FSETID },
    { "KILL", CAP_KILL },             { "SETGID", CAP_SETGID },
    { "SETUID", CAP_SETUID },         { "NET_BIND_SERVICE", CAP_NET_BIND_SERVICE },
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
    STRLIST_FOREACH(name, &p->security.cap_add) {
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
    s->loopback = !p->network.disable_loopback || p->network.mode == NETWORK_BRIDGE; /* net/rules.h says who may use it then */
    s->deny_tcp = p->network.disable_loopback;
    s->readonly_root = p->filesystem.readonly_root;
    s->no_setuid_bits = p->security.disable_setuid;
    s->no_new_privs = p->security.no_new_privileges;
    s->memory_bytes = p->resources.memory;
    s->cpu_milli = p->resources.cpu;
    s->pids = p->resources.pids;
    s->max_processes = p->execution.max_processes;
    s->nofile_hard = p->execution.max_file_descriptors;
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

/* --- the tree ------------------------------------------------------------------------------- */

/* /bin, /lib and so on: links on a merged-/usr host, directories of their own elsewhere. */
static void plan_system_dirs(struct builder *b)
{
    static const char *const dirs[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        char link[128];
        ssize_t n = readlink(dirs[i], link, sizeof link - 1);
        bool is_bin = i < 2;
        if (is_bin && (!b->sees_usr || is_blocked(b->p, dirs[i])))
            continue;
        if (n > 0) {
            link[n] = '\0';
            (void)add_mount(b, MOUNT_LINK, arena_copy(b->arena, link), dirs[i], 0);
        } else if (errno == EINVAL) {
            (void)add_mount(b, MOUNT_BIND, dirs[i], dirs[i], MOUNT_RO);
            add_access(b, dirs[i], LANDLOCK_EXEC);
        }
    }
}

/* Only the interpreter, the libraries and what its driver names: blocked_paths holds /usr/bin. */
static void plan_reduced_usr(struct builder *b)
{
    static const char *const libraries[] = { "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32" };
    for (size_t i = 0; i < ARRAY_LEN(libraries); i++)
        (void)add_mount(b, MOUNT_BIND, libraries[i], libraries[i], MOUNT_RO | MOUNT_OPTIONAL);
    if (b->program) {
        (void)add_mount(b, MOUNT_BIND, b->program, b->program, MOUNT_RO);
        if (str_starts(b->program, "/usr/local/"))
            (void)add_mount(b, MOUNT_BIND, "/usr/local/lib", "/usr/local/lib", MOUNT_RO | MOUNT_OPTIONAL);
    }
    if (b->r->language < LANG_COUNT)
        for (const char *const *d = lang_driver(b->r->language)->runtime; *d; d++)
            (void)add_mount(b, MOUNT_BIND, *d, *d, MOUNT_RO | MOUNT_OPTIONAL);
}

static bool has_names(const struct builder *b)
{
    return b->p->network.mode == NETWORK_BRIDGE && b->p->network.dns == DNS_AUTO;
}

/* What libc needs to find the broker's resolver; all there is of /etc where the profile blocks it. */
static void plan_names(struct builder *b)
{
    (void)add_mount(b, MOUNT_TEXT, "127.0.0.1 localhost sandbox\n::1 localhost\n", "/etc/hosts", 0);
    (void)add_mount(b, MOUNT_TEXT, "passwd: files\ngroup: files\nhosts: files dns\n", "/etc/nsswitch.conf", 0);
    if (has_names(b))
        (void)add_mount(b, MOUNT_TEXT, "nameserver 127.0.0.53\noptions edns0\n", "/etc/resolv.conf", 0);
}

static void plan_etc(struct builder *b)
{
    if (b->has_etc || has_names(b)) {
        (void)add_mount(b, MOUNT_DIR, NULL, "/etc", 0);
        plan_names(b);
    }
    if (!b->has_etc)
        return;
    const struct profile *p = b->p;
    uint32_t uid = p->security.user.uid, gid = p->security.user.gid;
    (void)add_mount(b, MOUNT_TEXT,
                    arena_printf(b->arena,
                                 "root:x:0:0:root:/:/usr/sbin/nologin\n"
                                 "sandbox:x:%u:%u:sandbox:/workspace:/bin/sh\n", uid, gid),
                    "/etc/passwd", 0);
    (void)add_mount(b, MOUNT_TEXT, arena_printf(b->arena, "root:x:0:\nsandbox:x:%u:\n", gid), "/etc/group", 0);
    /* Debian's libraries choose implementations (BLAS) and tools by links through here */
    (void)add_mount(b, MOUNT_BIND, "/etc/alternatives", "/etc/alternatives", MOUNT_RO | MOUNT_OPTIONAL);
    (void)add_mount(b, MOUNT_BIND, "/etc/ld.so.cache", "/etc/ld.so.cache", MOUNT_RO | MOUNT_OPTIONAL);
    char zone[256];
    ssize_t n = readlink("/etc/localtime", zone, sizeof zone - 1);
    if (n > 0) {
        zone[n] = '\0';
        (void)add_mount(b, MOUNT_LINK, arena_copy(b->arena, zone), "/etc/localtime", 0);
    }
    if (b->p->network.mode == NETWORK_BRIDGE)
        (void)add_mount(b, MOUNT_BIND, "/etc/ssl", "/etc/ssl", MOUNT_RO | MOUNT_OPTIONAL);
}

static void plan_dev(struct builder *b)
{
    static const char *const nodes[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom" };
    if (!b->has_dev)
        return;
    (void)add_mount(b, MOUNT_DIR, NULL, "/dev", 0);
    for (size_t i = 0; i < ARRAY_LEN(nodes); i++)
        (void)add_mount(b, MOUNT_DEVICE, nodes[i], nodes[i], 0);
    (void)add_mount(b, MOUNT_LINK, "urandom", "/dev/random", 0);
    if (b->has_proc) {
        (void)add_mount(b, MOUNT_LINK, "/proc/self/fd", "/dev/fd", 0);
        (void)add_mount(b, MOUNT_LINK, "/proc/self/fd/0", "/dev/stdin", 0);
        (void)add_mount(b, MOUNT_LINK, "/proc/self/fd/1", "/dev/stdout", 0);
        (void)add_mount(b, MOUNT_LINK, "/proc/self/fd/2", "/dev/stderr", 0);
    }
    add_access(b, "/dev", LANDLOCK_DEVICE);
}

/* What a read-only proc with hidepid still shows of the machine. (kcore, kmsg, timer_list, sysrq-trigger and the
 * like are root's only, and no uid inside is root; /proc/sys is read-only with the mount.) */
static void plan_proc(struct builder *b)
{
    static const char *const masked[] = {
        "/proc/keys",    "/proc/key-users",   "/proc/kallsyms",      "/proc/modules",
        "/proc/interrupts", "/proc/cmdline", "/proc/sched_debug", "/proc/latency_stats", "/proc/config.gz",
    };
    if (!b->has_proc)
        return;
    bool pids_only = b->p->security.mask_proc;
    (void)add_mount(b, MOUNT_PROC, NULL, "/proc", pids_only ? MOUNT_PROC_PIDS_ONLY : 0);
    if (pids_only)
        return;
    for (size_t i = 0; i < ARRAY_LEN(masked); i++)
        if (access(masked[i], F_OK) == 0) /* each mask costs a mount: not for what this kernel has not */
            (void)add_mount(b, MOUNT_MASK, NULL, masked[i], 0);
}

/* Laid over one of these, a writable directory would hide the interpreter, or let the code change itself. */
static bool is_reserved(const char *path)
{
    static const char *const dirs[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
                                        "/etc", "/proc", "/sys", "/dev", "/code" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        size_t n = strlen(dirs[i]);
        if (strncmp(path, dirs[i], n) == 0 && (path[n] == '\0' || path[n] == '/'))
            return true;
    }
    return false;
}

/* Storage is split: temp_size for /tmp, the rest evenly over the writable paths. */
static void plan_writable(struct builder *b)
{
    const struct profile *p = b->p;
    uint64_t temp = MIN_OF(p->filesystem.temp_size, p->resources.storage);
    bool noexec = p->filesystem.noexec_tmp;
    uint32_t exec = noexec ? 0 : LANDLOCK_EXEC, flags = noexec ? MOUNT_NOEXEC : 0;
    uint64_t shm = b->has_dev ? MIN_OF(temp / 4, 64 * MIB) : 0;
    add_tmpfs(b, "/tmp", temp - shm, flags);
    add_access(b, "/tmp", LANDLOCK_WRITE | LANDLOCK_SOCKET | exec);
    if (shm) { /* POSIX semaphores and shared memory: python's multiprocessing */
        add_tmpfs(b, "/dev/shm", shm, MOUNT_NOEXEC);
        add_access(b, "/dev/shm", LANDLOCK_WRITE);
    }
    uint32_t count = p->filesystem.writable_paths.count;
    uint64_t share = count ? (p->resources.storage - temp) / count : 0;
    STRLIST_FOREACH(path, &p->filesystem.writable_paths) {
        if (str_eq(path, "/tmp"))
            continue;
        if (is_reserved(path)) {
            b->failed = err_set(b->err, -EINVAL, BLAME_CALLER, "PLAN",
                                "filesystem.writable_paths: %s lies in a directory that belongs to the sandbox", path);
            (void)err_remedy(b->err, "name another place, such as /workspace or /data");
            return;
        }
        const char *copy = arena_copy(b->arena, path);
        add_tmpfs(b, copy, share, flags);
        add_access(b, copy, LANDLOCK_WRITE | LANDLOCK_SOCKET | exec);
    }
    if (!strlist_has(&p->filesystem.writable_paths, "/workspace"))
        (void)add_mount(b, MOUNT_DIR, NULL, "/workspace", 0);
    if (!p->filesystem.readonly_root)
        add_access(b, "/", LANDLOCK_WRITE | exec);
    if (b->has_var)
        (void)add_mount(b, MOUNT_LINK, "/tmp", "/var/tmp", 0);
}

static void plan_code_dir(struct builder *b)
{
    if (b->r->language == LANG_COMMAND)
        return;
    /* a bound, not a reservation; the same for every program, so that a slot serves them all */
    bool is_binary = lang_driver(b->r->language)->is_compiled && !b->compiles;
    bool is_read_only = b->compiles || b->p->security.read_only_code;
    add_tmpfs(b, "/code", is_binary ? MAX_BINARY_BYTES + MIB : 2 * (uint64_t)REQUEST_MAX_CODE_BYTES,
              is_read_only ? MOUNT_RO : 0);
    b->plan->shape.mounts[b->plan->shape.mount_count - 1].mode = is_read_only ? 0755 : 01777;
    if (!is_read_only)
        add_access(b, "/code", LANDLOCK_WRITE);
    if (is_binary)
        add_access(b, "/code", LANDLOCK_EXEC);
}

static void plan_volumes(struct builder *b)
{
    if (b->compiles)
        return;
    for (uint32_t i = 0; i < b->r->volume_count; i++) {
        const struct request_volume *v = &b->r->volumes[i];
        struct plan_mount *m = add_mount(b, MOUNT_VOLUME, v->host, v->inside, v->is_writable ? 0 : MOUNT_RO);
        m->dev = v->dev;
        m->ino = v->ino;
        /* no sockets: through one in a shared directory, two sandboxes could hand each other descriptors, a connection for one */
        add_access(b, v->inside, LANDLOCK_EXEC | (v->is_writable ? LANDLOCK_WRITE : 0));
    }
}

static void mask_command(struct builder *b, const char *name)
{
    static const char *const dirs[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        const char *path = arena_printf(b->arena, "%s/%s", dirs[i], name);
        if (access(path, F_OK) == 0)
            (void)add_mount(b, MOUNT_MASK, NULL, path, 0);
    }
}

static void mask_commands(struct builder *b, const char *const *names)
{
    for (; *names; names++)
        mask_command(b, *names);
}

/* blocked_commands and restricted_commands are absent; with limited shell access so are shells, except for
 * bash programs and commands, which are the shell access that is meant. */
static void plan_masks(struct builder *b)
{
    static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", NULL };
    static const char *const installers[] = { "apt", "apt-get", "dpkg", "pip", "pip3", "npm", "npx", "cargo", "gem", NULL };
    static const char *const compilers[] = { "cc", "gcc", "c++", "g++", "clang", "tcc", "go", "rustc", "as", "ld", NULL };
    STRLIST_FOREACH(path, &b->p->filesystem.blocked_paths) {
        static const char *const not_made[] = { "/proc", "/sys", "/dev", "/etc", "/var", "/usr/bin", "/bin" };
        bool is_made = true;
        for (size_t i = 0; i < ARRAY_LEN(not_made); i++)
            is_made &= !str_eq(path, not_made[i]);
        if (is_made)
            (void)add_mount(b, MOUNT_MASK, NULL, arena_copy(b->arena, path), 0);
    }
    /* settings of the host's own programs: an npmrc there may hold a token */
    if (b->sees_usr && access("/usr/local/etc", F_OK) == 0)
        (void)add_mount(b, MOUNT_MASK, NULL, "/usr/local/etc", 0);
    if (!b->sees_usr || b->compiles)
        return;
    for (size_t lang = 0; lang < LANG_COUNT; lang++) {
        if (lang != (size_t)b->r->language && b->r->language != LANG_COMMAND)
            continue;
        STRLIST_FOREACH(name, &b->p->languages[lang].blocked_commands)
            mask_command(b, name);
        STRLIST_FOREACH(name, &b->p->languages[lang].restricted_commands)
            mask_command(b, name);
    }
    /* programs that the execution keys take away. Each costs a mount: only where /usr is visible, and
     * installers only with a network (/usr is read-only, so without one there is nothing to install) */
    bool is_shell = b->r->language == LANG_BASH || b->r->language == LANG_COMMAND;
    if (b->p->execution.shell_access != SHELL_TRUE && !is_shell)
        mask_commands(b, shells);
    if (!b->p->execution.allow_package_install && b->p->network.mode == NETWORK_BRIDGE)
        mask_commands(b, installers);
    if (!b->p->execution.allow_compilation)
        mask_commands(b, compilers);
}

static bool is_interpreter_only(const struct builder *b)
{
    return b->r->language < LANG_COUNT && !b->compiles &&
           (b->p->execution.shell_access == SHELL_NONE || b->p->languages[b->r->language].interpreter_only);
}

/* execve(2) of anything but the interpreter is refused; the ELF loader needs the right too. */
static void plan_exec_rights(struct builder *b)
{
    if (!is_interpreter_only(b)) {
        add_access(b, "/usr", LANDLOCK_EXEC);
        return;
    }
    static const char *const loaders[] = { "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1" };
    if (b->program)
        add_access(b, b->program, LANDLOCK_EXEC);
    for (size_t i = 0; i < ARRAY_LEN(loaders); i++)
        if (access(loaders[i], F_OK) == 0)
            add_access(b, loaders[i], LANDLOCK_EXEC);
}

static void plan_tree(struct builder *b)
{
    const struct profile *p = b->p;
    b->sees_usr = b->compiles || !is_blocked(p, "/usr/bin");
    b->has_proc = b->compiles || !is_blocked(p, "/proc");
    b->has_etc = b->compiles || !is_blocked(p, "/etc");
    b->has_dev = b->compiles || !is_blocked(p, "/dev");
    b->has_var = b->compiles || !is_blocked(p, "/var");
    add_access(b, "/", LANDLOCK_READ); /* all that is mounted is there to be read */
    if (b->sees_usr)
        (void)add_mount(b, MOUNT_BIND, "/usr", "/usr", MOUNT_RO);
    else
        plan_reduced_usr(b);
    plan_exec_rights(b);
    plan_system_dirs(b);
    plan_etc(b);
    plan_dev(b);
    plan_proc(b);
    plan_writable(b);
    plan_code_dir(b);
    plan_masks(b);
    plan_volumes(b); /* last: nothing is mounted below one */
}

/* --- the job -------------------------------------------------------------------------------- */

static void check_add(struct builder *b, int r)
{
    if (r < 0 && !b->failed)
        b->failed = err_set(b->err, r, BLAME_CALLER, "PLAN", "arguments and environment exceed %u bytes",
                            STRLIST_MAX_BYTES);
}

/* Built from nothing: the caller's environment has no business inside. Later ones win. */
static void put_env(struct builder *b, struct strlist *into, const char *pair)
{
    struct strlist out = { 0 };
    size_t n = strcspn(pair, "=") + 1;
    STRLIST_FOREACH(old, into)
        if (strncmp(old, pair, n) != 0)
            check_add(b, strlist_add(&out, old));
    check_add(b, strlist_add(&out, pair));
    strlist_done(into);
    *into = out;
}

static void plan_env(struct builder *b)
{
    struct strlist *env = &b->plan->job.env;
    bool has_workspace = strlist_has(&b->p->filesystem.writable_paths, "/workspace");
    check_add(b, strlist_add(env, "PATH=/usr/local/bin:/usr/bin:/bin"));
    check_add(b, strlist_add(env, has_workspace && !b->compiles ? "HOME=/workspace" : "HOME=/tmp"));
    check_add(b, strlist_add(env, "TMPDIR=/tmp"));
    check_add(b, strlist_add(env, "LANG=C.UTF-8"));
    check_add(b, strlist_add(env, "USER=sandbox"));
    if (b->compiles)
        return;
    if (b->r->language < LANG_COUNT && lang_driver(b->r->language)->env)
        for (const char *const *e = lang_driver(b->r->language)->env; *e; e++)
            put_env(b, env, *e);
    STRLIST_FOREACH(pair, &b->p->environment.default_env)
        put_env(b, env, pair);
    STRLIST_FOREACH(pair, &b->r->env)
        put_env(b, env, pair);
    /* ours, so it comes last and is no business of restricted_env */
    if (b->guard.size && lang_driver(b->r->language)->guard_env)
        put_env(b, env, arena_printf(b->arena, "%s=/code/%s", lang_driver(b->r->language)->guard_env,
                                     lang_driver(b->r->language)->guard_file));
}

static const char *add_file(struct builder *b, const char *name, uint64_t size, uint32_t mode)
{
    struct job *j = &b->plan->job;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < j->file_count; i++)
        offset += j->files[i].size;
    const char *path = arena_printf(b->arena, "/code/%s", name);
    j->files[j->file_count++] = (struct plan_file){ path, offset, size, mode };
    return path;
}

/* Where a program that names no directory reads and writes: /workspace, where the level or a volume makes it writable. */
static const char *place_to_work(const struct builder *b)
{
    bool is_writable = strlist_has(&b->p->filesystem.writable_paths, "/workspace");
    for (uint32_t i = 0; i < b->r->volume_count; i++)
        is_writable |= b->r->volumes[i].is_writable && str_eq(b->r->volumes[i].inside, "/workspace");
    return is_writable ? "/workspace" : "/tmp";
}

static int plan_common(struct builder *b, const char *id)
{
    struct job *j = &b->plan->job;
    const struct profile *p = b->p;
    plan_limits(b);
    plan_apparmor(b);
    plan_tree(b);
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
        check_add(b, strlist_add(&j->argv, word));
    j->program = strchr(name, '/') ? name : find_command(name, b->arena);
    if (!j->program) {
        (void)err_set(b->err, -ENOENT, BLAME_GUEST, "EXEC", "%s: not found in /usr/local/bin, /usr/bin, /bin", name);
        return b->err->code;
    }
    if (j->program[0] != '/')
        return err_set(b->err, -ENOENT, BLAME_GUEST, "EXEC", "%s: give a name or an absolute path", name);
    return b->failed;
}

static int plan_program(struct builder *b, uint64_t binary_size)
{
    struct job *j = &b->plan->job;
    const struct lang_driver *d = lang_driver(b->r->language);
    if (d->is_compiled) {
        const char *binary = add_file(b, "main", binary_size, 0555);
        j->program = binary;
        check_add(b, strlist_add(&j->argv, binary));
    } else {
        const char *guard_path = b->guard.size ? add_file(b, d->guard_file, b->guard.size, 0444) : NULL;
        const char *code = add_file(b, d->file, b->r->code_size, b->p->security.read_only_code ? 0444 : 0644);
        b->plan->guard = b->guard;
        for (uint32_t i = 0; i < b->r->file_count; i++)
            (void)add_file(b, b->r->files[i].path, b->r->files[i].size, 0444);
        j->report_fd = b->guard.size ? GUARD_REPORT_FD : 0;
        j->program = b->program;
        check_add(b, strlist_add(&j->argv, b->program));
        check_add(b, d->arguments(b->p, b->r->file_count, guard_path, code, &j->argv, b->arena));
    }
    STRLIST_FOREACH(word, &b->r->command)
        check_add(b, strlist_add(&j->argv, word));
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

/* What the program leaves in /workspace is kept, where that is a place of the sandbox's own that it may write into: a volume
 * laid over it is the user's already. */
static void plan_workspace(struct builder *b, const struct config *c)
{
    if (c->security.store_artifacts.enabled && c->security.store_artifacts.max_size && has_own_workspace(b))
        b->plan->job.workspace = WORKSPACE;
}

/* Each run's own words: who finds them somewhere knows where they came from. */
static const char *canary_text(struct builder *b, const char *id)
{
    return arena_printf(b->arena, "# credentials\n[default]\naccess_key_id = AKIA%.16s\nsecret_access_key = %s\n", id + MIN_OF(strlen(id), (size_t)5), id);
}

/* All with the same content, behind the code. A compiled program comes in a memfd of its own, with no room behind it. */
static void plan_canaries(struct builder *b, const char *id)
{
    struct job *j = &b->plan->job;
    const struct strlist *paths = &b->p->monitoring.canaries;
    const char *text = canary_text(b, id);
    uint64_t offset = 0, size = text ? strlen(text) : 0;
    if (!paths->count || b->compiles)
        return;
    if (!profile_recognises(b->p, "data_exfiltration")) {
        (void)strlist_add(&b->plan->notes, "canaries: not planted: neither monitoring.pattern_matching nor kill_switches has data_exfiltration");
        return;
    }
    if (!j->workspace || (b->r->language < LANG_COUNT && lang_driver(b->r->language)->is_compiled)) {
        (void)strlist_add(&b->plan->notes, "canaries: not planted: there is no /workspace of the sandbox's own, artifacts are not stored, or the language is compiled");
        return;
    }
    for (uint32_t i = 0; i < j->file_count; i++)
        offset += j->files[i].size;
    STRLIST_FOREACH(path, paths) {
        if (j->file_count >= PLAN_MAX_FILES) {
            (void)strlist_addf(&b->plan->notes, "canaries: %s and what follows are not planted: too many files", path);
            break;
        }
        j->files[j->file_count++] = (struct plan_file){ path, offset, size, 0644 };
    }
    b->plan->canary = (struct bytes){ text, (uint32_t)size };
}

/* The working directory has copies of the further files, where it is the sandbox's own: programs open their data by relative names. After the
 * canaries, whose place in the memfd is behind all others'. */
static void plan_copies(struct builder *b)
{
    struct job *j = &b->plan->job;
    if (b->compiles || !(str_eq(j->cwd, "/tmp") || has_own_workspace(b)))
        return;
    for (uint32_t i = 0; i < b->r->file_count; i++)
        for (uint32_t k = 0; k < j->file_count; k++)
            if (str_eq(j->files[k].path, arena_printf(b->arena, "/code/%s", b->r->files[i].path))) {
                j->files[j->file_count++] = (struct plan_file){ arena_printf(b->arena, "%s/%s", j->cwd, b->r->files[i].path),
                                                                j->files[k].offset, j->files[k].size, 0644 };
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
        return err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "network.allow, deny and ports together exceed %u bytes", NETWORK_MAX_BYTES);
    const char *copy = arena_copy_bytes(b->arena, packed.data, packed.size);
    b->plan->job.network = (struct bytes){ copy, (uint32_t)packed.size };
    return 0;
}

/* A compiler is not watched: what it is given to compile is not executed. */
static void plan_watch(struct builder *b, const struct compiled *c)
{
    struct shape *s = &b->plan->shape;
    uint32_t watch = profile_watch(b->p);
    s->watch = b->compiles ? 0 : watch;
    s->is_brokered = s->watch & NOTIFY_BRIDGE;
    s->filter = s->watch & NOTIFY_BY_FILTER ? c->filter_asking : c->filter;
    s->verdicts = s->watch & NOTIFY_BY_FILTER ? c->filter : (struct bytes){ 0 };
    b->plan->job.wants_events = s->watch & ~(uint32_t)NOTIFY_FORKS || b->plan->canary.size;
}

/* Asked for by the profile, not done by this version: said, never silent. */
static void plan_notes(struct builder *b)
{
    struct strlist *n = &b->plan->notes;
    if (b->plan->job.report_fd >= b->plan->shape.nofile_soft && b->plan->job.report_fd)
        (void)strlist_add(n, "reports: execution.max_open_files leaves the language's guard no descriptor to report by");
}

int plan_build(const struct compiled *c, const struct run_request *r, const char *id, uint64_t binary_size,
               struct arena *a, struct plan *ret, struct error *err)
{
    *ret = (struct plan){ 0 };
    struct builder b = { .p = &c->profile, .r = r, .arena = a, .plan = ret, .err = err };
    if (r->language < LANG_COUNT && !lang_driver(r->language)->is_compiled &&
        !(b.program = lang_find_program(r->language, a, err)))
        return err->code;
    if (r->language < LANG_COUNT && lang_driver(r->language)->guard_file)
        b.guard = c->guard[r->language];
    int e = plan_common(&b, id);
    if (e == 0)
        e = r->language == LANG_COMMAND ? plan_command(&b) : plan_program(&b, binary_size);
    if (e < 0)
        return e;
    plan_workspace(&b, &c->config);
    plan_canaries(&b, id);
    plan_copies(&b);
    plan_notes(&b);
    plan_watch(&b, c);
    if (ret->shape.is_brokered && (e = plan_network(&b, c)) < 0)
        return e;
    return a->failed ? err_set(err, -ENOMEM, BLAME_HOST, "PLAN", "no memory") : 0;
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

int plan_build_compiler(const struct compiled *c, const struct run_request *r, const char *id,
                        const char *compiler, struct arena *a, struct plan *ret, struct error *err)
{
    *ret = (struct plan){ 0 };
    struct profile limits = c->profile;
    compiler_limits(&limits);
    struct builder b = { .p = &limits, .r = r, .arena = a, .plan = ret, .err = err, .program = compiler,
                         .compiles = true };
    int e = plan_common(&b, id);
    if (e < 0)
        return e;
    struct job *j = &ret->job;
    const char *code = add_file(&b, lang_driver(r->language)->file, r->code_size, 0444);
    j->program = compiler;
    j->artifact = COMPILE_OUTPUT;
    j->artifact_max = MAX_BINARY_BYTES;
    check_add(&b, lang_compile_arguments(r->language, code, &j->argv, &j->env));
    ret->shape.filter = c->filter;
    return b.failed;
}

void plan_done(struct plan *p)
{
    strlist_done(&p->job.argv);
    strlist_done(&p->job.env);
    strlist_done(&p->notes);
}
