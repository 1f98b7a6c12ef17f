/* session.c - what a process sheds before anything else: descriptors, terminal, parent's accidents. */
#include "launch/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/* Moves our descriptors to their fixed numbers. Sources may sit on each other's targets, so everything
 * is first lifted above the range. */
static int arrange_fds(struct init_ctx *c, struct error *err)
{
    struct {
        int *from, to;
    } plan[] = {
        { &c->fds[RUN_FD_STDIN], 0 },
        { &c->fds[RUN_FD_STDOUT], 1 },
        { &c->fds[RUN_FD_STDERR], 2 },
        { &c->report_fd, INIT_FD_REPORT },
        { &c->fds[RUN_FD_CODE], INIT_FD_CODE },
        { &c->fds[RUN_FD_ARTIFACT], INIT_FD_ARTIFACT },
        { &c->fds[RUN_FD_REPORT], INIT_FD_GUARD },
        { &c->fds[RUN_FD_WORKSPACE], INIT_FD_WORKSPACE },
        { &c->fds[RUN_FD_STEWARD], INIT_FD_STEWARD },
    };
    const size_t count = ARRAY_LEN(plan);
    for (size_t i = 0; i < count; i++)
        if (*plan[i].from >= 0 && *plan[i].from != plan[i].to && *plan[i].from < INIT_FD_FIRST_FREE &&
            (*plan[i].from = fcntl(*plan[i].from, F_DUPFD_CLOEXEC, INIT_FD_FIRST_FREE)) < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "lift a descriptor: %m");
    for (size_t i = 0; i < count; i++) {
        int from = *plan[i].from, to = plan[i].to;
        if (from < 0)
            (void)close(to); /* whatever leaked in at that number goes */
        else if (from != to && dup3(from, to, to > 2 ? O_CLOEXEC : 0) < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "dup3 to %d: %m", to);
        else
            *plan[i].from = to;
        if (from == to && to <= 2) /* arrived at its place, but born close-on-exec */
            (void)fcntl(to, F_SETFD, 0);
    }
    /* ours at fixed numbers already; in a fresh process not yet made */
    for (int fd = INIT_FD_ATTR; fd < INIT_FD_FIRST_FREE; fd++) {
        bool is_ours = fd == c->attr_fd || fd == c->selinux_fd || fd == c->enforce_fd || fd == c->root_fd ||
                       fd == c->helper_fd || fd == c->covers_fd;
        for (size_t i = 0; i < MAX_VOLUMES && !is_ours; i++)
            is_ours = fd == c->volume_fds[i];
        if (!is_ours)
            (void)close(fd);
    }
    return sys_close_range(INIT_FD_FIRST_FREE, ~0u) < 0 ? err_set(err, -errno, BLAME_HOST, NULL, "close_range: %m") : 0;
}

/* PDEATHSIG does not fire for a parent that is dead already, and getppid() is always 0 in here: so look whether the
 * other end of the socket is gone. (Its queued messages would still be read.) */
int bind_to_launcher(const struct init_ctx *c, struct error *err)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "parent death signal: %m");
    struct pollfd f = { .fd = c->report_fd };
    if (poll(&f, 1, 0) == 1 && f.revents & POLLHUP)
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "the launcher is gone");
    return 0;
}

int step_descriptors(struct init_ctx *c, struct error *err)
{
    int r = arrange_fds(c, err);
    return r < 0 ? r : bind_to_launcher(c, err);
}

/* -> descriptor or -1 */
static int open_at_number(const char *path, int flags, int number)
{
    cleanup(closep) int fd = open(path, flags | O_CLOEXEC);
    if (fd == number)
        return TAKE_FD(fd);
    return fd < 0 || dup3(fd, number, O_CLOEXEC) < 0 ? -1 : number;
}

/* Empty where it cannot be read: then no type can be asked for, and it is missed. */
static void read_own_label(char *ret, size_t size)
{
    cleanup(closep) int fd = open("/proc/self/attr/current", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, ret, size - 1);
    ret[MAX_OF(n, 0)] = '\0';
    ret[strcspn(ret, "\n")] = '\0';
}

bool selinux_is_enforcing(int fd)
{
    char c = '0';
    return fd >= 0 && pread(fd, &c, 1, 0) == 1 && c == '1';
}

int step_session(struct init_ctx *c, struct error *err)
{
    (void)err;
    /* own session: no controlling terminal, so nothing to push characters into (TIOCSTI). Fails only for a leader,
     * and then there is nothing to do. */
    (void)setsid();
    (void)umask(022);
    /* apparmor/current is the name since 5.8; attr/current may belong to another LSM. Opened now, while the
     * host's /proc is there; absent without AppArmor. */
    c->attr_fd = open_at_number("/proc/self/attr/apparmor/current", O_WRONLY, INIT_FD_ATTR);
    c->enforce_fd = open_at_number(SELINUX_ENFORCE, O_RDONLY, INIT_FD_ENFORCE);
    if (c->enforce_fd >= 0)
        c->selinux_fd = open_at_number("/proc/self/attr/exec", O_WRONLY, INIT_FD_SELINUX);
    if (c->selinux_fd >= 0)
        read_own_label(c->selinux_own, sizeof c->selinux_own);
    return 0;
}

int step_apparmor(struct init_ctx *c, struct error *err)
{
    cleanup(closep) int fd = c->is_slot ? -1 : TAKE_FD(c->attr_fd);
    const char *name = c->shape->apparmor;
    (void)err;
    if (!name || fd < 0)
        return 0; /* the feature bit stays unset: isolation.missing, or a refusal if it is required */
    /* changeprofile on ourselves: the payload inherits it */
    char text[128];
    int n = snprintf(text, sizeof text, "changeprofile %s", name);
    if (write(fd, text, (size_t)n) == n)
        feature_set(&c->report.features, FEATURE_APPARMOR);
    return 0;
}

/* «user:role:type:range» of this process with another type. -> length, or -EINVAL */
int selinux_context(const char *own, const char *type, char *ret, size_t size)
{
    const char *user = strchr(own, ':'), *role = user ? strchr(user + 1, ':') : NULL;
    if (!role)
        return -EINVAL;
    const char *range = strchr(role + 1, ':'); /* a policy without levels has none */
    int n = snprintf(ret, size, "%.*s:%s%s", (int)(role - own), own, type, range ? range : "");
    return n < 0 || (size_t)n >= size ? -EINVAL : n;
}

/* For the next exec, which is the payload's: attr/exec passes through vfork. Where the policy forbids the change, that
 * exec fails; the type that the policy does not have is refused here. */
int step_selinux(struct init_ctx *c, struct error *err)
{
    cleanup(closep) int fd = c->is_slot ? -1 : TAKE_FD(c->selinux_fd);
    cleanup(closep) int enforce = c->is_slot ? -1 : TAKE_FD(c->enforce_fd);
    (void)err;
    if (!c->shape->selinux || fd < 0)
        return 0; /* as with AppArmor */
    char text[512];
    int n = selinux_context(c->selinux_own, c->shape->selinux, text, sizeof text);
    if (n > 0 && write(fd, text, (size_t)n) == n && selinux_is_enforcing(enforce))
        feature_set(&c->report.features, FEATURE_SELINUX);
    return 0;
}

int step_no_new_privs(struct init_ctx *c, struct error *err)
{
    if (!c->shape->no_new_privs)
        return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "no_new_privs: %m");
    feature_set(&c->report.features, FEATURE_NO_NEW_PRIVS);
    return 0;
}
