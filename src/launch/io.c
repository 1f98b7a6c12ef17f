/* io.c - resources.io: bytes and requests a second that a cgroup may have of each disk.
 *
 * v2: one line a disk in io.max. v1: one line a disk in each of four files of blkio.throttle. A limit is called in
 * force when it was read back for each disk behind the sandbox's directories (disks.h).
 */
#include "launch/cgroup.h"

#include <fcntl.h>
#include <stdio.h>

/* Longer than all lines of DISKS_MAX disks. */
#define IO_TEXT_MAX 8192

/* A line «254:0 ...» in a file: what follows the number. NULL: not there. */
static const char *find_disk(const char *text, const struct disk *d)
{
    char name[32];
    int n = snprintf(name, sizeof name, "%u:%u ", d->major, d->minor);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, (size_t)n) == 0)
            return line + n;
    }
    return NULL;
}

/* v1, one of four limits of one disk; 0 lifts it. Read back, since a kernel without the controller's throttling has
 * the file and no effect. */
static int set_io_v1(int dir, const char *file, const struct disk *d, uint64_t value)
{
    char line[64], text[IO_TEXT_MAX], expected[32];
    (void)snprintf(line, sizeof line, "%u:%u %llu", d->major, d->minor, (unsigned long long)value);
    int r = cgroup_write_file(dir, file, line);
    if (r < 0 || value == 0)
        return r;
    (void)snprintf(expected, sizeof expected, "%llu\n", (unsigned long long)value);
    const char *found = cgroup_read_file(dir, file, text, sizeof text) < 0 ? NULL : find_disk(text, d);
    return found && str_starts(found, expected) ? 0 : -EIO;
}

static int limit_disk_v1(int dir, const struct shape *s, const struct disk *d)
{
    const struct {
        const char *file;
        uint64_t value;
    } limits[] = { { "blkio.throttle.read_bps_device", s->io_rbps },
                   { "blkio.throttle.write_bps_device", s->io_wbps },
                   { "blkio.throttle.read_iops_device", s->io_riops },
                   { "blkio.throttle.write_iops_device", s->io_wiops } };
    int r = 0;
    for (size_t i = 0; i < ARRAY_LEN(limits) && r == 0; i++)
        if (limits[i].value)
            r = set_io_v1(dir, limits[i].file, d, limits[i].value);
    return r;
}

static void put_io(char *text, size_t size, const char *name, uint64_t value)
{
    size_t used = strlen(text);
    if (value)
        (void)snprintf(text + used, size - used, "%s%s=%llu", used ? " " : "", name, (unsigned long long)value);
    else
        (void)snprintf(text + used, size - used, "%s%s=max", used ? " " : "", name);
}

static int limit_disk_v2(int dir, const struct shape *s, const struct disk *d)
{
    char values[160] = "", line[192], text[IO_TEXT_MAX];
    put_io(values, sizeof values, "rbps", s->io_rbps); /* in the kernel's order, to be compared */
    put_io(values, sizeof values, "wbps", s->io_wbps);
    put_io(values, sizeof values, "riops", s->io_riops);
    put_io(values, sizeof values, "wiops", s->io_wiops);
    (void)snprintf(line, sizeof line, "%u:%u %s", d->major, d->minor, values);
    int r = cgroup_write_file(dir, "io.max", line);
    if (r < 0)
        return r;
    const char *found = cgroup_read_file(dir, "io.max", text, sizeof text) < 0 ? NULL : find_disk(text, d);
    return found && str_starts(found, values) ? 0 : -EIO;
}

bool io_is_limited(const struct shape *s)
{
    return s->io_rbps || s->io_wbps || s->io_riops || s->io_wiops;
}

/* On v1 what is written goes to the page cache, and from there to the disk by a thread of the kernel's that is in no
 * group of ours. */
static bool escapes_v1(const struct cgroup *g, const struct shape *s)
{
    return g->kind == CGROUP_V1 && g->disks.is_written && (s->io_wbps || s->io_wiops);
}

void io_limit(struct cgroup *g, int dir, const struct shape *s)
{
    g->io_why[0] = '\0';
    if (!io_is_limited(s))
        (void)snprintf(g->io_why, sizeof g->io_why, "the profile sets no limit (resources.io)");
    else if (dir < 0 || faccessat(dir, g->kind == CGROUP_V1 ? "blkio.throttle.read_bps_device" : "io.max", W_OK, 0) < 0)
        (void)snprintf(g->io_why, sizeof g->io_why, "the cgroup controller %s is not ours to use",
                       g->kind == CGROUP_V1 ? "blkio" : "io");
    if (g->io_why[0])
        return;
    disks_find(s, &g->disks);
    for (uint32_t i = 0; i < g->disks.count; i++) {
        const struct disk *d = &g->disks.list[i];
        int r = g->kind == CGROUP_V1 ? limit_disk_v1(dir, s, d) : limit_disk_v2(dir, s, d);
        if (r < 0)
            (void)snprintf(g->io_why, sizeof g->io_why, "no limit for the disk %u:%u: %s", d->major, d->minor,
                           strerror(-r));
    }
    if (g->disks.lacking[0])
        (void)snprintf(g->io_why, sizeof g->io_why, "no limit for %s", g->disks.lacking);
    else if (escapes_v1(g, s))
        (void)snprintf(g->io_why, sizeof g->io_why,
                       "cgroup v1 holds back direct writes to a volume, and not those that wait in the page cache");
    if (!g->io_why[0])
        feature_set(&g->features, FEATURE_IO);
}

void io_lift(const struct cgroup *g, int dir)
{
    static const struct shape unlimited = { 0 };
    static const char *const files[] = { "blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device",
                                         "blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device" };
    for (uint32_t i = 0; i < g->disks.count; i++) {
        for (size_t f = 0; g->kind == CGROUP_V1 && f < ARRAY_LEN(files); f++)
            (void)set_io_v1(dir, files[f], &g->disks.list[i], 0);
        if (g->kind == CGROUP_V2)
            (void)limit_disk_v2(dir, &unlimited, &g->disks.list[i]);
    }
}
