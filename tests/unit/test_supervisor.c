/* The service's launcher: connections from a real one, and what happens when it dies. */
#include "launcher_world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/un.h>
#include "daemon/launcher.h"
#include "daemon/parent.h"

struct heard {
    _Atomic unsigned good, bad;
};

static void hear(void *context, bool is_bad, const char *text)
{
    struct heard *h = context;
    (void)text;
    if (is_bad)
        h->bad++;
    else
        h->good++;
}

static struct launcher *supervised(struct heard *h, const char *program, const char *socket, int parent)
{
    const struct launcher_options o = {
        .program = program, .socket = socket, .parent_fd = parent, .idle_connections = 4, .tell = hear, .context = h
    };
    struct launcher *l = NULL;
    struct error err = { 0 };
    struct server probe;
    server_ready(&probe); /* or skips: no sandbox works here */
    server_stop(&probe);
    if (launcher_open(&o, &l, &err) < 0)
        test_fail(__FILE__, __LINE__, err.text);
    return l;
}

/* A connection as those tests know it that talk to a launcher of their own. */
static void take(struct launcher *l, struct server *ret)
{
    struct error err = { 0 };
    *ret = (struct server){ .next_tag = 1,
                            .null = open("/dev/null", O_RDWR | O_CLOEXEC),
                            .code = memfd_create("code", MFD_CLOEXEC) };
    if (launcher_connection(l, &ret->client, &err) < 0)
        test_fail(__FILE__, __LINE__, err.text);
}

static void give_back(struct launcher *l, struct server *s, bool is_good)
{
    (void)close(s->null);
    (void)close(s->code);
    launcher_return(l, &s->client, is_good);
    CHECK_EQ(s->client.sock < 0, 1);
}

static void wait_for_restart(struct launcher *l, uint64_t restarts)
{
    for (uint64_t until = clock_ms() + PATIENCE_MS;
         (launcher_restarts(l) < restarts || !launcher_is_alive(l)) && clock_ms() < until;)
        (void)usleep(5000);
    CHECK(launcher_restarts(l) >= restarts && launcher_is_alive(l));
}

TEST(supervised_connections_are_used_again_and_a_spoiled_one_is_not)
{
    struct heard h = { 0 };
    struct launcher *l = supervised(&h, launcher_path(), NULL, -1);
    struct server a, b;
    take(l, &a);
    take(l, &b);
    run_true(&a);
    run_true(&b);
    const int first = a.client.sock;
    give_back(l, &a, true);
    give_back(l, &b, false);
    CHECK_EQ(launcher_idle(l), 1);
    take(l, &a);
    CHECK_EQ(a.client.sock, first);
    run_true(&a);
    struct sample p; /* an answer that nobody took: the next run would read it as its own */
    sample_init(&p, "/bin/true", NULL, NULL);
    (void)send_sample(&a, &p);
    sample_done(&p);
    CHECK(has_answer(&a, PATIENCE_MS));
    give_back(l, &a, true);
    CHECK_EQ(launcher_idle(l), 0);
    CHECK(launcher_close(l) == NULL);
    CHECK_EQ(h.bad, 0);
}

TEST(when_the_launcher_dies_its_runs_end_and_a_new_one_serves_the_next)
{
    struct heard h = { 0 };
    struct launcher *l = supervised(&h, launcher_path(), NULL, -1);
    struct server running, idle, next;
    struct sample p;
    struct error err = { 0 };
    struct outcome o;
    char nap[32];
    take(l, &idle);
    run_true(&idle);
    give_back(l, &idle, true);
    take(l, &running); /* the one that was idle */
    sample_init(&p, "/bin/sleep", some_nap(nap, 1), NULL);
    (void)send_sample(&running, &p);
    sample_done(&p);
    CHECK(becomes(true, nap));
    take(l, &idle);
    run_true(&idle);
    give_back(l, &idle, true);
    const int dead = launcher_pid(l);
    CHECK(dead > 1 && kill(dead, SIGKILL) == 0);
    CHECK_EQ(client_read(&running.client, &o, &err), -EPIPE);
    CHECK(strstr(err.text, "died during the run"));
    CHECK(becomes(false, nap));
    give_back(l, &running, true); /* whatever the caller thinks of it */
    wait_for_restart(l, 1);
    CHECK(launcher_pid(l) != dead && launcher_idle(l) == 0);
    take(l, &next);
    run_true(&next);
    give_back(l, &next, true);
    CHECK(kill(dead, 0) < 0 && errno == ESRCH); /* reaped */
    CHECK(launcher_close(l) == NULL);
    CHECK(h.bad == 1 && h.good == 1); /* the latter is told when it is long at work */
}

