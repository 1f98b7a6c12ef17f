#include "launch/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include "base/parse.h"
#include "launch/delegated.h"

#define ROOT          "/sys/fs/cgroup"
#define PREFIX        "sandbox-agent."
#define CPU_PERIOD_US 100000u

/* v1; on v2 everything is in directory 0 */
enum { DIR_MEMORY, DIR_PIDS, DIR_CPU, DIR_IO, DIR_FREEZER };
static const char *const v1_controllers[CGROUP_MAX_DIRS] = { "memory", "pids", "cpu", "blkio", "freezer" };
#define THAWED "THAWED"

/* --- small files ------------------------------------------------------------------------- */

ssize_t cgroup_read_file(int dir, const char *path, char *out, size_t size)
{
    cleanup(closep) int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    ssize_t n = read(fd, out, size - 1);
    if (n < 0)
        return -errno;
    out[n] = '\0';
    return n;
}

int cgroup_write_file(int dir, const char *path, const char *text)
{
    cleanup(closep) int fd = openat(dir, path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* The first number in a file, or after `key ` at the start of one of its lines. */
static uint64_t read_number(int dir, const char *path, const char *key)
{
    char text[4096]; /* memory.stat */
    uint64_t v = 0;
    if (dir < 0 || cgroup_read_file(dir, path, text, sizeof text) < 0)
        return 0;
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t skip = key ? strlen(key) + 1 : 0;
        if (key && (strncmp(line, key, skip - 1) != 0 || line[skip - 1] != ' '))
            continue;
        size_t digits = strspn(line + skip, "0123456789");
        line[skip + digits] = '\0';
        return parse_u64(line + skip, &v) == 0 ? v : 0;
    }
    return 0;
}

/* --- where -------------------------------------------------------------------------------- */

/* Our own path in a hierarchy, from /proc/self/cgroup: lines «id:controllers:path». */
static bool own_path(const char *text, const char *controller, char *out, size_t size)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *list = strchr(line, ':');
        const char *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            return false;
        list++;
        size_t n = strlen(controller);
        bool found = *controller == '\0' && list == path;
        for (const char *c = list; n && c < path; c = memchr(c, ',', (size_t)(path - c))) {
            c += *c == ',';
            if (strncmp(c, controller, n) == 0 && (c[n] == ',' || c[n] == ':'))
                found = true;
            if (!memchr(c, ',', (size_t)(path - c)))
                break;
        }
        if (found) {
            size_t len = strcspn(path + 1, "\n");
            (void)snprintf(out, size, "%.*s", (int)len, path + 1);
            return true;
        }
    }
    return false;
}

static bool is_writable_dir(const char *path)
{
    return access(path, W_OK) == 0;
}

static void find_v1(struct cgroup_host *h, const char *self)
{
    h->kind = CGROUP_NONE;
    for (size_t i = 0; i < CGROUP_MAX_DIRS; i++) {
        char path[384];
        if (!own_path(self, v1_controllers[i], path, sizeof path))
            continue;
        (void)snprintf(h->parent[i], sizeof h->parent[i], ROOT "/%s%s", v1_controllers[i],
                       str_eq(path, "/") ? "" : path);
        /* in a container the path may be the host's, and the container's own directory the top */
        if (access(h->parent[i], F_OK) < 0)
            (void)snprintf(h->parent[i], sizeof h->parent[i], ROOT "/%s", v1_controllers[i]);
        if (!is_writable_dir(h->parent[i]))
            h->parent[i][0] = '\0';
        else if (i != DIR_IO && i != DIR_FREEZER) /* alone they bound neither memory nor processes */
            h->kind = CGROUP_V1;
    }
    if (h->kind == CGROUP_NONE)
        (void)snprintf(h->why, sizeof h->why, "cgroup v1 directories are not writable by uid %u", (unsigned)geteuid());
}

static bool has_controllers(const char *text)
{
    static const char *const wanted[] = { "memory", "pids", "cpu" };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        const char *at = text;
        size_t n = strlen(wanted[i]);
        bool found = false;
        while (!found && (at = strstr(at, wanted[i]))) {
            found = (at == text || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\n' || at[n] == '\0');
            at += n;
        }
        if (!found)
            return false;
    }
    return true;
}

