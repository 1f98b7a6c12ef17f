/* session.c - what a process sheds before anything else: descriptors, terminal, parent's accidents. */
#include "launch/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/* Moves our descriptors to their fixed numbers. Sources may sit on each other's targets, so everything
 * is first lifted above the range. */
static int arrange_fds(struct init_ctx *c, struct error *err)
{
    const struct {
        int from, to;
    } plan[] = {
        { c->fds[RUN_FD_STDIN], 0 },
        { c->fds[RUN_FD_STDOUT], 1 },
        { c->fds[RUN_FD_STDERR], 2 },
        { c->report_fd, INIT_FD_REPORT },
        { c->fds[RUN_FD_CODE], INIT_FD_CODE },
        { c->fds[RUN_FD_ARTIFACT], INIT_FD_ARTIFACT },
    };
    int lifted[ARRAY_LEN(plan)];
    for (size_t i = 0; i < ARRAY_LEN(plan); i++) {
        lifted[i] = -1;
        if (plan[i].from < 0)
            continue;
        lifted[i] = plan[i].from;
        if (plan[i].from < INIT_FD_FIRST_FREE &&
            (lifted[i] = fcntl(plan[i].from, F_DUPFD_CLOEXEC, 100)) < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "dup descriptor %d: %m", plan[i].from);
    }
    for (size_t i = 0; i < ARRAY_LEN(plan); i++) {
        if (lifted[i] < 0)
            (void)close(plan[i].to); /* not ours to keep: whatever leaked in at that number goes */
        else if (dup3(lifted[i], plan[i].to, plan[i].to > 2 ? O_CLOEXEC : 0) < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "dup3 to %d: %m", plan[i].to);
    }
    if (sys_close_range(INIT_FD_FIRST_FREE, ~0u) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "close_range: %m");
    c->report_fd = INIT_FD_REPORT;
    c->fds[RUN_FD_CODE] = c->fds[RUN_FD_CODE] < 0 ? -1 : INIT_FD_CODE;
    c->fds[RUN_FD_ARTIFACT] = c->fds[RUN_FD_ARTIFACT] < 0 ? -1 : INIT_FD_ARTIFACT;
    return 0;
}

int step_session(struct init_ctx *c, struct error *err)
{
    /* own session: no controlling terminal, so nothing to push characters into (TIOCSTI) */
    if (setsid() < 0 && errno != EPERM)
        return err_set(err, -errno, BLAME_HOST, NULL, "setsid: %m");
    (void)umask(022);
    (void)c;
    return 0;
}

int step_descriptors(struct init_ctx *c, struct error *err)
{
    /* again for an init whose parent is a keeper: whoever kills our parent ends us */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "parent death signal: %m");
    return arrange_fds(c, err);
}

int step_apparmor(struct init_ctx *c, struct error *err)
{
    if (!c->shape->apparmor)
        return 0;
    /* changeprofile on ourselves: the payload inherits it. Before no_new_privs, which would forbid it.
     * apparmor/current is the name since 5.8; attr/current may belong to another LSM. */
    cleanup(closep) int fd = open("/proc/self/attr/apparmor/current", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return feature_has(c->shape->require, FEATURE_APPARMOR)
                   ? err_set(err, -errno, BLAME_HOST, NULL, "this kernel has no AppArmor interface")
                   : 0;
    char text[128];
    int n = snprintf(text, sizeof text, "changeprofile %s", c->shape->apparmor);
    if (write(fd, text, (size_t)n) == n) {
        feature_set(&c->report.features, FEATURE_APPARMOR);
        return 0;
    }
    if (!feature_has(c->shape->require, FEATURE_APPARMOR))
        return 0; /* told in isolation.missing: the feature bit stays unset */
    return err_set(err, -errno, BLAME_HOST, NULL, "AppArmor profile %s: %m", c->shape->apparmor);
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
