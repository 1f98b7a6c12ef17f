#include "ledger/serve.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/kernel.h"

#include "store/ops.h"

/* What fits into a message; the client asks for the next page. */
static void cut_agents(struct agent_list *l)
{
    if (l->count > LEDGER_AGENTS_A_PAGE) {
        l->count = LEDGER_AGENTS_A_PAGE;
        l->is_cut = true;
    }
}

static void cut_keys(struct key_list *l, const char *after_id)
{
    uint32_t first = 0;
    for (uint32_t i = 0; after_id && i < l->count; i++)
        if (str_eq(l->keys[i].id, after_id))
            first = i + 1;
    uint32_t count = MIN_OF(l->count - first, LEDGER_KEYS_A_PAGE);
    l->is_cut = first + count < l->count;
    memmove(l->keys, l->keys + first, count * sizeof l->keys[0]);
    l->count = count;
}

static int serve(struct ledger_server *v, enum ledger_request verb, struct error *err)
{
    memset(&v->reply, 0, ledger_form(verb)->reply_size);
    int e = v->store->ops->call(v->store, verb, &v->request, &v->reply, err);
    if (e == 0 && verb == LEDGER_AGENTS)
        cut_agents(&v->reply.agents);
    if (e == 0 && verb == LEDGER_KEYS)
        cut_keys(&v->reply.keys, v->request.key.id);
    return e;
}

void ledger_serve(struct ledger_server *v, const void *message, size_t size, struct buf *out)
{
    struct error err = v->error;
    uint64_t type = 0;
    int e = err.code;
    if (v->store) {
        e = unpack_ledger_request(message, size, &type, &v->request);
        e = e < 0 ? err_set(&err, e, BLAME_US, "STORE", "a request that is none")
                  : serve(v, (enum ledger_request)type, &err);
    }
    if (e == 0)
        pack_ledger_reply(out, (enum ledger_request)type, &v->reply);
    if (e == 0 && out->failed) {
        buf_done(out);
        buf_init(out, LEDGER_MAX_MESSAGE);
        e = err_set(&err, -EMSGSIZE, BLAME_US, "STORE", "an answer longer than %u bytes", LEDGER_MAX_MESSAGE);
    }
    if (e < 0)
        pack_ledger_failure(out, &err);
}

int ledger_loop(struct ledger_server *v)
{
    static char message[LEDGER_MAX_MESSAGE];
    for (;;) {
        struct buf out;
        ssize_t n = recv(LEDGER_CLIENT, message, sizeof message, MSG_TRUNC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 || errno == ECONNRESET ? 0 : 125;
        if ((size_t)n > sizeof message)
            n = 0; /* unpacks as no request */
        buf_init(&out, LEDGER_MAX_MESSAGE);
        ledger_serve(v, message, (size_t)n, &out);
        bool was_sent = out.size && !out.failed &&
                        send(LEDGER_CLIENT, out.data, out.size, MSG_NOSIGNAL) == (ssize_t)out.size;
        buf_done(&out);
        if (!was_sent)
            return errno == EPIPE || errno == ECONNRESET ? 0 : 125;
    }
}

void ledger_confine(void)
{
    static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        (void)signal(ignored[i], SIG_IGN);
    (void)umask(077);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold agents' names and keys */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)sys_close_range(LEDGER_CLIENT + 1, ~0u);
}

bool ledger_has_client(uint64_t *ret_pid)
{
    struct stat st;
    struct ucred client = { 0 };
    socklen_t size = sizeof client;
    if (fstat(LEDGER_CLIENT, &st) < 0 || !S_ISSOCK(st.st_mode))
        return false;
    *ret_pid = getsockopt(LEDGER_CLIENT, SOL_SOCKET, SO_PEERCRED, &client, &size) == 0 && client.pid > 0
                   ? (uint64_t)client.pid
                   : 0;
    return true;
}
