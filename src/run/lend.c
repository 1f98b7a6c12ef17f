#include "run/lend.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "base/io.h"
#include "base/kernel.h"
#include "base/message.h"
#include "base/unix_socket.h"
#include "base/parse.h"

#define STATUS_MAX 16384u /* of /proc/PID/status, which grows with processors, memory nodes and groups */

/* --- where ------------------------------------------------------------------------------------------------- */

static bool is_own_place(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

const char *lend_path(char *out, size_t size)
{
    const char *dir = getenv("XDG_RUNTIME_DIR");
    if (geteuid() == 0 || !dir || *dir != '/' || !is_own_place(dir))
        return NULL;
    const int n = snprintf(out, size, "%s/sandbox-agent-lends", dir);
    return n < (int)size ? out : NULL;
}

/* --- what a launcher would be ---------------------------------------------------------------------------------- */

static void add_file(struct buf *b, const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        (void)buf_addf(b, "%s -\n", path);
    else
        (void)buf_addf(b, "%s %llu:%llu %lld.%09ld\n", path, (unsigned long long)st.st_dev,
                       (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Which one it is; its time changes whenever a name in it does. */
static void add_root(struct buf *b)
{
    struct stat st;
    if (stat("/", &st) == 0)
        (void)buf_addf(b, "/ %llu:%llu\n", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
}

static void add_namespaces(struct buf *b)
{
    static const char *const paths[] = { "/proc/self/ns/mnt", "/proc/self/ns/net", "/proc/self/ns/pid_for_children",
                                         "/proc/self/ns/time_for_children", "/proc/self/ns/user" };
    struct stat st;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        (void)buf_addf(b, "%s %llu\n", paths[i], stat(paths[i], &st) < 0 ? 0ULL : (unsigned long long)st.st_ino);
}

/* But RLIMIT_NOFILE's soft one, which a launcher raises by itself. */
static void add_limits(struct buf *b)
{
    struct rlimit r;
    for (int i = 0; i < (int)RLIM_NLIMITS; i++)
        if (getrlimit(i, &r) == 0)
            (void)buf_addf(b, "%d %llu %llu\n", i, i == RLIMIT_NOFILE ? 0ULL : (unsigned long long)r.rlim_cur,
                           (unsigned long long)r.rlim_max);
    (void)buf_addf(b, "nice %d, personality %x\n", getpriority(PRIO_PROCESS, 0), (unsigned)personality(0xffffffff));
}

/* How the kernel schedules, places and guards what one starts, where neither /proc/self/status nor a limit says it. */
static void add_manners(struct buf *b)
{
    int policy = 0;
    unsigned long nodes[16] = { 0 }; /* 1024 of them, as many as a kernel is built for */
    unsigned long long cookie = 0;
    struct sched_param p = { 0 };
    (void)syscall(SYS_sched_getparam, 0, &p); /* of musl's the functions are stubs */
    (void)buf_addf(b, "scheduled %ld %d, io %ld\n", syscall(SYS_sched_getscheduler, 0), p.sched_priority,
                   syscall(SYS_ioprio_get, 1 /* of a process */, 0));
    (void)buf_addf(b, "slack %d, writable or executable %d\n", prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0),
                   prctl(PR_GET_MDWE, 0, 0, 0, 0));
    if (syscall(SYS_get_mempolicy, &policy, nodes, sizeof nodes * 8, NULL, 0) == 0)
        (void)buf_addf(b, "memory %d", policy);
    for (size_t i = 0; i < ARRAY_LEN(nodes); i++)
        if (nodes[i])
            (void)buf_addf(b, " %zu:%lx", i, nodes[i]);
    if (prctl(PR_SCHED_CORE, PR_SCHED_CORE_GET, 0, 0 /* of this thread */, &cookie) < 0)
        cookie = 0;
    (void)buf_addf(b, "\ncore %llx\n", cookie);
}

/* -> bytes; -1: it cannot be read, or there is more of it */
static ssize_t read_text(const char *path, char *out, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    size_t have = 0;
    while (n > 0 && have < size && (n = read(fd, out + have, size - have)) > 0)
        have += (size_t)n;
    const bool is_whole = n == 0 && have < size;
    out[is_whole ? have : 0] = '\0';
    return is_whole ? (ssize_t)have : -1;
}

/* What others' filters refuse cannot be read, only how many there are. That they are the same for both is certain where
 * there are none, or only those that all of this pid namespace have from its first process. */
static bool has_only_common_filters(const char *status)
{
    static const char name[] = "\nSeccomp_filters:";
    char first[STATUS_MAX];
    const char *ours = strstr(status, name), *common;
    if (strstr(status, "\nSeccomp:\t0\n"))
        return true;
    if (!ours || read_text("/proc/1/status", first, sizeof first) <= 0 || !(common = strstr(first, name)))
        return false;
    const size_t size = strcspn(ours + 1, "\n") + 2; /* with both ends of the line */
    return strncmp(ours, common, size) == 0;
}

/* Of /proc/self/status, the lines that say who one is and where one may run. */
static int add_status(struct buf *b)
{
    static const char *const names[] = {
        "Uid:",     "Gid:",          "Groups:",       "NoNewPrivs:", "Seccomp_filters:", "Cap",
        "Seccomp:", "Cpus_allowed:", "Mems_allowed:", "Speculation", "THP_enabled:",
    };
    char text[STATUS_MAX], *rest = text;
    if (read_text("/proc/self/status", text, sizeof text) <= 0)
        return -ENOENT;
    if (!has_only_common_filters(text))
        return -EPERM;
    for (char *line; (line = strsep(&rest, "\n"));)
        for (size_t i = 0; i < ARRAY_LEN(names); i++)
            if (str_starts(line, names[i]))
                (void)buf_addf(b, "%s\n", line);
    return 0;
}

int lend_surroundings(const char *launcher, struct buf *ret)
{
    char label[256];
    add_file(ret, launcher);
    add_root(ret);
    add_namespaces(ret);
    add_limits(ret);
    add_manners(ret);
    (void)read_text("/proc/self/attr/current", label, sizeof label);
    (void)buf_addf(ret, "label %s\n", label);
    const int e = add_status(ret);
    return ret->failed ? -E2BIG : e;
}

/* --- who the other one is ---------------------------------------------------------------------------------------- */

int lend_oom_score(int pid)
{
    char path[64], text[32];
    uint64_t score;
    (void)snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
    if (read_text(path, text, sizeof text) <= 0)
        return LEND_NO_SCORE;
    text[strcspn(text, "\n")] = '\0';
    const bool is_negative = text[0] == '-';
    if (parse_u64(text + is_negative, &score) < 0 || score > 1000)
        return LEND_NO_SCORE;
    return is_negative ? -(int)score : (int)score;
}

int lend_peer(int sock)
{
    char path[64];
    struct stat st;
    struct ucred peer = { 0 };
    socklen_t size = sizeof peer;
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.uid != geteuid() || peer.pid <= 0)
        return -1;
    (void)snprintf(path, sizeof path, "/proc/%d/ns/user", peer.pid);
    return stat(path, &st) == 0 ? peer.pid : -1;
}

/* --- asking ------------------------------------------------------------------------------------------------- */

size_t lend_places(struct instance *i, const struct lend_wish *w, int *places[static LEND_FDS_MAX])
{
    size_t n = 0;
    places[n++] = &i->client.sock;
    places[n++] = &i->out[0];
    places[n++] = &i->out[1];
    places[n++] = &i->input;
    if (w->reports)
        places[n++] = &i->reports;
    if (w->workspace)
        places[n++] = &i->workspace;
    if (w->events)
        places[n++] = &i->events;
    return n;
}

static int connect_to(const char *path)
{
    cleanup(closep) int sock = unix_connect(path, SOCK_SEQPACKET | SOCK_NONBLOCK);
    return sock >= 0 && lend_peer(sock) > 0 ? TAKE_FD(sock) : -1;
}

/* -> bytes; 0: no answer in time, or none at all */
static ssize_t answer(int sock, void *out, size_t size, int *fds, size_t max, size_t *ret_count)
{
    struct pollfd f = { .fd = sock, .events = POLLIN };
    *ret_count = 0;
    const ssize_t n = poll(&f, 1, LEND_PATIENCE_MS) == 1 ? receive_message(sock, out, size, fds, max, ret_count) : 0;
    return MAX_OF(n, 0);
}

int lend_begin(const char *launcher)
{
    char path[256];
    struct buf text;
    if (!lend_path(path, sizeof path))
        return -1;
    cleanup(closep) int sock = connect_to(path);
    if (sock < 0)
        return -1;
    buf_init(&text, LEND_TEXT_MAX);
    const bool is_told = lend_surroundings(launcher, &text) == 0 &&
                         send_message(sock, text.data, text.size, NULL, 0) == 0;
    buf_done(&text);
    return is_told ? TAKE_FD(sock) : -1;
}

bool lend_end(int lender, const char *launcher, struct client *ret)
{
    char word[8] = "";
    int got = -1;
    size_t count;
    const ssize_t n = answer(lender, word, sizeof word - 1, &got, 1, &count);
    cleanup(closep) int fd = got;
    if (n <= 0 || count != 1 || !str_eq(word, LEND_YES) || !is_message_socket(fd))
        return false;
    *ret = (struct client){ .sock = TAKE_FD(fd) };
    (void)snprintf(ret->name, sizeof ret->name, "%s", strrchr(launcher, '/') + 1);
    return true;
}

/* In a file: with a guard it is more than a message holds. */
static int put_recipe(const struct recipe *r)
{
    cleanup(closep) int fd = memfd_create("recipe", MFD_CLOEXEC);
    return fd < 0 || write_all(fd, r->bytes.data, r->bytes.size) < 0 ? -1 : TAKE_FD(fd);
}

static bool ask(int lender, const struct lend_wish *w, int recipe, struct instance *ret)
{
    int fds[LEND_FDS_MAX] = { -1, -1, -1, -1, -1, -1, -1 }, *places[LEND_FDS_MAX];
    struct lend_given given = { 0 };
    size_t count;
    *ret = (struct instance)INSTANCE_NONE;
    const size_t wanted = lend_places(ret, w, places);
    if (send_message(lender, w, sizeof *w, &recipe, 1) < 0)
        return false;
    const bool is_whole = answer(lender, &given, sizeof given, fds, LEND_FDS_MAX, &count) == (ssize_t)sizeof given;
    for (size_t i = 0; i < MIN_OF(count, wanted); i++)
        *places[i] = fds[i];
    for (size_t i = wanted; i < count; i++)
        (void)close(fds[i]);
    ret->tag = given.tag;
    if (is_whole && given.is_there && count == wanted)
        return true;
    instance_close(ret);
    return false;
}

bool lend_claim(int lender, const struct plan *park, struct instance *ret)
{
    struct recipe r;
    bool is_given = false;
    const int e = recipe_make(park, &r);
    struct lend_wish w = { r.guard_at, r.reports, r.workspace, r.events, "" };
    if (e == 0 && snprintf(w.program, sizeof w.program, "%s", park->job.program) < (int)sizeof w.program) {
        cleanup(closep) int fd = put_recipe(&r);
        is_given = fd >= 0 && ask(lender, &w, fd, ret);
    }
    recipe_done(&r);
    return is_given;
}
