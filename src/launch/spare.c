#include "launch/spare.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "launch/slot.h"

/* --- inside ---------------------------------------------------------------------------------------- */

/* Waits for its destiny. The message stays in static memory, which shape and job borrow from. */
static _Noreturn void spare_wait(struct init_ctx *c)
{
    static char message[PLAN_MAX_MESSAGE];
    static struct shape shape;
    static struct job job;
    struct error err = { 0 };
    struct down head;
    size_t count;
    ssize_t n = receive_message(c->report_fd, message, sizeof message, c->fds, RUN_FD_MAX, &count);
    if (n < (ssize_t)sizeof head)
        _exit(0); /* the launcher is gone, or does not need us */
    memcpy(&head, message, sizeof head);
    struct unpack u = unpack_start(message + sizeof head, (size_t)n - sizeof head);
    unpack_fields(&u, shape_fields, shape_field_count, &shape);
    c->shape = &shape;
    c->is_plain = head.type == DOWN_KEEP_PLAIN;
    if ((head.type == DOWN_KEEP || c->is_plain) && unpack_end(&u) == 0)
        keeper_main(c);
    unpack_fields(&u, job_fields, job_field_count, &job);
    c->job = &job;
    if (head.type != DOWN_RUN || unpack_end(&u) < 0 || !run_fds_place(&job, RUN_FD_INIT_MAX, c->fds, count)) {
        (void)err_set(&err, -EBADMSG, BLAME_US, "SPARE", "a request that is none");
        init_fail(c, &err);
    }
    init_main(c, PHASE_PREPARE | PHASE_JOB);
}

static _Noreturn void spare_main(struct init_ctx *c)
{
    struct error err = { 0 };
    if (bind_to_launcher(c, &err) < 0 || steps_run(c, PHASE_SPARE, &err) < 0)
        init_fail(c, &err); /* kept in the socket until a process wants to use us */
    spare_wait(c);
}

/* --- launcher's side ---------------------------------------------------------------------------------- */

static int clone_spare(struct launcher *l, struct spare *s, int theirs, struct error *err)
{
    struct kclone_args a = {
        .flags = CLONE_NEWUSER | CLONE_NEWPID | KCLONE_PIDFD,
        .exit_signal = SIGCHLD,
        .pidfd = (uint64_t)(uintptr_t)&s->pidfd,
    };
    if (s->cgroup.kind == CGROUP_V2) {
        a.flags |= KCLONE_INTO_CGROUP;
        a.cgroup = (uint64_t)s->cgroup.dir[0];
    }
    struct init_ctx ctx = { .report_fd = theirs,
                            .by_root = l->is_root,
                            .attr_fd = -1,
                            .selinux_fd = -1,
                            .enforce_fd = -1,
                            .root_fd = -1,
                            .helper_fd = -1,
                            .covers_fd = -1 };
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        ctx.fds[i] = -1;
    for (size_t i = 0; i < MAX_VOLUMES; i++)
        ctx.volume_fds[i] = -1;
    pid_t pid = sys_clone3(&a);
    if (pid == 0)
        spare_main(&ctx);
    if (pid < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "CLONE", "clone3 with a user and a pid namespace: %m");
        return err_remedy(err, "see `sandbox-agent doctor`: user namespaces may be restricted here");
    }
    s->pid = pid;
    return 0;
}

int spare_make(struct launcher *l, struct spare *ret, struct error *err)
{
    int pair[2];
    *ret = (struct spare){ .pidfd = -1, .sock = -1, .number = l->next_number++, .cgroup = { .dir = CGROUP_NO_DIRS } };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "CLONE", "socketpair: %m");
    cleanup(closep) int theirs = pair[1];
    ret->sock = pair[0];
    /* v2 clones into the group. On v1 it has time until the limits (run_limit()), or is made where no process waits for
     * it
     */
    bool is_v2 = l->cgroups.kind == CGROUP_V2;
    int e = is_v2 ? cgroup_create(&l->cgroups, ret->number, &ret->cgroup, err) : 0;
    if (e == 0)
        e = clone_spare(l, ret, theirs, err);
    if (e == 0 && !is_v2 && !l->is_for_one_run)
        e = cgroup_create(&l->cgroups, ret->number, &ret->cgroup, err);
    if (e < 0)
        spare_free(l, ret);
    return e;
}

static bool has_died(const struct spare *s)
{
    struct pollfd f = { .fd = s->pidfd, .events = POLLIN };
    return s->pid > 0 && poll(&f, 1, 0) == 1;
}

int spare_have(struct launcher *l, struct spare *s, struct error *err)
{
    if (has_died(s)) /* killed while it waited; or it failed, and the next one will tell the same */
        spare_free(l, s);
    return s->pid ? 0 : spare_make(l, s, err);
}

void spare_free(struct launcher *l, struct spare *s)
{
    if (s->pid > 0) {
        (void)sys_pidfd_send_signal(s->pidfd, SIGKILL);
        (void)waitpid(s->pid, NULL, 0);
    }
    closep(&s->pidfd);
    closep(&s->sock);
    cgroup_destroy(&l->cgroups, &s->cgroup);
    s->pid = 0;
}
