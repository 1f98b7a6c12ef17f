/* common.c - all calls but the network's and forks: told, then refused as the plain filter would, or continued. */
#include "notify/caller.h"

#include "base/lever.h"
#include "filter/syscalls.h"

#include <fcntl.h>
#include <sys/socket.h>

/* A family is never performed by us: refused by the plain filter, or within the sandbox's own empty namespace. */
static bool is_network_call(int nr)
{
    return nr == NR_connect || nr == NR_sendto || nr == NR_sendmsg || nr == NR_sendmmsg || nr == NR_bind ||
           nr == NR_listen || nr == NR_setsockopt;
}

static bool is_fork_call(int nr)
{
    return nr >= 0 && (nr == NR_clone || nr == NR_fork || nr == NR_vfork);
}

enum notify_class notify_classify(const struct seccomp_notif *ask)
{
    if (is_network_call(ask->data.nr))
        return NOTIFY_IS_NETWORK;
    return is_fork_call(ask->data.nr) ? NOTIFY_IS_FORK : NOTIFY_IS_OTHER;
}

/* --- execve ---------------------------------------------------------------------------------------- */

#define ARGV_POINTERS 32

void notify_read_argv(uint32_t pid, uint64_t address, char out[static WATCH_ARGV_MAX])
{
    uint64_t pointers[ARGV_POINTERS];
    size_t used = 0;
    out[0] = '\0';
    ssize_t n = notify_read(pid, address, pointers, sizeof pointers);
    if (n < 0) /* the list may end just before a page that is not there */
        n = notify_read(pid, address, pointers, MIN_OF(sizeof pointers, 4096 - (size_t)(address & 4095)));
    for (size_t i = 0; n > 0 && i < (size_t)n / sizeof pointers[0] && pointers[i]; i++) {
        if (used + 2 >= WATCH_ARGV_MAX)
            break;
        if (i)
            out[used++] = WATCH_ARGV_SEPARATOR;
        ssize_t length = notify_read_string(pid, pointers[i], out + used, WATCH_ARGV_MAX - used);
        if (length < 0)
            break;
        used += (size_t)length;
    }
    out[used] = '\0';
}

static void on_exec(struct notify *n, const struct seccomp_notif *ask)
{
    char path[WATCH_TEXT_MAX], argv[WATCH_ARGV_MAX];
    bool is_at = ask->data.nr == NR_execveat;
    int dir = is_at ? (int)ask->data.args[0] : AT_FDCWD;
    struct watch_event e = notify_event(n, ask, WATCH_EXEC);
    if (notify_read_string(ask->pid, ask->data.args[is_at], path, sizeof path) < 0)
        path[0] = '\0'; /* the kernel will say EFAULT */
    notify_read_argv(ask->pid, ask->data.args[is_at + 1], argv);
    if (!caller_file_flags(n, ask->pid, dir, path, &e.flags))
        e.error = ENOENT; /* execvp(3) tries each directory of PATH; the kernel will say so */
    if (n->watch & NOTIFY_STDIO) {
        caller_streams(ask->pid, &e);
    }
    e.text = path;
    e.argv = argv;
    if (notify_is_alive(n, ask->id))
        notify_tell(n, &e);
    notify_continue(n, ask->id);
}

void notify_first_exec(struct notify *n, const struct seccomp_notif *ask, const struct strlist *words,
                       const char *program, const struct watch_event *streams)
{
    char argv[WATCH_ARGV_MAX] = "";
    size_t used = 0;
    struct watch_event e = notify_event(n, ask, WATCH_EXEC);
    STRLIST_FOREACH(word, words)
    {
        size_t length = strlen(word);
        if (used + length + 2 > sizeof argv)
            break;
        if (used)
            argv[used++] = WATCH_ARGV_SEPARATOR;
        memcpy(argv + used, word, length + 1);
        used += length;
    }
    e.text = program;
    e.argv = argv;
    e.stdio0 = streams->stdio0, e.stdio_id0 = streams->stdio_id0;
    e.stdio1 = streams->stdio1, e.stdio_id1 = streams->stdio_id1;
    e.stdio2 = streams->stdio2, e.stdio_id2 = streams->stdio_id2;
    notify_tell(n, &e);
    notify_continue(n, ask->id);
}

