#include "store/remote.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include "store/ops.h"

#define PATIENCE_S 60 /* the ledger gives up after half that */

struct ledger {
    int sock;
    char *message; /* what came last; owned */
};

static int gone(struct error *err, const char *doing, int e)
{
    (void)err_set(err, e, BLAME_HOST, "STORE", "%s: %s", doing,
                  e == -EPIPE       ? "sandbox-ledger died"
                  : e == -ETIMEDOUT ? "sandbox-ledger has not answered for a minute"
                                    : strerror(-e));
    return err_remedy(err, "start the run again; if it happens again, look at the memory of this machine and at dmesg");
}

static int exchange(struct ledger *l, const struct buf *request, const char *doing, ssize_t *ret_size,
                    struct error *err)
{
    if (send(l->sock, request->data, request->size, MSG_NOSIGNAL) < 0)
        return gone(err, doing, errno == ECONNRESET ? -EPIPE : -errno);
    ssize_t n;
    do
        n = recv(l->sock, l->message, LEDGER_MAX_MESSAGE, MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return gone(err, doing, n == 0 || errno == ECONNRESET ? -EPIPE : errno == EAGAIN ? -ETIMEDOUT : -errno);
    if (n > (ssize_t)LEDGER_MAX_MESSAGE)
        return err_set(err, -EBADMSG, BLAME_US, "STORE", "an answer of %zd bytes", n);
    *ret_size = n;
    return 0;
}

static void close_ledger(void *self)
{
    struct ledger *l = self;
    (void)close(l->sock); /* it ends by itself; nothing to wait for */
    free(l->message);
    free(l);
}

/* After a failure of the way the answers could be another question's: no more questions. */
static int call(struct store *s, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    const struct ledger_form *f = ledger_form(verb);
    struct ledger *l = s->self;
    ssize_t size = 0;
    cleanup(buf_done) struct buf b;
    buf_init(&b, LEDGER_MAX_MESSAGE);
    pack_ledger_request(&b, verb, request);
    if (b.failed)
        return err_set(err, -E2BIG, BLAME_CALLER, "STORE", "%s: longer than %u bytes", f->name, LEDGER_MAX_MESSAGE);
    int e = exchange(l, &b, f->name, &size, err);
    if (e < 0) {
        (void)store_close(s);
        return e;
    }
    e = unpack_ledger_reply(l->message, (size_t)size, verb, ret, err);
    return e < 0 ? e : store_adopt(s, verb, ret, err);
}

static const struct store_ops ops = { .call = call, .close = close_ledger };

int store_start(struct store *ret, const char *program, const char *database, struct arena *a, struct error *err)
{
    int pair[2];
    *ret = (struct store){ .arena = a };
    if (access(program, X_OK) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "STORE", "%s: %m", program);
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "STORE", "socketpair: %m");
    char *const argv[] = { (char *)"sandbox-ledger", (char *)database, NULL }, *const envp[] = { NULL };
    volatile int exec_errno = 0;
    pid_t pid = vfork();
    if (pid == 0) {
        int fd = pair[1] == 3 ? dup(pair[1]) : pair[1]; /* dup2 onto itself would keep CLOEXEC */
        if (fd >= 0 && dup2(fd, 3) == 3)
            (void)execve(program, argv, envp);
        exec_errno = errno;
        _exit(125);
    }
    int e = pid < 0 ? errno : exec_errno;
    (void)close(pair[1]);
    if (e) {
        (void)close(pair[0]);
        if (pid > 0)
            (void)waitpid(pid, NULL, 0);
        return err_set(err, -e, BLAME_HOST, "STORE", "start %s: %s", program, strerror(e));
    }
    const struct timeval patience = { .tv_sec = PATIENCE_S };
    (void)setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience,
                     sizeof patience); /* without it we would only wait longer */
    struct ledger *l = calloc(1, sizeof *l);
    if (!l || !(l->message = malloc(LEDGER_MAX_MESSAGE))) {
        (void)close(pair[0]);
        free(l);
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    }
    l->sock = pair[0];
    ret->ops = &ops;
    ret->self = l;
    return 0;
}
