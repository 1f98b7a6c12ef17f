#include "launch/slot.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* --- what launcher and keeper say to each other ----------------------------------------------- */

enum keeper_type { KEEPER_BORN = 1, KEEPER_DONE, KEEPER_FAILED };

struct keeper_message {
    uint32_t type;
    int32_t pid; /* BORN: init, with its pidfd */
    struct rusage usage; /* DONE: of init and all it reaped */
    struct error error;  /* FAILED: the slot could not be prepared */
};

struct slot {
    struct slot *next;
    struct launcher *launcher;
    struct buf shape; /* packed: what it was prepared for */
    struct cgroup cgroup;
    int sock;
    pid_t pid;
    uint32_t host_uid;
    uint64_t used_us;
    struct run *run; /* its present job */
    bool is_dead;
};

/* --- keeper ---------------------------------------------------------------------------------- */

static void keeper_do(struct init_ctx *c, char *message, size_t size, const int *fds, size_t count)
{
    struct job job = { 0 };
    struct unpack u = unpack_start(message, size);
    unpack_fields(&u, job_fields, job_field_count, &job);
    struct keeper_message m = { .type = KEEPER_BORN };
    int pidfd = -1;
    if (unpack_end(&u) < 0 || count < 1 + RUN_FD_COUNT)
        _exit(125); /* only our own launcher writes here: a bug, and the launcher sees us die */
    struct init_ctx job_ctx = *c;
    job_ctx.job = &job;
    job_ctx.report_fd = fds[0];
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        job_ctx.fds[i] = i + 1 < count ? fds[i + 1] : -1;
    job_ctx.start_us = now_us();
    struct kclone_args a = { .flags = CLONE_NEWPID | KCLONE_PIDFD, .exit_signal = SIGCHLD,
                             .pidfd = (uint64_t)(uintptr_t)&pidfd };
    pid_t pid = sys_clone3(&a);
    if (pid == 0)
        init_main(&job_ctx, PHASE_JOB);
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    m.pid = pid;
    if (pid > 0) {
        (void)send_message(c->report_fd, &m, sizeof m, &pidfd, 1);
        (void)close(pidfd);
        while (wait4(pid, NULL, 0, &m.usage) < 0 && errno == EINTR)
            ;
    }
    m.type = KEEPER_DONE;
    (void)send_message(c->report_fd, &m, sizeof m, NULL, 0);
}

static _Noreturn void keeper_main(struct init_ctx *c)
{
    struct error err = { 0 };
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    /* nothing of the launcher's but the line to it */
    if (dup3(c->report_fd, INIT_FD_REPORT, O_CLOEXEC) < 0 && errno != EINVAL)
        _exit(125);
    c->report_fd = INIT_FD_REPORT;
    (void)sys_close_range(0, 2);
    (void)sys_close_range(INIT_FD_REPORT + 1, ~0u);
    if (steps_run(c, PHASE_PREPARE, &err) < 0) {
        struct keeper_message m = { .type = KEEPER_FAILED, .error = err };
        (void)send_message(c->report_fd, &m, sizeof m, NULL, 0);
        _exit(125);
    }
    static char message[PLAN_MAX_MESSAGE];
    for (;;) {
        int fds[8];
        size_t count;
        ssize_t n = receive_message(c->report_fd, message, sizeof message, fds, ARRAY_LEN(fds), &count);
        if (n <= 0)
            _exit(0);
        keeper_do(c, message, (size_t)n, fds, count);
    }
}

/* --- launcher's side ------------------------------------------------------------------------- */

static void slot_free(struct slot *s)
{
    struct slot **p = &s->launcher->slots;
    while (*p && *p != s)
        p = &(*p)->next;
    if (*p)
        *p = s->next;
    if (s->pid > 0) {
        (void)kill(s->pid, SIGKILL);
        (void)waitpid(s->pid, NULL, 0);
    }
    unwatch(s->launcher, &s->sock);
    cgroup_destroy(&s->launcher->cgroups, &s->cgroup);
    buf_done(&s->shape);
    free(s);
}

static int clone_keeper(struct slot *s, struct run *r, int theirs, struct error *err)
{
    struct launcher *l = s->launcher;
    struct kclone_args a = { .flags = CLONE_NEWUSER, .exit_signal = SIGCHLD };
    if (s->cgroup.kind == CGROUP_V2) {
        a.flags |= KCLONE_INTO_CGROUP;
        a.cgroup = (uint64_t)s->cgroup.dir[0];
    }
    struct init_ctx ctx = {
        .shape = &r->shape, .report_fd = theirs, .start_us = now_us(),
        .joins_cgroup = l->cgroups.kind == CGROUP_V1, .drop_groups = l->is_root,
        .measured = l->cgroups.kind == CGROUP_NONE, .extra_tasks = 2, .root_mount_fd = -1,
    };
    s->pid = sys_clone3(&a);
    if (s->pid == 0)
        keeper_main(&ctx);
    if (s->pid < 0)
        return err_set(err, -errno, BLAME_HOST, "CLONE", "clone3 with a user namespace: %m");
    int e = maps_write(l, s->pid, &r->shape, r->number, &s->host_uid, err);
    if (e < 0)
        return e;
    (void)send_down(s->sock, DOWN_MAPPED, NULL, 0);
    if (l->cgroups.kind == CGROUP_V1) {
        int fds[CGROUP_MAX_DIRS];
        int n = cgroup_open_tasks(&s->cgroup, fds);
        (void)send_down(s->sock, DOWN_CGROUP, fds, n);
        for (int i = 0; i < n; i++)
            (void)close(fds[i]);
    }
    return 0;
}