/* --- files ------------------------------------------------------------------------------------------- */

/* The path, absolute. */
static void read_path(struct notify *n, const struct seccomp_notif *ask, char out[static WATCH_TEXT_MAX])
{
    const bool is_at = ask->data.nr == NR_openat;
    const size_t base = WATCH_TEXT_MAX / 2;
    size_t used = 0;
    ssize_t size = notify_read_string(ask->pid, ask->data.args[is_at], out + base, WATCH_TEXT_MAX - base);
    if (size > 0 && out[base] != '/' &&
        caller_directory(n, ask->pid, is_at ? (int)ask->data.args[0] : AT_FDCWD, out, base - 1)) {
        used = strlen(out);
        out[used++] = '/';
    } else if (size > 0 && (size_t)size == WATCH_TEXT_MAX - base - 1) { /* may be longer */
        (void)notify_read_string(ask->pid, ask->data.args[is_at], out, WATCH_TEXT_MAX);
        return;
    }
    memmove(out + used, out + base, (size_t)MAX_OF(size, 0));
    out[used + (size_t)MAX_OF(size, 0)] = '\0';
}

/* Without NOTIFY_FILES only what gives privileges is worth an event, and for all else the question's time is all that
 * it costs: who the caller and its parent are is not looked up. */
static void on_open(struct notify *n, const struct seccomp_notif *ask)
{
    char path[WATCH_TEXT_MAX];
    read_path(n, ask, path);
    if (n->watch & NOTIFY_FILES || is_lever(path)) {
        struct watch_event e = notify_event(n, ask, WATCH_FILE);
        e.flags = WATCH_FOR_WRITING;
        e.text = path;
        if (notify_is_alive(n, ask->id)) /* what was read belongs to it */
            notify_tell(n, &e);
    }
    notify_continue(n, ask->id);
}

static bool is_open_call(int nr)
{
    return nr >= 0 && (nr == NR_openat || nr == NR_open || nr == NR_creat);
}

/* --- the rest: registers say it all ------------------------------------------------------------------ */

static void on_call(struct notify *n, const struct seccomp_notif *ask, int error)
{
    struct watch_event e = notify_event(n, ask, ask->data.nr == NR_socket ? WATCH_SOCKET : WATCH_CALL);
    e.error = (uint32_t)error;
    e.verdict = error ? WATCH_REFUSED : WATCH_ALLOWED;
    if (e.kind == WATCH_SOCKET) {
        e.family = (uint8_t)MIN_OF(ask->data.args[0] & UINT32_MAX, (uint64_t)UINT8_MAX);
        e.protocol = (uint8_t)ask->data.args[2];
    }
    notify_tell(n, &e);
    if (error)
        notify_refuse(n, ask->id, error);
    else
        notify_continue(n, ask->id);
}

bool notify_is_last(const struct seccomp_notif *ask)
{
    return (ask->data.nr == NR_exit_group || ask->data.nr == NR_kill) && (uint32_t)ask->data.args[0] == EXIT_LAST;
}

bool notify_common(struct notify *n, const struct seccomp_notif *ask)
{
    int error = notify_verdict(n, ask);
    if (error)
        on_call(n, ask, error);
    else if (notify_classify(ask) != NOTIFY_IS_OTHER)
        return false;
    else if (notify_is_last(ask)) /* nothing worth telling */
        notify_continue(n, ask->id);
    else if (ask->data.nr == NR_execve || ask->data.nr == NR_execveat)
        on_exec(n, ask);
    else if (is_open_call(ask->data.nr))
        on_open(n, ask);
    else
        on_call(n, ask, 0);
    return true;
}
