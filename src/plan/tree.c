/* tree.c - what a sandbox sees: mounts, and the access rules over them. */
#include "plan/builder.h"

#include "base/clock.h"
#include "base/fnv.h"
#include "base/homes.h"
#include "base/path.h"
#include "base/watch_bits.h"

#include <stdio.h>

#define KNOWN_MS 1000u

struct plan_mount *builder_mount(struct builder *b, enum mount_kind kind, const char *source, const char *target,
                                 uint32_t flags)
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
    struct plan_mount *m = builder_mount(b, MOUNT_TMPFS, NULL, target, flags);
    m->size_bytes = MAX_OF(bytes, (uint64_t)4096);
    /* one inode per 8 KiB, as mke2fs would, within what a small sandbox may cost the kernel */
    m->inodes = (uint32_t)MIN_OF(MAX_OF(bytes / 8192, (uint64_t)256), (uint64_t)65536);
    m->mode = 01777;
}

void builder_access(struct builder *b, const char *path, uint32_t access)
{
    struct shape *s = &b->plan->shape;
    if (s->access_count >= PLAN_MAX_ACCESS)
        b->failed = err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "more than %d access rules", PLAN_MAX_ACCESS);
    else
        s->access[s->access_count++] = (struct plan_access){ path, access };
}

bool builder_is_blocked(const struct builder *b, const char *path)
{
    return strlist_has(&b->p->filesystem.blocked_paths, path);
}

/* /bin, /lib and so on: links on a merged-/usr host, directories of their own elsewhere. */
static void plan_system_dirs(struct builder *b)
{
    static const char *const dirs[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        char link[128];
        ssize_t n = readlink(dirs[i], link, sizeof link - 1);
        bool is_bin = i < 2;
        if (is_bin && (!b->sees_usr || builder_is_blocked(b, dirs[i])))
            continue;
        if (n > 0) {
            link[n] = '\0';
            (void)builder_mount(b, MOUNT_LINK, arena_copy(b->arena, link), dirs[i], 0);
        } else if (errno == EINVAL) {
            (void)builder_mount(b, MOUNT_BIND, dirs[i], dirs[i], MOUNT_RO);
            builder_access(b, dirs[i], LANDLOCK_EXEC);
        }
    }
}

/* Only the interpreter, the libraries and what its driver names: blocked_paths holds /usr/bin. */
static void plan_reduced_usr(struct builder *b)
{
    static const char *const libraries[] = { "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32" };
    for (size_t i = 0; i < ARRAY_LEN(libraries); i++)
        (void)builder_mount(b, MOUNT_BIND, libraries[i], libraries[i], MOUNT_RO | MOUNT_OPTIONAL);
    if (b->program) {
        (void)builder_mount(b, MOUNT_BIND, b->program, b->program, MOUNT_RO);
        if (str_starts(b->program, "/usr/local/"))
            (void)builder_mount(b, MOUNT_BIND, "/usr/local/lib", "/usr/local/lib", MOUNT_RO | MOUNT_OPTIONAL);
    }
    if (b->r->language < LANG_COUNT)
        for (const char *const *d = lang_driver(b->r->language)->runtime; *d; d++)
            (void)builder_mount(b, MOUNT_BIND, *d, *d, MOUNT_RO | MOUNT_OPTIONAL);
}

static bool has_names(const struct builder *b)
{
    return b->p->network.mode == NETWORK_BRIDGE && b->p->network.dns == DNS_AUTO;
}

/* What libc needs to find the broker's resolver; all there is of /etc where the profile blocks it. */
static void plan_names(struct builder *b)
{
    (void)builder_mount(b, MOUNT_TEXT, "127.0.0.1 localhost sandbox\n::1 localhost\n", "/etc/hosts", 0);
    (void)builder_mount(b, MOUNT_TEXT, "passwd: files\ngroup: files\nhosts: files dns\n", "/etc/nsswitch.conf", 0);
    if (has_names(b))
        (void)builder_mount(b, MOUNT_TEXT, "nameserver 127.0.0.53\noptions edns0\n", "/etc/resolv.conf", 0);
}