static void *ask(void *arg)
{
    for (int i = 0; i < 6; i++) {
        struct server s;
        struct outcome o;
        struct error err = { 0 };
        struct sample p;
        take(arg, &s);
        sample_init(&p, "/bin/true", NULL, NULL);
        const int all[RUN_FD_MAX] = { s.null, s.null, s.null, s.code, s.null, s.null, s.null, s.null };
        bool is_good = client_run(&s.client, 1, &p.shape, &p.job, all, &err) == 0 &&
                       client_read(&s.client, &o, &err) == 0;
        sample_done(&p);
        give_back(arg, &s, is_good);
        if (!is_good && err.code != -EPIPE)
            return (void *)"something else than a dead launcher";
    }
    return NULL;
}

TEST(threads_that_ask_while_launchers_die_all_get_connections_and_none_waits_for_ever)
{
    struct heard h = { 0 };
    struct launcher *l = supervised(&h, launcher_path(), NULL, -1);
    pthread_t threads[4];
    void *why = NULL;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, ask, l), 0);
    for (uint64_t n = 1; n <= 2; n++) {
        int pid = launcher_pid(l);
        if (pid > 1)
            (void)kill(pid, SIGKILL);
        wait_for_restart(l, n);
    }
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        CHECK_EQ(pthread_join(threads[i], &why), 0);
        CHECK(!why);
    }
    CHECK(launcher_close(l) == NULL);
}

TEST(a_launcher_that_cannot_be_started_is_an_error_and_one_that_ends_at_once_leaves_nobody_waiting)
{
    struct heard h = { 0 };
    struct launcher_options o = {
        .program = "/nonexistent/sandbox-launcher", .parent_fd = -1, .tell = hear, .context = &h
    };
    struct launcher *l = NULL;
    struct client connection;
    struct error err = { 0 };
    CHECK_EQ(launcher_open(&o, &l, &err), -ENOENT);
    CHECK(!l && err.remedy[0]);
    o.program = "/bin/false";
    CHECK_EQ(launcher_open(&o, &l, &err), 0);
    uint64_t since = clock_ms();
    int e = 0;
    while ((e == 0 || h.bad < 2) &&
           clock_ms() - since < PATIENCE_MS) { /* a connection of one that has not ended yet reads as dead */
        e = launcher_connection(l, &connection, &err);
        launcher_return(l, &connection, true);
    }
    CHECK_EQ(e, -EAGAIN);
    CHECK_EQ(launcher_idle(l), 0);
    CHECK(h.bad >= 2);
    CHECK(launcher_close(l) == NULL);
}

/* --- as systemd has it: a connection, a launcher ------------------------------------------------------- */

struct activation {
    int listener;
    atomic_int last; /* a child may be at work before fork() has returned to us */
};

static void *accept_all(void *arg)
{
    struct activation *a = arg;
    for (int fd; (fd = accept4(a->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0; (void)close(fd)) {
        char *const argv[] = { (char *)"sandbox-launcher", NULL }, *const envp[] = { (char *)"LISTEN_FDS=1", NULL };
        int high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
        const pid_t pid = fork();
        if (pid == 0) {
            (void)dup2(high, 3);
            (void)execve(launcher_path(), argv, envp);
            _exit(125);
        }
        (void)close(high);
        a->last = pid;
    }
    return NULL;
}

/* The launcher that came after this one. */
static pid_t activated_after(const struct activation *a, pid_t before)
{
    for (uint64_t until = clock_ms() + PATIENCE_MS; a->last == before && clock_ms() < until;)
        (void)usleep(1000);
    CHECK(a->last > 1 && a->last != before);
    return a->last;
}

TEST(a_connection_to_an_activated_socket_is_a_launcher_and_its_end_brings_another)
{
    struct heard h = { 0 };
    struct activation a = { .listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0) };
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    struct server s;
    pthread_t thread;
    (void)snprintf(at.sun_path, sizeof at.sun_path, "/tmp/test-launcher-%d.sock", (int)getpid());
    (void)unlink(at.sun_path); /* of one that was killed and had our number */
    CHECK_EQ(bind(a.listener, (struct sockaddr *)&at, sizeof at), 0);
    CHECK_EQ(listen(a.listener, 4), 0);
    CHECK_EQ(pthread_create(&thread, NULL, accept_all, &a), 0);
    struct launcher *l = supervised(&h, NULL, at.sun_path, -1);
    take(l, &s);
    run_true(&s);
    CHECK_EQ(launcher_pid(l), 0); /* who listens is not who serves */
    const pid_t first = activated_after(&a, 0);
    CHECK(kill(first, SIGKILL) == 0);
    wait_for_restart(l, 1);
    give_back(l, &s, true);
    take(l, &s);
    run_true(&s);
    give_back(l, &s, true);
    CHECK(launcher_close(l) == NULL);
    const pid_t second = activated_after(&a, first);
    CHECK_EQ(waitpid(first, NULL, 0), first);
    int status = -1;
    CHECK_EQ(waitpid(second, &status, 0), second); /* its connection has ended: it leaves by itself */
    CHECK_EQ(status, 0);
    CHECK_EQ(shutdown(a.listener, SHUT_RDWR), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    (void)close(a.listener);
    CHECK_EQ(unlink(at.sun_path), 0);
}
