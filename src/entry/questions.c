/* questions.c - the filter that asks, inside a container: what the launcher is to a native sandbox (launch/notify.c),
 * sandbox-entry is here.
 *
 * The engine's own filter leaves to the payload what ours asks about, since of a call that one filter refuses and
 * another asks about none is asked. So the payload's fence is the filter that it loads as its last act before exec:
 * all that the plain filter refuses, that refuses or asks; and what asks is judged here by the plain filter
 * (notify_common()). A filter that cannot be loaded is a payload that is not started.
 *
 * That all this works is tried before the facts are told, in a child that asks what a payload may: it has to get the
 * filter's own answer, and we have to see its memory and its descriptors. Where that fails the host is told, and makes
 * a container whose engine refuses everything itself.
 *
 * Events go to the host as frames, in the order of the questions. While there is no room for one nothing is received:
 * who asks waits, and nothing is lost.
 */
#include "entry/entry.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "base/message.h"
#include "base/seccomp.h"
#include "filter/filter.h"
#include "filter/syscalls.h"

#ifdef __aarch64__
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#define OUR_ARCH AUDIT_ARCH_X86_64
#endif

#define PROBE_MS      30000 /* of a busy machine; nothing in it waits */
#define QUESTIONS_MAX 16    /* then the streams have their turn */

/* --- loading ---------------------------------------------------------------------------------------- */

/* Goes on when the other side has what it needs: what a payload does to our limits comes too late then. */
int questions_load(const struct entry *e, int sock)
{
    char byte = 0;
    cleanup(closep) int listener = seccomp_load_listening(e->plan.filter, false);
    int r = listener < 0 ? listener : send_message(sock, &byte, sizeof byte, &listener, 1);
    return r < 0 ? r : read(sock, &byte, 1) == 1 ? 0 : -EPIPE;
}

int questions_take(int sock)
{
    char sent;
    int listener = -1;
    size_t count = 0;
    ssize_t n = receive_message(sock, &sent, sizeof sent, &listener, 1, &count);
    return n < 0 ? (int)n : n == 0 || count != 1 ? -EPIPE : listener;
}

/* --- trying it -------------------------------------------------------------------------------------- */

/* That only we would hide: engines' own filters refuse them without a right. */
static const int asked_calls[] = { NR_bpf, NR_mount, NR_setns };

struct trial { /* shared by both sides */
    int error;
    uint32_t open, word, asked;
    bool is_whole;
};

/* Asks for what there is to see, with arguments that the kernel refuses. A child, since a profile may have it killed.
 */
static void ask_all(const struct entry *e)
{
    for (size_t i = 0; e->plan.watch & NOTIFY_CALLS && i < ARRAY_LEN(asked_calls); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            (void)syscall(asked_calls[i], -1, -1, -1, -1, -1);
            _exit(0);
        }
        (void)waitpid(pid, NULL, 0);
    }
}

/* Bit per asked_calls that should ask: not one that the profile has killed. */
static uint32_t to_be_asked(const struct entry *e)
{
    uint32_t set = 0;
    for (size_t i = 0; e->plan.watch & NOTIFY_CALLS && i < ARRAY_LEN(asked_calls); i++) {
        const struct seccomp_data d = { .nr = asked_calls[i], .arch = OUR_ARCH };
        const uint32_t action = filter_eval(e->verdicts, e->plan.verdicts.size / sizeof e->verdicts[0], &d);
        if (FILTER_ACTION(action) == SECCOMP_RET_ERRNO)
            set |= UINT32_C(1) << i;
    }
    return set;
}

static _Noreturn void trial_main(const struct entry *e, int sock, struct trial *t)
{
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* as a payload is, and no process is here yet who might look */
    if ((t->error = -questions_load(e, sock)) == 0) {
        t->open = calls_open();
        ask_all(e);
        t->is_whole = true;
    }
    _exit(0);
}

