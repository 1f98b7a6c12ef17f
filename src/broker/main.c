/* main.c - how a broker comes to be: takes its start from the launcher, becomes the sandbox's user, starts its helpers,
 * gives up what it does not need, says that it is ready, and answers. After the first step that fails there is no way
 * back: it says why and ends. */
#include "broker/broker.h"
#include "broker/route.h"

#include "base/kernel.h"
#include "base/message.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define LAUNCHER_FD     3
#define START_MAX_BYTES (192u * 1024u)

struct start {
    struct broker_start head;
    int fds[BROKER_FD_COUNT];
    struct bytes rules, verdicts;
};

/* --- what the launcher says --------------------------------------------------------------------------------------- */

static int receive(char *data, struct start *ret, struct error *err)
{
    size_t count;
    ssize_t n = receive_message(LAUNCHER_FD, data, START_MAX_BYTES, ret->fds, BROKER_FD_COUNT, &count);
    if (n < 0)
        return err_set(err, (int)n, BLAME_US, "BROKER", "receive the start: %s", strerror((int)-n));
    if ((size_t)n < sizeof ret->head || count != BROKER_FD_COUNT)
        return err_set(err, -EBADMSG, BLAME_US, "BROKER", "a start of %zd bytes, with %zu of %d descriptors", n, count,
                       BROKER_FD_COUNT);
    memcpy(&ret->head, data, sizeof ret->head);
    uint64_t size = (uint64_t)sizeof ret->head + ret->head.rules_size + ret->head.verdicts_size;
    if (size != (uint64_t)n || ret->head.verdicts_size % sizeof(struct sock_filter))
        return err_set(err, -EBADMSG, BLAME_US, "BROKER", "a start of %zd bytes that says %llu", n,
                       (unsigned long long)size);
    ret->rules = (struct bytes){ data + sizeof ret->head, ret->head.rules_size };
    ret->verdicts = (struct bytes){ data + sizeof ret->head + ret->head.rules_size, ret->head.verdicts_size };
    return 0;
}

/* --- who we are ------------------------------------------------------------------------------------------------------
 */

static int raise_capabilities(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct set[2];
    if (syscall(SYS_capget, &head, set) < 0)
        return -errno;
    set[0].effective = set[0].permitted;
    set[1].effective = set[1].permitted;
    return syscall(SYS_capset, &head, set) < 0 ? -errno : 0;
}

/* The user namespace's owner has every capability in it (user_namespaces(7)), as root has; outside of it none of them
 * counts. */
static int become(const struct start *s, struct error *err)
{
    pid_t parent = getppid();
    const char *failed = NULL;
    if (setns(s->fds[BROKER_FD_USER_NS], CLONE_NEWUSER) < 0)
        failed = "enter the sandbox's user namespace";
    else if (setgroups(0, NULL) < 0 && errno != EPERM) /* EPERM: rootless; they are the caller's own */
        failed = "give up groups";
    else if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0)
        failed = "keep capabilities";
    else if (setresgid(s->head.gid, s->head.gid, s->head.gid) < 0 ||
             setresuid(s->head.uid, s->head.uid, s->head.uid) < 0)
        failed = "become the sandbox's user";
    else if (raise_capabilities() < 0)
        failed = "raise capabilities";
    else if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
             prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) /* cleared by the change of ids */
        failed = "parent death signal";
    if (failed)
        return err_set(err, -errno, BLAME_HOST, "BROKER", "%s (%u:%u): %m", failed, s->head.uid, s->head.gid);
    return getppid() == parent ? 0 : err_set(err, -ESRCH, BLAME_HOST, "BROKER", "the launcher is gone");
}

/* --- what we need ----------------------------------------------------------------------------------------------------
 */

