/* How this works: the parent blocks its signals and reads them from a signalfd, so that one poll() sees signals, dead
 * children and the service's requests. It keeps two descriptors. Nothing in it allocates after the fork. */
#include "daemon/parent.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "base/message.h"

#include "base/clock.h"
#include "base/kernel.h"
#include "base/parse.h"
#include "daemon/belongings.h"
#include "daemon/capabilities.h"

#define MAX_LAUNCHERS     4
#define STARTS_PER_SECOND 8
#define LAST_WORDS_MS     5000 /* for launchers that still remove what they made */

struct reply {
    int32_t code, pid; /* 0 and the launcher's pid, with its socket; or -errno */
};

/* --- who ------------------------------------------------------------------------------------------ */

struct identity {
    const char *name; /* NULL: a number, without groups of its own */
    const char *home;
    uint32_t uid, gid;
};

static int bad_user(const char *user, const char *why, struct error *err)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, "USER", "--user %s: %s", user, why);
    return err_remedy(err, "name an ordinary user (adduser --system --group %s makes one), or UID:GID", PARENT_USER);
}

static int by_number(const char *user, struct identity *ret, struct error *err)
{
    char text[24];
    uint64_t uid, gid;
    size_t n = strcspn(user, ":");
    if (n >= sizeof text)
        return bad_user(user, "no such user", err);
    memcpy(text, user, n);
    text[n] = '\0';
    if (parse_u64(text, &uid) < 0 || uid >= UINT32_MAX)
        return bad_user(user, "no such user", err);
    gid = uid;
    if (user[n] && (parse_u64(user + n + 1, &gid) < 0 || gid >= UINT32_MAX))
        return bad_user(user, "a group is a number here", err);
    *ret = (struct identity){ .home = "/", .uid = (uint32_t)uid, .gid = (uint32_t)gid };
    return 0;
}

static int find_identity(const char *user, struct identity *ret, struct error *err)
{
    char number[16];
    struct passwd *w = getpwnam(user ? user : PARENT_USER); /* before there are threads */
    if (w) {
        *ret = (struct identity){ .name = w->pw_name, .home = w->pw_dir, .uid = w->pw_uid, .gid = w->pw_gid };
    } else {
        (void)snprintf(number, sizeof number, "%u", PARENT_UID);
        if (!user && getpwuid(PARENT_UID))
            return bad_user(
                number, "there is no user " PARENT_USER ", and the number for that case belongs to a user here", err);
        int e = by_number(user ? user : number, ret, err);
        if (e < 0)
            return e;
    }
    return ret->uid == 0 || ret->gid == 0 ? bad_user(user ? user : PARENT_USER, "the service is never root", err) : 0;
}

/* --- the child: the service ------------------------------------------------------------------------ */

static int drop_capabilities(void)
{
    struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[2] = { { 0 } };
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &h, none) < 0 ? -errno : 0;
}

static int become(const struct identity *who, pid_t parent, struct error *err)
{
    const char *failed = NULL;
    capabilities_bound(0);
    if ((who->name ? initgroups(who->name, who->gid) : setgroups(0, NULL)) < 0)
        failed = "set groups";
    else if (setresgid(who->gid, who->gid, who->gid) < 0 || setresuid(who->uid, who->uid, who->uid) < 0)
        failed = "set ids";
    else if (drop_capabilities() < 0 || setresuid(-1, 0, -1) == 0)
        failed = "give up root";
    else if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        failed = "no_new_privs";
    else if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent) /* after the ids: changing them clears it */
        failed = "stay with the parent";
    if (failed) {
        (void)err_set(err, errno ? -errno : -ESRCH, BLAME_HOST, "USER", "become uid %u: %s: %m", (unsigned)who->uid,
                      failed);
        return err_remedy(err, "root lacks a capability here: start sandboxd as an ordinary user instead");
    }
    (void)setenv("HOME", who->home, 1); /* nothing of ours or our children's looks for files at root's home */
    (void)unsetenv("XDG_CONFIG_HOME"), (void)unsetenv("XDG_STATE_HOME"), (void)unsetenv("XDG_CACHE_HOME"),
        (void)unsetenv("XDG_RUNTIME_DIR");
    return 0;
}

