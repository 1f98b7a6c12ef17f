/* mcp_stdio.c - lines in, requests out, lines back: one thread a call, so that a call that is under way does not hold
 * up the next, nor its own cancellation. Each has a descriptor that ends it: the request is given up then, and the
 * service ends what runs for a client that left. */
#include "front/mcp_stdio.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "audit/hmac.h"
#include "base/io.h"
#include "base/json.h"
#include "config/language.h"
#include "daemon/parent.h"
#include "daemon/service_client.h"
#include "front/mcp_message.h"
#include "front/mcp_private.h"
#include "run/policy.h"
#include "run/result.h"

#define LINE_MAX_BYTES (64 * MIB)
#define ANSWER_MAX     (256 * MIB)
#define CALLS_MAX      64u
#define SESSION_SIZE   80u
#define HEADER_SIZE    1024u

static const char help[] =
    "usage: sandbox-agent mcp [--url URL] [--key-file FILE] [--ca FILE] [--agent-id ID] [--config FILE]\n\n"
    "Serves the Model Context Protocol on standard input and output (docs/mcp.md), for the configuration of an "
    "agent's\n"
    "client. The tools are those of a service: the one that is named, else a private one of this user, which is "
    "started\n"
    "and ends by itself.\n"
    "  --url URL         http://HOST:PORT, https://HOST, unix:///PATH; also SANDBOX_AGENT_URL\n"
    "  --key-file FILE   a key of that service; also SANDBOX_AGENT_API_KEY (the key itself)\n"
    "  --ca FILE         certificates that a https URL is checked with; also SANDBOX_AGENT_CA_FILE\n"
    "  --agent-id ID     the agent that runs are counted for\n"
    "  --config FILE     of the private service\n"
    "exit: 0 standard input has ended, 2 usage, 125 there is no service\n";

struct bridge {
    struct service_client service;
    const char *agent_id, *config;
    bool help;
    pthread_mutex_t lock;   /* what is written, calls */
    pthread_cond_t changed; /* count */
    struct bridge_call *calls;
    unsigned count;
    bool is_broken;             /* standard output takes no more */
    char session[SESSION_SIZE]; /* of a client that speaks an older protocol; "" before */
    char version[32];           /* that was agreed on */
};

struct bridge_call {
    struct bridge *bridge;
    char *line;
    size_t size;
    const char *id; /* JSON; NULL: a notification */
    char headers[4][HEADER_SIZE];
    const char *list[8];
    int stop;
    struct buf events; /* of a stream: not yet a line */
    size_t scanned;    /* so much of it has no end of a line */
    bool was_answered;
    struct arena arena;
    struct mcp_message message; /* as far as it could be read */
    struct bridge_call *next;
};

/* --- writing ---------------------------------------------------------------------------------------------------- */

/* One message, whole, whichever threads write. */
static void put_line(struct bridge *b, const char *text, size_t size)
{
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    (void)pthread_mutex_lock(&b->lock);
    if (size && !b->is_broken)
        b->is_broken = write_all(STDOUT_FILENO, text, size) < 0 || write_all(STDOUT_FILENO, "\n", 1) < 0;
    (void)pthread_mutex_unlock(&b->lock);
}

/* Of a line that nothing can be said of. */
static void put_fault(struct bridge *b, int code, const char *text)
{
    char line[256];
    const int n = snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}", code,
                           text);
    put_line(b, line, (size_t)n);
}

static void put_failure(struct bridge_call *k, const char *text)
{
    struct buf out;
    if (!k->id)
        return;
    buf_init(&out, 16 * KIB);
    (void)buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d", k->id, MCP_INTERNAL);
    json_key(&out, "message"), json_put_string(&out, text);
    (void)buf_adds(&out, "}}");
    put_line(k->bridge, out.data, out.size);
    buf_done(&out);
}

/* --- what comes back -------------------------------------------------------------------------------------------- */

static bool is_stream(const struct buf *b)
{
    return b->size && b->data[0] != '{';
}

/* The lines of a stream that say something are «data: {…}», each a message. */
static bool take(void *context, const char *data, size_t size)
{
    static const char mark[] = "data: ";
    struct bridge_call *k = context;
    const char *end;
    size_t from = 0, at = k->scanned;
    if (buf_add(&k->events, data, size) < 0)
        return false;
    if (!is_stream(&k->events))
        return true;
    while ((end = memchr(k->events.data + at, '\n', k->events.size - at))) {
        const char *line = k->events.data + from;
        if (str_starts(line, mark)) {
            put_line(k->bridge, line + sizeof mark - 1, (size_t)(end - line) - (sizeof mark - 1));
            k->was_answered = true;
        }
        at = from = (size_t)(end - k->events.data) + 1;
    }
    if (from)
        memmove(k->events.data, k->events.data + from, k->events.size - from);
    k->events.size -= from;
    k->scanned = k->events.size;
    return !k->bridge->is_broken;
}

