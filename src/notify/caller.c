/* caller.c - what the asking process is: its memory, its descriptors, the file it names. */
#include "notify/caller.h"

#include "base/clock.h"
#include "base/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>

ssize_t notify_read(uint32_t pid, uint64_t address, void *ret, size_t size)
{
    struct iovec to = { ret, size }, from = { (void *)(uintptr_t)address, size };
    ssize_t n = process_vm_readv((pid_t)pid, &to, 1, &from, 1, 0);
    return n < 0 ? -errno : n;
}

ssize_t notify_read_string(uint32_t pid, uint64_t address, char *ret, size_t size)
{
    size_t done = 0;
    while (done < size - 1) { /* not beyond the page: the next one may not be there */
        size_t chunk = MIN_OF(size - 1 - done, 4096 - (size_t)((address + done) & 4095));
        ssize_t n = notify_read(pid, address + done, ret + done, chunk);
        if (n <= 0) {
            if (done)
                break;
            return n < 0 ? n : -EFAULT;
        }
        const char *end = memchr(ret + done, '\0', (size_t)n);
        if (end)
            return end - ret;
        done += (size_t)n;
    }
    ret[done] = '\0';
    return (ssize_t)done;
}

static int open_process(uint32_t pid)
{
    int pidfd = sys_pidfd_open((pid_t)pid);
    if (pidfd < 0 &&
        (errno == EINVAL ||
         errno == ENOENT)) { /* a thread: pidfds before 6.9 are of its leader, whose descriptors are the same */
        pid_t leader = caller_leader(pid);
        pidfd = leader > 0 ? sys_pidfd_open(leader) : -1;
    }
    return pidfd < 0 ? -errno : pidfd;
}

int notify_take_fd(uint32_t pid, int fd)
{
    cleanup(closep) int pidfd = open_process(pid);
    if (pidfd < 0)
        return pidfd;
    int taken = (int)syscall(SYS_PIDFD_GETFD, pidfd, fd, 0);
    return taken < 0 ? -errno : taken;
}

/* The last number behind a key of /proc/PID/status, in its line: of «NStgid:» that is the innermost namespace's. */
static uint32_t status_number(const char *text, const char *key)
{
    const char *p = strstr(text, key);
    uint32_t number = 0;
    for (p = p ? p + strlen(key) : ""; *p == '\t' || (*p >= '0' && *p <= '9'); p++)
        number = *p == '\t' ? 0 : number < (1u << 24) ? number * 10 + (uint32_t)(*p - '0') : 0;
    return number;
}

static bool read_status(uint32_t pid, char *text, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%u/status", pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    text[MAX_OF(n, 0)] = '\0';
    return n > 0;
}

pid_t caller_leader(uint32_t pid)
{
    char text[512];
    const pid_t leader = read_status(pid, text, sizeof text) ? (pid_t)status_number(text, "\nTgid:") : 0;
    return leader > 0 ? leader : -ESRCH;
}

static bool has_asked(const struct notify *n, uint32_t pid)
{
    for (size_t i = 0; i < ARRAY_LEN(n->kin); i++)
        if (n->kin[i].pid == pid)
            return true;
    return false;
}

/* Since Linux 6.13 the kernel tells it by the pidfd, in 2 us; to read of a process takes it 15 us. 0: there is none in
 * the sandbox. Above init, which the first way does not know, no process asks. */
static uint32_t parent_of(uint32_t pid)
{
    struct kpidfd_info info = { .mask = KPIDFD_INFO_PID };
    char text[1536];
    cleanup(closep) int pidfd = sys_pidfd_open((pid_t)pid);
    if (pidfd >= 0 && ioctl(pidfd, KPIDFD_GET_INFO, &info) == 0)
        return info.ppid;
    const bool is_there = read_status(pid, text, sizeof text) && status_number(text, "\nNStgid:") != 1;
    return is_there ? status_number(text, "\nPPid:") : 0;
}

/* A process that only forked is the program of its parent, and was not told of: who asked before it is. */
#define GENERATIONS 4u
static uint32_t known_parent(const struct notify *n, uint32_t parent)
{
    uint32_t p = parent;
    for (unsigned i = 0; p && i < GENERATIONS && !has_asked(n, p); i++)
        p = parent_of(p);
    return p && has_asked(n, p) ? p : parent;
}

/* Its number may be another process's by then. */
#define KIN_LASTS_US 1000000u

/* What is known of it is of this very process, or thread: so numbers inside say, which come again in another order. */
static bool is_same(const struct kin *k, uint32_t leader, uint32_t inside)
{
    return k && k->pid == leader && k->inside == inside;
}

struct kin caller_kin(struct notify *n, uint32_t pid, bool is_new)
{
    char text[1536];
    const uint64_t now_us = clock_us();
    struct kin k = { .thread = pid, .pid = pid, .read_us = now_us }, *place = NULL;
    for (size_t i = 0; i < ARRAY_LEN(n->kin); i++)
        if (n->kin[i].thread == pid)
            place = &n->kin[i];
    if (place && !is_new && now_us - place->read_us < KIN_LASTS_US)
        return *place;
    if (read_status(pid, text, sizeof text)) {
        const uint32_t leader = status_number(text, "\nTgid:");
        k.pid = leader ? leader : pid;
        k.inside = status_number(text, "\nNStgid:");
        k.parent = !is_new && is_same(place, k.pid, k.inside) ? place->parent
                                                              : known_parent(n, status_number(text, "\nPPid:"));
    }
    if (!place)
        place = &n->kin[n->next_kin++ % ARRAY_LEN(n->kin)];
    *place = k;
    return k;
}

