#include "engine/usage.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include "base/kernel.h"
#include "base/parse.h"

#define ROOT "/sys/fs/cgroup"
enum { DIR_MEMORY, DIR_PIDS, DIR_CPU, DIR_CPUACCT }; /* v1; on v2 everything is in directory 0 */
static const char *const v1_controllers[GROUP_DIRS] = { "memory", "pids", "cpu", "cpuacct" };

/* --- small files --------------------------------------------------------------------------------------- */

uint64_t group_number(const char *text, const char *key, uint64_t other)
{
    size_t skip = key ? strlen(key) + 1 : 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        char number[24];
        uint64_t v;
        line += *line == '\n';
        if (key && (strncmp(line, key, skip - 1) != 0 || line[skip - 1] != ' '))
            continue;
        size_t digits = strspn(line + skip, "0123456789");
        if (digits == 0 || digits >= sizeof number)
            return other;
        memcpy(number, line + skip, digits);
        number[digits] = '\0';
        return parse_u64(number, &v) == 0 ? v : other;
    }
    return other;
}

static bool read_at(int dir, const char *path, char *out, size_t size)
{
    cleanup(closep) int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    out[MAX_OF(n, 0)] = '\0';
    return n >= 0;
}

static uint64_t number_of(int dir, const char *path, const char *key, uint64_t other)
{
    char text[4096]; /* memory.stat */
    return dir >= 0 && read_at(dir, path, text, sizeof text) ? group_number(text, key, other) : other;
}

/* --- finding it ----------------------------------------------------------------------------------------- */

static bool names_controller(const char *list, const char *end, const char *controller)
{
    size_t n = strlen(controller);
    if (n == 0)
        return list == end;
    for (const char *c = list; c < end; c++) {
        const char *comma = memchr(c, ',', (size_t)(end - c));
        const char *stop = comma ? comma : end;
        if ((size_t)(stop - c) == n && strncmp(c, controller, n) == 0)
            return true;
        c = stop;
    }
    return false;
}

bool group_path(const char *text, const char *controller, const char *id, char *out, size_t size)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            return false;
        if (!names_controller(list + 1, path, controller))
            continue;
        size_t n = strcspn(path + 1, "\n");
        if (n >= size)
            return false;
        memcpy(out, path + 1, n);
        out[n] = '\0';
        return out[0] == '/' && strlen(id) >= 32 && strstr(out, id) && !strstr(out, "/..");
    }
    return false;
}

void group_init(struct group *g)
{
    *g = (struct group){ .kind = CGROUP_NONE, .dir = { -1, -1, -1, -1 }, .host_uid = UINT32_MAX };
}

static bool is_v2(void)
{
    struct statfs fs;
    return statfs(ROOT, &fs) == 0 && (unsigned long)fs.f_type == KMAGIC_CGROUP2;
}