/* A message of the protocol, else the service's own words for what it refused. */
static void put_refusal(struct bridge_call *k, long status, const struct buf *body)
{
    struct body *b = NULL, *error = NULL;
    struct error err = { 0 };
    const bool is_read = body->size && body_parse(body->data, body->size, false, &b, &err) == 0;
    if (is_read && body_has(b, "jsonrpc") && (body_has(b, "id") || !k->id)) {
        put_line(k->bridge, body->data, body->size);
    } else {
        const char *message = is_read && (error = body_object(b, "error")) ? body_text(error, "message", 4096) : NULL;
        put_failure(k, arena_printf(&k->arena, "the service answers %ld: %s", status, message ? message : "no reason"));
    }
    (void)body_free(b);
}

static void send_call(struct bridge_call *k)
{
    struct bridge *b = k->bridge;
    struct error err = { 0 };
    struct buf out;
    long status = 0;
    const struct service_request r = {
        .method = "POST",
        .path = "/mcp",
        .is_outside = true,
        .body = k->line,
        .headers = k->list,
        .take = take,
        .context = k,
        .stop = &k->stop,
        .wanted = "Mcp-Session-Id",
        .ret_wanted = b->session, /* of the answer to initialize only, which none is beside */
        .wanted_size = sizeof b->session,
        .max_bytes = ANSWER_MAX
    };
    buf_init(&k->events, ANSWER_MAX);
    const int e = service_client_ask(&b->service, &r, &status, &out, &err);
    if (e == -ECANCELED)
        ; /* its client does not want an answer any more */
    else if (e < 0 && !k->was_answered)
        put_failure(k, err.text);
    else if (e == 0 && status / 100 != 2)
        put_refusal(k, status, &out);
    else if (e == 0 && !is_stream(&k->events))
        put_line(b, k->events.data, k->events.size);
    buf_done(&out);
    buf_done(&k->events);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void call_free(struct bridge_call *k)
{
    mcp_message_done(&k->message);
    closep(&k->stop);
    arena_done(&k->arena);
    free(k->line);
    free(k);
}

/* With a message that is malformed, as far as that can be seen: the service says what is wrong with it. */
static void read_message(struct bridge_call *k)
{
    static const struct http_inner none = { 0 };
    const struct http_request q = { .body = k->line, .body_size = k->size, .arena = &k->arena, .inner = &none };
    struct mcp_fault ignored;
    (void)mcp_message_read(&q, &k->message, &ignored);
    k->id = k->message.method ? k->message.id : NULL;
}

static void add_header(struct bridge_call *k, size_t *count, const char *name, const char *value)
{
    struct buf coded;
    bool is_plain = value[0] && value[0] != ' ';
    for (const char *p = value; *p; p++)
        is_plain &= *p > ' ' && *p < 0x7f;
    if (is_plain && !str_starts(value, "=?base64?")) {
        (void)snprintf(k->headers[*count], HEADER_SIZE, "%s: %s", name, value);
    } else { /* what a header cannot say */
        buf_init(&coded, HEADER_SIZE);
        base64_write(&coded, value, strlen(value));
        (void)snprintf(k->headers[*count], HEADER_SIZE, "%s: =?base64?%s?=", name,
                       coded.size && !coded.failed ? coded.data : "");
        buf_done(&coded);
    }
    k->list[(*count) + 1] = k->headers[*count];
    (*count)++;
}

static void make_headers(struct bridge_call *k)
{
    const struct bridge *b = k->bridge;
    const struct mcp_message *m = &k->message;
    size_t n = 0;
    k->list[0] = "Accept: application/json, text/event-stream";
    if (b->agent_id)
        add_header(k, &n, "Sandbox-Agent-Id", b->agent_id);
    if (m->is_modern && m->method) {
        const char *version = body_text(m->meta, MCP_META "protocolVersion", 64),
                   *name = m->params && body_kind(m->params, "name") == BODY_TEXT ? body_text(m->params, "name", 256)
                                                                                  : NULL;
        add_header(k, &n, "MCP-Protocol-Version", version ? version : MCP_MODERN);
        add_header(k, &n, "Mcp-Method", m->method);
        if (name)
            add_header(k, &n, "Mcp-Name", name);
    } else if (b->session[0] && !(m->method && str_eq(m->method, "initialize"))) {
        add_header(k, &n, "Mcp-Session-Id", b->session);
    }
}

/* False: there are too many, and the call is still the caller's. */
static bool list_call(struct bridge_call *k)
{
    struct bridge *b = k->bridge;
    (void)pthread_mutex_lock(&b->lock);
    const bool has_room = b->count < CALLS_MAX;
    if (has_room) {
        k->next = b->calls;
        b->calls = k;
        b->count++;
    }
    (void)pthread_mutex_unlock(&b->lock);
    return has_room;
}

static void end_call(struct bridge_call *k)
{
    struct bridge *b = k->bridge;
    (void)pthread_mutex_lock(&b->lock);
    for (struct bridge_call **at = &b->calls; *at; at = &(*at)->next)
        if (*at == k) {
            *at = k->next;
            break;
        }
    b->count--;
    (void)pthread_cond_broadcast(&b->changed);
    call_free(k); /* under the lock: cancel() looks at calls that are listed */
    (void)pthread_mutex_unlock(&b->lock);
}

static void *perform(void *context)
{
    send_call(context);
    end_call(context);
    return NULL;
}

/* notifications/cancelled: the request is given up, as a client of HTTP would. */
static void cancel(struct bridge_call *k)
{
    struct bridge *b = k->bridge;
    struct buf id;
    buf_init(&id, KIB);
    if (k->message.params)
        body_json(k->message.params, "requestId", &id);
    (void)pthread_mutex_lock(&b->lock);
    for (struct bridge_call *one = b->calls; one && id.size && !id.failed; one = one->next)
        if (one->id && str_eq(one->id, id.data))
            (void)eventfd_write(one->stop, 1);
    (void)pthread_mutex_unlock(&b->lock);
    buf_done(&id);
}

/* Never waits: the line that cancels a call could be the next. */
static void start_thread(struct bridge_call *k)
{
    pthread_t thread;
    pthread_attr_t attr;
    if (!list_call(k)) {
        put_failure(k, arena_printf(&k->arena, "%u calls are running: try again when one has ended", CALLS_MAX));
        call_free(k);
        return;
    }
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attr, perform, k) != 0) {
        put_failure(k, "no thread could be started: try again when another call has ended");
        end_call(k);
    }
    (void)pthread_attr_destroy(&attr);
}

