/* steps.c - the order in which a sandbox comes to be, as a table.
 *
 * A failure says «step NAME: ...». The order matters; each line that must not move says why.
 *   SPARE    before anything is known of the run
 *   PREPARE  once its shape is known; in a slot, once for many jobs
 *   JOB      once its work is known
 */
#include "launch/launch.h"

#include <stdio.h>

static const struct step {
    const char *name;
    unsigned phases;
    int (*run)(struct init_ctx *, struct error *);
} steps[] = {
    /* nothing below may meet a descriptor that leaked in */
    { "DESCRIPTORS", PHASE_SPARE | PHASE_PREPARE | PHASE_JOB, step_descriptors },
    { "SESSION", PHASE_SPARE, step_session },
    /* the network namespace takes longer than all the rest together: a helper process makes it meanwhile */
    { "NAMESPACES", PHASE_SPARE, step_namespaces },
    /* waits for the id maps: before them nothing may be mounted or created */
    { "IDENTITY", PHASE_PREPARE, step_identity },
    { "HOSTNAME", PHASE_PREPARE, step_hostname },
    { "ROOT", PHASE_PREPARE, step_root },
    { "MOUNTS", PHASE_PREPARE, step_mounts },
    { "PIVOT", PHASE_PREPARE, step_pivot },
    /* after PIVOT: a mask's target may be a symbolic link, and must be followed inside */
    { "MASKS", PHASE_PREPARE, step_masks },
    { "BOUNDING", PHASE_PREPARE, step_bounding },
    /* waits until the launcher has written the limits, which it does while we mount; joins, and then unshares the
     * cgroup namespace, so that /proc/self/cgroup shows «/». Before JOB_MOUNTS and FILES, whose memory counts */
    { "CGROUP", PHASE_PREPARE, step_cgroup },
    { "JOB_NAMESPACES", PHASE_JOB, step_job_namespaces },
    { "JOB_MOUNTS", PHASE_JOB, step_job_mounts },
    { "FILES", PHASE_JOB, step_files },
    /* the root becomes read-only when every mount point in it exists */
    { "SEAL", PHASE_PREPARE | PHASE_JOB, step_seal },
    /* before APPARMOR, whose profiles allow no sockets; before RLIMITS, by whose limit the kernel counts descriptors
       under way */
    { "WORKSPACE", PHASE_JOB, step_workspace },
    /* late: the helper needs its time. After it the host's root is gone. Before CAPABILITIES, which takes the right to
       enter */
    { "NETWORK", PHASE_PREPARE, step_network },
    /* before NO_NEW_PRIVS, which would forbid the change of profile */
    { "APPARMOR", PHASE_JOB, step_apparmor },
    /* for the payload's exec; here, because what is asked for must be known before REQUIRE */
    { "SELINUX", PHASE_JOB, step_selinux },
    { "RLIMITS", PHASE_JOB, step_rlimits },
    /* from here on privilege is given up; LANDLOCK needs NO_NEW_PRIVS */
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
        r->steps[r->step_count++].at_us = now_us();
    }
}

int steps_run(struct init_ctx *c, unsigned phases, struct error *err)
{
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        if (!(steps[i].phases & phases))
            continue;
        int r = steps[i].run(c, err);
        if (r < 0) {
            if (err->step[0] == '\0')
                (void)snprintf(err->step, sizeof err->step, "%s", steps[i].name);
            return r;
        }
        note_time(c, i);
    }
    return 0;
}

void steps_note_exec(struct init_ctx *c)
{
    note_time(c, ARRAY_LEN(steps));
}
