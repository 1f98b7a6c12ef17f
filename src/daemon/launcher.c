/* How this works: the keeper, a thread of its own, waits for the end of the owner's connection, which is the launcher's
 * death, of any parent; nothing else is ever read from it. It reaps, pauses, starts the next one, and wakes those
 * who wait for a connection. Everything that changes is guarded by one lock, which the keeper does not hold while it
 * starts a launcher or waits. */
#include "daemon/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/wait.h"
#include "base/unix_socket.h"
#include "daemon/parent.h"

#define LIVED_LONG_MS 10000 /* after that, a death is no failure to start */
#define REAP_STEP_US  10000
#define REAP_STEPS    500 /* 5 s for one that still removes cgroups */

static const int pauses_ms[] = { 0, 100, 500, 1000, 2000, 5000 };

struct launcher {
    struct launcher_options options; /* strings owned */
    pthread_t keeper;
    int stop; /* eventfd: launcher_close() */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* is_alive became true; CLOCK_MONOTONIC */
    struct client owner;    /* sock -1: none */
    bool is_alive;
    uint64_t generation, since_ms;
    size_t failures; /* deaths of young ones and failed starts in a row */
    struct client idle[LAUNCHER_MAX_IDLE];
    size_t idle_count;
};

/* --- starting and ending one ------------------------------------------------------------------------ */

static int connect_to(const char *path, int *ret, struct error *err)
{
    cleanup(closep) int fd = unix_connect(path, SOCK_SEQPACKET);
    if (fd == -ENAMETOOLONG)
        return err_set(err, fd, BLAME_CALLER, "LAUNCHER", "%s: a socket's path has at most %u bytes", path,
                       UNIX_SOCKET_PATH_MAX);
    if (fd < 0) {
        (void)err_set(err, fd, BLAME_HOST, "LAUNCHER", "%s: %s", path, strerror(-fd));
        return err_remedy(err, "is sandbox-launcher.socket active, and does it belong to the user of this service?");
    }
    *ret = TAKE_FD(fd);
    return 0;
}

static int start(const struct launcher *l, struct client *ret, struct error *err)
{
    *ret = (struct client){ .sock = -1 };
    if (l->options.program)
        return client_start_resident(ret, l->options.program, err);
    if (l->options.socket)
        return connect_to(l->options.socket, &ret->sock, err);
    return parent_launcher(l->options.parent_fd, &ret->sock, &ret->pid, err);
}

/* Our own child only. It ends when the connection does; one that does not is killed. */
static void reap(const struct launcher *l, int pid, char *why, size_t size)
{
    int status = 0;
    pid_t got = 0;
    (void)snprintf(why, size, "its connection has ended");
    if (!l->options.program || pid <= 0)
        return;
    for (int i = 0; i < REAP_STEPS && (got = waitpid(pid, &status, WNOHANG)) == 0; i++)
        (void)usleep(REAP_STEP_US);
    if (got == 0) {
        (void)kill(pid, SIGKILL);
        got = waitpid(pid, &status, 0);
    }
    if (got == pid && WIFSIGNALED(status))
        (void)snprintf(why, size, "killed by signal %d", WTERMSIG(status));
    else if (got == pid)
        (void)snprintf(why, size, "it ended with status %d", WEXITSTATUS(status));
}

static void drop_idle(struct launcher *l)
{
    while (l->idle_count)
        client_stop(&l->idle[--l->idle_count]);
}

/* --- the keeper ---------------------------------------------------------------------------------------- */

static void tell(const struct launcher *l, bool is_bad, const char *text)
{
    if (l->options.tell)
        l->options.tell(l->options.context, is_bad, text);
}

/* A launcher of systemd's has a pid that we are not told. */
static const char *pid_of(int pid, char out[static 32])
{
    out[0] = '\0';
    if (pid > 0)
        (void)snprintf(out, 32, " (pid %d)", pid);
    return out;
}

/* True: stop. */
static bool wait_for_stop(const struct launcher *l, int owner, int timeout_ms)
{
    struct pollfd f[2] = { { .fd = l->stop, .events = POLLIN },
                           { .fd = owner, .events = 0 } }; /* POLLHUP always counts */
    while (poll(f, 2, timeout_ms) < 0 && errno == EINTR)
        ;
    return f[0].revents != 0;
}

