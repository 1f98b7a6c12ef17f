/* doctor_cgroup.c - cgroups: which, where, and whether limits can really be set.
 *
 * The place is looked for as the launcher does it (launch/cgroup.c): on v1 below our own group in each
 * hierarchy, on v2 from our own group upward, the first that we may write and whose children get
 * memory, cpu and pids. Two things differ, because doctor changes nothing: controllers that the launcher
 * would switch on in cgroup.subtree_control are only reported, and the group that is made to try the
 * limits is removed at once.
 */
#include "tool/doctor.h"

#include "base/parse.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define ROOT "/sys/fs/cgroup"
enum { MEMORY, CPU, PIDS, CONTROLLER_COUNT };
static const char *const controllers[CONTROLLER_COUNT] = { "memory", "cpu", "pids" };

enum version { VERSION_NONE, VERSION_V1, VERSION_V2, VERSION_HYBRID };
static const char *const version_names[] = { "none", "v1", "v2", "hybrid" };

struct place {
    enum version version;      /* what is mounted */
    bool is_v2;                /* what the launcher uses: v2 when it is mounted at ROOT itself */
    char dir[CONTROLLER_COUNT][4096]; /* "": none. v2: only the first. Without d->root */
    bool must_enable;          /* v2: the launcher has to switch controllers on first */
    char own[4096];            /* our own group: v2, or v1's memory */
    char why[256];
};

/* ---- where ---- */

static enum version mounted_version(const struct doctor *d, bool *ret_root_is_v2)
{
    cleanup(buf_done) struct buf text;
    struct mount_line m;
    bool has_v1 = false, has_v2 = false;
    buf_init(&text, DOCTOR_FILE_MAX);
    *ret_root_is_v2 = false;
    if (doctor_read(d, &text, "/proc/self/mountinfo") < 0)
        return VERSION_NONE;
    char *cursor = text.data;
    while (mount_next(&cursor, &m)) {
        if (str_eq(m.type, "cgroup2")) {
            has_v2 = true;
            *ret_root_is_v2 = *ret_root_is_v2 || str_eq(m.target, ROOT);
        } else if (str_eq(m.type, "cgroup")) {
            for (size_t i = 0; i < CONTROLLER_COUNT; i++) /* name=systemd alone is no v1 */
                has_v1 = has_v1 || word_in(m.options, ",", controllers[i]);
        }
    }
    return has_v1 ? (has_v2 ? VERSION_HYBRID : VERSION_V1) : has_v2 ? VERSION_V2 : VERSION_NONE;
}

/* The path in a line «id:controllers:path» of /proc/self/cgroup; "" as controller is v2's line. */
static bool own_path(const char *text, const char *controller, char *ret, size_t size)
{
    ret[0] = '\0';
    for (const char *line = text; line; line = strchr(line, '\n')) {
        char list[256];
        line += *line == '\n';
        const char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path || (size_t)(path - names) > sizeof list)
            continue;
        (void)snprintf(list, sizeof list, "%.*s", (int)(path - names - 1), names + 1);
        if (*controller ? !word_in(list, ",", controller) : list[0] != '\0')
            continue;
        (void)snprintf(ret, size, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
        return true;
    }
    return false;
}

static bool is_writable(const struct doctor *d, const char *dir)
{
    char path[4096];
    return doctor_path(d, path, "%s", dir) == 0 && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static bool group_has(const struct doctor *d, const char *dir, const char *file)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    if (doctor_read(d, &text, "%s/%s", dir, file) < 0)
        return false;
    for (size_t i = 0; i < CONTROLLER_COUNT; i++)
        if (!word_in(text.data, " ", controllers[i]))
            return false;
    return true;
}

static bool group_is_empty(const struct doctor *d, const char *dir)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, DOCTOR_FILE_MAX);
    return doctor_read(d, &text, "%s/cgroup.procs", dir) == 0 && text.size == 0;
}

