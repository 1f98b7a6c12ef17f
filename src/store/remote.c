#include "store/remote.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include "store/message.h"

#define PATIENCE_S 60 /* the ledger gives up after half that */

int ledger_start(struct ledger *l, const char *program, const char *database, struct arena *a, struct error *err)
{
    int pair[2];
    *l = (struct ledger){ .sock = -1, .pid = -1, .arena = a };
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
    l->sock = pair[0];
    l->pid = pid;
    return 0;
}

void ledger_stop(struct ledger *l)
{
    if (l->sock >= 0)
        (void)close(l->sock); /* it ends by itself; nothing to wait for */
    free(l->message);
    *l = (struct ledger){ .sock = -1, .pid = -1 };
}

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
    if (!l->message && !(l->message = malloc(LEDGER_MAX_MESSAGE)))
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
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

/* In our own process, or over the way; after a failure of the way the answers could be another question's: no more
 * questions. */
static int ask(struct ledger *l, const struct buf *request, const char *doing, struct buf *reply, struct error *err)
{
    if (l->serve) {
        l->serve(l->context, request->data, request->size, reply);
        return reply->failed ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory") : 0;
    }
    ssize_t size = 0;
    int e = exchange(l, request, doing, &size, err);
    if (e < 0) {
        (void)close(l->sock);
        l->sock = -1;
        return e;
    }
    return buf_add(reply, l->message, (size_t)size);
}

static int call(struct ledger *l, enum ledger_request type, const void *request, void *ret, struct error *err)
{
    const struct ledger_form *f = ledger_form(type);
    cleanup(buf_done) struct buf b, reply;
    buf_init(&b, LEDGER_MAX_MESSAGE);
    buf_init(&reply, LEDGER_MAX_MESSAGE);
    if (!ledger_is_open(l))
        return gone(err, f->name, -EPIPE);
    if (!f->is_request(request))
        return err_set(err, -EINVAL, BLAME_US, "STORE", "%s: a request that is none", f->name);
    pack_ledger_request(&b, type, request);
    int e = b.failed
                ? err_set(err, -E2BIG, BLAME_CALLER, "STORE", "%s: longer than %u bytes", f->name, LEDGER_MAX_MESSAGE)
                : 0;
    if (e == 0)
        e = ask(l, &b, f->name, &reply, err);
    if (e == 0)
        e = unpack_ledger_reply(reply.data, reply.size, type, ret, err);
    if (e < 0)
        return e;
    adopt_strings(f->reply, f->reply_count, ret, l->arena);
    return l->arena->failed ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory") : 0;
}

int ledger_agent(struct ledger *l, const char *id, const char *key_id, struct agent *ret, struct error *err)
{
    return call(l, LEDGER_AGENT, &(struct ledger_key){ .id = id, .key_id = key_id }, ret, err);
}

int ledger_why(struct ledger *l, const char *id, struct agent_why *ret, struct error *err)
{
    return call(l, LEDGER_WHY, &(struct ledger_key){ .id = id }, ret, err);
}

int ledger_agents(struct ledger *l, const char *after_id, struct agent_list **ret, struct error *err)
{
    cleanup(freep) struct agent_list *all = calloc(1, sizeof *all), *page = calloc(1, sizeof *page);
    if (after_id && !*after_id)
        after_id = NULL; /* behind none: from the beginning */
    if (after_id && !agent_id_is_valid(after_id))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "after: no agent has this id (at most %u bytes)",
                       AGENT_ID_MAX);
    if (!all || !page)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    do {
        int e = call(l, LEDGER_AGENTS, &(struct ledger_key){ .id = after_id }, page, err);
        if (e < 0)
            return e;
        uint32_t n = MIN_OF(page->count, STORE_MAX_AGENTS - all->count);
        memcpy(all->agents + all->count, page->agents, n * sizeof page->agents[0]);
        all->count += n;
        all->is_cut = page->is_cut || n < page->count;
        if (n)
            after_id = all->agents[all->count - 1].id;
    } while (all->is_cut && page->count && all->count < STORE_MAX_AGENTS);
    *ret = TAKE_PTR(all);
    return 0;
}

