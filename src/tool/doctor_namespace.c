/* doctor_namespace.c - user namespaces and what they are needed for, tried as the launcher does it.
 *
 *     doctor --fork--> mapper --fork--> trier: unshare(NEWUSER)
 *                      mapper writes trier's uid_map and gid_map (one id, no root inside)
 *                                       trier takes that id, unshares the rest, tries
 * The answers come back in shared memory. Everything that was made belongs to the namespaces of the
 * trier and ends with it.
 */
#include "tool/doctor.h"

#include "base/kernel.h"
#include "base/parse.h"

#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define INSIDE_ID 65534u /* medium and high run as this one */

struct trial {
    int flags; /* namespaces besides the user's */
    void (*inside)(struct trial *t);
    bool is_root; /* as root the sandbox runs under an unprivileged id of the host, else under our own */
    bool is_done;
    int error;
    const char *step; /* the last one begun; points into our own text, the same in parent and child */
};

static bool trial_fail(struct trial *t)
{
    t->error = errno;
    return false;
}
#define STEP(t, name, call) ((t)->step = (name), (call) >= 0 || trial_fail(t))

static int write_map(pid_t pid, const char *file, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    cleanup(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd < 0 || write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

static bool map_ids(struct trial *t, pid_t pid)
{
    char uid[64], gid[64];
    (void)snprintf(uid, sizeof uid, "%u %u 1", INSIDE_ID, t->is_root ? INSIDE_ID : geteuid());
    (void)snprintf(gid, sizeof gid, "%u %u 1", INSIDE_ID, t->is_root ? INSIDE_ID : getegid());
    /* an ordinary user may map its group only when setgroups is off (user_namespaces(7)) */
    return (t->is_root || STEP(t, "write setgroups", write_map(pid, "setgroups", "deny"))) &&
           STEP(t, "write uid_map", write_map(pid, "uid_map", uid)) &&
           STEP(t, "write gid_map", write_map(pid, "gid_map", gid));
}

static _Noreturn void trier_main(struct trial *t, int to_mapper, int from_mapper)
{
    char byte = 0;
    if (!STEP(t, "unshare the user namespace", unshare(CLONE_NEWUSER)))
        _exit(1);
    if (write(to_mapper, &byte, 1) != 1 || read(from_mapper, &byte, 1) != 1)
        _exit(1); /* the mapper has said why */
    if (!(!t->is_root || STEP(t, "setgroups", setgroups(0, NULL))) ||
        !STEP(t, "setresgid", setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID)) ||
        !STEP(t, "setresuid", setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID)))
        _exit(1);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* changing ids had cleared it */
    if (t->flags && !STEP(t, "unshare", unshare(t->flags)))
        _exit(1);
    if (t->inside)
        t->inside(t);
    else
        t->is_done = true;
    _exit(0);
}

static void mapper_main(void *shared)
{
    struct trial *t = shared;
    int up[2], down[2];
    if (!STEP(t, "pipe", pipe2(up, O_CLOEXEC)) || !STEP(t, "pipe", pipe2(down, O_CLOEXEC)))
        return;
    pid_t pid;
    if (!STEP(t, "fork", pid = fork())) /* within: what the child says of its steps comes after it */
        return;
    if (pid == 0) {
        closep(&up[0]);
        closep(&down[1]);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        trier_main(t, up[1], down[0]);
    }
    closep(&up[1]);
    closep(&down[0]);
    char byte;
    if (read(up[0], &byte, 1) == 1 && map_ids(t, pid))
        (void)!write(down[1], &byte, 1); /* a dead trier is seen below */
    closep(&down[1]);
    (void)waitpid(pid, NULL, 0);
}

/* 0, or the errno that refused; *ret_step says where. ECANCELED: a signal ended it, as filters do. */
static int trial_run(struct doctor *d, int flags, void (*inside)(struct trial *t), const char **ret_step)
{
    struct trial *t = shared_new(sizeof *t);
    *ret_step = "prepare";
    if (!t)
        return ENOMEM;
    *t = (struct trial){ .flags = flags, .inside = inside, .is_root = d->is_root, .step = "fork" };
    int end = child_try(d, mapper_main, t, true);
    int error = t->error;
    if (end < 0)
        error = -end;
    else if (end == CHILD_LATE)
        error = ETIMEDOUT;
    else if (!t->is_done && !error)
        error = ECANCELED;
    *ret_step = t->step;
    shared_free(t, sizeof *t);
    return error;
}