static void bury(struct launcher *l)
{
    char why[80], text[200], who[32];
    (void)pthread_mutex_lock(&l->lock);
    const int pid = l->owner.pid;
    const uint64_t lived_ms = clock_ms() - l->since_ms;
    l->is_alive = false;
    client_stop(&l->owner);
    drop_idle(l);
    l->failures = lived_ms >= LIVED_LONG_MS ? 0 : l->failures;
    (void)pthread_mutex_unlock(&l->lock);
    reap(l, pid, why, sizeof why);
    (void)snprintf(text, sizeof text, "%s%s is gone after %llu ms: %s; its runs end as sandbox_error", l->options.name,
                   pid_of(pid, who), (unsigned long long)lived_ms, why);
    tell(l, true, text);
}

static void install(struct launcher *l, const struct client *fresh)
{
    (void)pthread_mutex_lock(&l->lock);
    l->owner = *fresh;
    l->is_alive = true;
    l->generation++;
    l->since_ms = clock_ms();
    (void)pthread_cond_broadcast(&l->changed);
    (void)pthread_mutex_unlock(&l->lock);
}

static void revive(struct launcher *l)
{
    struct client fresh;
    struct error err = { 0 };
    char text[600], who[32];
    int e = start(l, &fresh, &err);
    l->failures = MIN_OF(l->failures + 1, ARRAY_LEN(pauses_ms) - 1); /* until it has lived long */
    if (e == 0)
        install(l, &fresh);
    if (e == 0)
        (void)snprintf(text, sizeof text, "%s: a new one%s is there", l->options.name, pid_of(fresh.pid, who));
    else
        (void)snprintf(text, sizeof text, "%s: no new one, next try in %d ms: %s", l->options.name,
                       pauses_ms[l->failures], err.text);
    tell(l, e < 0, text);
}

static void *keep(void *arg)
{
    struct launcher *l = arg;
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL); /* the service's signals are for others */
    while (!wait_for_stop(l, l->owner.sock, l->is_alive ? -1 : pauses_ms[l->failures])) {
        if (l->is_alive) /* only this thread changes it */
            bury(l);
        else
            revive(l);
    }
    return NULL;
}

/* --- connections --------------------------------------------------------------------------------------------- */

/* Nothing comes on an idle connection: bytes are the rest of a run that went wrong, the end is its launcher's. */
static bool is_quiet(const struct client *connection)
{
    struct pollfd f = { .fd = connection->sock, .events = POLLIN };
    return connection->sock >= 0 && poll(&f, 1, 0) == 0;
}

static bool take_idle(struct launcher *l, struct client *ret)
{
    while (l->idle_count) {
        *ret = l->idle[--l->idle_count];
        if (is_quiet(ret))
            return true;
        client_stop(ret);
    }
    return false;
}

static int no_launcher(const struct launcher *l, struct error *err)
{
    (void)err_set(err, -EAGAIN, BLAME_HOST, "LAUNCHER", "there is no %s now", l->options.name);
    return err_remedy(err, "try again in a moment; the service's log says why it could not be started");
}

/* One from the launcher that lives. 1: it takes none; *why says what it is that we lack ourselves, if it is that. */
static int connect_alive(struct launcher *l, struct client *ret, struct error *why)
{
    struct error e = { 0 };
    if (take_idle(l, ret) || client_connection(&l->owner, ret, &e) == 0)
        return 0;
    if (e.code == -EPIPE || e.code == -ECONNRESET)
        return 1; /* it has died, which its keeper has not seen yet */
    *why = e;
    return e.code;
}