static bool is_socket(int fd)
{
    int type;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

static int know(struct broker *b, const struct start *s, struct error *err)
{
    static struct sock_filter verdicts[BPF_MAXINSNS]; /* aligned, which they are not within a message */
    b->names = net_names_new();
    if (!b->names)
        return err_set(err, -ENOMEM, BLAME_HOST, "BROKER", "no memory for names");
    if (!s->verdicts.data || s->verdicts.size > sizeof verdicts)
        return err_set(err, -E2BIG, BLAME_US, "BROKER", "a filter of %u bytes", s->verdicts.size);
    memcpy(verdicts, s->verdicts.data, s->verdicts.size);
    b->notify = (struct notify){ .listener = s->fds[BROKER_FD_LISTENER],
                                 .events = s->fds[BROKER_FD_EVENTS],
                                 .watch = s->head.watch,
                                 .verdicts = verdicts,
                                 .verdict_count = s->verdicts.size / sizeof verdicts[0],
                                 .start_us = s->head.start_us };
    if (!is_socket(b->notify.events)) /* no process listens: any descriptor may stand in its place */
        b->notify.events = -1;
    b->is_tcp_fenced = s->head.is_tcp_fenced;
    b->deadline_ms = s->head.deadline_us / 1000;
    int e = net_rules_unpack(s->rules.data, s->rules.size, &b->rules);
    return e < 0 ? err_set(err, e, BLAME_US, "BROKER", "rules of %u bytes cannot be read", s->rules.size) : 0;
}

/* Whose a socket is, is told by its namespace's cookie. */
static int learn_cookie(struct broker *b, struct error *err)
{
    cleanup(closep) int ours = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    b->host_cookie = broker_namespace_of(ours);
    if (b->host_cookie && b->inside_cookie && b->host_cookie != b->inside_cookie)
        return 0;
    (void)err_set(err, -ENOSYS, BLAME_HOST, "BROKER",
                  "the kernel does not say to which network a socket belongs (SO_NETNS_COOKIE)");
    return err_remedy(err, "network mode bridge needs Linux 5.14 or later");
}

static int start_helpers(struct broker *b, int net_ns, struct error *err)
{
    int udp = -1, tcp = -1;
    int e = inside_start(b, net_ns, err);
    if (e == 0)
        e = learn_cookie(b, err);
    if (e < 0 || !b->rules.has_names)
        return e;
    e = inside_resolver(b, &udp, &tcp);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "BROKER", "the sandbox's 127.0.0.53:53: %s", strerror(-e));
    return resolver_start(b, udp, tcp, err);
}

static int start(struct broker *b, char *data, struct start *s, struct error *err)
{
    int e = receive(data, s, err);
    if (e == 0)
        e = become(s, err);
    if (e == 0)
        e = know(b, s, err);
    b->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (e == 0 && b->epoll < 0)
        e = err_set(err, -errno, BLAME_HOST, "BROKER", "epoll: %m");
    if (e == 0 && (b->routes = route_open()) < 0)
        e = err_set(err, b->routes, BLAME_HOST, "BROKER", "ask for the host's routes: %s", strerror(-b->routes));
    if (e == 0)
        e = traffic_start(b, err);
    if (e == 0)
        e = start_helpers(b, s->fds[BROKER_FD_NET_NS], err);
    closep(&s->fds[BROKER_FD_USER_NS]);
    closep(&s->fds[BROKER_FD_NET_NS]);
    return e == 0 ? broker_confine(CONFINE_BROKER, err) : e;
}

int main(void)
{
    static char data[START_MAX_BYTES];
    struct broker b = { .launcher = LAUNCHER_FD,
                        .inside = -1,
                        .epoll = -1,
                        .routes = -1,
                        .next_connection = 1,
                        .notify = { .listener = -1, .events = -1 } };
    struct start s = { .fds = { -1, -1, -1, -1 } };
    struct error err = { 0 };
    (void)signal(SIGPIPE, SIG_IGN);
    (void)fcntl(LAUNCHER_FD, F_SETFD, FD_CLOEXEC);
    if (start(&b, data, &s, &err) < 0) {
        char text[sizeof err.text + sizeof err.remedy + 4];
        (void)snprintf(text, sizeof text, "%s%s%s", err.text, err.remedy[0] ? ": " : "", err.remedy);
        broker_say(&b, BROKER_FAILED, NULL, text);
        return 1;
    }
    notify_prepare(b.notify.listener);
    broker_say(&b, BROKER_READY, NULL, "");
    if (s.head.has_pending)
        broker_answer(&b, &s.head.pending);
    return broker_loop(&b) < 0;
}