static void plan_etc(struct builder *b)
{
    if (b->has_etc || has_names(b)) {
        (void)builder_mount(b, MOUNT_DIR, NULL, "/etc", 0);
        plan_names(b);
    }
    if (!b->has_etc)
        return;
    const struct profile *p = b->p;
    uint32_t uid = p->security.user.uid, gid = p->security.user.gid;
    (void)builder_mount(b, MOUNT_TEXT,
                        arena_printf(b->arena,
                                     "root:x:0:0:root:/:/usr/sbin/nologin\n"
                                     "sandbox:x:%u:%u:sandbox:/workspace:/bin/sh\n",
                                     uid, gid),
                        "/etc/passwd", 0);
    (void)builder_mount(b, MOUNT_TEXT, arena_printf(b->arena, "root:x:0:\nsandbox:x:%u:\n", gid), "/etc/group", 0);
    if (b->r->git_config)
        (void)builder_mount(b, MOUNT_TEXT, b->r->git_config, "/etc/gitconfig", 0);
    /* Debian's libraries choose implementations (BLAS) and tools by links through here */
    (void)builder_mount(b, MOUNT_BIND, "/etc/alternatives", "/etc/alternatives", MOUNT_RO | MOUNT_OPTIONAL);
    (void)builder_mount(b, MOUNT_BIND, "/etc/ld.so.cache", "/etc/ld.so.cache", MOUNT_RO | MOUNT_OPTIONAL);
    char zone[256];
    ssize_t n = readlink("/etc/localtime", zone, sizeof zone - 1);
    if (n > 0) {
        zone[n] = '\0';
        (void)builder_mount(b, MOUNT_LINK, arena_copy(b->arena, zone), "/etc/localtime", 0);
    }
    if (b->p->network.mode == NETWORK_BRIDGE)
        (void)builder_mount(b, MOUNT_BIND, "/etc/ssl", "/etc/ssl", MOUNT_RO | MOUNT_OPTIONAL);
}

