#include "daemon/lender.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include "base/io.h"
#include "base/message.h"
#include "base/unix_socket.h"
#include "run/lend.h"

struct borrower {
    int sock;
    bool has_connection; /* its surroundings are ours */
    bool has_asked;      /* for an instance: once */
    bool has_instance;
};

struct lender {
    struct launcher *launcher;
    struct stock *stock; /* or NULL */
    pthread_t thread;
    int listener, wake; /* wake: is_ending or is_refusing has changed */
    char path[108];
    struct buf surroundings;
    struct borrower borrowers[LENDER_MAX];
    uint32_t count;
    _Atomic uint32_t lent;
    _Atomic bool is_ending, is_refusing;
};

static void drop(struct lender *l, uint32_t at)
{
    struct borrower *b = &l->borrowers[at];
    if (b->has_instance)
        stock_done(l->stock);
    (void)close(b->sock);
    *b = l->borrowers[--l->count];
    l->lent = l->count;
}

/* One that cannot be accepted (no descriptors) is still there: without a pause the thread would ask without end. */
static void take_borrower(struct lender *l)
{
    const struct timespec pause = { .tv_nsec = 20 * 1000000L };
    cleanup(closep) int sock = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (sock < 0 && errno != EAGAIN)
        (void)nanosleep(&pause, NULL);
    if (sock < 0 || l->is_refusing || l->count == LENDER_MAX || lend_peer(sock) < 0)
        return;
    l->borrowers[l->count++] = (struct borrower){ .sock = TAKE_FD(sock) };
    l->lent = l->count;
}

/* --- what they ask for ------------------------------------------------------------------------------------------ */

/* What it would have run itself must not outlive it when memory lacks. A service of systemd's user manager has a score
 * of its own, above that of a login: this is no part of what must be equal. */
static bool is_spared_no_longer(const struct borrower *b)
{
    return lend_oom_score(lend_peer(b->sock)) <= lend_oom_score((int)getpid());
}

/* Our copy is closed: what was lent lives as long as theirs. */
static bool lend_connection(struct lender *l, struct borrower *b, const char *text, size_t size)
{
    struct client c;
    struct error ignored = { 0 };
    if (size != l->surroundings.size || memcmp(text, l->surroundings.data, size) != 0 || !is_spared_no_longer(b) ||
        !launcher_is_alive(l->launcher) || launcher_connection(l->launcher, &c, &ignored) < 0)
        return false;
    b->has_connection = send_message(b->sock, LEND_YES, sizeof LEND_YES - 1, &c.sock, 1) == 0;
    launcher_return(l->launcher, &c, false);
    return b->has_connection;
}

/* Only of a memfd or its like, which has seals or may have: another file's system could let us wait. */
static int read_recipe(const struct lend_wish *w, int fd, struct recipe *ret)
{
    struct stat st;
    *ret = (struct recipe){
        .reports = w->reports, .workspace = w->workspace, .events = w->events, .guard_at = (size_t)w->guard_at
    };
    if (fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &st) < 0 || st.st_size <= 0 ||
        st.st_size > 4 * (off_t)PLAN_MAX_MESSAGE || w->guard_at > (uint64_t)st.st_size ||
        w->guard_at < 2 * sizeof(uint64_t))
        return -EBADMSG;
    buf_init(&ret->bytes, (size_t)st.st_size);
    cleanup(freep) char *text = malloc((size_t)st.st_size);
    if (!text || pread(fd, text, (size_t)st.st_size, 0) != st.st_size ||
        buf_add(&ret->bytes, text, (size_t)st.st_size) < 0)
        return -EBADMSG;
    return 0;
}

static bool claim(struct lender *l, struct lend_wish *w, int fd, struct instance *ret)
{
    struct recipe r;
    w->program[sizeof w->program - 1] = '\0';
    if (l->stock && fd >= 0 && read_recipe(w, fd, &r) == 0)
        return stock_claim_recipe(l->stock, &r, w->program, ret);
    if (l->stock && fd >= 0)
        recipe_done(&r);
    return false;
}

static bool lend_instance(struct lender *l, struct borrower *b, struct lend_wish *w, int fd)
{
    struct instance i = INSTANCE_NONE;
    int *places[LEND_FDS_MAX], fds[LEND_FDS_MAX];
    b->has_asked = true;
    b->has_instance = claim(l, w, fd, &i);
    const struct lend_given given = { b->has_instance, i.tag };
    const size_t count = b->has_instance ? lend_places(&i, w, places) : 0;
    for (size_t k = 0; k < count; k++)
        fds[k] = *places[k];
    const bool is_given = send_message(b->sock, &given, sizeof given, fds, count) == 0;
    instance_close(&i);
    return is_given;
}