static const char *error_text(int error)
{
    return error == ECANCELED ? "ended by a signal" : strerror(error);
}

static void fact_failure(struct check *c, const char *step, int error)
{
    fact_text(c, "failed_step", error ? step : NULL);
    fact_text(c, "errno", error == ECANCELED ? "SIGNAL" : error ? strerrorname_np(error) : NULL);
}

/* ---- what stands in the way ---- */

static bool label_read(const struct doctor *d, char *ret, size_t size, const char *file)
{
    cleanup(buf_done) struct buf b;
    buf_init(&b, 4096);
    ret[0] = '\0';
    if (doctor_read(d, &b, "/proc/self/attr/%s", file) < 0 || str_eq(b.data, "unconfined"))
        return false;
    (void)snprintf(ret, size, "%s", text_clean(b.data));
    return ret[0] != '\0';
}

void restrictions_read(struct doctor *d)
{
    struct restrictions *r = &d->restrictions;
    cleanup(buf_done) struct buf status;
    char filters[32] = "";
    uint64_t count;
    buf_init(&status, DOCTOR_FILE_MAX);
    *r = (struct restrictions){
        .max_user_namespaces = doctor_number(d, "/proc/sys/user/max_user_namespaces", -1),
        .userns_clone = doctor_number(d, "/proc/sys/kernel/unprivileged_userns_clone", -1),
        .apparmor_userns = doctor_number(d, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", -1),
        .seccomp_filters = -1,
    };
    if (doctor_read(d, &status, "/proc/self/status") == 0 &&
        text_field(status.data, "Seccomp_filters", ':', filters, sizeof filters) && parse_u64(filters, &count) == 0)
        r->seccomp_filters = (int64_t)count;
    r->is_container = container_kind(d) != NULL;
    r->is_confined = label_read(d, r->confinement, sizeof r->confinement, "apparmor/current") ||
                     label_read(d, r->confinement, sizeof r->confinement, "current");
}

bool apparmor_dir_find(const struct doctor *d, const char *file, char ret[static 4096])
{
    const struct {
        const char *top, *dir;
    } places[] = { { d->root, "/etc/apparmor.d" },
                   { d->tool->data_dir, "/apparmor" },
                   { d->tool->data_dir, "/deploy/apparmor" } }; /* run from the source tree */
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char path[4096];
        int n = snprintf(path, sizeof path, "%s%s/%s", places[i].top, places[i].dir, file);
        if (n < 0 || (size_t)n >= sizeof path || access(path, R_OK) < 0)
            continue;
        (void)snprintf(ret, 4096, "%s%s", places[i].top, places[i].dir);
        return true;
    }
    return false;
}

/* Our AppArmor profile lets our programs alone make user namespaces; better than opening them to all. */
static void explain_apparmor_userns(const struct doctor *d, struct check *c)
{
    static const char for_every_program[] = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    char dir[4096];
    check_add(c, CHECK_FAIL, "AppArmor forbids user namespaces to ordinary users here");
    if (!apparmor_dir_find(d, "sandbox-agent", dir)) {
        check_remedy(c, "%s", for_every_program);
        return;
    }
    check_add(c, CHECK_FAIL, "our profile allows them to our programs, installed in /usr or /usr/local");
    check_add(c, CHECK_FAIL, "less good, for every program: %s", for_every_program);
    check_remedy(c, "apparmor_parser -r %s/sandbox-agent", dir);
}

static void explain_container(const struct restrictions *r, struct check *c)
{
    if (r->seccomp_filters > 0)
        check_add(c, CHECK_FAIL, "we run under %lld seccomp filter(s) of an enclosing container or service",
                  (long long)r->seccomp_filters);
    if (r->is_confined)
        check_add(c, CHECK_FAIL, "we are confined by the label %s", r->confinement);
    check_remedy(c, "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
                    "--security-opt systempaths=unconfined …");
}