int launcher_connection(struct launcher *l, struct client *ret, struct error *err)
{
    const uint64_t until_ms = clock_ms() + LAUNCHER_PATIENCE_MS;
    uint64_t failed = 0; /* generation that took no connection: its death has not been seen yet */
    int e = 1;
    *ret = (struct client){ .sock = -1 };
    (void)pthread_mutex_lock(&l->lock);
    while (e > 0) {
        if (l->is_alive && l->generation != failed && (e = connect_alive(l, ret, err)) > 0)
            failed = l->generation;
        if (e > 0 && !wait_until(&l->changed, &l->lock, until_ms))
            e = no_launcher(l, err);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

void launcher_return(struct launcher *l, struct client *connection, bool is_good)
{
    (void)pthread_mutex_lock(&l->lock);
    if (is_good && l->is_alive && l->idle_count < l->options.idle_connections && is_quiet(connection)) {
        free(connection->message); /* 160 KiB that the next run may not need */
        connection->message = NULL;
        l->idle[l->idle_count++] = *connection;
        *connection = (struct client){ .sock = -1 };
    }
    (void)pthread_mutex_unlock(&l->lock);
    client_stop(connection);
}

/* --- looking ------------------------------------------------------------------------------------------- */

#define LOCKED(l, expression)                         \
    ({                                                \
        (void)pthread_mutex_lock(&(l)->lock);         \
        __typeof__(expression) value_ = (expression); \
        (void)pthread_mutex_unlock(&(l)->lock);       \
        value_;                                       \
    })

bool launcher_is_alive(struct launcher *l)
{
    return LOCKED(l, l->is_alive);
}

uint64_t launcher_restarts(struct launcher *l)
{
    return LOCKED(l, l->generation - 1);
}

uint64_t launcher_idle(struct launcher *l)
{
    return LOCKED(l, (uint64_t)l->idle_count);
}

int launcher_pid(struct launcher *l)
{
    return LOCKED(l, l->is_alive ? MAX_OF(l->owner.pid, 0) : 0);
}

/* --- life ------------------------------------------------------------------------------------------------ */

static struct launcher *launcher_free(struct launcher *l)
{
    closep(&l->stop);
    free((char *)l->options.program);
    free((char *)l->options.socket);
    (void)pthread_mutex_destroy(&l->lock);
    (void)pthread_cond_destroy(&l->changed);
    free(l);
    return NULL;
}

static int copy_options(struct launcher *l, const struct launcher_options *o)
{
    l->options = *o;
    l->options.name = o->name ? o->name : "sandbox-launcher";
    l->options.idle_connections = MIN_OF(o->idle_connections, LAUNCHER_MAX_IDLE);
    l->options.program = o->program ? strdup(o->program) : NULL;
    l->options.socket = o->socket ? strdup(o->socket) : NULL;
    bool is_whole = !o->program == !l->options.program && !o->socket == !l->options.socket;
    return is_whole && (l->stop = eventfd(0, EFD_CLOEXEC)) >= 0 ? 0 : -ENOMEM;
}

static void init_lock(struct launcher *l)
{
    (void)pthread_mutex_init(&l->lock, NULL);
    wait_init(&l->changed);
}

int launcher_open(const struct launcher_options *o, struct launcher **ret, struct error *err)
{
    struct client first;
    struct launcher *l = calloc(1, sizeof *l);
    if (!l)
        return err_set(err, -ENOMEM, BLAME_HOST, "LAUNCHER", "no memory");
    l->owner.sock = l->stop = -1;
    init_lock(l);
    int e = copy_options(l, o);
    if (e < 0)
        (void)err_set(err, e, BLAME_HOST, "LAUNCHER", "no memory or descriptors");
    else
        e = start(l, &first, err);
    if (e == 0) {
        install(l, &first);
        int failed = pthread_create(&l->keeper, NULL, keep, l);
        if (failed) {
            char why[80];
            client_stop(&l->owner);
            reap(l, first.pid, why, sizeof why);
            e = err_set(err, -failed, BLAME_HOST, "LAUNCHER", "start a thread: %s", strerror(failed));
        }
    }
    if (e < 0) {
        (void)launcher_free(l);
        return e;
    }
    *ret = l;
    return 0;
}

struct launcher *launcher_close(struct launcher *l)
{
    char why[80];
    const uint64_t one = 1;
    if (!l)
        return NULL;
    (void)!write(l->stop, &one, sizeof one); /* an eventfd that is nearly empty takes it */
    (void)pthread_join(l->keeper, NULL);
    const int pid = l->is_alive ? l->owner.pid : 0;
    drop_idle(l);
    client_stop(&l->owner);
    reap(l, pid, why, sizeof why);
    return launcher_free(l);
}