/* False: it is through, or asks for what nobody lends. */
static bool hear(struct lender *l, struct borrower *b)
{
    union {
        char text[LEND_TEXT_MAX];
        struct lend_wish wish;
    } m;
    size_t count = 0;
    int got = -1;
    const ssize_t n = receive_message(b->sock, &m, sizeof m, &got, 1, &count);
    cleanup(closep) int fd = got;
    if (n <= 0)
        return n == -EAGAIN;
    if (!b->has_connection)
        return lend_connection(l, b, m.text, (size_t)n);
    return !b->has_asked && n == (ssize_t)sizeof m.wish && lend_instance(l, b, &m.wish, fd);
}

/* --- the thread --------------------------------------------------------------------------------------------- */

static void *work(void *context)
{
    struct lender *l = context;
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (!l->is_ending) {
        struct pollfd f[2 + LENDER_MAX] = { { .fd = l->wake, .events = POLLIN },
                                            { .fd = l->is_refusing ? -1 : l->listener, .events = POLLIN } };
        uint64_t ignored;
        const uint32_t count = l->count;
        for (uint32_t i = 0; i < count; i++)
            f[2 + i] = (struct pollfd){ .fd = l->borrowers[i].sock, .events = POLLIN };
        if (poll(f, 2 + count, -1) < 0)
            continue;
        if (f[0].revents)
            (void)!read(l->wake, &ignored, sizeof ignored);
        for (uint32_t i = count; i-- > 0;) /* from the end: drop() puts the last one into the gap */
            if (f[2 + i].revents && !hear(l, &l->borrowers[i]))
                drop(l, i);
        if (f[1].revents)
            take_borrower(l);
    }
    return NULL;
}

/* --- life ---------------------------------------------------------------------------------------------------- */

static struct lender *lender_free(struct lender *l)
{
    closep(&l->listener);
    closep(&l->wake);
    buf_done(&l->surroundings);
    free(l);
    return NULL;
}

int lender_open(struct launcher *launcher, struct stock *s, const char *program, char *path, size_t size,
                struct lender **ret, struct error *err)
{
    *ret = NULL;
    if (!lend_path(path, size)) {
        path[0] = '\0';
        return 0;
    }
    struct lender *l = calloc(1, sizeof *l);
    if (!l)
        return err_set(err, -ENOMEM, BLAME_HOST, "LEND", "no memory");
    l->launcher = launcher;
    l->stock = s;
    l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    buf_init(&l->surroundings, LEND_TEXT_MAX);
    l->listener = lend_surroundings(program, &l->surroundings) < 0
                      ? -1
                      : unix_listen(path, SOCK_SEQPACKET | SOCK_NONBLOCK, 0600, LENDER_MAX);
    if (l->listener < 0) {
        path[0] = '\0';
        (void)lender_free(l);
        return 0;
    }
    (void)snprintf(l->path, sizeof l->path, "%s", path);
    if (l->wake < 0 || pthread_create(&l->thread, NULL, work, l) != 0) {
        (void)unlink(l->path);
        (void)lender_free(l);
        return err_set(err, -EAGAIN, BLAME_HOST, "LEND", "no thread for what the command line is lent");
    }
    *ret = l;
    return 0;
}

uint32_t lender_lent(struct lender *l)
{
    return l ? l->lent : 0;
}

bool lender_wait(struct lender *l, uint32_t wait_ms)
{
    const struct timespec step = { .tv_nsec = 10 * 1000000L };
    for (uint32_t ms = 0; ms < wait_ms && lender_lent(l); ms += 10)
        (void)nanosleep(&step, NULL);
    return !lender_lent(l);
}

static void wake(struct lender *l)
{
    const uint64_t one = 1;
    (void)!write(l->wake, &one, sizeof one);
}

void lender_refuse(struct lender *l)
{
    if (!l || l->is_refusing)
        return;
    (void)unlink(l->path);
    l->is_refusing = true;
    wake(l);
}

struct lender *lender_close(struct lender *l)
{
    if (!l)
        return NULL;
    lender_refuse(l);
    l->is_ending = true;
    wake(l);
    (void)pthread_join(l->thread, NULL);
    while (l->count)
        drop(l, l->count - 1);
    return lender_free(l);
}