void restrictions_explain(const struct doctor *d, struct check *c, int error)
{
    const struct restrictions *r = &d->restrictions;
    if (r->max_user_namespaces == 0 || error == ENOSPC) {
        check_add(c, CHECK_FAIL, "user.max_user_namespaces is %lld", (long long)r->max_user_namespaces);
        check_remedy(c, "sysctl -w user.max_user_namespaces=15000");
    } else if (r->userns_clone == 0 && !d->is_root) {
        check_add(c, CHECK_FAIL, "kernel.unprivileged_userns_clone is 0");
        check_remedy(c, "sysctl -w kernel.unprivileged_userns_clone=1");
    } else if (error == EINVAL || error == ENOSYS) {
        check_add(c, CHECK_FAIL, "this kernel was built without it");
        check_remedy(c, "install the distribution's standard kernel");
    } else if (r->apparmor_userns > 0 && !d->is_root) {
        explain_apparmor_userns(d, c);
    } else if (r->seccomp_filters > 0 || r->is_confined || r->is_container) {
        explain_container(r, c);
    } else {
        check_add(c, CHECK_FAIL, "no known switch forbids it; a chroot or a security module does too");
        check_remedy(c, "run it outside chroot; look for the refusal in the kernel log: dmesg | tail");
    }
}

/* ---- the probes ---- */

static void fact_switch(struct check *c, const char *key, int64_t value)
{
    fact_take(c, key, value < 0 ? text_json(NULL) : json_integer(value));
}

void probe_userns(struct doctor *d, struct check *c)
{
    const struct restrictions *r = &d->restrictions;
    const char *step;
    int error = trial_run(d, 0, NULL, &step);
    fact_bool(c, "works", error == 0);
    fact_failure(c, step, error);
    fact_switch(c, "max_user_namespaces", r->max_user_namespaces);
    fact_switch(c, "unprivileged_userns_clone", r->userns_clone);
    fact_switch(c, "apparmor_restrict_unprivileged_userns", r->apparmor_userns);
    if (error == 0) {
        check_say(c, CHECK_OK, "work, with one unprivileged id inside");
        return;
    }
    check_say(c, CHECK_FAIL, "refused: %s: %s", step, error_text(error));
    restrictions_explain(d, c, error);
}

static const struct {
    const char *name;
    int flag;
    bool is_optional; /* «time, where it costs nothing» */
} namespaces[] = {
    { "pid", CLONE_NEWPID, false },  { "mount", CLONE_NEWNS, false }, { "net", CLONE_NEWNET, false },
    { "ipc", CLONE_NEWIPC, false },  { "uts", CLONE_NEWUTS, false },  { "cgroup", CLONE_NEWCGROUP, false },
    { "time", CLONE_NEWTIME, true },
};

/* Each tried by itself, from a user namespace. */
static int try_each(struct doctor *d, struct check *c, struct buf *works, struct buf *refused)
{
    int first_error = 0;
    for (size_t i = 0; i < ARRAY_LEN(namespaces) && !d->stopped_by; i++) {
        const char *step;
        int error = trial_run(d, namespaces[i].flag, NULL, &step);
        fact_bool(c, namespaces[i].name, error == 0);
        if (error == 0) {
            (void)buf_addf(works, "%s%s", works->size ? " " : "", namespaces[i].name);
            continue;
        }
        (void)buf_addf(refused, "%s%s (%s)", refused->size ? ", " : "", namespaces[i].name, error_text(error));
        c->status = MAX_OF(c->status, namespaces[i].is_optional ? CHECK_WARN : CHECK_FAIL);
        if (!namespaces[i].is_optional && !first_error)
            first_error = error;
    }
    return first_error;
}

void probe_namespaces(struct doctor *d, struct check *c)
{
    cleanup(buf_done) struct buf works, refused;
    const char *step;
    int error = trial_run(d, 0, NULL, &step);
    buf_init(&works, 256);
    buf_init(&refused, 1024);
    if (error) {
        for (size_t i = 0; i < ARRAY_LEN(namespaces); i++)
            fact_bool(c, namespaces[i].name, false);
        check_say(c, CHECK_FAIL, "none can be made without a user namespace");
        restrictions_explain(d, c, error);
        return;
    }
    error = try_each(d, c, &works, &refused);
    if (refused.size == 0)
        check_say(c, CHECK_OK, "%s", works.data ? works.data : "");
    else
        check_say(c, c->status, "refused: %s", refused.data);
    if (error)
        restrictions_explain(d, c, error);
    else if (c->status == CHECK_WARN)
        check_remedy(c, "use a kernel with CONFIG_TIME_NS (5.6 or newer)");
}

