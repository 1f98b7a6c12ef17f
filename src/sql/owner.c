/* owner.c - who reserved a run, and whether that process still lives.
 *
 * A pid alone is nothing: it is used again. With the start time it names a process of one boot, in one pid namespace.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include "base/parse.h"
#include "base/process.h"
#include "sql/sql.h"

/* Longer than any run may last (a week): beyond it, no process can still be at work. */
#define LONGEST_MS (UINT64_C(8) * LIMIT_DAY_MS)

static size_t read_small(const char *path, char *out, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

char *owner_place(void)
{
    char boot[64], ns[64], *place = NULL;
    boot[read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot)] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    ssize_t n = readlink("/proc/self/ns/pid", ns, sizeof ns - 1);
    ns[n > 0 ? n : 0] = '\0';
    return asprintf(&place, "%s %s", boot, ns) < 0 ? NULL : place;
}

void query_owner(struct query *q, uint64_t pid, uint64_t start)
{
    query_u64(q, pid);
    query_u64(q, start);
    query_text(q, q->store->place);
}

static bool has_ended(const char *place, const char *ours)
{
    size_t n = strcspn(ours, " ");
    return strncmp(place, ours, n + 1) != 0; /* another boot */
}

/* The word behind boot and pid namespace; "" where there are no nodes. */
const char *owner_node(const char *place)
{
    const char *space = strchr(place, ' ');
    space = space ? strchr(space + 1, ' ') : NULL;
    return space ? space + 1 : "";
}

bool owner_is_of_this_node(const struct sql *s, const char *place)
{
    return str_eq(owner_node(place), owner_node(s->place));
}

bool owner_is_alive(struct sql *s, uint64_t pid, uint64_t start, const char *place, uint64_t age_ms)
{
    if (age_ms > LONGEST_MS)
        return false;
    if (!owner_is_of_this_node(s, place)) /* nothing of it can be seen from here */
        return !s->driver->is_lost || !s->driver->is_lost(s, pid, start, place);
    if (has_ended(place, s->place))
        return false;
    if (!str_eq(place, s->place)) /* another container over the same directory: its pids say nothing here */
        return true;
    uint64_t now = process_start(pid);
    if (now)
        return now == start;
    /* /proc may be missing or hide it */
    return pid && pid <= INT32_MAX && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}