static void place_v1(const struct doctor *d, const char *self, struct place *p)
{
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        char path[2048];
        if (!own_path(self, controllers[i], path, sizeof path))
            continue;
        if (i == MEMORY)
            (void)snprintf(p->own, sizeof p->own, "%s", path);
        (void)snprintf(p->dir[i], sizeof p->dir[i], ROOT "/%s%s", controllers[i], str_eq(path, "/") ? "" : path);
        if (!is_writable(d, p->dir[i]))
            p->dir[i][0] = '\0';
    }
    if (!p->dir[MEMORY][0] || !p->dir[CPU][0] || !p->dir[PIDS][0])
        (void)snprintf(p->why, sizeof p->why, "we may not write our groups below %s", ROOT);
}

static void place_v2(const struct doctor *d, const char *self, struct place *p)
{
    char path[2048], dir[4096];
    if (!own_path(self, "", path, sizeof path)) {
        (void)snprintf(p->why, sizeof p->why, "no v2 line in /proc/self/cgroup");
        return;
    }
    (void)snprintf(p->own, sizeof p->own, "%s", path);
    for (;;) {
        bool is_top = str_eq(path, "/");
        (void)snprintf(dir, sizeof dir, ROOT "%s", is_top ? "" : path);
        if (is_writable(d, dir)) {
            bool has = group_has(d, dir, "cgroup.subtree_control");
            /* only the hierarchy's root (no cgroup.type there) may have processes beside controllers */
            bool may = group_has(d, dir, "cgroup.controllers") &&
                       (group_is_empty(d, dir) || (is_top && !doctor_has(d, ROOT "/cgroup.type")));
            if (has || may) {
                (void)snprintf(p->dir[0], sizeof p->dir[0], "%s", dir);
                p->must_enable = !has;
                return;
            }
        }
        if (is_top)
            break;
        char *slash = strrchr(path, '/');
        if (!slash)
            break;
        slash[slash == path] = '\0';
    }
    (void)snprintf(p->why, sizeof p->why, "no group from ours (%.120s) upward is delegated to uid %u with "
                   "memory, cpu and pids", p->own, geteuid());
}

static void place_find(const struct doctor *d, struct place *p)
{
    cleanup(buf_done) struct buf self;
    buf_init(&self, 65536);
    *p = (struct place){ 0 };
    p->version = mounted_version(d, &p->is_v2);
    if (p->version == VERSION_NONE || doctor_read(d, &self, "/proc/self/cgroup") < 0)
        (void)snprintf(p->why, sizeof p->why, "no cgroup file system is mounted at %s", ROOT);
    else if (p->is_v2)
        place_v2(d, self.data, p);
    else
        place_v1(d, self.data, p);
}

static bool place_is_good(const struct place *p)
{
    return p->is_v2 ? p->dir[0][0] != '\0' : p->dir[MEMORY][0] && p->dir[CPU][0] && p->dir[PIDS][0];
}

/* ---- what helps ---- */

static void remedy_v2_user(const struct doctor *d, struct check *c)
{
    char manager[256];
    (void)snprintf(manager, sizeof manager, ROOT "/user.slice/user-%u.slice/user@%u.service", geteuid(), geteuid());
    if (!doctor_has(d, "/run/systemd/system"))
        check_remedy(c, "run it as root, or in a group that root made yours: chown the directory, its cgroup.procs "
                        "and cgroup.subtree_control");
    else if (group_has(d, manager, "cgroup.controllers"))
        check_remedy(c, "systemd-run --user --scope -p Delegate=yes -- sandbox-agent …");
    else
        check_remedy(c, "as root: mkdir -p /etc/systemd/system/user@.service.d && printf "
                        "'[Service]\\nDelegate=cpu memory pids\\n' >/etc/systemd/system/user@.service.d/"
                        "sandbox-agent.conf && systemctl daemon-reload   (then log in again)");
}

static bool is_readonly_mount(const struct doctor *d)
{
    char path[4096];
    return doctor_path(d, path, ROOT) == 0 && access(path, W_OK) < 0 && errno == EROFS;
}