/* What a listener has to see of who asks: a word of its memory, a descriptor. */
static int look_into(pid_t pid, const struct trial *t)
{
    uint32_t word = 0;
    ssize_t n = notify_read((uint32_t)pid, (uint64_t)(uintptr_t)&t->word, &word, sizeof word);
    if (n != (ssize_t)sizeof word || word != t->word)
        return n < 0 ? (int)-n : EIO;
    cleanup(closep) int taken = notify_take_fd((uint32_t)pid, STDOUT_FILENO);
    return taken < 0 ? -taken : 0;
}

/* Until no process is left who could ask. */
static int answer_trial(struct notify *n, uint32_t *ret_asked)
{
    struct seccomp_notif ask;
    struct pollfd p = { .fd = n->listener, .events = POLLIN };
    while (poll(&p, 1, PROBE_MS) == 1) {
        if (!(p.revents & POLLIN))
            return 0;
        int r = notify_receive(n, &ask);
        if (r < 0)
            return -r;
        for (size_t i = 0; r > 0 && i < ARRAY_LEN(asked_calls); i++)
            if (ask.data.nr == asked_calls[i])
                *ret_asked |= UINT32_C(1) << i;
        if (r > 0 && !notify_common(n, &ask))
            notify_continue(n, ask.id);
    }
    return ETIMEDOUT;
}

static void use_verdicts(const struct entry *e, struct notify *n)
{
    n->events = -1;
    n->watch = e->plan.watch;
    n->verdicts = e->verdicts;
    n->verdict_count = e->plan.verdicts.size / sizeof *n->verdicts;
}

static int try_with(const struct entry *e, pid_t pid, int sock, struct trial *t)
{
    struct notify n = { .listener = questions_take(sock) };
    use_verdicts(e, &n);
    if (n.listener < 0)
        return t->error ? t->error : -n.listener;
    int error = look_into(pid, t);
    if (!error && write(sock, "", 1) != 1)
        error = errno;
    if (!error)
        error = answer_trial(&n, &t->asked);
    if (!error && to_be_asked(e) & ~t->asked) /* another filter is before ours */
        error = EACCES;
    if (n.has_root)
        closep(&n.root);
    closep(&n.listener);
    return error;
}

int questions_probe(struct entry *e, uint32_t *ret_open)
{
    int ends[2], error = 0;
    *ret_open = 0;
    memcpy(e->verdicts, e->plan.verdicts.data, e->plan.verdicts.size); /* they lie in the frame at any alignment */
    struct trial *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t == MAP_FAILED)
        return errno;
    t->word = 0x5eccc0de;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        error = errno;
    pid_t pid = error ? -1 : fork();
    if (pid == 0) {
        (void)close(ends[0]);
        trial_main(e, ends[1], t);
    }
    if (pid < 0 && !error)
        error = errno;
    if (!error) {
        closep(&ends[1]); /* a child that ends is the end of the conversation */
        error = try_with(e, pid, ends[0], t);
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
        if (!error && !t->is_whole)
            error = EIO;
        *ret_open = t->open;
        closep(&ends[0]);
    }
    (void)munmap(t, sizeof *t);
    return error;
}

/* --- telling ---------------------------------------------------------------------------------------- */

bool questions_has_room(const struct entry *e)
{
    return queue_space(&e->out) >= WATCH_MESSAGE_MAX + sizeof(struct frame_head) + ENTRY_OUT_RESERVED;
}

static void tell_event(void *context, const struct watch_event *event)
{
    struct entry *e = context;
    char bytes[sizeof(struct frame_head) + WATCH_MESSAGE_MAX];
    struct buf b = { .data = bytes, .cap = sizeof bytes, .max = sizeof bytes - 1 };
    frame_put_fields(&b, FRAME_EVENT, watch_event_fields, watch_event_field_count, event);
    assert(!b.failed);                        /* its texts are bounded */
    (void)queue_put(&e->out, b.data, b.size); /* there is room: questions_has_room() */
}