/* v2: a node of our own between systemd's directory and our groups. With the controllers enabled in it the kernel
 * refuses to disable them above (EBUSY), which `systemctl daemon-reload` does in slices it thinks need none, taking the
 * limits of running sandboxes with it. */
static bool make_inner(struct cgroup_host *h)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/" PREFIX "%d.0", h->parent[0], (int)getpid());
    if (mkdir(path, 0755) < 0 && errno != EEXIST)
        return false;
    h->inner_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (h->inner_fd < 0 || cgroup_write_file(h->inner_fd, "cgroup.subtree_control", "+memory +pids +cpu") < 0) {
        closep(&h->inner_fd);
        (void)rmdir(path);
        return false;
    }
    (void)cgroup_write_file(h->inner_fd, "cgroup.subtree_control", "+io");
    (void)flock(h->inner_fd, LOCK_EX | LOCK_NB); /* «my owner lives», see cgroup_sweep() */
    memcpy(h->outer, h->parent[0], sizeof h->outer);
    (void)snprintf(h->parent[0], sizeof h->parent[0], "%.500s", path);
    return true;
}

/* mine: its path, where processes may be moved out of the way. */
static void enable_controllers(int dir, const char *mine)
{
    static const char wanted[] = "+memory +pids +cpu";
    if (cgroup_write_file(dir, "cgroup.subtree_control", wanted) == -EBUSY && mine && delegated_clear(mine))
        (void)cgroup_write_file(dir, "cgroup.subtree_control", wanted);
}

/* Upward from our own group: the first whose children get memory, pids and cpu (or can be made to) and in which
 * we may make one. Our own rarely qualifies («no internal processes»); the slice above it does. A service's goes no
 * further than the unit that was delegated to it: what is above has another owner, and not the unit's limits. */
static void find_v2(struct cgroup_host *h, const char *self, bool stays)
{
    char path[384];
    h->kind = CGROUP_NONE;
    if (!own_path(self, "", path, sizeof path)) {
        (void)snprintf(h->why, sizeof h->why, "no cgroup v2 line in /proc/self/cgroup");
        return;
    }
    for (;;) {
        char text[256], *slash;
        (void)snprintf(h->parent[0], sizeof h->parent[0], ROOT "%s", str_eq(path, "/") ? "" : path);
        cleanup(closep) int dir = open(h->parent[0], O_PATH | O_DIRECTORY | O_CLOEXEC);
        bool is_border = stays && delegated_is(h->parent[0]);
        if (dir >= 0 && is_writable_dir(h->parent[0]) &&
            cgroup_read_file(dir, "cgroup.subtree_control", text, sizeof text) >= 0) {
            if (!has_controllers(text))
                enable_controllers(dir, is_border ? h->parent[0] : NULL);
            (void)cgroup_write_file(dir, "cgroup.subtree_control", "+io"); /* ENOENT: not delegated, nor required */
            if (cgroup_read_file(dir, "cgroup.subtree_control", text, sizeof text) >= 0 && has_controllers(text) &&
                make_inner(h)) {
                h->kind = CGROUP_V2;
                return;
            }
        }
        slash = strrchr(path, '/');
        if (!slash || str_eq(path, "/") || is_border)
            break;
        slash[slash == path] = '\0';
    }
    h->parent[0][0] = '\0';
    (void)snprintf(h->why, sizeof h->why,
                   "no cgroup v2 directory from ours upward is delegated to uid %u with memory, pids and cpu",
                   (unsigned)geteuid());
}

bool cgroup_is_v2(void)
{
    struct statfs fs;
    return statfs(ROOT, &fs) == 0 && (unsigned long)fs.f_type == KMAGIC_CGROUP2;
}

void cgroup_find(struct cgroup_host *h, bool stays)
{
    *h = (struct cgroup_host){ .kind = CGROUP_NONE, .inner_fd = -1 };
    char self[4096];
    if (cgroup_read_file(AT_FDCWD, "/proc/self/cgroup", self, sizeof self) < 0)
        (void)snprintf(h->why, sizeof h->why, "/proc/self/cgroup cannot be read");
    else if (cgroup_is_v2())
        find_v2(h, self, stays);
    else
        find_v1(h, self);
}

