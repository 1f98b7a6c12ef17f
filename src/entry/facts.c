/* facts.c - what is true in here, by looking: system calls first, /proc where there is no other way, since it may be
 * absent. */
#include "entry/entry.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include "base/io.h"
#include "base/landlock.h"

/* At most size - 1 bytes of a small file, and a NUL. False: it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t done = 0;
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && done < size - 1 && (n = read(fd, text + done, size - 1 - done)) > 0)
        done += (size_t)n;
    text[done] = '\0';
    return n >= 0;
}

static uint32_t other_groups(gid_t own)
{
    gid_t groups[256];
    int n = getgroups(ARRAY_LEN(groups), groups);
    if (n < 0) /* more than that, or it cannot be told */
        return UINT32_MAX;
    uint32_t count = 0;
    for (int i = 0; i < n; i++)
        count += groups[i] != own;
    return count;
}

static uint64_t bounding_or_ambient(bool is_ambient)
{
    uint64_t mask = 0;
    for (unsigned long cap = 0; cap < 64; cap++) {
        int has = is_ambient ? prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0)
                             : prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
        if (has < 0) /* EINVAL: beyond the last that the kernel knows */
            return cap > CAP_CHECKPOINT_RESTORE || errno == EINVAL ? mask : UINT64_MAX;
        mask |= (uint64_t)has << cap;
    }
    return mask;
}

static void gather_caps(struct entry_facts *f)
{
    struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct d[2] = { 0 };
    bool is_known = syscall(SYS_capget, &h, d) == 0;
    f->cap_effective = is_known ? (uint64_t)d[1].effective << 32 | d[0].effective : UINT64_MAX;
    f->cap_permitted = is_known ? (uint64_t)d[1].permitted << 32 | d[0].permitted : UINT64_MAX;
    f->cap_inheritable = is_known ? (uint64_t)d[1].inheritable << 32 | d[0].inheritable : UINT64_MAX;
    f->cap_bounding = bounding_or_ambient(false);
    f->cap_ambient = bounding_or_ambient(true);
}

static void gather_limit(int which, uint64_t *soft, uint64_t *hard)
{
    struct rlimit l;
    bool is_known = getrlimit(which, &l) == 0;
    if (soft)
        *soft = !is_known || l.rlim_cur == RLIM_INFINITY ? UINT64_MAX : l.rlim_cur;
    if (hard)
        *hard = !is_known || l.rlim_max == RLIM_INFINITY ? UINT64_MAX : l.rlim_max;
}

static void gather_namespaces(uint64_t ns[static ENTRY_NS_COUNT])
{
    static const char *const names[ENTRY_NS_COUNT] = {
        [ENTRY_NS_USER] = "user", [ENTRY_NS_PID] = "pid", [ENTRY_NS_MOUNT] = "mnt",    [ENTRY_NS_NET] = "net",
        [ENTRY_NS_IPC] = "ipc",   [ENTRY_NS_UTS] = "uts", [ENTRY_NS_CGROUP] = "cgroup"
    };
    for (size_t i = 0; i < ENTRY_NS_COUNT; i++) {
        char path[64];
        struct stat st;
        (void)snprintf(path, sizeof path, "/proc/self/ns/%s", names[i]);
        ns[i] = stat(path, &st) == 0 ? st.st_ino : 0;
    }
}

/* A host with tunnel modules has these in every network namespace, without an address and down: sysctl
 * net.core.fb_tunnels_only_for_init_net. */
static bool is_fallback_tunnel(const char *name)
{
    static const char *const names[] = { "tunl0",    "gre0", "gretap0", "erspan0", "ip_vti0",
                                         "ip6_vti0", "sit0", "ip6tnl0", "ip6gre0" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, names[i]))
            return true;
    return false;
}

static bool is_other_interface(const char *name)
{
    return name[0] != '.' && !str_eq(name, "lo") && !is_fallback_tunnel(name);
}

static bool count_from_sys(uint32_t *ret)
{
    DIR *d = opendir("/sys/class/net");
    if (!d)
        return false;
    *ret = 0;
    for (struct dirent *i; (i = readdir(d));)
        if (i->d_type == DT_LNK) /* «bonding_masters» is a file */
            *ret += is_other_interface(i->d_name);
    (void)closedir(d);
    return true;
}

/* «  eth0: 1234 ...» behind two lines of heads */
static bool count_from_proc(uint32_t *ret)
{
    char text[16384], *save = NULL;
    if (!read_text("/proc/net/dev", text, sizeof text))
        return false;
    *ret = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *name = line + strspn(line, " "), *colon = strchr(name, ':');
        if (!colon)
            continue;
        *colon = '\0';
        *ret += is_other_interface(name);
    }
    return true;
}

/* By file: an unprivileged filter leaves AF_UNIX sockets only, so neither SIOCGIFCONF nor netlink. /proc first: it is
 * always of our own network namespace. */
static uint32_t count_interfaces(void)
{
    uint32_t count;
    return count_from_proc(&count) || count_from_sys(&count) ? count : UINT32_MAX;
}