static struct slot *slot_new(struct run *r, int *ret_theirs, struct error *err)
{
    int pair[2];
    struct slot *s = calloc(1, sizeof *s);
    if (!s) {
        (void)err_set(err, -ENOMEM, BLAME_HOST, "SLOT", "no memory");
        return NULL;
    }
    *s = (struct slot){ .launcher = r->launcher, .sock = -1, .cgroup = { .dir = { -1, -1, -1 } } };
    buf_init(&s->shape, PLAN_MAX_MESSAGE);
    if (buf_add(&s->shape, r->shape_bytes.data, r->shape_bytes.size) < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "SLOT", "socketpair: %m");
        slot_free(s);
        return NULL;
    }
    s->sock = pair[0];
    *ret_theirs = pair[1];
    return s;
}

/* The keeper uses r's shape, which lives in r's message: copied by the clone, so it may outlive r.
 * NULL and err on failure. */
static struct slot *slot_make(struct run *r, struct error *err)
{
    struct launcher *l = r->launcher;
    cleanup(closep) int theirs = -1;
    struct slot *s = slot_new(r, &theirs, err);
    if (!s)
        return NULL;
    int e = run_make_cgroup(r, 2, err);
    s->cgroup = r->cgroup; /* the slot's from here on */
    r->cgroup = (struct cgroup){ .dir = { -1, -1, -1 } };
    if (e == 0)
        e = clone_keeper(s, r, theirs, err);
    if (e < 0) {
        slot_free(s);
        return NULL;
    }
    watch(l, s->sock, s, EVENT_SLOT);
    s->next = l->slots;
    l->slots = s;
    return s;
}

static struct slot *find_idle(struct run *r)
{
    struct slot *idle_longest = NULL;
    unsigned count = 0;
    for (struct slot *s = r->launcher->slots; s; s = s->next) {
        count++;
        if (s->run || s->is_dead)
            continue;
        if (s->shape.size == r->shape_bytes.size &&
            memcmp(s->shape.data, r->shape_bytes.data, s->shape.size) == 0)
            return s;
        if (!idle_longest || s->used_us < idle_longest->used_us)
            idle_longest = s;
    }
    if (count >= SLOT_MAX && idle_longest)
        slot_free(idle_longest);
    return NULL;
}

static int give_job(struct slot *s, struct run *r, struct error *err)
{
    int pair[2];
    struct buf b;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "SLOT", "socketpair: %m");
    cleanup(closep) int theirs = pair[1];
    r->report_fd = pair[0];
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_fields(&b, job_fields, job_field_count, &r->job);
    int fds[1 + RUN_FD_MAX] = { theirs };
    size_t count = 1;
    for (size_t i = 0; i < RUN_FD_MAX && r->fds[i] >= 0; i++)
        fds[count++] = r->fds[i];
    int e = b.failed ? -EMSGSIZE : send_message(s->sock, b.data, b.size, fds, count);
    buf_done(&b);
    return e < 0 ? err_set(err, e, BLAME_HOST, "SLOT", "give the job to its keeper: %s", strerror(-e)) : 0;
}

int slot_start(struct run *r, struct error *err)
{
    struct slot *s = find_idle(r);
    if (!s)
        s = slot_make(r, err);
    if (!s)
        return err->code;
    int e = give_job(s, r, err);
    if (e < 0) {
        slot_free(s);
        return e;
    }
    s->run = r;
    r->slot = s;
    r->cgroup = s->cgroup; /* borrows: slot_release() forgets it */
    r->host_uid = s->host_uid;
    cgroup_read_usage(&r->cgroup, &r->before);
    watch(r->launcher, r->report_fd, r, EVENT_REPORT);
    return 0;
}

static void on_failure(struct slot *s, const struct error *err)
{
    struct run *r = s->run;
    s->is_dead = true;
    if (r) {
        r->has_failed = true;
        r->report.error = *err;
        run_on_gone(r); /* releases the slot, which is freed there as it is dead */
    } else {
        slot_free(s);
    }
}

void slot_on_event(struct slot *s)
{
    struct keeper_message m;
    struct error err = { 0 };
    int pidfd = -1;
    size_t count;
    ssize_t n = receive_message(s->sock, &m, sizeof m, &pidfd, 1, &count);
    if (n != (ssize_t)sizeof m) {
        (void)err_set(&err, -EIO, BLAME_HOST, "SLOT", "the keeper of a prepared sandbox died");
        on_failure(s, &err);
        return;
    }
    struct run *r = s->run;
    if (m.type == KEEPER_FAILED) {
        on_failure(s, &m.error);
    } else if (m.type == KEEPER_BORN && r && count == 1) {
        r->pid = m.pid;
        r->pidfd = pidfd;
        if (r->state >= RUN_WARNED) /* its end was decided before it was born */
            (void)sys_pidfd_send_signal(pidfd, SIGKILL);
    } else if (m.type == KEEPER_DONE && r) {
        r->usage = m.usage;
        run_on_gone(r);
    }
}

void slot_release(struct run *r)
{
    struct slot *s = r->slot;
    s->run = NULL;
    s->used_us = now_us();
    if (s->is_dead)
        slot_free(s);
    else
        cgroup_reset_usage(&s->cgroup);
}

void slots_free(struct launcher *l)
{
    while (l->slots)
        slot_free(l->slots);
}
