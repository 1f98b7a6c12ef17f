/* freeze.c - a session's sandbox is paused: none of its processes runs until it is resumed or killed.
 *
 * By the cgroup's freezer, which they do not notice. Where there is none, by SIGSTOP: a parent is told of its child's
 * stop, and what the code had stopped itself goes on with the rest. Freezing takes a moment, in which others are
 * served: freeze_tick() looks.
 *
 * v1 only: what is frozen does not die, also not with its launcher. So as long as a sandbox is frozen there is a guard,
 * a child of ours that does nothing but thaw it when we are gone: PDEATHSIG has killed init by then.
 */
#include "launch/control.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

enum { GUARD_PIPE = 3, GUARD_STATE, GUARD_FREE };

bool freeze_is_exact(const struct run *r)
{
    return r->cgroup.kind != CGROUP_NONE && cgroup_can_freeze(&r->cgroup);
}

void freeze_begin(struct run *r)
{
    if (r->job.steward_fd)
        cgroup_add_freezer(&r->launcher->cgroups, &r->cgroup);
}

/* --- the guard -------------------------------------------------------------------------------------------- */

static _Noreturn void guard_main(int pipe, int state)
{
    char byte;
    int lifted = fcntl(state, F_DUPFD_CLOEXEC, GUARD_FREE);
    if (lifted < 0 || dup2(pipe, GUARD_PIPE) < 0 || dup2(lifted, GUARD_STATE) < 0 || sys_close_range(0, 2) < 0 ||
        sys_close_range(GUARD_FREE, ~0u) < 0)
        _exit(125);
    if (read(GUARD_PIPE, &byte, 1) == 0)
        (void)!write(GUARD_STATE, "THAWED", 6);
    _exit(0);
}

/* By a byte, not by the end of file: a child cloned meanwhile has the pipe, too, for a moment. */
static void end_guard(struct run *r)
{
    if (!r->freeze.guard)
        return;
    (void)!write(r->freeze.guard_pipe, "x", 1); /* EPIPE: it was killed */
    (void)waitpid(r->freeze.guard, NULL, 0);
    closep(&r->freeze.guard_pipe);
    r->freeze.guard = 0;
}

static int start_guard(struct run *r)
{
    int pair[2];
    cleanup(closep) int state = cgroup_thaw_file(&r->cgroup);
    end_guard(r); /* of one that could not be thawed */
    if (state < 0)
        return state;
    if (pipe2(pair, O_CLOEXEC) < 0)
        return -errno;
    /* SIGTERM to our group or name is its, too: it has to stay until we are gone */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    r->freeze.guard = fork();
    if (r->freeze.guard == 0)
        guard_main(pair[0], state);
    int e = r->freeze.guard < 0 ? -errno : 0;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    (void)close(pair[0]);
    if (e < 0) {
        r->freeze.guard = 0;
        (void)close(pair[1]);
        return e;
    }
    r->freeze.guard_pipe = pair[1];
    return 0;
}

/* --- standing still, and going on ---------------------------------------------------------------------------- */

/* 0 or -errno: they may stand still yet, and so the guard stays. */
static int thaw(struct run *r)
{
    const bool may_stand = r->freeze.is_wanted || r->freeze.guard; /* a guard is left where an earlier thaw failed */
    r->freeze.is_wanted = r->freeze.is_trying = r->freeze.is_there = false;
    if (!may_stand)
        return 0;
    if (!freeze_is_exact(r)) {
        measure_continue(r);
        return 0;
    }
    const int e = cgroup_freeze(&r->cgroup, false);
    if (e == 0)
        end_guard(r);
    return e;
}

/* Without its limit it does not go on: it was told that it has one. */
static void limit_again(struct run *r)
{
    if (cgroup_hold_cpu(&r->cgroup, true) < 0)
        run_kill(r, REASON_KILLED);
}

/* One that could not be thawed is still paused: the next one may try again. */
static void resume(struct run *r)
{
    const bool was_there = r->freeze.is_there;
    if (r->freeze.is_trying && freeze_is_exact(r))
        limit_again(r);
    const int e = thaw(r);
    if (e < 0)
        r->freeze.is_wanted = r->freeze.is_there = was_there;
    control_paused(r->connection, r->tag, r->freeze.is_there, -e);
}

static int freeze(struct run *r)
{
    if (!freeze_is_exact(r))
        return 0;
    int e = r->cgroup.kind == CGROUP_V1 ? start_guard(r) : 0;
    (void)cgroup_hold_cpu(&r->cgroup, false); /* one that is over its share could not freeze before it may run */
    if (e == 0)
        e = cgroup_freeze(&r->cgroup, true);
    if (e < 0)
        limit_again(r);
    return e;
}

void freeze_set(struct run *r, bool on)
{
    if (!r->job.steward_fd || r->slot || r->state != RUN_RUNNING || !r->has_started) {
        control_paused(r->connection, r->tag, false, EINVAL);
        return;
    }
    if (on && r->freeze.is_wanted) { /* the answer is under way, or this */
        if (r->freeze.is_there)
            control_paused(r->connection, r->tag, true, 0);
        return;
    }
    if (!on) {
        resume(r);
        return;
    }
    r->freeze.is_wanted = true;
    int e = freeze(r);
    if (e < 0) {
        (void)thaw(r);
        control_paused(r->connection, r->tag, false, -e);
        return;
    }
    r->freeze.is_trying = true;
    r->freeze.give_up_us = now_us() + FREEZE_GIVE_UP_US;
    r->next_us = 0;
}

void freeze_tick(struct run *r, uint64_t now)
{
    if (!r->freeze.is_trying)
        return;
    const bool is_exact = freeze_is_exact(r), is_there = is_exact ? cgroup_is_frozen(&r->cgroup) : measure_stop(r);
    if (!is_there && now < r->freeze.give_up_us)
        return;
    if (is_exact)
        limit_again(r);
    r->freeze.is_trying = false;
    r->freeze.is_there = is_there;
    const int e = is_there ? 0 : thaw(r);
    control_paused(r->connection, r->tag, is_there, is_there ? 0 : e < 0 ? -e : ETIMEDOUT);
}

void freeze_end(struct run *r)
{
    (void)thaw(r);
    end_guard(r);
}