uint8_t descriptor_kind(int fd, uint64_t *ret_id)
{
    struct stat st;
    *ret_id = 0;
    if (fd < 0 || fstat(fd, &st) < 0)
        return WATCH_FD_NONE;
    *ret_id = st.st_ino;
    if (S_ISFIFO(st.st_mode))
        return WATCH_FD_PIPE;
    if (S_ISREG(st.st_mode))
        return WATCH_FD_FILE;
    if (S_ISCHR(st.st_mode))
        return isatty(fd) ? WATCH_FD_TTY : WATCH_FD_OTHER;
    int domain = 0;
    socklen_t size = sizeof domain;
    if (!S_ISSOCK(st.st_mode) || getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
        return WATCH_FD_OTHER;
    return domain == AF_UNIX ? WATCH_FD_UNIX : WATCH_FD_INET;
}

static uint8_t stream_of(int pidfd, int fd, uint64_t *ret_id)
{
    cleanup(closep) int taken = (int)syscall(SYS_PIDFD_GETFD, pidfd, fd, 0);
    return descriptor_kind(taken, ret_id);
}

void caller_streams(uint32_t pid, struct watch_event *ret)
{
    cleanup(closep) int pidfd = open_process(pid);
    if (pidfd < 0)
        return;
    ret->stdio0 = stream_of(pidfd, 0, &ret->stdio_id0);
    ret->stdio1 = stream_of(pidfd, 1, &ret->stdio_id1);
    ret->stdio2 = stream_of(pidfd, 2, &ret->stdio_id2);
}

/* No process inside can change its root, so it is opened once (10 us). */
static int root_of(struct notify *n, uint32_t pid)
{
    char place[32];
    if (n->has_root)
        return n->root;
    (void)snprintf(place, sizeof place, "/proc/%u/root", pid);
    n->root = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    n->has_root = n->root >= 0;
    return n->has_root ? n->root : -errno;
}

static int open_below(int base, const char *path)
{
    struct kopen_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = KRESOLVE_IN_ROOT | KRESOLVE_NO_MAGICLINKS };
    int fd = base < 0 ? base : sys_openat2(base, path, &how);
    return fd == -1 ? -errno : fd;
}

/* The file as the caller would see it: resolved below its root, from its working directory or the descriptor it gave.
 */
static int open_named(struct notify *n, uint32_t pid, int dir, const char *path)
{
    char place[64];
    if (path[0] == '/')
        return open_below(root_of(n, pid), path);
    if (dir == AT_FDCWD)
        (void)snprintf(place, sizeof place, "/proc/%u/cwd", pid);
    else
        (void)snprintf(place, sizeof place, "/proc/%u/fd/%d", pid, dir);
    cleanup(closep) int base = open(place, O_PATH | O_CLOEXEC);
    if (base < 0)
        return -errno;
    return *path ? open_below(base, path) : TAKE_FD(base); /* execveat(fd, "", AT_EMPTY_PATH) */
}

static ssize_t read_link(const char *link, char *ret, size_t size)
{
    ssize_t n = readlink(link, ret, size);
    if (n <= 0 || (size_t)n >= size)
        return -1;
    ret[n] = '\0';
    return n;
}

/* The kernel shows such a link as seen from the top of the sandbox's mounts; the sandbox's root may lie below. */
bool caller_directory(struct notify *n, uint32_t pid, int dir, char *ret, size_t size)
{
    char link[64], root[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", root_of(n, pid));
    ssize_t root_size = read_link(link, root, sizeof root);
    if (dir == AT_FDCWD)
        (void)snprintf(link, sizeof link, "/proc/%u/cwd", pid);
    else
        (void)snprintf(link, sizeof link, "/proc/%u/fd/%d", pid, dir);
    if (root_size < 0 || read_link(link, ret, size) < 0)
        return false;
    if (root_size > 1 && str_starts(ret, root) && (ret[root_size] == '/' || ret[root_size] == '\0'))
        memmove(ret, ret + root_size, strlen(ret + root_size) + 1);
    return true;
}

bool caller_file_flags(struct notify *n, uint32_t pid, int dir, const char *path, uint32_t *ret)
{
    struct stat st;
    struct statvfs fs;
    *ret = 0;
    cleanup(closep) int fd = open_named(n, pid, dir, path);
    if (fd < 0)
        return fd != -ENOENT && fd != -ENOTDIR;
    if (fstat(fd, &st) < 0 || fstatvfs(fd, &fs) < 0)
        return true;
    if (!(fs.f_flag & ST_RDONLY))
        *ret |= WATCH_WRITABLE_PLACE;
    if (S_ISREG(st.st_mode) && (st.st_mode & (S_ISUID | S_ISGID)))
        *ret |= WATCH_SETUID_FILE;
    return true;
}