int parent_launcher(int parent_fd, int *ret_sock, int *ret_pid, struct error *err)
{
    struct reply r = { .code = -EPIPE };
    int pair[2];
    ssize_t n;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "LAUNCHER", "socketpair: %m");
    n = send_message(parent_fd, "L", 1, &pair[1], 1);
    (void)close(pair[1]);
    while (n >= 0 && (n = recv(parent_fd, &r, sizeof r, 0)) < 0 && errno == EINTR)
        n = 0;
    if (n == (ssize_t)sizeof r && r.code == 0) {
        *ret_sock = pair[0];
        *ret_pid = r.pid;
        return 0;
    }
    (void)close(pair[0]);
    bool was_refused = n == (ssize_t)sizeof r;
    return err_set(err, was_refused ? r.code : -EPIPE, BLAME_HOST, "LAUNCHER", "root's sandboxd starts no launcher: %s",
                   was_refused ? strerror(-r.code) : "it has ended");
}

/* --- the parent ------------------------------------------------------------------------------------ */

enum { FD_SERVICE = 3, FD_SIGNALS, FD_FIRST_FREE };

struct parent {
    const char *launcher;
    pid_t service, launchers[MAX_LAUNCHERS];
    uint32_t uid, gid; /* the service's */
    int status;        /* of the service, once it has ended */
    bool is_over;
    uint64_t second;
    unsigned starts;
};

static pid_t spawn(const char *launcher, int sock)
{
    char *const argv[] = { (char *)"sandbox-launcher", NULL }, *const envp[] = { NULL };
    pid_t pid = vfork();
    if (pid == 0) {
        if (dup2(sock, 3) == 3) /* FD_SERVICE is close-on-exec, and this replaces it in the child only */
            (void)execve(launcher, argv, envp);
        _exit(125);
    }
    return pid < 0 ? -errno : pid;
}

/* The launcher asks its socket whose it is, and opens volumes with that user's rights (launch/rights.c): so it must be
 * one that the service itself made. */
static bool is_services(const struct parent *p, int sock)
{
    struct ucred who;
    socklen_t size = sizeof who;
    return is_message_socket(sock) && getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
           who.uid == p->uid && who.gid == p->gid;
}

static int start_launcher(struct parent *p, int sock)
{
    size_t slot = 0;
    uint64_t now = clock_ms() / 1000;
    p->starts = now == p->second ? p->starts + 1 : 1;
    p->second = now;
    while (slot < MAX_LAUNCHERS && p->launchers[slot])
        slot++;
    if (!p->launcher || slot == MAX_LAUNCHERS || p->starts > STARTS_PER_SECOND)
        return -EAGAIN;
    if (!is_services(p, sock))
        return -EPERM;
    if (access(p->launcher, X_OK) < 0)
        return -errno;
    pid_t pid = spawn(p->launcher, sock);
    if (pid > 0)
        p->launchers[slot] = pid;
    return pid;
}

/* Safe even if the service is owned: what it says is not looked at, and of what it sends only a socket of its own is
 * taken. False: it is gone, or does not read its answers. */