static void plan_dev(struct builder *b)
{
    static const char *const nodes[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom" };
    if (!b->has_dev)
        return;
    (void)builder_mount(b, MOUNT_DIR, NULL, "/dev", 0);
    for (size_t i = 0; i < ARRAY_LEN(nodes); i++)
        (void)builder_mount(b, MOUNT_DEVICE, nodes[i], nodes[i], 0);
    (void)builder_mount(b, MOUNT_LINK, "urandom", "/dev/random", 0);
    if (b->has_proc) {
        (void)builder_mount(b, MOUNT_LINK, "/proc/self/fd", "/dev/fd", 0);
        (void)builder_mount(b, MOUNT_LINK, "/proc/self/fd/0", "/dev/stdin", 0);
        (void)builder_mount(b, MOUNT_LINK, "/proc/self/fd/1", "/dev/stdout", 0);
        (void)builder_mount(b, MOUNT_LINK, "/proc/self/fd/2", "/dev/stderr", 0);
    }
    builder_access(b, "/dev", LANDLOCK_DEVICE);
}

/* Whether the host has it, as it was up to a second ago: a service asks this some thirty times a run. What came to be
 * meanwhile a run sees as one does that began a second earlier; what has gone is no mask (launch/root.c). */
static bool is_there(const char *path)
{
    static _Thread_local struct {
        char path[56];
        uint32_t until_ms; /* wraps: after 49 days it is looked at once more, or once less */
        bool is_there;
    } known[128];
    const size_t size = strlen(path) + 1, at = fnv_text(path) % ARRAY_LEN(known);
    const uint32_t now_ms = (uint32_t)clock_ms();
    if (str_eq(known[at].path, path) && known[at].until_ms - now_ms <= KNOWN_MS)
        return known[at].is_there;
    const bool is_there = access(path, F_OK) == 0;
    if (size <= sizeof known[at].path) {
        memcpy(known[at].path, path, size);
        known[at].until_ms = now_ms + KNOWN_MS;
        known[at].is_there = is_there;
    }
    return is_there;
}

/* What a read-only proc with hidepid still shows of the machine. (kcore, kmsg, timer_list, sysrq-trigger and the
 * like are root's only, and no uid inside is root; /proc/sys is read-only with the mount.) */
static void plan_proc(struct builder *b)
{
    static const char *const masked[] = { "/proc/keys", "/proc/key-users", "/proc/kallsyms", "/proc/modules",
                                          "/proc/interrupts", "/proc/cmdline", "/proc/sched_debug",
                                          "/proc/latency_stats", "/proc/config.gz",
                                          /* locks: two sandboxes can talk by them. The others name the machine */
                                          "/proc/locks", "/proc/fs", "/proc/bus", "/proc/diskstats", "/proc/partitions",
                                          "/proc/sys/kernel/random/boot_id" };
    if (!b->has_proc)
        return;
    bool pids_only = b->p->security.mask_proc;
    (void)builder_mount(b, MOUNT_PROC, NULL, "/proc", pids_only ? MOUNT_PROC_PIDS_ONLY : 0);
    if (pids_only)
        return;
    for (size_t i = 0; i < ARRAY_LEN(masked); i++)
        if (is_there(masked[i])) /* each mask costs a mount: not for what this kernel has not */
            (void)builder_mount(b, MOUNT_MASK, NULL, masked[i], 0);
}

/* Laid over one of these, a writable directory would hide the interpreter, or let the code change itself. */
static bool is_reserved(const char *path)
{
    static const char *const dirs[] = { "/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                        "/libx32", "/etc", "/proc", "/sys", "/dev",   "/code" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        size_t n = strlen(dirs[i]);
        if (strncmp(path, dirs[i], n) == 0 && (path[n] == '\0' || path[n] == '/'))
            return true;
    }
    return false;
}

/* Storage is split: temp_size for /tmp, the rest evenly over the writable paths. */
void builder_writable(struct builder *b)
{
    const struct profile *p = b->p;
    uint64_t temp = MIN_OF(p->filesystem.temp_size, p->resources.storage);
    bool noexec = p->filesystem.noexec_tmp;
    uint32_t exec = noexec ? 0 : LANDLOCK_EXEC, flags = noexec ? MOUNT_NOEXEC : 0;
    uint64_t shm = b->has_dev ? MIN_OF(temp / 4, 64 * MIB) : 0;
    add_tmpfs(b, "/tmp", temp - shm, flags);
    builder_access(b, "/tmp", LANDLOCK_WRITE | LANDLOCK_SOCKET | exec);
    if (shm) { /* POSIX semaphores and shared memory: python's multiprocessing */
        add_tmpfs(b, "/dev/shm", shm, MOUNT_NOEXEC);
        builder_access(b, "/dev/shm", LANDLOCK_WRITE);
    }
    uint32_t count = p->filesystem.writable_paths.count;
    uint64_t share = count ? (p->resources.storage - temp) / count : 0;
    STRLIST_FOREACH(path, &p->filesystem.writable_paths)
    {
        if (str_eq(path, "/tmp"))
            continue;
        if (is_reserved(path)) {
            b->failed = err_set(b->err, -EINVAL, BLAME_CALLER, "PLAN",
                                "filesystem.writable_paths: %s lies in a directory that belongs to the sandbox", path);
            (void)err_remedy(b->err, "name another place, such as /workspace or /data");
            return;
        }
        const char *copy = arena_copy(b->arena, path);
        const bool is_disk = b->r->session == SESSION_OPENS && p->filesystem.workspace == WORKSPACE_DISK &&
                             str_eq(path, "/workspace");
        add_tmpfs(b, copy, share, flags | (is_disk ? MOUNT_ON_DISK : 0));
        builder_access(b, copy, LANDLOCK_WRITE | LANDLOCK_SOCKET | exec);
    }
    if (!b->is_container && !strlist_has(&p->filesystem.writable_paths, "/workspace"))
        (void)builder_mount(b, MOUNT_DIR, NULL, "/workspace", 0);
    if (!p->filesystem.readonly_root)
        builder_access(b, "/", LANDLOCK_WRITE | exec);
    if (b->has_var)
        (void)builder_mount(b, MOUNT_LINK, "/tmp", "/var/tmp", 0);
}

/* The steward's: it lays each job's code into a directory of its own there, which no other job reaches
 * (steward/fence.c); and what the files of a workspace were at its checkpoints (files/checkpoint.h). A bound, no
 * reservation.
 */
static void plan_steward_dir(struct builder *b)
{
    const uint64_t code = b->binary_size + 8 * (uint64_t)REQUEST_MAX_CODE_BYTES;
    add_tmpfs(b, BUILDER_CODE_DIR, code + b->p->resources.storage, 0);
    builder_access(b, BUILDER_CODE_DIR, LANDLOCK_WRITE);
    builder_access(b, BUILDER_STEWARD, LANDLOCK_EXEC);
}

static void plan_code_dir(struct builder *b)
{
    if (b->r->session == SESSION_OPENS)
        plan_steward_dir(b);
    if (b->r->session == SESSION_OPENS || b->r->language == LANG_COMMAND)
        return;
    /* a bound, not a reservation; the same for every program, so that a slot serves them all */
    bool is_binary = lang_driver(b->r->language)->is_compiled && !b->compiles;
    bool is_read_only = b->compiles || b->p->security.read_only_code;
    add_tmpfs(b, "/code", is_binary ? MAX_BINARY_BYTES + MIB : 2 * (uint64_t)REQUEST_MAX_CODE_BYTES,
              is_read_only ? MOUNT_RO : 0);
    b->plan->shape.mounts[b->plan->shape.mount_count - 1].mode = is_read_only ? 0755 : 01777;
    if (!is_read_only)
        builder_access(b, "/code", LANDLOCK_WRITE);
    if (is_binary)
        builder_access(b, "/code", LANDLOCK_EXEC);
}

void builder_volumes(struct builder *b)
{
    if (b->compiles)
        return;
    for (uint32_t i = 0; i < b->r->volume_count; i++) {
        const struct request_volume *v = &b->r->volumes[i];
        struct plan_mount *m = builder_mount(b, MOUNT_VOLUME, v->host, v->inside, v->is_writable ? 0 : MOUNT_RO);
        m->dev = v->dev;
        m->ino = v->ino;
        /* no sockets: through one in a shared directory, two sandboxes could hand each other descriptors, a connection
         * for one */
        builder_access(b, v->inside, LANDLOCK_EXEC | (v->is_writable ? LANDLOCK_WRITE : 0));
    }
    for (const char *g = b->r->guards ? strlist_first(b->r->guards) : NULL; g; g = strlist_next(b->r->guards, g))
        builder_add(b, strlist_add(&b->plan->shape.guards, g));
}

/* Nothing in it is a program's way to another sandbox: files, directories and links that stay inside
 * (packages/tree.h). What is executable in it may be executed where anything may. */
void builder_packages(struct builder *b)
{
    const struct request_packages *p = &b->r->packages;
    if (b->compiles || !p->host)
        return;
    const char *target = p->is_node ? PACKAGES_OF_NODE : PACKAGES_OF_PYTHON;
    struct plan_mount *m = builder_mount(b, MOUNT_VOLUME, p->host, target, MOUNT_RO);
    m->dev = p->dev;
    m->ino = p->ino;
    if (!builder_is_interpreter_only(b))
        builder_access(b, target, LANDLOCK_EXEC);
}

static void mask_command(struct builder *b, const char *name)
{
    if (b->is_container) {
        builder_container_mask(b, name);
        return;
    }
    static const char *const dirs[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        const char *path = arena_printf(b->arena, "%s/%s", dirs[i], name);
        if (is_there(path))
            (void)builder_mount(b, MOUNT_MASK, NULL, path, 0);
    }
}

static void mask_commands(struct builder *b, const char *const *names)
{
    for (; *names; names++)
        mask_command(b, *names);
}

/* blocked_commands and restricted_commands are absent; with limited shell access so are shells, except for
 * bash programs and commands, which are the shell access that is meant. */
void builder_masks(struct builder *b)
{
    static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", NULL };
    static const char *const installers[] = { "apt", "apt-get", "dpkg",  "pip", "pip3",
                                              "npm", "npx",     "cargo", "gem", NULL };
    static const char *const compilers[] = {
        "cc", "gcc", "c++", "g++", "clang", "tcc", "go", "rustc", "as", "ld", NULL
    };
    STRLIST_FOREACH(path, &b->p->filesystem.blocked_paths)
    {
        static const char *const not_made[] = { "/proc", "/sys", "/dev", "/etc", "/var", "/usr/bin", "/bin" };
        bool is_made = true;
        for (size_t i = 0; i < ARRAY_LEN(not_made); i++)
            is_made &= !str_eq(path, not_made[i]);
        if (is_made)
            (void)builder_mount(b, MOUNT_MASK, NULL, arena_copy(b->arena, path), 0);
    }
    /* settings of the host's own programs: an npmrc there may hold a token */
    if (b->sees_usr && !b->is_container && access("/usr/local/etc", F_OK) == 0)
        (void)builder_mount(b, MOUNT_MASK, NULL, "/usr/local/etc", 0);
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

bool builder_is_interpreter_only(const struct builder *b)
{
    return b->r->language < LANG_COUNT && !b->compiles &&
           (b->p->execution.shell_access == SHELL_NONE || b->p->languages[b->r->language].interpreter_only);
}

/* execve(2) of anything but the interpreter is refused; the ELF loader needs the right too. */
static void plan_exec_rights(struct builder *b)
{
    if (!builder_is_interpreter_only(b)) {
        builder_access(b, "/usr", LANDLOCK_EXEC);
        return;
    }
    static const char *const loaders[] = { "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1" };
    if (b->program)
        builder_access(b, b->program, LANDLOCK_EXEC);
    for (size_t i = 0; i < ARRAY_LEN(loaders); i++)
        if (access(loaders[i], F_OK) == 0)
            builder_access(b, loaders[i], LANDLOCK_EXEC);
}

/* A place of the user's own is his: a volume, or what the profile lets the code write into. */
static bool is_taken(const struct builder *b, const char *place)
{
    bool is_taken = builder_is_blocked(b, place);
    for (uint32_t i = 0; i < b->r->volume_count; i++)
        is_taken |= path_meets(b->r->volumes[i].inside, place);
    STRLIST_FOREACH(path, &b->p->filesystem.writable_paths)
    is_taken |= path_meets(path, place);
    return is_taken;
}

/* A home as E2B's sandboxes have one: clients name files so (front/e2b.h). */
static void plan_session_home(struct builder *b)
{
    const bool has_workspace = strlist_has(&b->p->filesystem.writable_paths, "/workspace");
    if (b->r->session == SESSION_OPENS && has_workspace && !b->is_container && !is_taken(b, HOMES_PLACE))
        (void)builder_mount(b, MOUNT_LINK, "/workspace", HOMES_PLACE "/user", 0);
}

/* Keys of others for those who look for some: the same in every sandbox, so that prepared ones are alike. */
static void plan_home(struct builder *b)
{
    static const char text[] = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                               "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"
                               "QyNTUxOQAAACBq2M8vVtRZb0kqTq5GmQ1h3wXcJ7yN4uE9aLfPpS6K0gAAAJh1Yx5adWMe\n"
                               "-----END OPENSSH PRIVATE KEY-----\n"
                               "[default]\n"
                               "aws_access_key_id = AKIA4T7QWZ2MHX5RNC3J\n"
                               "aws_secret_access_key = 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\n";
    const bool is_looked_for = b->p->monitoring.privilege_escalation_detection ||
                               profile_kills(b->p, "privilege_escalation_attempt");
    if (b->compiles || b->r->session != SESSION_NONE || !is_looked_for || !(profile_watch(b->p) & NOTIFY_SAMPLES) ||
        is_taken(b, HOMES_PLACE) || is_taken(b, HOMES_ROOT))
        return;
    struct plan_mount *m = builder_mount(b, MOUNT_HOME, text, HOMES_PLACE, MOUNT_NOEXEC);
    m->size_bytes = MIB; /* a file takes a page, which may have 64 KiB */
    m->inodes = 32;
    m->mode = 0755;
    (void)builder_mount(b, MOUNT_LINK, HOMES_USER, HOMES_ROOT, 0);
}

void builder_tree(struct builder *b)
{
    b->sees_usr = b->compiles || !builder_is_blocked(b, "/usr/bin");
    b->has_proc = b->compiles || !builder_is_blocked(b, "/proc");
    b->has_etc = b->compiles || !builder_is_blocked(b, "/etc");
    b->has_dev = b->compiles || !builder_is_blocked(b, "/dev");
    b->has_var = b->compiles || !builder_is_blocked(b, "/var");
    builder_access(b, "/", LANDLOCK_READ); /* all that is mounted is there to be read */
    if (b->sees_usr)
        (void)builder_mount(b, MOUNT_BIND, "/usr", "/usr", MOUNT_RO);
    else
        plan_reduced_usr(b);
    plan_exec_rights(b);
    plan_system_dirs(b);
    plan_etc(b);
    plan_dev(b);
    plan_proc(b);
    builder_writable(b);
    plan_code_dir(b);
    plan_home(b);
    plan_session_home(b);
    builder_masks(b);
    builder_packages(b);
    builder_volumes(b); /* last: nothing is mounted below one */
}