/* What the launcher's private root is made of, once each. */
static void inside_private_root(struct trial *t)
{
    const struct kmount_attr readonly = { .attr_set = KMOUNT_ATTR_RDONLY | KMOUNT_ATTR_NOSUID };
    t->is_done = STEP(t, "make / private", mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) &&
                 STEP(t, "mount a tmpfs", mount("tmpfs", "/proc", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")) &&
                 STEP(t, "make a directory", mkdir("/proc/usr", 0755)) &&
                 STEP(t, "bind /usr", mount("/usr", "/proc/usr", NULL, MS_BIND | MS_REC, NULL)) &&
                 STEP(t, "make it read-only", sys_mount_setattr(AT_FDCWD, "/proc/usr", KAT_RECURSIVE, &readonly)) &&
                 STEP(t, "enter it", chdir("/proc")) && STEP(t, "pivot_root", syscall(SYS_pivot_root, ".", ".")) &&
                 STEP(t, "detach the old root", umount2(".", MNT_DETACH));
}

void probe_private_root(struct doctor *d, struct check *c)
{
    const char *step;
    int error = trial_run(d, CLONE_NEWNS, inside_private_root, &step);
    fact_bool(c, "works", error == 0);
    fact_failure(c, step, error);
    if (error == 0) {
        check_say(c, CHECK_OK, "tmpfs, read-only binds and pivot_root work");
        return;
    }
    check_say(c, CHECK_FAIL, "refused: %s: %s", step, error_text(error));
    restrictions_explain(d, c, error);
}

/* proc shows a pid namespace, and is mounted by a process that is in it. */
static void inside_proc(struct trial *t)
{
    pid_t pid;
    if (!STEP(t, "fork", pid = fork())) /* within: what the child says of its steps comes after it */
        return;
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        t->is_done = STEP(t, "make / private", mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) &&
                     STEP(t, "mount proc", mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
        _exit(0);
    }
    (void)waitpid(pid, NULL, 0);
}

/* What lies over parts of /proc: a user namespace may not get a fresh proc that would show more
 * (mount_too_revealing() in the kernel). Container engines mask so. */
static size_t proc_masks(const struct doctor *d, struct buf *out)
{
    cleanup(buf_done) struct buf text;
    struct mount_line m;
    size_t count = 0;
    buf_init(&text, DOCTOR_FILE_MAX);
    if (doctor_read(d, &text, "/proc/self/mountinfo") < 0)
        return 0;
    char *cursor = text.data;
    while (mount_next(&cursor, &m)) {
        if (!str_starts(m.target, "/proc/") || str_eq(m.type, "binfmt_misc") || str_eq(m.type, "autofs"))
            continue; /* those two only add to an empty directory */
        if (++count <= 3)
            (void)buf_addf(out, "%s%s", out->size ? ", " : "", m.target);
    }
    if (count > 3)
        (void)buf_adds(out, " …");
    return count;
}

void probe_proc(struct doctor *d, struct check *c)
{
    const char *step;
    cleanup(buf_done) struct buf masks;
    buf_init(&masks, 1024);
    int error = trial_run(d, CLONE_NEWPID | CLONE_NEWNS, inside_proc, &step);
    size_t count = proc_masks(d, &masks);
    fact_bool(c, "works", error == 0);
    fact_failure(c, step, error);
    fact_number(c, "masks", (int64_t)count);
    if (error == 0) {
        check_say(c, CHECK_OK, "a fresh /proc can be mounted");
        return;
    }
    check_say(c, CHECK_FAIL, "refused: %s: %s", step, error_text(error));
    if (count > 0 && error == EPERM && str_eq(step, "mount proc")) {
        check_add(c, CHECK_FAIL, "parts of /proc are covered: %s", text_clean(masks.data));
        check_remedy(c, "docker run --security-opt systempaths=unconfined …   "
                        "(podman: --security-opt unmask=ALL, Kubernetes: procMount: Unmasked)");
    }
    if (c->remedy.size == 0)
        restrictions_explain(d, c, error);
}