static bool on_request(struct parent *p)
{
    char any[8];
    size_t count = 0;
    cleanup(closep) int sock = -1;
    ssize_t n = receive_message(FD_SERVICE, any, sizeof any, &sock, 1, &count);
    if (n <= 0)
        return n == -EAGAIN || n == -EINTR;
    int pid = count == 1 ? start_launcher(p, sock) : -EBADMSG;
    struct reply r = { .code = MIN_OF(pid, 0), .pid = MAX_OF(pid, 0) };
    return send(FD_SERVICE, &r, sizeof r, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof r;
}

static void reap(struct parent *p)
{
    int status;
    for (pid_t pid;
         (pid = waitpid(-1, &status, WNOHANG)) > 0;) { /* as process 1 of a container orphans are ours, too */
        if (pid == p->service) {
            p->is_over = true;
            p->status = status;
        }
        for (size_t i = 0; i < MAX_LAUNCHERS; i++)
            if (p->launchers[i] == pid)
                p->launchers[i] = 0;
    }
}

static void on_signals(struct parent *p)
{
    struct signalfd_siginfo s;
    while (read(FD_SIGNALS, &s, sizeof s) == (ssize_t)sizeof s) {
        if (s.ssi_signo == SIGCHLD)
            reap(p);
        else if (!p->is_over && s.ssi_code != SI_KERNEL) /* what a terminal sends, the service gets itself */
            (void)kill(p->service, (int)s.ssi_signo);
    }
}

static bool has_launchers(const struct parent *p)
{
    for (size_t i = 0; i < MAX_LAUNCHERS; i++)
        if (p->launchers[i])
            return true;
    return false;
}

static _Noreturn void watch(struct parent *p)
{
    struct pollfd f[2] = { { .fd = FD_SIGNALS, .events = POLLIN }, { .fd = FD_SERVICE, .events = POLLIN } };
    uint64_t until = 0;
    while (!p->is_over || (has_launchers(p) && clock_ms() < until)) {
        int n = poll(f, 2, p->is_over ? 100 : -1);
        if (n > 0 && f[0].revents)
            on_signals(p);
        if (n > 0 && f[1].revents && !on_request(p))
            f[1].fd = -1;
        if (p->is_over && !until)
            until = clock_ms() + LAST_WORDS_MS;
    }
    _exit(WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 128 + WTERMSIG(p->status));
}

static _Noreturn void be_parent(const struct parent_options *o, const struct identity *who, pid_t service, int sock,
                                const sigset_t *signals)
{
    struct parent p = { .launcher = o->launcher, .service = service, .uid = who->uid, .gid = who->gid };
    int high_sock = fcntl(sock, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    int high_signals = fcntl(signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK), F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    (void)prctl(PR_SET_NAME, "sandboxd-parent");
    if (dup3(high_sock, FD_SERVICE, O_CLOEXEC) < 0 || dup3(high_signals, FD_SIGNALS, O_CLOEXEC) < 0) {
        (void)kill(service, SIGKILL);
        _exit(125);
    }
    (void)sys_close_range(FD_FIRST_FREE, ~0u); /* a listening socket kept here would outlive the service's closing it */
    capabilities_bound(CAPABILITIES_LAUNCHER);
    watch(&p);
}

/* --- both ------------------------------------------------------------------------------------------- */

static int give_directories(const struct parent_options *o, const struct identity *who, struct error *err)
{
    for (size_t i = 0; i < PARENT_MAX_DIRS && o->dirs[i].path; i++) {
        unsigned taken;
        int e = belongings_give(o->dirs[i].path, o->dirs[i].mode, who->uid, who->gid, &taken, err);
        if (e < 0)
            return e;
        if (taken)
            (void)fprintf(stderr, "sandboxd: %s and the %u files in it, which were root's, belong to %s (uid %u) now\n",
                          o->dirs[i].path, taken, who->name ? who->name : "the service", (unsigned)who->uid);
    }
    return 0;
}

int parent_split(const struct parent_options *o, int *ret_parent_fd, struct error *err)
{
    struct identity who = { 0 };
    int pair[2];
    sigset_t signals, before;
    int e = find_identity(o->user, &who, err);
    if (e == 0)
        e = give_directories(o, &who, err);
    if (e < 0)
        return e;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "USER", "socketpair: %m");
    (void)sigemptyset(&signals);
    static const int ours[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        (void)sigaddset(&signals, ours[i]);
    (void)sigprocmask(SIG_BLOCK, &signals,
                      &before); /* before the fork: a SIGTERM meanwhile is the service's, by way of us */
    (void)fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid > 0)
        be_parent(o, &who, pid, pair[0], &signals);
    (void)close(pair[0]);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    e = pid < 0 ? err_set(err, -errno, BLAME_HOST, "USER", "fork: %m") : become(&who, parent, err);
    if (e < 0) {
        (void)close(pair[1]);
        return e;
    }
    *ret_parent_fd = pair[1];
    return 0;
}

/* systemd's variables may name several directories; ours have one each. */
static const char *own_directory(const char *variable, const char *otherwise)
{
    const char *path = getenv(variable);
    return path && path[0] == '/' && !strchr(path, ':') ? path : otherwise;
}

int parent_paths(struct arena *a, struct paths *ret)
{
    int e = paths_find(a, ret);
    if (e < 0)
        return e;
    const bool is_root = geteuid() == 0;
    if (is_root) {
        ret->state = "/var/lib/sandbox-agent";
        ret->cache = "/var/cache/sandboxd";
        ret->log = "/var/lib/sandbox-agent/log";
        ret->user_config = NULL;
    }
    ret->state = own_directory("STATE_DIRECTORY", ret->state);
    ret->cache = own_directory("CACHE_DIRECTORY", ret->cache);
    ret->log = own_directory("LOGS_DIRECTORY", ret->log);
    return 0;
}

int parent_become(const char *user, struct error *err)
{
    struct identity who;
    int e = find_identity(user, &who, err);
    return e < 0 ? e : become(&who, getppid(), err);
}
