/* sandbox-ledger: owns the database of agents and runs for one client, who holds the other end of descriptor 3.
 *
 *   sandbox-ledger DATABASE
 *
 * A loop: one request, one answer, until the other end is closed (also by the client's death). It opens the database at
 * once, while the client does other things; when that fails, the reason is every answer. Signals of the terminal and of a
 * service manager are for the client: what it still has to settle after Ctrl-C must arrive. Requests are checked as if
 * the client were hostile, although it has the same rights as we: a bug there must not become damage here.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/kernel.h"
#include "store/message.h"

#define CLIENT 3

struct server {
    struct store *store;      /* NULL: could not be opened, and why is in `error` */
    struct error error;
    struct agent_list agents; /* large */
    struct trust_history history;
    struct recovered_list recovered;
    union ledger_any_request request;
    char message[LEDGER_MAX_MESSAGE];
};

static int page(struct server *v, const char *after_id, struct error *err)
{
    int e = store_agents(v->store, after_id, &v->agents, err);
    if (e == 0 && v->agents.count > LEDGER_AGENTS_A_PAGE) {
        v->agents.count = LEDGER_AGENTS_A_PAGE;
        v->agents.is_cut = true;
    }
    return e;
}

/* Fills the reply that belongs to the request; *ret points to it. */
static int serve(struct server *v, enum ledger_request type, const void **ret, struct error *err)
{
    static union {
        struct agent agent;
        struct reserve_reply reserve;
        struct settle_reply settle;
        struct ledger_number number;
    } reply;
    const union ledger_any_request *r = &v->request;
    bool taken = false;
    int e;
    memset(&reply, 0, sizeof reply);
    *ret = &reply;
    switch (type) {
    case LEDGER_AGENT:
        return store_agent(v->store, r->key.id, &reply.agent, err);
    case LEDGER_AGENTS:
        *ret = &v->agents;
        return page(v, r->key.id, err);
    case LEDGER_HISTORY:
        *ret = &v->history;
        return store_history(v->store, r->key.id, &v->history, err);
    case LEDGER_RESERVE:
        return store_reserve(v->store, &r->reserve, &reply.reserve, err);
    case LEDGER_SETTLE:
        return store_settle(v->store, &r->settle, &reply.settle, err);
    case LEDGER_REFUSE:
        return store_refuse(v->store, &r->refusal, &reply.settle, err);
    case LEDGER_STEER:
        return store_steer(v->store, &r->steer, &reply.agent, err);
    case LEDGER_RECOVER:
        *ret = &v->recovered;
        return store_recover(v->store, r->key.now_ms, &v->recovered, err);
    case LEDGER_AUDITED:
        return store_audited(v->store, r->key.id, err);
    case LEDGER_PRUNE:
        return store_prune(v->store, r->key.now_ms, &reply.number.value, err);
    case LEDGER_ONCE:
        e = store_once(v->store, r->key.id, r->key.now_ms, r->key.window_ms, &taken, err);
        reply.number.value = taken;
        return e;
    case LEDGER_REQUESTS:
        break;
    }
    return err_set(err, -EBADMSG, BLAME_US, "STORE", "a request that is none");
}

static void answer(struct server *v, size_t size, struct buf *out)
{
    struct error err = v->error;
    const void *reply = NULL;
    uint64_t type = 0;
    int e = err.code;
    if (v->store) {
        e = unpack_ledger_request(v->message, size, &type, &v->request);
        e = e < 0 ? err_set(&err, e, BLAME_US, "STORE", "a request that is none") : serve(v, (enum ledger_request)type, &reply, &err);
    }
    if (e == 0)
        pack_ledger_reply(out, (enum ledger_request)type, reply);
    if (e == 0 && out->failed) {
        buf_done(out);
        buf_init(out, LEDGER_MAX_MESSAGE);
        e = err_set(&err, -EMSGSIZE, BLAME_US, "STORE", "an answer longer than %u bytes", LEDGER_MAX_MESSAGE);
    }
    if (e < 0)
        pack_ledger_failure(out, &err);
}

static int loop(struct server *v)
{
    for (;;) {
        struct buf out;
        ssize_t n = recv(CLIENT, v->message, sizeof v->message, MSG_TRUNC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 || errno == ECONNRESET ? 0 : 125;
        if ((size_t)n > sizeof v->message)
            n = 0; /* unpacks as no request */
        buf_init(&out, LEDGER_MAX_MESSAGE);
        answer(v, (size_t)n, &out);
        bool was_sent = out.size && !out.failed && send(CLIENT, out.data, out.size, MSG_NOSIGNAL) == (ssize_t)out.size;
        buf_done(&out);
        if (!was_sent)
            return errno == EPIPE || errno == ECONNRESET ? 0 : 125;
    }
}

static void confine(void)
{
    static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        (void)signal(ignored[i], SIG_IGN);
    (void)umask(077);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold agents' names and keys */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)sys_close_range(CLIENT + 1, ~0u);
}

int main(int argc, char **argv)
{
    struct stat st;
    if (argc != 2 || fstat(CLIENT, &st) < 0 || !S_ISSOCK(st.st_mode)) {
        (void)fprintf(stderr, "sandbox-ledger: started by sandbox-agent, with a socket as descriptor 3\n");
        return 2;
    }
    confine();
    static struct server server;
    struct ucred client = { 0 };
    socklen_t size = sizeof client;
    if (store_open(argv[1], &server.store, &server.error) == 0 &&
        getsockopt(CLIENT, SOL_SOCKET, SO_PEERCRED, &client, &size) == 0 && client.pid > 0)
        store_act_for(server.store, (uint64_t)client.pid);
    int code = loop(&server);
    (void)store_close(server.store);
    return code;
}