/* --- answering -------------------------------------------------------------------------------------- */

int questions_start(struct entry *e, int listener)
{
    struct epoll_event wanted = { .events = EPOLLIN };
    use_verdicts(e, &e->notify);
    e->notify.listener = listener;
    e->notify.is_charged = true;
    e->notify.start_us = e->start_us;
    e->notify.sink = tell_event;
    e->notify.sink_context = e;
    notify_prepare(listener);
    e->questions = epoll_create1(EPOLL_CLOEXEC);
    return e->questions < 0 || epoll_ctl(e->questions, EPOLL_CTL_ADD, listener, &wanted) < 0 ? -errno : 0;
}

static void on_first_exec(struct entry *e, const struct seccomp_notif *ask)
{
    struct watch_event streams = { 0 };
    streams.stdio0 = descriptor_kind(e->stdin_fd, &streams.stdio_id0);
    streams.stdio1 = descriptor_kind(e->pipes[PIPE_OUT], &streams.stdio_id1);
    streams.stdio2 = descriptor_kind(e->pipes[PIPE_ERR], &streams.stdio_id2);
    notify_first_exec(&e->notify, ask, &e->plan.argv, e->program, &streams);
}

static void on_ask(struct entry *e, const struct seccomp_notif *ask)
{
    if (!e->has_execed && (pid_t)ask->pid == e->payload && ask->data.nr == NR_execve) {
        e->has_execed = true;
        on_first_exec(e, ask);
    } else if (!notify_common(&e->notify, ask)) {
        if (notify_classify(ask) == NOTIFY_IS_FORK)
            forks_answer(e, ask);
        else if (ask->data.nr == NR_connect)
            connect_answer(e, ask);
        else /* what natively is the broker's */
            notify_continue(&e->notify, ask->id);
    }
}

/* By epoll, which takes no note of RLIMIT_NOFILE: the payload may set it to 0 for us, and then poll(2) takes no place
 * at all. To receive without a question would wait. */
static uint32_t look(const struct entry *e)
{
    struct epoll_event found = { 0 };
    return epoll_wait(e->questions, &found, 1, 0) == 1 ? found.events : 0;
}

void questions_answer(struct entry *e)
{
    struct seccomp_notif ask;
    for (int i = 0; i < QUESTIONS_MAX && e->notify.listener >= 0 && questions_has_room(e); i++) {
        const uint32_t events = look(e);
        if (!events)
            return;
        int n = events & EPOLLIN ? notify_receive(&e->notify, &ask) : -EPIPE; /* hung up: no process can ask any more */
        if (n < 0)
            closep(&e->notify.listener); /* callers get ENOSYS: refused, never let through */
        else if (n > 0)
            on_ask(e, &ask);
    }
}

/* --- ourselves -------------------------------------------------------------------------------------- */

#define PERMIT(nr) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

int questions_confine(const struct entry *e)
{
    static struct sock_filter insns[BPF_MAXINSNS];
    struct sock_filter own[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 0, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        PERMIT(NR_process_vm_readv),
        PERMIT(NR_pidfd_open),
        PERMIT(NR_pidfd_getfd),
        PERMIT(NR_openat2),
        PERMIT(NR_epoll_wait), /* a profile's file may not have it, and who asks would wait for ever */
        PERMIT(NR_epoll_pwait),
        PERMIT(NR_getdents64), /* forks.c */
        PERMIT(NR_lseek),
        PERMIT(NR_faccessat),
    };
    own[1].jf = ARRAY_LEN(own) - 2; /* another architecture is the plain filter's */
    _Static_assert(ARRAY_LEN(own) + ENTRY_MAX_VERDICTS <= BPF_MAXINSNS, "room for both");
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    memcpy(insns, own, sizeof own);
    memcpy(insns + ARRAY_LEN(own), e->verdicts, e->plan.verdicts.size);
    return seccomp_load((struct bytes){ insns, (uint32_t)(sizeof own + e->plan.verdicts.size) });
}
