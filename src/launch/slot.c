#include "launch/slot.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "base/parse.h"
#include "launch/spare.h"
#include "launch/template.h"

/* --- what launcher and keeper say to each other ----------------------------------------------- */

enum keeper_type { KEEPER_BORN = 1, KEEPER_DONE, KEEPER_FAILED };

struct keeper_message { /* BORN comes with init's pidfd */
    uint32_t type;
    struct error error; /* FAILED: the slot could not be prepared */
};

struct slot {
    struct slot *next;
    struct launcher *launcher;
    struct buf shape; /* packed: what it was prepared for */
    struct cgroup cgroup;
    int sock, pidfd;
    pid_t pid;
    uint32_t host_uid;
    uint64_t used_us;
    struct run *run; /* its present job */
    bool is_dead;
    bool is_template; /* its keeper is an interpreter (template.h) */
    uint32_t jobs;
    uint64_t made_us;
};

/* --- keeper ---------------------------------------------------------------------------------- */

static pid_t start_copy(struct init_ctx *c, int *ret_pidfd)
{
    struct kclone_args a = { .flags = CLONE_NEWPID | KCLONE_PIDFD,
                             .exit_signal = SIGCHLD,
                             .pidfd = (uint64_t)(uintptr_t)ret_pidfd };
    pid_t pid = sys_clone3(&a);
    if (pid == 0)
        init_main(c, PHASE_JOB);
    return pid;
}

/* An interpreter's memory is large, and the program will be a copy of it: its init is none. It works in the keeper's
 * memory, on a stack of its own, while the keeper waits for its end; between the two there is no lock and no variable,
 * errno apart, which the keeper's calls leave alone where they succeed. What init writes once it is told of a run is on
 * that stack and in park.c, and the keeper takes both away before there is another job. */
#define INIT_STACK (512 * KIB)
static char *init_stack;

static int init_in_place(void *context)
{
    struct init_ctx own = *(struct init_ctx *)context;
    init_main(&own, PHASE_JOB);
}

static pid_t start_in_place(struct init_ctx *c, int *ret_pidfd)
{
    if (!init_stack) {
        char *stack = mmap(NULL, INIT_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        if (stack == MAP_FAILED)
            return -1;
        init_stack = stack;
    }
    return clone(init_in_place, init_stack + INIT_STACK, CLONE_VM | CLONE_NEWPID | KCLONE_PIDFD | SIGCHLD, c,
                 ret_pidfd);
}

static void forget_init(void)
{
    park_forget();
    if (init_stack && madvise(init_stack, INIT_STACK, MADV_DONTNEED) < 0)
        _exit(125);
}

static void keeper_do(struct init_ctx *c, char *message, size_t size, const int fds[static 1 + RUN_FD_MAX],
                      size_t count)
{
    struct job job = { 0 };
    struct down head = { 0 };
    struct keeper_message m = { .type = KEEPER_BORN };
    int pidfd = -1;
    if (size < sizeof head || count < 1)
        _exit(125); /* only our own launcher writes here: a bug, and the launcher sees us die */
    memcpy(&head, message, sizeof head);
    struct unpack u = unpack_start(message + sizeof head, size - sizeof head);
    unpack_fields(&u, job_fields, job_field_count, &job);
    struct init_ctx job_ctx = *c;
    memcpy(job_ctx.fds, fds + 1, sizeof job_ctx.fds);
    if (head.type != DOWN_JOB || unpack_end(&u) < 0 || !run_fds_place(&job, RUN_FD_INIT_MAX, job_ctx.fds, count - 1))
        _exit(125);
    job_ctx.job = &job;
    job_ctx.report_fd = fds[0];
    job_ctx.report.step_count = 0; /* the keeper's steps are no part of the job's time */
    pid_t pid = c->fork_payload ? start_in_place(&job_ctx, &pidfd) : start_copy(&job_ctx, &pidfd);
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    if (pid > 0) {
        (void)send_message(c->report_fd, &m, sizeof m, &pidfd, 1);
        (void)close(pidfd);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        forget_init();
    }
    m.type = KEEPER_DONE;
    (void)send_message(c->report_fd, &m, sizeof m, NULL, 0);
}

static char keeper_message[PLAN_MAX_MESSAGE];
static size_t keeper_size;

void keeper_forget(void)
{
    explicit_bzero(keeper_message, keeper_size);
}

_Noreturn void keeper_serve(struct init_ctx *c)
{
    for (;;) {
        int fds[1 + RUN_FD_MAX] = { -1 };
        size_t count;
        ssize_t n = receive_message(c->report_fd, keeper_message, sizeof keeper_message, fds, ARRAY_LEN(fds), &count);
        if (n <= 0)
            _exit(0);
        keeper_size = (size_t)n;
        keeper_do(c, keeper_message, keeper_size, fds, count);
        keeper_forget(); /* the next job's init is a copy of us */
    }
}

_Noreturn void keeper_fail(const struct init_ctx *c, const struct error *err)
{
    struct keeper_message m = { .type = KEEPER_FAILED, .error = *err };
    (void)send_message(c->report_fd, &m, sizeof m, NULL, 0);
    _exit(125);
}

_Noreturn void keeper_main(struct init_ctx *c)
{
    struct error err = { 0 };
    c->is_slot = true;
    template_prepare(c);
    if (steps_run(c, PHASE_PREPARE, &err) < 0)
        keeper_fail(c, &err);
    template_become(c);
    keeper_serve(c);
}

/* --- launcher's side ------------------------------------------------------------------------- */

/* Then a sandbox of its own is cheaper than a slot that would have to go again. */
static bool are_all_busy(const struct launcher *l)
{
    unsigned busy = 0;
    for (const struct slot *s = l->slots; s; s = s->next) {
        if (!s->run && !s->is_dead)
            return false;
        busy++;
    }
    return busy >= SLOT_MAX;
}

bool slot_is_possible(const struct run *r)
{
    /* volumes would have to be opened on the host for each job; AppArmor's change of profile and SELinux's of type need
     * the host's /proc */
    if (!r->job.may_reuse || (r->shape.apparmor && r->launcher->has_apparmor) ||
        (r->shape.selinux && r->launcher->enforce_fd >= 0))
        return false;
    if (!r->shape.readonly_root) /* what one job leaves in the root the next would find */
        return false;
    for (uint32_t i = 0; i < r->shape.mount_count; i++)
        if (r->shape.mounts[i].kind == MOUNT_VOLUME || disk_space_is_wanted(&r->shape.mounts[i]))
            return false;
    return !are_all_busy(r->launcher);
}

static void slot_free(struct slot *s)
{
    struct slot **p = &s->launcher->slots;
    while (*p && *p != s)
        p = &(*p)->next;
    if (*p)
        *p = s->next;
    if (s->pid > 0) {
        (void)sys_pidfd_send_signal(s->pidfd, SIGKILL);
        (void)waitpid(s->pid, NULL, 0);
    }
    unwatch(s->launcher, &s->sock);
    closep(&s->pidfd);
    cgroup_destroy(&s->launcher->cgroups, &s->cgroup);
    buf_done(&s->shape);
    free(s);
}

static uint64_t hash_of(struct bytes shape)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (uint32_t i = 0; i < shape.size; i++)
        h = (h ^ ((const unsigned char *)shape.data)[i]) * UINT64_C(1099511628211);
    return MAX_OF(h, UINT64_C(1));
}