/* What begins a conversation is answered before the next line is read, and so is what has no answer. */
static void pass_on(struct bridge *b, const char *text, size_t size)
{
    struct bridge_call *k = calloc(1, sizeof *k);
    if (!k || !(k->line = malloc(size + 1)))
        abort();
    memcpy(k->line, text, size);
    k->line[size] = '\0';
    k->size = size;
    k->bridge = b;
    k->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    read_message(k);
    make_headers(k);
    const char *method = k->message.method;
    if (method && str_eq(method, "notifications/cancelled"))
        cancel(k);
    if (k->id && !str_eq(method, "initialize")) {
        start_thread(k);
    } else {
        if (strlen(k->line) == k->size)
            send_call(k);
        else /* what can be sent ends there */
            put_fault(b, MCP_PARSE, "a line holds a NUL byte");
        call_free(k);
    }
}

/* --- reading --------------------------------------------------------------------------------------------------------
 */

struct reader {
    struct buf line;  /* as far as it has come */
    bool is_too_long; /* the rest of that line is dropped */
};

/* A part of a line; what is too long is said at once and forgotten. */
static void add_part(struct bridge *b, struct reader *r, const char *part, size_t size)
{
    if (r->is_too_long || buf_add(&r->line, part, size) == 0)
        return;
    put_fault(b, MCP_INVALID_REQUEST, "a line is longer than 64 MiB");
    r->is_too_long = true;
    buf_done(&r->line);
    buf_init(&r->line, LINE_MAX_BYTES);
}

static void end_line(struct bridge *b, struct reader *r)
{
    size_t n = r->line.size;
    while (n && memchr(" \t\r", r->line.data[n - 1], 3)) /* a NUL is none of them */
        n--;
    if (n)
        pass_on(b, r->line.data, n);
    r->line.size = 0;
    r->is_too_long = false;
}

static void take_piece(struct bridge *b, struct reader *r, const char *piece, size_t size)
{
    const char *end;
    while ((end = memchr(piece, '\n', size))) {
        const size_t n = (size_t)(end - piece);
        add_part(b, r, piece, n);
        end_line(b, r);
        piece += n + 1;
        size -= n + 1;
    }
    add_part(b, r, piece, size);
}