static int open_dir(const char *controller, const char *path)
{
    char full[1200];
    (void)snprintf(full, sizeof full, ROOT "%s%s%s", *controller ? "/" : "", controller, path);
    return open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void open_dirs(struct group *g, const char *text, const char *id)
{
    char path[1024];
    if (is_v2()) {
        if (group_path(text, "", id, path, sizeof path) && (g->dir[0] = open_dir("", path)) >= 0)
            g->kind = CGROUP_V2;
        return;
    }
    for (size_t i = 0; i < GROUP_DIRS; i++)
        if (group_path(text, v1_controllers[i], id, path, sizeof path) &&
            (g->dir[i] = open_dir(v1_controllers[i], path)) >= 0)
            g->kind = CGROUP_V1;
}

/* The namespace of another's process may be read by who made its user namespace: root, or the user whose engine it is.
 */
static bool is_in_namespace(uint64_t pid, uint64_t pid_ns)
{
    char path[48];
    struct stat st;
    (void)snprintf(path, sizeof path, "/proc/%llu/ns/pid", (unsigned long long)pid);
    return pid_ns && stat(path, &st) == 0 && st.st_ino == pid_ns;
}

uint32_t group_uid(const char *status)
{
    const char *line = strstr(status, "\nUid:\t");
    uint64_t uid = line ? group_number(line + strlen("\nUid:\t"), NULL, UINT32_MAX) : UINT32_MAX;
    return (uint32_t)MIN_OF(uid, (uint64_t)UINT32_MAX);
}

void group_open(struct group *g, uint64_t pid, const char *id, uint64_t pid_ns)
{
    char name[48], text[4096];
    group_init(g);
    (void)snprintf(name, sizeof name, "/proc/%llu/cgroup", (unsigned long long)pid);
    if (pid == 0 || !read_at(AT_FDCWD, name, text, sizeof text))
        return;
    open_dirs(g, text, id);
    bool is_its = is_in_namespace(pid, pid_ns);
    g->is_shared = g->kind == CGROUP_NONE && is_its && !strstr(text, id);
    (void)snprintf(name, sizeof name, "/proc/%llu/status", (unsigned long long)pid);
    if ((is_its || g->kind != CGROUP_NONE) && read_at(AT_FDCWD, name, text, sizeof text))
        g->host_uid = group_uid(text);
}

void group_close(struct group *g)
{
    for (size_t i = 0; i < GROUP_DIRS; i++)
        closep(&g->dir[i]);
    g->kind = CGROUP_NONE;
}

/* --- looking -------------------------------------------------------------------------------------------- */

/* v1 says «none» by a number near 2^63 */
static uint64_t bound(uint64_t v)
{
    return v >= (UINT64_C(1) << 62) ? 0 : v;
}

static uint32_t milli(uint64_t quota, uint64_t period)
{
    return quota && period ? (uint32_t)MIN_OF(quota * 1000 / period, (uint64_t)UINT32_MAX) : 0;
}

static uint32_t cpu_of_v2(int dir)
{
    char text[64];
    if (!read_at(dir, "cpu.max", text, sizeof text))
        return 0;
    const char *blank = strchr(text, ' ');
    return milli(group_number(text, NULL, 0), blank ? group_number(blank + 1, NULL, 0) : 0);
}

#define SWAP_UNBOUNDED (UINT64_MAX - 1)

static bool is_there(int dir, const char *path)
{
    return dir >= 0 && faccessat(dir, path, R_OK, 0) == 0;
}

void group_read_limits(const struct group *g, struct group_limits *ret)
{
    *ret = (struct group_limits){ .swap_bytes = UINT64_MAX };
    if (g->kind == CGROUP_V2) {
        ret->memory_bytes = number_of(g->dir[0], "memory.max", NULL, 0);
        if (is_there(g->dir[0], "memory.swap.max"))
            ret->swap_bytes = number_of(g->dir[0], "memory.swap.max", NULL, SWAP_UNBOUNDED);
        ret->pids = number_of(g->dir[0], "pids.max", NULL, 0);
        ret->cpu_milli = cpu_of_v2(g->dir[0]);
    } else if (g->kind == CGROUP_V1) {
        ret->memory_bytes = bound(number_of(g->dir[DIR_MEMORY], "memory.limit_in_bytes", NULL, 0));
        uint64_t both = bound(number_of(g->dir[DIR_MEMORY], "memory.memsw.limit_in_bytes", NULL, 0));
        if (is_there(g->dir[DIR_MEMORY], "memory.memsw.limit_in_bytes"))
            ret->swap_bytes = both ? both - MIN_OF(both, ret->memory_bytes) : SWAP_UNBOUNDED;
        ret->pids = number_of(g->dir[DIR_PIDS], "pids.max", NULL, 0);
        ret->cpu_milli = milli(number_of(g->dir[DIR_CPU], "cpu.cfs_quota_us", NULL, 0),
                               number_of(g->dir[DIR_CPU], "cpu.cfs_period_us", NULL, 0));
    }
}

void group_read_usage(const struct group *g, struct group_usage *ret)
{
    *ret = (struct group_usage){ 0 };
    if (g->kind == CGROUP_V2) {
        ret->peak_memory_bytes = number_of(g->dir[0], "memory.peak", NULL, 0);
        ret->oom_kills = (uint32_t)number_of(g->dir[0], "memory.events", "oom_kill", 0);
        ret->pids_hits = (uint32_t)number_of(g->dir[0], "pids.events", "max", 0);
        ret->cpu_us = number_of(g->dir[0], "cpu.stat", "usage_usec", 0);
    } else if (g->kind == CGROUP_V1) {
        ret->peak_memory_bytes = number_of(g->dir[DIR_MEMORY], "memory.max_usage_in_bytes", NULL, 0);
        ret->oom_kills = (uint32_t)number_of(g->dir[DIR_MEMORY], "memory.oom_control", "oom_kill", 0);
        ret->pids_hits = (uint32_t)number_of(g->dir[DIR_PIDS], "pids.events", "max", 0);
        ret->cpu_us = number_of(g->dir[DIR_CPUACCT], "cpuacct.usage", NULL, 0) / 1000;
    }
}

void group_read_now(const struct group *g, uint64_t *ret_memory_bytes, uint32_t *ret_pids)
{
    bool is_v1 = g->kind == CGROUP_V1;
    int memory = g->dir[is_v1 ? DIR_MEMORY : 0], pids = g->dir[is_v1 ? DIR_PIDS : 0];
    uint64_t used = number_of(memory, is_v1 ? "memory.usage_in_bytes" : "memory.current", NULL, 0);
    uint64_t cache = number_of(memory, "memory.stat", is_v1 ? "total_inactive_file" : "inactive_file", 0);
    *ret_memory_bytes = used - MIN_OF(cache, used);
    *ret_pids = (uint32_t)number_of(pids, "pids.current", NULL, 0);
}