static bool is_forkable(const struct run *r)
{
    const uint64_t hash = hash_of(r->shape_bytes);
    for (size_t i = 0; i < UNFORKABLE_MAX; i++)
        if (r->launcher->unforkable[i] == hash)
            return false;
    return true;
}

static void note_unforkable(struct slot *s)
{
    struct launcher *l = s->launcher;
    l->unforkable[l->unforkable_next++ % UNFORKABLE_MAX] = hash_of(
        (struct bytes){ s->shape.data, (uint32_t)s->shape.size });
}

/* Gives the spare this shape; it prepares it while we write maps and limits. */
static int become_keeper(struct slot *s, struct run *r, struct error *err)
{
    struct launcher *l = s->launcher;
    s->pid = r->pid;
    s->pidfd = TAKE_FD(r->pidfd);
    s->sock = TAKE_FD(r->report_fd);
    s->cgroup = r->cgroup;
    int e = run_send_down(s->sock, s->is_template ? DOWN_KEEP : DOWN_KEEP_PLAIN, r->start_us, r->shape_bytes, NULL, 0);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "SLOT", "hand over the shape: %s", strerror(-e));
    e = maps_write(l, s->pid, &r->shape, r->number, &s->host_uid, err);
    if (e < 0)
        return e;
    (void)run_send_down(s->sock, DOWN_MAPPED, 0, (struct bytes){ 0 }, NULL, 0);
    e = run_limit(r, s->sock, 2, err); /* the keeper and init are ours */
    s->cgroup = r->cgroup;
    return e;
}

