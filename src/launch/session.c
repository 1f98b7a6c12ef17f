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
        bool is_ours = fd == c->attr_fd || fd == c->root_fd || fd == c->helper_fd || fd == c->covers_fd;
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

int step_session(struct init_ctx *c, struct error *err)
{
    (void)err;
    /* own session: no controlling terminal, so nothing to push characters into (TIOCSTI). Fails only for a leader,
     * and then there is nothing to do. */
    (void)setsid();
    (void)umask(022);
    /* apparmor/current is the name since 5.8; attr/current may belong to another LSM. Opened now, while the
     * host's /proc is there; absent without AppArmor. */
    int fd = open("/proc/self/attr/apparmor/current", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && (c->attr_fd = fcntl(fd, F_DUPFD_CLOEXEC, INIT_FD_ATTR)) != fd)
        (void)close(fd);
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

int step_no_new_privs(struct init_ctx *c, struct error *err)
{
    if (!c->shape->no_new_privs)
        return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "no_new_privs: %m");
    feature_set(&c->report.features, FEATURE_NO_NEW_PRIVS);
    return 0;
}