/* --- making ------------------------------------------------------------------------------- */

/* One limit: written, read back, and only then called in force. */
static bool set_limit(int dir, const char *file, uint64_t value, uint64_t *ret_now)
{
    char text[32];
    if (dir < 0)
        return false;
    cleanup(closep) int fd = openat(dir, file, O_RDWR | O_CLOEXEC);
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    if (fd < 0 || write(fd, text, (size_t)n) != n)
        return false;
    ssize_t got = pread(fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return false;
    text[strspn(text, "0123456789")] = '\0';
    return parse_u64(text, ret_now) == 0;
}

static uint64_t quota_us(uint32_t cpu_milli)
{
    return (uint64_t)cpu_milli * CPU_PERIOD_US / 1000;
}

/* v1 charges what waits in TCP sockets beside memory.limit_in_bytes, and only where this limit is set: without it a
 * program kept 700 MiB there. A quarter is 64 MiB at medium. */
static bool limit_tcp_v1(struct cgroup *g, uint64_t memory_bytes)
{
    uint64_t now = 0, most = memory_bytes / 4;
    return set_limit(g->dir[DIR_MEMORY], "memory.kmem.tcp.limit_in_bytes", most, &now) && now <= most;
}

static void limit_v1(struct cgroup *g, const struct shape *s, uint32_t extra)
{
    uint64_t now = 0;
    if (s->memory_bytes && set_limit(g->dir[DIR_MEMORY], "memory.limit_in_bytes", s->memory_bytes, &now) &&
        now <= s->memory_bytes) {
        uint64_t both;
        /* no swap: memory+swap gets the same bound; without swap accounting, do not swap at all */
        if (!set_limit(g->dir[DIR_MEMORY], "memory.memsw.limit_in_bytes", s->memory_bytes, &both))
            (void)cgroup_write_file(g->dir[DIR_MEMORY], "memory.swappiness", "0");
        feature_set(&g->features, FEATURE_MEMORY);
        g->memory_bytes = now;
        g->is_tcp_counted = limit_tcp_v1(g, s->memory_bytes);
    }
    if (set_limit(g->dir[DIR_PIDS], "pids.max", (uint64_t)s->pids + extra, &now) && now == (uint64_t)s->pids + extra) {
        feature_set(&g->features, FEATURE_PIDS);
        g->pids = s->pids;
    }
    uint64_t quota = quota_us(s->cpu_milli);
    if (quota && set_limit(g->dir[DIR_CPU], "cpu.cfs_quota_us", quota, &now) && now == quota) {
        uint64_t burst; /* start-up burst, since 5.14: unused quota of earlier periods, at most one period's */
        (void)set_limit(g->dir[DIR_CPU], "cpu.cfs_burst_us", quota, &burst);
        feature_set(&g->features, FEATURE_CPU);
        g->cpu_milli = s->cpu_milli;
    }
}

static void limit_v2(struct cgroup *g, const struct shape *s, uint32_t extra)
{
    uint64_t now = 0;
    char text[64];
    if (s->memory_bytes && set_limit(g->dir[0], "memory.max", s->memory_bytes, &now) && now <= s->memory_bytes) {
        (void)cgroup_write_file(g->dir[0], "memory.swap.max", "0"); /* absent without swap: nothing to bound */
        feature_set(&g->features, FEATURE_MEMORY);
        g->memory_bytes = now;
    }
    if (set_limit(g->dir[0], "pids.max", (uint64_t)s->pids + extra, &now) && now == (uint64_t)s->pids + extra) {
        feature_set(&g->features, FEATURE_PIDS);
        g->pids = s->pids;
    }
    uint64_t quota = quota_us(s->cpu_milli);
    (void)snprintf(text, sizeof text, "%llu %u", (unsigned long long)quota, CPU_PERIOD_US);
    if (quota && cgroup_write_file(g->dir[0], "cpu.max", text) == 0 &&
        read_number(g->dir[0], "cpu.max", NULL) == quota) {
        uint64_t burst;
        (void)set_limit(g->dir[0], "cpu.max.burst", quota, &burst);
        feature_set(&g->features, FEATURE_CPU);
        g->cpu_milli = s->cpu_milli;
    }
}

/* EEXIST: cpu and memory co-mounted (v1), or left by a launcher with our recycled pid that no process swept. */
static int make_dir(const struct cgroup_host *h, struct cgroup *g, size_t i, struct error *err)
{
    char path[600];
    if (!h->parent[i][0])
        return 0;
    (void)snprintf(path, sizeof path, "%s/%s", h->parent[i], g->name);
    if ((mkdir(path, 0755) < 0 && errno != EEXIST) ||
        (g->dir[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
        int e = -errno;
        (void)rmdir(path); /* open() may have failed for want of descriptors */
        return err_set(err, e, BLAME_HOST, "CGROUP", "make %s: %s", path, strerror(-e));
    }
    (void)flock(g->dir[i], LOCK_EX | LOCK_NB); /* says «my owner lives», see cgroup_sweep() */
    return 0;
}

int cgroup_create(const struct cgroup_host *h, unsigned number, struct cgroup *ret, struct error *err)
{
    *ret = (struct cgroup){ .kind = h->kind, .dir = CGROUP_NO_DIRS };
    if (h->kind == CGROUP_NONE)
        return 0;
    (void)snprintf(ret->name, sizeof ret->name, PREFIX "%d.%u", (int)getpid(), number);
    for (size_t i = 0; i < DIR_FREEZER; i++) {
        int e = make_dir(h, ret, i, err);
        if (e < 0) {
            cgroup_destroy(h, ret);
            return e;
        }
    }
    return 0;
}

void cgroup_limit(struct cgroup *g, const struct shape *s, uint32_t extra_tasks)
{
    if (g->kind == CGROUP_V1)
        limit_v1(g, s, extra_tasks);
    else if (g->kind == CGROUP_V2)
        limit_v2(g, s, extra_tasks);
    if (g->kind != CGROUP_NONE)
        io_limit(g, g->kind == CGROUP_V1 ? g->dir[DIR_IO] : g->dir[0], s);
    if (feature_has(g->features, FEATURE_MEMORY) && feature_has(g->features, FEATURE_CPU) &&
        feature_has(g->features, FEATURE_PIDS))
        feature_set(&g->features, FEATURE_CGROUP);
}

int cgroup_set_tasks(const struct cgroup *g, uint64_t tasks)
{
    uint64_t now = 0;
    if (!feature_has(g->features, FEATURE_PIDS))
        return 0;
    return set_limit(g->dir[g->kind == CGROUP_V1 ? DIR_PIDS : 0], "pids.max", tasks, &now) && now == tasks ? 0 : -EIO;
}

/* --- standing still ------------------------------------------------------------------------- */

void cgroup_add_freezer(const struct cgroup_host *h, struct cgroup *g)
{
    struct error ignored;
    if (g->kind == CGROUP_V1 && g->dir[DIR_FREEZER] < 0)
        (void)make_dir(h, g, DIR_FREEZER, &ignored);
}

bool cgroup_can_freeze(const struct cgroup *g)
{
    return g->kind == CGROUP_V2 ? faccessat(g->dir[0], "cgroup.freeze", W_OK, 0) == 0 : g->dir[DIR_FREEZER] >= 0;
}

int cgroup_freeze(const struct cgroup *g, bool on)
{
    return g->kind == CGROUP_V2 ? cgroup_write_file(g->dir[0], "cgroup.freeze", on ? "1" : "0")
                                : cgroup_write_file(g->dir[DIR_FREEZER], "freezer.state", on ? "FROZEN" : THAWED);
}

bool cgroup_is_frozen(const struct cgroup *g)
{
    char text[16];
    if (g->kind == CGROUP_V2)
        return read_number(g->dir[0], "cgroup.events", "frozen") == 1;
    return cgroup_read_file(g->dir[DIR_FREEZER], "freezer.state", text, sizeof text) > 0 && str_eq(text, "FROZEN\n");
}

int cgroup_thaw_file(const struct cgroup *g)
{
    const int fd = openat(g->dir[DIR_FREEZER], "freezer.state", O_WRONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int cgroup_hold_cpu(const struct cgroup *g, bool is_limited)
{
    const bool is_v2 = g->kind == CGROUP_V2;
    char text[32];
    if (!feature_has(g->features, FEATURE_CPU))
        return 0;
    (void)snprintf(text, sizeof text,
                   is_limited ? "%llu"
                   : is_v2    ? "max"
                              : "-1",
                   (unsigned long long)quota_us(g->cpu_milli));
    return cgroup_write_file(g->dir[is_v2 ? 0 : DIR_CPU], is_v2 ? "cpu.max" : "cpu.cfs_quota_us", text);
}

/* --- letting in ----------------------------------------------------------------------------- */

static int open_tasks(const struct cgroup *g, int fds[static CGROUP_MAX_DIRS], size_t *ret_count)
{
    *ret_count = 0;
    for (size_t i = 0; g->kind == CGROUP_V1 && i < CGROUP_MAX_DIRS; i++) {
        if (g->dir[i] < 0)
            continue;
        if ((fds[*ret_count] = openat(g->dir[i], "tasks", O_WRONLY | O_CLOEXEC)) < 0)
            return -errno;
        ++*ret_count;
    }
    return 0;
}

int cgroup_let_join(const struct cgroup *g, int sock)
{
    int fds[CGROUP_MAX_DIRS];
    size_t count;
    struct down d = { .type = DOWN_LIMITED, .is_measured = g->kind == CGROUP_NONE };
    int e = open_tasks(g, fds, &count);
    d.group_count = (uint16_t)count;
    if (e == 0)
        e = send_message(sock, &d, sizeof d, fds, count);
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    return e == -EPIPE ? 0 : e; /* a dead init shows at its pidfd */
}

/* --- joining (inside) --------------------------------------------------------------------- */

/* v1. On v2 there are no descriptors: clone3 put us there. */
static int join(const int *fds, size_t count, struct error *err)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (write(fds[i], "0", 1) != 1) /* «0» and `tasks`: see cgroup.h */
            failed = errno;
        (void)close(fds[i]);
    }
    return failed ? err_set(err, -failed, BLAME_HOST, NULL, "join: %s", strerror(failed)) : 0;
}

int step_cgroup(struct init_ctx *c, struct error *err)
{
    struct down d = { 0 };
    int fds[CGROUP_MAX_DIRS];
    size_t count;
    ssize_t n = receive_message(c->report_fd, &d, sizeof d, fds, CGROUP_MAX_DIRS, &count);
    if (n != (ssize_t)sizeof d || d.type != DOWN_LIMITED)
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "the launcher went away before the limits were set");
    c->measured = d.is_measured;
    if (count != d.group_count) /* a low RLIMIT_NOFILE drops descriptors without a word: recvmsg(2), MSG_CTRUNC */
        return err_set(err, -EMFILE, BLAME_HOST, NULL, "%zu of %u cgroup files arrived (is `ulimit -n` too low?)",
                       count, (unsigned)d.group_count);
    int r = join(fds, count, err);
    if (r < 0)
        return r;
    if (unshare(CLONE_NEWCGROUP) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare cgroup namespace: %m");
    feature_set(&c->report.features, FEATURE_CGROUP_NS);
    return 0;
}

/* --- looking ------------------------------------------------------------------------------- */

uint32_t cgroup_pids_hits(const struct cgroup *g)
{
    int dir = g->kind == CGROUP_V1 ? g->dir[DIR_PIDS] : g->dir[0];
    return dir < 0 ? 0 : (uint32_t)read_number(dir, "pids.events", "max");
}

void cgroup_read_usage(const struct cgroup *g, struct cgroup_usage *ret)
{
    *ret = (struct cgroup_usage){ .pids_hits = cgroup_pids_hits(g) };
    if (g->kind == CGROUP_V1) {
        ret->peak_memory_bytes = read_number(g->dir[DIR_MEMORY], "memory.max_usage_in_bytes", NULL);
        ret->oom_kills = (uint32_t)read_number(g->dir[DIR_MEMORY], "memory.oom_control", "oom_kill");
    } else if (g->kind == CGROUP_V2) {
        ret->peak_memory_bytes = read_number(g->dir[0], "memory.peak", NULL);
        ret->oom_kills = (uint32_t)read_number(g->dir[0], "memory.events", "oom_kill");
    }
}

bool cgroup_cpu_us(const struct cgroup *g, uint64_t *ret)
{
    if (g->kind == CGROUP_V2) {
        *ret = read_number(g->dir[0], "cpu.stat", "usage_usec");
        return true;
    }
    *ret = g->dir[DIR_CPU] < 0 ? 0 : read_number(g->dir[DIR_CPU], "cpuacct.usage", NULL) / 1000;
    return *ret != 0;
}

uint32_t cgroup_tasks(const struct cgroup *g)
{
    const int dir = g->kind == CGROUP_V1 ? g->dir[DIR_PIDS] : g->kind == CGROUP_V2 ? g->dir[0] : -1;
    return dir < 0 ? 0 : (uint32_t)read_number(dir, "pids.current", NULL);
}

void cgroup_read_now(const struct cgroup *g, uint64_t *ret_memory_bytes, uint32_t *ret_pids)
{
    bool is_v1 = g->kind == CGROUP_V1;
    int memory = g->dir[is_v1 ? DIR_MEMORY : 0], pids = g->dir[is_v1 ? DIR_PIDS : 0];
    *ret_memory_bytes = memory < 0 ? 0 : read_number(memory, is_v1 ? "memory.usage_in_bytes" : "memory.current", NULL);
    if (*ret_memory_bytes > g->memory_bytes / 2) { /* reading memory.stat takes longer: only where it may matter */
        uint64_t cache = read_number(memory, "memory.stat", is_v1 ? "total_inactive_file" : "inactive_file");
        *ret_memory_bytes -= MIN_OF(cache, *ret_memory_bytes);
    }
    *ret_pids = pids < 0 ? 0 : (uint32_t)read_number(pids, "pids.current", NULL);
}

uint32_t cgroup_processes(const struct cgroup *g)
{
    char text[16384];
    int dir = g->kind == CGROUP_V1 ? g->dir[DIR_PIDS] : g->dir[0];
    uint32_t lines = 0;
    if (dir < 0 || cgroup_read_file(dir, "cgroup.procs", text, sizeof text) < 0)
        return UINT32_MAX; /* not known: no room */
    for (const char *p = text; (p = strchr(p, '\n')); p++)
        lines++;
    return lines;
}

void cgroup_lift(const struct cgroup *g)
{
    io_lift(g, g->kind == CGROUP_V1 ? g->dir[DIR_IO] : g->dir[0]);
    (void)cgroup_hold_cpu(g, false); /* where it fails, the killed die a little later */
}

void cgroup_reset_usage(const struct cgroup *g)
{
    if (g->kind == CGROUP_V1)
        (void)cgroup_write_file(g->dir[DIR_MEMORY], "memory.max_usage_in_bytes", "0");
    /* v2: memory.peak can be reset per open file since 6.12; slots there read it as «at least» */
}

/* --- leaving ------------------------------------------------------------------------------- */

static int remove_dir(const char *parent, const char *name)
{
    char path[600];
    (void)snprintf(path, sizeof path, "%s/%s", parent, name);
    for (int attempt = 0; attempt < 200; attempt++) {
        if (rmdir(path) == 0 || errno == ENOENT)
            return 0;
        if (errno != EBUSY)
            break;
        (void)usleep(500); /* the last task is reaped but not yet uncharged */
    }
    return -errno;
}

void cgroup_destroy(const struct cgroup_host *h, struct cgroup *g)
{
    for (size_t i = 0; i < CGROUP_MAX_DIRS; i++) {
        if (g->dir[i] < 0)
            continue;
        (void)close(g->dir[i]);
        g->dir[i] = -1;
        (void)remove_dir(h->parent[i], g->name);
    }
}

#define MEMBERS_MAX 1024u

size_t cgroup_members(int dir, pid_t *ret, size_t max)
{
    char text[4096];
    size_t count = 0;
    if (cgroup_read_file(dir, "cgroup.procs", text, sizeof text) <= 0)
        return 0;
    for (char *line = text, *end; count < max && (end = strchr(line, '\n')); line = end + 1) {
        uint64_t pid;
        *end = '\0';
        if (parse_u64(line, &pid) == 0 && pid > 1 && pid <= INT32_MAX)
            ret[count++] = (pid_t)pid;
    }
    return count;
}

static bool is_member(int dir, pid_t pid)
{
    pid_t now[MEMBERS_MAX];
    const size_t count = cgroup_members(dir, now, MEMBERS_MAX);
    for (size_t i = 0; i < count; i++)
        if (now[i] == pid)
            return true;
    return false;
}

/* On v1 by number, and a number may be another process's as soon as we have read it: so by a descriptor, if the number
 * still is a member's once that is open. */
static void kill_members(int dir)
{
    pid_t members[MEMBERS_MAX];
    if (cgroup_write_file(dir, "cgroup.kill", "1") == 0) /* v2 */
        return;
    const size_t count = cgroup_members(dir, members, MEMBERS_MAX);
    for (size_t i = 0; i < count; i++) {
        cleanup(closep) int fd = sys_pidfd_open(members[i]);
        if (fd >= 0 && is_member(dir, members[i]))
            (void)sys_pidfd_send_signal(fd, SIGKILL);
    }
}

static bool is_zombie(pid_t pid)
{
    char path[32], text[256];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (cgroup_read_file(AT_FDCWD, path, text, sizeof text) <= 0)
        return false;
    const char *after_name = strrchr(text, ')');
    return after_name && str_starts(after_name, ") Z");
}

static bool is_there(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

/* «sandbox-agent.<pid>.<n>» -> pid; 0: no such name */
static pid_t owner_of(const char *name)
{
    char number[24];
    uint64_t pid;
    if (!str_starts(name, PREFIX))
        return 0;
    const char *digits = name + sizeof PREFIX - 1;
    const size_t n = strspn(digits, "0123456789");
    if (n == 0 || n >= sizeof number)
        return 0;
    memcpy(number, digits, n);
    number[n] = '\0';
    return parse_u64(number, &pid) == 0 && pid <= INT32_MAX ? (pid_t)pid : 0;
}

/* Its owner holds a lock on it while it lives, so a process that gets the lock knows better.
 * Only in the instant between mkdir and flock a living owner has none: there its number decides, or (a number may be
 * recycled, or of another pid namespace) the directory's age. */
#define SURELY_LOCKED_AFTER_S 60
static bool is_orphan(int dir, pid_t owner)
{
    struct stat st;
    if (fstat(dir, &st) < 0)
        return false;
    bool is_gone = !is_there(owner) || is_zombie(owner) || time(NULL) - st.st_ctim.tv_sec > SURELY_LOCKED_AFTER_S;
    return is_gone && flock(dir, LOCK_EX | LOCK_NB) == 0;
}

static int sweep_parent(const char *parent, bool is_thorough);

/* Its own groups first (v2's inner node), then itself. */
static int sweep_one(const char *parent, const char *name, int dir)
{
    char path[600];
    kill_members(dir);
    (void)cgroup_write_file(dir, "freezer.state", THAWED); /* ENOENT but in v1's freezer, where the frozen do not die */
    (void)snprintf(path, sizeof path, "%s/%s", parent, name);
    return sweep_parent(path, true) + (remove_dir(parent, name) == 0);
}

static int sweep_parent(const char *parent, bool is_thorough)
{
    int removed = 0;
    DIR *d = opendir(parent);
    if (!d)
        return 0;
    for (struct dirent *e; (e = readdir(d));) {
        const pid_t owner = e->d_type == DT_DIR ? owner_of(e->d_name) : 0;
        if (owner == 0 || (!is_thorough && is_there(owner)))
            continue;
        cleanup(closep) int dir = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir >= 0 && is_orphan(dir, owner))
            removed += sweep_one(parent, e->d_name, dir);
    }
    (void)closedir(d);
    return removed;
}

int cgroup_sweep(const struct cgroup_host *h, bool is_thorough)
{
    int removed = 0;
    if (h->kind == CGROUP_V2)
        return sweep_parent(h->outer, is_thorough);
    for (size_t i = CGROUP_MAX_DIRS; i-- > 0;) /* the freezer first: what it holds does not die */
        if (h->parent[i][0])
            removed += sweep_parent(h->parent[i], is_thorough);
    return removed;
}

void cgroup_leave(struct cgroup_host *h)
{
    if (h->inner_fd < 0)
        return;
    closep(&h->inner_fd);
    (void)rmdir(h->parent[0]);
}