static struct slot *slot_make(struct run *r, struct error *err)
{
    struct launcher *l = r->launcher;
    if (spare_have(l, l->spare, err) < 0)
        return NULL;
    struct slot *s = calloc(1, sizeof *s);
    if (!s) {
        (void)err_set(err, -ENOMEM, BLAME_HOST, "SLOT", "no memory");
        return NULL;
    }
    *s = (struct slot){ .launcher = l,
                        .sock = -1,
                        .pidfd = -1,
                        .cgroup = { .dir = CGROUP_NO_DIRS },
                        .is_template = r->shape.template_argv.count && is_forkable(r),
                        .made_us = now_us() };
    buf_init(&s->shape, PLAN_MAX_MESSAGE);
    run_take_spare(r);
    int e = buf_add(&s->shape, r->shape_bytes.data, r->shape_bytes.size);
    if (e < 0)
        (void)err_set(err, e, BLAME_HOST, "SLOT", "no memory for the shape");
    else
        e = become_keeper(s, r, err);
    r->cgroup = (struct cgroup){ .dir = CGROUP_NO_DIRS }; /* the slot's now */
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
        if (s->shape.size == r->shape_bytes.size && memcmp(s->shape.data, r->shape_bytes.data, s->shape.size) == 0)
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
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "SLOT", "socketpair: %m");
    cleanup(closep) int theirs = pair[1];
    r->report_fd = pair[0];
    int fds[1 + RUN_FD_MAX] = { theirs };
    size_t count = 1 + run_fds_gather(&r->job, RUN_FD_INIT_MAX, r->fds, fds + 1);
    int e = run_send_down(s->sock, DOWN_JOB, r->start_us, r->job_bytes, fds, count);
    return e < 0 ? err_set(err, e, BLAME_HOST, "SLOT", "give the job to its keeper: %s", strerror(-e)) : 0;
}

int slot_start(struct run *r, struct error *err)
{
    struct slot *s = find_idle(r);
    r->was_slot = s != NULL;
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
    s->jobs++;
    r->slot = s;
    r->pid = 0;
    r->cgroup = s->cgroup; /* borrows: slot_release() forgets it */
    r->host_uid = s->host_uid;
    run_note_usage(r);
    watch(r->launcher, r->report_fd, r, EVENT_REPORT);
    return 0;
}

/* Memory that is full of files is no process's: the kernel ends the largest of the group, and that may be a keeper
 * which has become an interpreter. The program has filled it all the same, and is told so (decide_reason() in run.c).
 */
static bool has_filled_memory(const struct run *r)
{
    struct cgroup_usage u;
    if (!r->has_started || (r->job.park_fd && !r->has_work))
        return false;
    cgroup_read_usage(&r->cgroup, &u);
    return u.oom_kills > r->before.oom_kills;
}

static void on_failure(struct slot *s, const struct error *err)
{
    struct run *r = s->run;
    s->is_dead = true;
    if (s->is_template && err->code == -ENOTSUP)
        note_unforkable(s);
    if (r) {
        if (r->forced == REASON_COMPLETED && !has_filled_memory(r)) { /* else it is over for that reason */
            r->has_failed = true;
            r->report.error = *err;
        }
        run_on_gone(r); /* releases the slot, which is freed there as it is dead */
    } else {
        slot_free(s);
    }
}

/* init's pid as we see it: the keeper knows it by its own namespace's number. fdinfo of a pidfd: pidfd_open(2). */
static pid_t pid_of(int pidfd)
{
    char path[48], text[512];
    uint64_t pid = 0;
    (void)snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, 0)] = '\0';
    char *at = strstr(text, "Pid:\t");
    if (!at)
        return 0;
    at += 5;
    at[strspn(at, "0123456789")] = '\0';
    return parse_u64(at, &pid) == 0 ? (pid_t)pid : 0;
}

static void on_born(struct run *r, int pidfd)
{
    r->pidfd = pidfd;
    if (r->cgroup.kind == CGROUP_NONE || r->shape.watch & NOTIFY_SAMPLES) /* only measuring asks for it */
        r->pid = pid_of(pidfd);
    if (r->state >= RUN_WARNED) /* its end was decided before it was born */
        (void)sys_pidfd_send_signal(pidfd, SIGKILL);
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
    if (m.type == KEEPER_FAILED)
        on_failure(s, &m.error);
    else if (m.type == KEEPER_BORN && r && count == 1)
        on_born(r, pidfd);
    else if (m.type == KEEPER_DONE && r)
        run_on_gone(r);
}

/* It is pid 1 in there: nothing outlives it. */
void slot_give_up(struct slot *s)
{
    (void)sys_pidfd_send_signal(s->pidfd, SIGKILL);
    cgroup_lift(&s->cgroup);
}

/* Of a template: it is old, its tenant's run had to be ended, or its client no longer wants one to wait. */
static bool is_to_retire(const struct slot *s, const struct run *r, uint64_t now)
{
    return s->is_template && (template_is_old(s->jobs, now - s->made_us) || r->forced != REASON_COMPLETED ||
                              !r->has_started || (r->job.park_fd && !r->has_work));
}

void slots_expire(struct launcher *l, uint64_t now)
{
    for (struct slot *s = l->slots, *next; s; s = next) {
        next = s->next;
        if (s->is_template && !s->run && now - s->used_us >= TEMPLATE_IDLE_US)
            slot_free(s);
    }
}

void slot_release(struct run *r)
{
    struct slot *s = r->slot;
    s->run = NULL;
    s->used_us = now_us();
    if (s->is_dead || is_to_retire(s, r, s->used_us))
        slot_free(s);
    else
        cgroup_reset_usage(&s->cgroup);
}

void slots_free(struct launcher *l)
{
    while (l->slots)
        slot_free(l->slots);
}
