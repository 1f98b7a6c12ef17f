/* steps.c - the order in which a sandbox comes to be, as a table.
 *
 * A failure says «step NAME: ...». The order matters; each line that must not move says why.
 */
#include "launch/launch.h"

#include <stdio.h>

static const struct step {
    const char *name;
    unsigned phase;
    int (*run)(struct init_ctx *, struct error *);
} steps[] = {
    { "SESSION", PHASE_PREPARE, step_session },
    /* before the id maps arrive: the network namespace takes 0.6 ms, in which the launcher writes the
     * maps and makes the cgroup */
    { "NAMESPACES", PHASE_PREPARE, step_namespaces },
    { "IDENTITY", PHASE_PREPARE, step_identity },
    { "LOOPBACK", PHASE_PREPARE, step_loopback },
    { "HOSTNAME", PHASE_PREPARE, step_hostname },
    /* joins, and only then unshares the cgroup namespace, so that /proc/self/cgroup shows «/» */
    { "CGROUP", PHASE_PREPARE, step_cgroup },
    /* sweeps: nothing below may meet a descriptor that leaked in */
    { "DESCRIPTORS", PHASE_JOB, step_descriptors },
    { "JOB_NAMESPACES", PHASE_JOB, step_job_namespaces },
    /* while the host's /proc is still there */
    { "APPARMOR", PHASE_JOB, step_apparmor },
    { "ROOT", PHASE_JOB, step_root },
    { "MOUNTS", PHASE_JOB, step_mounts },
    { "FILES", PHASE_JOB, step_files },
    { "PIVOT", PHASE_JOB, step_pivot },
    /* after PIVOT: a mask's target may be a symbolic link, and must be followed inside */
    { "MASKS", PHASE_JOB, step_masks },
    { "RLIMITS", PHASE_JOB, step_rlimits },
    /* from here on privilege is given up: NO_NEW_PRIVS first, LANDLOCK needs it */
    { "NO_NEW_PRIVS", PHASE_JOB, step_no_new_privs },
    { "LANDLOCK", PHASE_JOB, step_landlock },
    { "CAPABILITIES", PHASE_JOB, step_capabilities },
    /* SECCOMP and EXEC happen in the payload's own process: init.c */
};

const char *step_name(uint32_t index)
{
    if (index < ARRAY_LEN(steps))
        return steps[index].name;
    return index == ARRAY_LEN(steps) ? "EXEC" : "?";
}

static void note_time(struct init_ctx *c, uint32_t index)
{
    struct report *r = &c->report;
    if (r->step_count < ARRAY_LEN(r->steps)) {
        r->steps[r->step_count].name = index;
        r->steps[r->step_count++].at_us = (uint32_t)(now_us() - c->start_us);
    }
}

int steps_run(struct init_ctx *c, unsigned phases, struct error *err)
{
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        if (!(steps[i].phase & phases))
            continue;
        int r = steps[i].run(c, err);
        if (r < 0) {
            if (err->step[0] == '\0')
                (void)snprintf(err->step, sizeof err->step, "%s", steps[i].name);
            return r;
        }
        note_time(c, i);
    }
    if (phases & PHASE_JOB)
        note_time(c, ARRAY_LEN(steps));
    return 0;
}