/* Until the end of standard input, or until standard output is gone. */
static void converse(struct bridge *b)
{
    char piece[64 * KIB];
    struct reader r = { 0 };
    ssize_t n;
    buf_init(&r.line, LINE_MAX_BYTES);
    while (!b->is_broken && (n = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        take_piece(b, &r, piece, (size_t)n);
    buf_done(&r.line);
}

static void end_calls(struct bridge *b)
{
    (void)pthread_mutex_lock(&b->lock);
    for (struct bridge_call *k = b->calls; k; k = k->next)
        (void)eventfd_write(k->stop, 1);
    while (b->count)
        (void)pthread_cond_wait(&b->changed, &b->lock);
    (void)pthread_mutex_unlock(&b->lock);
}

/* Its sandboxes end with it. */
static void end_session(struct bridge *b)
{
    char header[SESSION_SIZE + 32];
    const char *const list[] = { header, NULL };
    struct error ignored;
    struct buf out;
    long status;
    if (!b->session[0])
        return;
    (void)snprintf(header, sizeof header, "Mcp-Session-Id: %s", b->session);
    (void)service_client_ask(&b->service,
                             &(struct service_request){ .method = "DELETE",
                                                        .path = "/mcp",
                                                        .is_outside = true,
                                                        .headers = list,
                                                        .max_bytes = 64 * KIB,
                                                        .timeout_ms = 5000 },
                             &status, &out, &ignored);
    buf_done(&out);
}

/* --- the whole
 * -------------------------------------------------------------------------------------------------------- */

static int read_words(int argc, char **argv, struct bridge *b, struct error *err)
{
    const struct {
        const char *name, **value;
    } table[] = { { "--url", &b->service.url },
                  { "--key-file", &b->service.key_file },
                  { "--ca", &b->service.ca },
                  { "--agent-id", &b->agent_id },
                  { "--config", &b->config } };
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        const size_t n = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        size_t k = 0;
        if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h")) {
            b->help = true;
            return 0;
        }
        while (k < ARRAY_LEN(table) && (strlen(table[k].name) != n || strncmp(table[k].name, argv[i], n) != 0))
            k++;
        if (k == ARRAY_LEN(table)) {
            (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "unexpected argument: %s", argv[i]);
            return err_remedy(err, "see sandbox-agent mcp --help");
        }
        if (!equals && i + 1 == argc)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", argv[i]);
        *table[k].value = equals ? equals + 1 : argv[++i];
    }
    return 0;
}

/* This user's own; its configuration says where its state is. */
static int join_private(struct bridge *b, struct arena *a, int *ret_lock, struct error *err)
{
    struct paths paths;
    struct compiled policy;
    struct mcp_place place;
    const struct options words = { .config = b->config, .dry_run = true };
    int e = parent_paths(a, &paths);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    e = policy_load(&words, &paths, NULL, NULL, LANG_BASH, &policy, err);
    if (e < 0)
        return e;
    e = mcp_place_find(&paths, &policy.config, a, &place, err);
    compiled_done(&policy);
    if (e == 0)
        e = mcp_private_join(&place, arena_printf(a, "%s/../../bin/sandboxd", paths.libexec), b->config, ret_lock, err);
    b->service = (struct service_client){ .url = arena_printf(a, "unix://%s", place.socket) };
    return e;
}

static int serve(struct bridge *b, struct arena *a, struct error *err)
{
    cleanup(closep) int lock = -EBADF;
    int e = service_client_settle(&b->service) ? 0 : join_private(b, a, &lock, err);
    if (e == 0)
        e = service_client_open(&b->service, err);
    if (e < 0)
        return e;
    converse(b);
    end_calls(b);
    end_session(b);
    return 0;
}

int mcp_stdio_main(int argc, char **argv)
{
    struct bridge b = { 0 };
    struct arena arena = { 0 };
    struct error err = { 0 };
    (void)signal(SIGPIPE, SIG_IGN);
    (void)pthread_mutex_init(&b.lock, NULL);
    (void)pthread_cond_init(&b.changed, NULL);
    int e = read_words(argc, argv, &b, &err);
    if (e == 0 && b.help)
        return fputs(help, stdout) == EOF ? 125 : 0;
    if (e == 0)
        e = serve(&b, &arena, &err);
    if (e < 0)
        service_client_say("mcp", &err);
    service_client_done(&b.service);
    arena_done(&arena);
    return e < 0 ? error_exit_code(&err) : 0;
}