/* In a child, since a profile may have who asks killed. */
static bool is_open(long number, const long a[static 2])
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        const long r = syscall(number, a[0], a[1], 0, 0, 0, 0);
        _exit(r >= 0 || (errno != EPERM && errno != ENOSYS));
    }
    return pid < 0 || waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status));
}

/* With arguments that do nothing where the call is permitted. A filter refuses by one of these numbers. */
uint32_t calls_open(void)
{
    const pid_t nobody = 0x7fffffff;
    const struct {
        unsigned bit;
        long number, args[2];
    } calls[] = {
        { ENTRY_CALL_PTRACE, SYS_ptrace, { PTRACE_DETACH, nobody } },
        { ENTRY_CALL_READV, SYS_process_vm_readv, { nobody } },
        { ENTRY_CALL_WRITEV, SYS_process_vm_writev, { nobody } },
        { ENTRY_CALL_URING, SYS_io_uring_setup, { 0 } },
    };
    uint32_t open = 0;
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        if (is_open(calls[i].number, calls[i].args))
            open |= UINT32_C(1) << calls[i].bit;
    return open;
}

static bool is_usual_device(const struct stat *st)
{
    static const unsigned char usual[][2] = {
        { 1, 3 }, { 1, 5 }, { 1, 7 }, { 1, 8 }, { 1, 9 }, { 5, 0 }, { 5, 1 }, { 5, 2 }
    }; /* null to urandom, tty, console, ptmx */
    for (size_t i = 0; S_ISCHR(st->st_mode) && i < ARRAY_LEN(usual); i++)
        if (st->st_rdev == makedev(usual[i][0], usual[i][1]))
            return true;
    return false;
}

static uint32_t count_devices(void)
{
    uint32_t count = 0;
    DIR *d = opendir("/dev");
    if (!d)
        return errno == ENOENT ? 0 : UINT32_MAX;
    for (struct dirent *i; (i = readdir(d));) {
        struct stat st;
        if (fstatat(dirfd(d), i->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)))
            count += !is_usual_device(&st);
    }
    (void)closedir(d);
    return count;
}

static bool is_tmpfs(const char *path)
{
    struct statfs fs;
    return statfs(path, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

static void gather_probe(const char *path, struct entry_probe *p)
{
    struct stat st;
    struct statvfs fs;
    *p = (struct entry_probe){ 0 };
    if (stat(path, &st) < 0) {
        p->error = (uint32_t)errno;
        return;
    }
    p->dev = st.st_dev;
    p->ino = st.st_ino;
    p->is_null = S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
    if (statvfs(path, &fs) < 0)
        return;
    p->is_readonly = fs.f_flag & ST_RDONLY;
    p->is_noexec = fs.f_flag & ST_NOEXEC;
    p->size_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
    p->is_empty = S_ISDIR(st.st_mode) && is_tmpfs(path) && is_empty_directory(path);
}

static const char *gather_apparmor(char *text, size_t size)
{
    if (!read_text("/proc/self/attr/apparmor/current", text, size) && !read_text("/proc/self/attr/current", text, size))
        return NULL;
    text[strcspn(text, "\n")] = '\0';
    return text[0] ? text : NULL;
}

static const char *gather_kernel(char *text, size_t size)
{
    struct utsname u;
    if (uname(&u) < 0)
        return "";
    (void)snprintf(text, size, "%s %s %s", u.sysname, u.release, u.version);
    return text;
}

void facts_gather(struct entry *e, struct entry_facts *f)
{
    struct entry_probe root;
    uint32_t open = 0, watch_error = e->plan.filter.size ? (uint32_t)questions_probe(e, &open) : 0;
    if (!e->plan.filter.size)
        open = calls_open();
    int seccomp = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
    gather_probe("/", &root);
    *f = (struct entry_facts){ .pid = (uint32_t)getpid(),
                               .uid = geteuid(),
                               .gid = getegid(),
                               .group_count = other_groups(getegid()),
                               .seccomp = seccomp > 0 ? (uint32_t)seccomp : 0,
                               .no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1,
                               .is_root_readonly = root.is_readonly,
                               .landlock_abi = landlock_abi(),
                               .open_calls = open,
                               .watch_error = watch_error,
                               .devices = count_devices(),
                               .interfaces = count_interfaces(),
                               .kernel = gather_kernel(e->kernel, sizeof e->kernel),
                               .apparmor = gather_apparmor(e->apparmor, sizeof e->apparmor),
                               .program = e->program };
    gather_caps(f);
    gather_limit(RLIMIT_NOFILE, &f->nofile_soft, &f->nofile_hard);
    gather_limit(RLIMIT_FSIZE, NULL, &f->fsize);
    gather_limit(RLIMIT_CORE, NULL, &f->core);
    gather_limit(RLIMIT_NPROC, NULL, &f->nproc);
    gather_namespaces(f->ns);
    STRLIST_FOREACH(path, &e->plan.probes)
    gather_probe(path, &f->probes[f->probe_count++]);
    mounts_gather(f, &e->plan.probes, e->in_bytes,
                  sizeof e->in_bytes); /* before GO there is no STDIN, whose room this is */
}