int ledger_history(struct ledger *l, const char *id, struct trust_history *ret, struct error *err)
{
    return call(l, LEDGER_HISTORY, &(struct ledger_key){ .id = id }, ret, err);
}

int ledger_usage(struct ledger *l, const struct usage_ask *r, struct usage_list *ret, struct error *err)
{
    return call(l, LEDGER_USAGE, r, ret, err);
}

int ledger_counts(struct ledger *l, const struct reserve *r, struct limit_counts *ret, struct error *err)
{
    return call(l, LEDGER_COUNTS, r, ret, err);
}

int ledger_reserve(struct ledger *l, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    return call(l, LEDGER_RESERVE, r, ret, err);
}

int ledger_settle(struct ledger *l, const struct settle *r, struct settle_reply *ret, struct error *err)
{
    return call(l, LEDGER_SETTLE, r, ret, err);
}

int ledger_refuse(struct ledger *l, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    return call(l, LEDGER_REFUSE, r, ret, err);
}

int ledger_steer(struct ledger *l, const struct steer *r, struct agent *ret, struct error *err)
{
    return call(l, LEDGER_STEER, r, ret, err);
}

int ledger_recover(struct ledger *l, uint64_t now_ms, struct recovered_list *ret, struct error *err)
{
    return call(l, LEDGER_RECOVER, &(struct ledger_key){ .now_ms = now_ms }, ret, err);
}

int ledger_audited(struct ledger *l, const char *execution_id, struct error *err)
{
    struct ledger_number n;
    return call(l, LEDGER_AUDITED, &(struct ledger_key){ .id = execution_id }, &n, err);
}

int ledger_prune(struct ledger *l, uint64_t before_ms, uint64_t *ret_removed, struct error *err)
{
    struct ledger_number n;
    int e = call(l, LEDGER_PRUNE, &(struct ledger_key){ .now_ms = before_ms }, &n, err);
    if (e == 0)
        *ret_removed = n.value;
    return e;
}

int ledger_once(struct ledger *l, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken,
                struct error *err)
{
    struct ledger_number n;
    int e = call(l, LEDGER_ONCE, &(struct ledger_key){ .id = key, .now_ms = now_ms, .window_ms = window_ms }, &n, err);
    if (e == 0)
        *ret_taken = n.value != 0;
    return e;
}

int ledger_key_add(struct ledger *l, const struct key_row *k, struct error *err)
{
    struct ledger_number n;
    return call(l, LEDGER_KEY_ADD, k, &n, err);
}

int ledger_keys(struct ledger *l, struct key_list **ret, struct error *err)
{
    cleanup(freep) struct key_list *all = calloc(1, sizeof *all), *page = calloc(1, sizeof *page);
    const char *after_id = NULL;
    if (!all || !page)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    do {
        int e = call(l, LEDGER_KEYS, &(struct ledger_key){ .id = after_id }, page, err);
        if (e < 0)
            return e;
        uint32_t n = MIN_OF(page->count, STORE_MAX_KEYS - all->count);
        memcpy(all->keys + all->count, page->keys, n * sizeof page->keys[0]);
        all->count += n;
        if (n)
            after_id = all->keys[all->count - 1].id;
    } while (page->is_cut && page->count && all->count < STORE_MAX_KEYS);
    *ret = TAKE_PTR(all);
    return 0;
}

int ledger_key_revoke(struct ledger *l, const char *id_or_name, uint64_t now_ms, struct error *err)
{
    struct ledger_number n;
    return call(l, LEDGER_KEY_REVOKE, &(struct ledger_key){ .id = id_or_name, .now_ms = now_ms }, &n, err);
}
