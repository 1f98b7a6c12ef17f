/* doctor_limits.c - whether cgroup limits really hold: a group is made where the launcher would make one, limits
 * are written and read back, a process joins it, and it is removed at once.
 *
 * All that is a child's work, which also tidies up; it outlives a kill -9 of us by those milliseconds.
 */
#include "tool/doctor_cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct limits_trial {
    char dir[CONTROLLER_COUNT][4200]; /* the group to make; "": none */
    bool is_v2;
    bool made[CONTROLLER_COUNT], limited[CONTROLLER_COUNT], has_swap_limit, has_burst;
    int make_error, join_error; /* 0: worked; -1: not tried */
};

/* Written and read back: some files take what they do not keep. */
static bool write_limit(const char *dir, const char *file, const char *value)
{
    char path[4400], text[64];
    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    cleanup(closep) int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || write(fd, value, strlen(value)) < 0)
        return false;
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return false;
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return str_eq(text, value);
}

static bool join(const char *dir, const char *file)
{
    char path[4400];
    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    cleanup(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && write(fd, "0", 1) == 1; /* 0: the writer itself */
}

static int join_in_child(const struct limits_trial *t)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0) {
        for (size_t i = 0; i < CONTROLLER_COUNT; i++)
            if (t->made[i] && !join(t->dir[i], t->is_v2 ? "cgroup.procs" : "tasks"))
                _exit(errno & 0xff);
        _exit(0);
    }
    if (waitpid(pid, &status, 0) < 0)
        return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

/* A group is busy for a moment after its last process ended. */
static void remove_groups(const struct limits_trial *t)
{
    for (size_t i = 0; i < CONTROLLER_COUNT; i++)
        for (int tries = 0; t->made[i] && tries < 100; tries++) {
            if (rmdir(t->dir[i]) == 0 || errno != EBUSY)
                break;
            (void)usleep(10000);
        }
}

static void limits_try(void *shared)
{
    static const struct {
        int controller;
        const char *v1, *v1_value, *v2, *v2_value;
    } limits[] = {
        { MEMORY, "memory.limit_in_bytes", "67108864", "memory.max", "67108864" },
        { CPU, "cpu.cfs_quota_us", "50000", "cpu.max", "50000 100000" },
        { PIDS, "pids.max", "64", "pids.max", "64" },
    };
    struct limits_trial *t = shared;
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        if (!t->dir[i][0])
            continue;
        t->made[i] = mkdir(t->dir[i], 0755) == 0;
        if (!t->made[i] && errno != EEXIST) /* EEXIST: two controllers share a v1 hierarchy */
            t->make_error = errno;
    }
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        const char *dir = t->dir[t->is_v2 ? 0 : limits[i].controller];
        t->limited[limits[i].controller] = write_limit(dir, t->is_v2 ? limits[i].v2 : limits[i].v1,
                                                       t->is_v2 ? limits[i].v2_value : limits[i].v1_value);
    }
    t->has_swap_limit = write_limit(t->dir[0], t->is_v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
                                    t->is_v2 ? "0" : "67108864");
    t->has_burst = write_limit(t->dir[t->is_v2 ? 0 : CPU], t->is_v2 ? "cpu.max.burst" : "cpu.cfs_burst_us", "50000");
    t->join_error = join_in_child(t);
    remove_groups(t);
}

static bool has_swap(const struct doctor *d)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, 65536);
    return doctor_read(d, &text, "/proc/swaps") == 0 && strchr(text.data, '\n'); /* a line below the title */
}

static void limits_report(const struct doctor *d, struct check *c, const struct limits_trial *t)
{
    bool has_all = t->limited[MEMORY] && t->limited[CPU] && t->limited[PIDS];
    for (size_t i = 0; i < CONTROLLER_COUNT; i++)
        fact_bool(c, cgroup_controllers[i], t->limited[i]);
    fact_bool(c, "join", t->join_error == 0);
    fact_bool(c, "swap_limit", t->has_swap_limit);
    fact_bool(c, "cpu_burst", t->has_burst);
    fact_bool(c, "host_has_swap", has_swap(d));
    check_say(c, CHECK_OK, "memory cpu pids hold%s%s", t->has_swap_limit ? ", swap too" : "",
              t->has_burst ? ", with cpu burst" : "");
    if (t->make_error)
        check_say(c, CHECK_WARN, "no group can be made: %s", strerror(t->make_error));
    else if (!has_all)
        check_say(c, CHECK_WARN, "not all limits can be set:%s%s%s refused", t->limited[MEMORY] ? "" : " memory",
                  t->limited[CPU] ? "" : " cpu", t->limited[PIDS] ? "" : " pids");
    else if (t->join_error > 0)
        check_say(c, CHECK_WARN, "no process can be put into a group: %s", strerror(t->join_error));
    if (has_all && !t->has_swap_limit && has_swap(d)) {
        check_add(c, CHECK_WARN, "the host swaps and this kernel does not count it per group");
        check_remedy(c, "add swapaccount=1 to GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub && reboot");
    }
}

void probe_cgroup_limits(struct doctor *d, struct check *c)
{
    cleanup(freep) struct place *p = malloc(sizeof *p);
    struct limits_trial *t = shared_new(sizeof *t);
    if (!p || !t) {
        check_say(c, CHECK_FAIL, "out of memory");
        shared_free(t, sizeof *t);
        return;
    }
    cgroup_place_find(d, p);
    *t = (struct limits_trial){ .is_v2 = p->is_v2, .join_error = -1 };
    bool is_tried = cgroup_place_is_good(p) && !p->must_enable;
    for (size_t i = 0; is_tried && i < CONTROLLER_COUNT; i++)
        if (p->dir[i][0])
            (void)snprintf(t->dir[i], sizeof t->dir[i], "%.2000s%.2000s/sandbox-agent-doctor.%d", d->root, p->dir[i],
                           (int)getpid());
    int end = is_tried ? child_try(d, limits_try, t, false) : CHILD_DONE;
    if (end != CHILD_DONE)
        remove_groups(t);
    limits_report(d, c, t);
    fact_bool(c, "tried", is_tried);
    if (!is_tried && p->must_enable)
        check_say(c, CHECK_INFO, "not tried: the launcher first switches the controllers on in %s", p->dir[0]);
    else if (!is_tried) {
        check_say(c, CHECK_WARN, "not tried: no group is ours to make one in");
        check_add(c, CHECK_WARN, "%s", p->why);
    }
    if (c->status >= CHECK_WARN)
        cgroup_place_remedy(d, p, c);
    shared_free(t, sizeof *t);
}
