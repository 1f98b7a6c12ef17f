#include "broker/target.h"

#include "base/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

/* --- who asks ------------------------------------------------------------------------------------------ */

#define KNOWN         8
#define KPIDFD_THREAD O_EXCL /* 6.9: of a single thread, with whatever table of descriptors it has */

/* Processes and threads that asked lately. Both descriptors name the process, not its number: of one that is gone they
 * say so, whichever process has its pid now. */
static struct known {
    uint32_t pid; /* 0: none */
    int pidfd, fdinfo;
} known[KNOWN];

static void forget(struct known *k)
{
    closep(&k->pidfd);
    closep(&k->fdinfo);
    k->pid = 0;
}

/* NULL: a thread, of whom there is no pidfd (before 6.9), or no process any more. */
static struct known *know(uint32_t pid)
{
    char path[40];
    struct known *k = &known[pid % KNOWN];
    if (k->pid == pid)
        return k;
    int pidfd = (int)syscall(SYS_PIDFD_OPEN, (pid_t)pid, KPIDFD_THREAD);
    if (pidfd < 0)
        pidfd = sys_pidfd_open((pid_t)pid);
    if (pidfd < 0)
        return NULL;
    if (k->pid)
        forget(k);
    (void)snprintf(path, sizeof path, "/proc/%u/fdinfo", pid);
    *k = (struct known){ pid, pidfd, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
    return k;
}

int target_take_fd(uint32_t pid, int fd)
{
    struct known *k = know(pid);
    int taken = k ? (int)syscall(SYS_PIDFD_GETFD, k->pidfd, fd, 0) : -1;
    if (taken >= 0)
        return taken;
    if (k && errno == EBADF)
        return -EBADF;
    if (k)
        forget(k);
    return notify_take_fd(pid, fd);
}

/* «flags:», octal */
static uint32_t flags_in(const char *text)
{
    uint32_t flags = 0;
    const char *p = strstr(text, "flags:");
    for (p = p ? p + 6 : ""; *p == ' ' || *p == '\t'; p++) {
    }
    for (; *p >= '0' && *p <= '7'; p++)
        flags = flags << 3 | (uint32_t)(*p - '0');
    return flags;
}

uint32_t target_close_on_exec(uint32_t pid, int number)
{
    char path[64], text[256];
    struct known *k = &known[pid % KNOWN];
    bool is_known = k->pid == pid && k->fdinfo >= 0;
    if (is_known)
        (void)snprintf(path, sizeof path, "%d", number);
    else
        (void)snprintf(path, sizeof path, "/proc/%u/fdinfo/%d", pid, number);
    cleanup(closep) int fd = openat(is_known ? k->fdinfo : AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    return flags_in(text) & O_CLOEXEC;
}

/* --- what it asks about ------------------------------------------------------------------------------------- */

static int option(int sock, int name)
{
    int v = -1;
    socklen_t size = sizeof v;
    return getsockopt(sock, SOL_SOCKET, name, &v, &size) < 0 ? -1 : v;
}

static enum target_place place_of(const struct broker *b, int sock)
{
    uint64_t cookie = broker_namespace_of(sock);
    if (cookie && cookie == b->inside_cookie)
        return TARGET_INSIDE;
    return cookie && cookie == b->host_cookie ? TARGET_HOST : TARGET_ALIEN;
}

int target_take(const struct broker *b, const struct seccomp_notif *ask, struct target *ret)
{
    cleanup(closep) int fd = target_take_fd(ask->pid, (int)ask->data.args[0]);
    if (fd < 0)
        return fd == -EBADF ? EBADF : EACCES;
    struct target t = { .fd = -1, .flags = fcntl(fd, F_GETFL), .domain = option(fd, SO_DOMAIN) };
    if (t.flags < 0 || (t.flags & O_PATH))
        return EBADF;
    if (t.domain < 0)
        return ENOTSOCK;
    t.type = option(fd, SO_TYPE);
    t.protocol = option(fd, SO_PROTOCOL);
    t.place = place_of(b, fd);
    t.fd = TAKE_FD(fd);
    *ret = t;
    return 0;
}

uint64_t target_cookie(int sock)
{
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(sock, SOL_SOCKET, SO_COOKIE, &cookie, &size) < 0 ? 0 : cookie;
}

bool target_is_alone(uint32_t pid)
{
    char path[40];
    struct stat st;
    (void)snprintf(path, sizeof path, "/proc/%u/task", pid);
    return stat(path, &st) == 0 && st.st_nlink == 3; /* «.», «..» and one thread */
}

static int read_address(struct asked_address *a)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (a->family == AF_INET) {
        if (a->size < sizeof v4)
            return EINVAL;
        memcpy(&v4, &a->raw, sizeof v4);
        a->port = ntohs(v4.sin_port);
        a->address = net_address_from(AF_INET, &v4.sin_addr);
    } else if (a->family == AF_INET6) {
        if (a->size < offsetof(struct sockaddr_in6, sin6_scope_id)) /* SIN6_LEN_RFC2133 */
            return EINVAL;
        memcpy(&v6, &a->raw, sizeof v6);
        a->port = ntohs(v6.sin6_port);
        a->address = net_address_from(AF_INET6, &v6.sin6_addr);
        a->address = net_address_unmapped(&a->address);
    }
    return 0;
}

int asked_read(const struct seccomp_notif *ask, uint64_t pointer, uint64_t size, struct asked_address *ret)
{
    struct asked_address a = { .size = (socklen_t)size };
    if ((int)size < (int)sizeof(sa_family_t) || a.size > sizeof a.raw)
        return EINVAL;
    if (notify_read(ask->pid, pointer, &a.raw, a.size) != (ssize_t)a.size)
        return EFAULT;
    a.family = a.raw.ss_family;
    int e = read_address(&a);
    if (e == 0)
        *ret = a;
    return e;
}

void asked_any_is_loopback(struct asked_address *a)
{
    static const uint8_t none[16];
    size_t size = a->address.family == AF_INET ? 4 : a->address.family == AF_INET6 ? 16 : 0;
    if (size == 0 || memcmp(a->address.bytes, none, size) != 0)
        return;
    if (a->address.family == AF_INET)
        a->address.bytes[0] = 127;
    a->address.bytes[size - 1] = 1;
}

void asked_describe(const struct asked_address *a, const struct target *t, struct watch_event *ret)
{
    ret->family = a->address.family;
    ret->protocol = t->type == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
    ret->port = a->port;
    memcpy(ret->address, a->address.bytes, a->address.family == AF_INET6 ? 16 : 4);
}