static void place_remedy(const struct doctor *d, const struct place *p, struct check *c)
{
    if (p->version == VERSION_NONE)
        check_remedy(c, "mount -t cgroup2 none %s", ROOT);
    else if (is_readonly_mount(d))
        check_remedy(c, "docker run --security-opt writable-cgroups=true …   (Docker 28 or newer; podman: "
                        "--security-opt unmask=/sys/fs/cgroup)");
    else if (p->is_v2 && !d->is_root)
        remedy_v2_user(d, c);
    else if (!p->is_v2 && !d->is_root)
        check_remedy(c, "as root: cgcreate -a $USER -t $USER -g memory,cpu,pids:$USER   (then start it with cgexec -g "
                        "memory,cpu,pids:$USER; package cgroup-tools)");
    else if (p->is_v2)
        check_remedy(c, "echo '+memory +cpu +pids' >%s/cgroup.subtree_control", ROOT);
    else
        check_remedy(c, "boot without cgroup_disable=, or with systemd.unified_cgroup_hierarchy=1");
}

/* ---- what is there ---- */

static json_t *available_controllers(const struct doctor *d, const struct place *p)
{
    json_t *list = json_array();
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    (void)buf_adds(&text, "");
    if (p->is_v2)
        (void)doctor_read(d, &text, ROOT "/cgroup.controllers");
    for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
        char dir[128];
        (void)snprintf(dir, sizeof dir, ROOT "/%s", controllers[i]);
        if (p->is_v2 ? word_in(text.data, " ", controllers[i]) : doctor_has(d, dir))
            (void)json_array_append_new(list, json_string(controllers[i]));
    }
    return list;
}

void probe_cgroup(struct doctor *d, struct check *c)
{
    cleanup(freep) struct place *p = malloc(sizeof *p);
    if (!p) {
        check_say(c, CHECK_FAIL, "out of memory");
        return;
    }
    place_find(d, p);
    json_t *available = available_controllers(d, p);
    bool has_all = json_array_size(available) == CONTROLLER_COUNT;
    fact_text(c, "version", version_names[p->version]);
    fact_text(c, "used", p->version == VERSION_NONE ? NULL : p->is_v2 ? "v2" : "v1");
    fact_take(c, "controllers", available);
    fact_text(c, "own", p->own[0] ? p->own : NULL);
    fact_text(c, "place", p->dir[0][0] ? p->dir[0] : NULL);
    fact_bool(c, "delegated", place_is_good(p));
    if (place_is_good(p)) {
        check_say(c, CHECK_OK, "%s, memory cpu pids%s%s", version_names[p->version], p->is_v2 ? ", below " : "",
                  p->is_v2 ? p->dir[0] : "");
        return;
    }
    check_say(c, CHECK_WARN, "%s%s: the supervisor measures instead", version_names[p->version],
              p->version == VERSION_NONE ? "" : ", but not ours to use");
    check_add(c, CHECK_WARN, "%s", p->why);
    if (p->version != VERSION_NONE && !has_all)
        check_add(c, CHECK_WARN, "this kernel lacks a controller of memory, cpu, pids");
    place_remedy(d, p, c);
}

/* ---- limits, tried ---- */

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
        fact_bool(c, controllers[i], t->limited[i]);
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
    place_find(d, p);
    *t = (struct limits_trial){ .is_v2 = p->is_v2, .join_error = -1 };
    bool is_tried = place_is_good(p) && !p->must_enable;
    for (size_t i = 0; is_tried && i < CONTROLLER_COUNT; i++)
        if (p->dir[i][0])
            (void)snprintf(t->dir[i], sizeof t->dir[i], "%.2000s%.2000s/sandbox-agent-doctor.%d", d->root, p->dir[i],
                           (int)getpid());
    /* it tidies up after itself, so it outlives a kill -9 of us by those milliseconds */
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
        place_remedy(d, p, c);
    shared_free(t, sizeof *t);
}

void probe_psi(struct doctor *d, struct check *c)
{
    cleanup(buf_done) struct buf text;
    buf_init(&text, 4096);
    bool is_on = doctor_read(d, &text, "/proc/pressure/memory") == 0; /* there, but EOPNOTSUPP, with psi=0 */
    fact_bool(c, "available", is_on);
    check_say(c, CHECK_INFO, "%s", is_on ? "on" : "off (used for nothing but early warnings)");
    if (!is_on)
        check_remedy(c, "add psi=1 to GRUB_CMDLINE_LINUX in /etc/default/grub, then update-grub && reboot");
}
