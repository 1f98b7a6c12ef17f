/* connect.c - connect(2) inside a container: told, and where volumes are mounted performed for the caller.
 *
 * As launch/connector.c natively: behind an AF_UNIX socket in a volume is a server of the host, and no mount or
 * landlock rule keeps a program from connecting. So there no such call is continued. A child of ours takes a duplicate
 * of the caller's descriptor and a copy of the address, looks the path up from the caller's working directory (whose
 * root and mounts are ours, too), and connects to the file that it has found, if that lies on a mount of the
 * container's own. Which these are was noted before anything ran, by their number: a volume, and what is mounted in it,
 * is another.
 *
 * The child may wait as the caller would. It has our uid, so the payload may kill it; then the caller is refused.
 */
#include "entry/entry.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/kernel.h"
#include "base/watch_bits.h"
#include "filter/syscalls.h"

#define LISTENER_FD   3
#define KSTATX_MNT_ID 0x1000u /* linux/stat.h since 5.8 */

struct kstatx { /* struct statx, linux/stat.h: what of it is looked at */
    uint32_t mask, rest1[35];
    uint64_t mount, rest2[13];
};
_Static_assert(offsetof(struct kstatx, mount) == 144 && sizeof(struct kstatx) == 256, "as the kernel has it");

/* 0: cannot be told */
static uint64_t mount_of(int dir, const char *path)
{
    struct kstatx st = { 0 };
    bool is_known = syscall(NR_statx, dir, path, AT_EMPTY_PATH, KSTATX_MNT_ID, &st) == 0 && st.mask & KSTATX_MNT_ID;
    return is_known ? st.mount : 0;
}

void connect_prepare(struct entry *e)
{
    STRLIST_FOREACH(path, &e->plan.own_places)
    {
        uint64_t mount = mount_of(AT_FDCWD, path);
        if (mount && e->own_mount_count < ENTRY_MAX_PROBES)
            e->own_mounts[e->own_mount_count++] = mount;
    }
}

static bool is_own(const struct entry *e, int fd)
{
    const uint64_t mount = mount_of(fd, "");
    for (uint32_t i = 0; i < e->own_mount_count; i++)
        if (mount && e->own_mounts[i] == mount)
            return true;
    return false;
}

/* --- in the child ------------------------------------------------------------------------------------- */

/* 0: the address is now that of the very file; or the errno. */
static int find_peer(const struct entry *e, uint32_t pid, struct notify_peer *p)
{
    char path[NOTIFY_PEER_PATH], place[32];
    struct stat st;
    int error = notify_peer_path(p, path);
    if (error)
        return error;
    (void)snprintf(place, sizeof place, "/proc/%u/cwd", pid);
    if (path[0] != '/' && chdir(place) < 0)
        return EACCES;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode))
        return ECONNREFUSED;
    if (!is_own(e, fd)) /* of the host, by way of a volume */
        return EACCES;
    (void)snprintf(place, sizeof place, "/proc/self/fd/%d", fd);
    notify_peer_aim(p, place);
    return 0;
}

static int perform(const struct entry *e, uint32_t pid, struct notify_peer *p)
{
    const int domain = notify_peer_option(p, SO_DOMAIN);
    int error = 0;
    if (domain < 0)
        return ENOTSOCK;
    if (e->plan.deny_tcp && notify_peer_is_tcp(p))
        return EACCES; /* as landlock would say to the caller */
    if (domain == AF_UNIX && notify_peer_has_path(p))
        error = find_peer(e, pid, p);
    return error ? error : notify_peer_connect(p);
}

static _Noreturn void helper_main(const struct entry *e, const struct seccomp_notif *ask)
{
    struct notify n = { .listener = LISTENER_FD, .events = -1 };
    struct notify_peer a = { .sock = -1 };
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if ((e->notify.listener != LISTENER_FD && dup3(e->notify.listener, LISTENER_FD, O_CLOEXEC) < 0) ||
        sys_close_range(0, LISTENER_FD - 1) < 0 || sys_close_range(LISTENER_FD + 1, ~0u) < 0)
        _exit(125);
    int error = notify_peer_take(ask, &a);
    if (!notify_is_alive(&n, ask->id)) /* what was taken may be of another process by now */
        _exit(0);
    if (!error)
        error = perform(e, ask->pid, &a);
    notify_answer(&n, ask->id, 0, error);
    _exit(0);
}

/* --- in entry ----------------------------------------------------------------------------------------- */

static void start_helper(struct entry *e, const struct seccomp_notif *ask)
{
    struct helper *free_place = NULL;
    for (size_t i = 0; i < ENTRY_MAX_HELPERS; i++)
        if (!e->helpers[i].pid)
            free_place = &e->helpers[i];
    pid_t pid = free_place ? fork() : -1;
    if (pid == 0)
        helper_main(e, ask);
    if (pid > 0)
        *free_place = (struct helper){ pid, ask->id };
    else
        notify_answer(&e->notify, ask->id, 0, EAGAIN);
}

void connect_reaped(struct entry *e, pid_t pid)
{
    for (size_t i = 0; i < ENTRY_MAX_HELPERS; i++) {
        if (e->helpers[i].pid != pid)
            continue;
        e->helpers[i].pid = 0;
        if (e->notify.listener >= 0) /* ENOENT, unless it was killed before it had answered */
            notify_answer(&e->notify, e->helpers[i].id, 0, EACCES);
    }
}

static bool is_loopback(const struct sockaddr_storage *s)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)s;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)s;
    return s->ss_family == AF_INET ? ntohl(in->sin_addr.s_addr) >> 24 == 127 : IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

/* What the caller has there now: told, and nothing is decided by it. */
static void tell(struct entry *e, const struct seccomp_notif *ask)
{
    struct notify_peer a = { .sock = -1 };
    const struct sockaddr_in *in = (const struct sockaddr_in *)&a.address;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&a.address;
    int error = notify_peer_take(ask, &a);
    const bool is_ip4 = a.address.ss_family == AF_INET && a.size >= sizeof *in;
    const bool is_ip6 = a.address.ss_family == AF_INET6 && a.size >= offsetof(struct sockaddr_in6, sin6_scope_id);
    if (!error && (is_ip4 || is_ip6) && notify_is_alive(&e->notify, ask->id)) {
        struct watch_event event = notify_event(&e->notify, ask, WATCH_CONNECT);
        event.family = (uint8_t)a.address.ss_family;
        event.protocol = (uint8_t)notify_peer_option(&a, SO_PROTOCOL);
        event.port = ntohs(in->sin_port); /* at the same place in both */
        event.flags = is_loopback(&a.address) ? WATCH_INSIDE : 0;
        event.connection = ++e->connections;
        memcpy(event.address, is_ip4 ? (const void *)&in->sin_addr : &in6->sin6_addr, is_ip4 ? 4 : 16);
        notify_tell(&e->notify, &event);
    }
    closep(&a.sock);
}

void connect_answer(struct entry *e, const struct seccomp_notif *ask)
{
    notify_tell_unix(&e->notify, ask);
    if (e->plan.watch & NOTIFY_BRIDGE)
        tell(e, ask);
    if (e->plan.watch & NOTIFY_VOLUMES)
        start_helper(e, ask);
    else
        notify_continue(&e->notify, ask->id);
}
