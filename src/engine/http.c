/* http.c - the exchange itself, through libcurl, and the calls that are one exchange each.
 *
 * What the answering program can do to us is bounded: time, bytes of its head and of its answer, and where it sends us
 * (no redirects, no proxy of the environment, no other protocol). Connections are kept by the handle from one exchange
 * to the next; one that the engine closed in between is made anew.
 *
 * It is libcurl's multi interface with one transfer, since curl_multi_poll() listens to the caller's descriptors beside
 * the connection.
 *
 * Before each new connection connect.c makes one of its own for a moment: it waits for an engine that takes no
 * connections (libcurl believes itself connected then), and says better why there is none. libcurl cannot be given that
 * one: 7.88 connects a socket even where it is told CURL_SOCKOPT_ALREADY_CONNECTED.
 */
#include "engine/http.h"

#include <curl/curl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "engine/answer.h"
#include "engine/caller.h"
#include "engine/connect.h"
#include "engine/version.h"

#define HEAD_MAX (64 * KIB) /* all lines of all heads of one exchange */

struct flight { /* an exchange under way, for libcurl's callbacks */
    struct engine *e;
    struct exchange *x;
    struct curl_slist *headers;
    struct error no_way; /* of the connection */
    size_t head_bytes;
    uint64_t heard_ms;
    int taken; /* what take() returned */
    bool is_silent, is_cut, is_head_whole;
    char why[CURL_ERROR_SIZE];
};

/* --- messages ----------------------------------------------------------------------------------------- */

int exchange_fail(const struct exchange *x, int code, struct error *err, const char *fmt, ...)
{
    char text[384];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_set(err, code, BLAME_HOST, NULL, "engine: %s %.*s: %s", x->method,
                   (int)MIN_OF(strcspn(x->path, "?"), (size_t)100), x->path, text);
}

int exchange_cut(const struct exchange *x, struct error *err)
{
    return caller_say_cut(err, "engine: %s %.*s: no answer", x->method, (int)MIN_OF(strcspn(x->path, "?"), (size_t)100),
                          x->path);
}

int exchange_refused(const struct engine *e, const struct exchange *x, struct error *err)
{
    char text[ANSWER_TEXT_MAX];
    (void)answer_failure(x->answer.data ? x->answer.data : "", x->answer.size, text);
    return exchange_fail(x, -EREMOTEIO, err, "%ld %s", e->status, text[0] ? text : "(without a word)");
}

static int say_late(const struct flight *f, struct error *err)
{
    char seconds[32];
    const struct exchange *x = f->x;
    (void)exchange_fail(x, -ETIMEDOUT, err, "%s within %s",
                        f->head_bytes ? (f->is_silent ? "nothing more came" : "its answer was not whole") : "no answer",
                        engine_seconds(f->is_silent ? x->silence_ms : x->max_ms, seconds));
    return err_remedy(
        err, "the engine hangs or is overloaded: look at its log; docker.daemon.timeout is how long is waited");
}

static int say_too_much(const struct flight *f, struct error *err)
{
    if (f->taken < 0)
        return exchange_fail(f->x, f->taken, err, "its answer is not what it should be");
    if (f->head_bytes > HEAD_MAX)
        return exchange_fail(f->x, -EMSGSIZE, err, "the head of its answer is larger than %u KiB",
                             (unsigned)(HEAD_MAX / KIB));
    return exchange_fail(f->x, -EMSGSIZE, err, "its answer is larger than %u MiB", (unsigned)(ENGINE_ANSWER_MAX / MIB));
}

static int say_broken(const struct flight *f, CURLcode code, struct error *err)
{
    char why[ANSWER_TEXT_MAX];
    const char *told = f->why[0] ? f->why : curl_easy_strerror(code);
    (void)exchange_fail(f->x, -EBADMSG, err, "what answers does not speak HTTP as an engine does: %s",
                        answer_clean(told, strlen(told), why, sizeof why));
    return err_remedy(err, "is %s the socket of a container engine? docker.daemon.socket names it", f->e->socket);
}

static int say_cut_off(const struct flight *f, struct error *err)
{
    (void)exchange_fail(f->x, -ECONNRESET, err, "it closed the connection before its answer was whole");
    return err_remedy(err, "the engine was stopped or crashed: look at its log");
}

static int say_no_way(const struct flight *f, struct error *err)
{
    if (f->no_way.code == 0) /* gone since the probe */
        return exchange_fail(f->x, -ECONNREFUSED, err, "no process listens at %s any more", f->e->socket);
    *err = f->no_way;
    return f->no_way.code;
}

static int say_failed(const struct flight *f, CURLcode code, struct error *err)
{
    switch (code) {
    case CURLE_COULDNT_CONNECT:
        return say_no_way(f, err);
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_OPERATION_TIMEDOUT:
        return f->is_cut ? exchange_cut(f->x, err) : say_late(f, err);
    case CURLE_WRITE_ERROR:
        return say_too_much(f, err);
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
        return say_cut_off(f, err);
    case CURLE_OUT_OF_MEMORY:
        return exchange_fail(f->x, -ENOMEM, err, "no memory");
    default:
        return say_broken(f, code, err);
    }
}

/* --- what libcurl calls ------------------------------------------------------------------------------- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct flight *f = context;
    cleanup(closep) int probe = engine_connect_for(f->e->socket, MIN_OF(f->x->max_ms, f->e->answer_ms), f->e->caller,
                                                   &f->no_way);
    (void)purpose;
    return probe < 0 ? CURL_SOCKET_BAD : socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static void note_field(const char *line, size_t size, const char *name, char *out, size_t max)
{
    const size_t n = strlen(name);
    if (size > n && curl_strnequal(line, name, n))
        (void)answer_clean(line + n, size - n, out, max);
}

static size_t take_head(char *line, size_t size, size_t count, void *context)
{
    struct flight *f = context;
    size *= count;
    f->head_bytes += size;
    f->heard_ms = clock_ms();
    f->is_head_whole = size == 2 && line[0] == '\r'; /* the empty line; libcurl is content without it */
    note_field(line, size, "Server:", f->x->server, sizeof f->x->server);
    note_field(line, size, "Api-Version:", f->x->api_version, sizeof f->x->api_version);
    return f->head_bytes <= HEAD_MAX ? size : 0;
}

static size_t take_body(char *data, size_t size, size_t count, void *context)
{
    struct flight *f = context;
    struct exchange *x = f->x;
    long status = 0;
    size *= count;
    f->heard_ms = clock_ms();
    (void)curl_easy_getinfo(f->e->curl, CURLINFO_RESPONSE_CODE, &status);
    if (!x->take || status != 200)
        return buf_add(&x->answer, data, size) < 0 ? 0 : size;
    f->taken = x->take(x->context, data, size);
    return f->taken < 0 ? 0 : size;
}

/* Once a second, and whenever something came. */
static int watch_silence(void *context, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
    struct flight *f = context;
    (void)down_all, (void)down, (void)up_all, (void)up;
    f->is_silent = clock_ms() - f->heard_ms >= f->x->silence_ms;
    return f->is_silent;
}

/* --- one exchange ------------------------------------------------------------------------------------- */

static bool add_header(struct flight *f, const char *line)
{
    struct curl_slist *longer = curl_slist_append(f->headers, line);
    f->headers = longer ? longer : f->headers;
    return longer != NULL;
}

static bool set_headers(struct flight *f)
{
    char type[64];
    (void)snprintf(type, sizeof type, "Content-Type:%s%s", f->x->type ? " " : "",
                   f->x->type ? f->x->type : ""); /* nothing behind the colon: no such line */
    /* without «Expect:» libcurl waits a second before it sends an archive */
    return add_header(f, type) && add_header(f, "Expect:") && add_header(f, "User-Agent: sandbox-agent/" VERSION) &&
           curl_easy_setopt(f->e->curl, CURLOPT_HTTPHEADER, f->headers) == CURLE_OK;
}

static bool set_request(const struct flight *f)
{
    char url[2048]; /* a list's filters are in there */
    CURL *c = f->e->curl;
    const struct exchange *x = f->x;
    const int n = snprintf(url, sizeof url, "http://localhost%s%s%s", f->e->version[0] ? "/v" : "", f->e->version,
                           x->path);
    const bool has_body = x->body || str_eq(x->method, "POST") || str_eq(x->method, "PUT");
    if (n < 0 || (size_t)n >= sizeof url || curl_easy_setopt(c, CURLOPT_URL, url) != CURLE_OK)
        return false;
    if (has_body && (curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->size) != CURLE_OK ||
                     curl_easy_setopt(c, CURLOPT_POSTFIELDS, x->body ? x->body : "") != CURLE_OK))
        return false;
    return curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, x->method) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)MIN_OF(x->max_ms, (uint64_t)LONG_MAX)) == CURLE_OK;
}

/* Nothing of the environment, nothing of the user's files, nowhere but to the socket. */
static bool set_fences(struct flight *f)
{
    CURL *c = f->e->curl;
    return curl_easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, f->e->socket) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, f) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
}

static bool set_ears(struct flight *f)
{
    CURL *c = f->e->curl;
    return curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, take_head) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HEADERDATA, f) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEDATA, f) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, watch_silence) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFODATA, f) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOPROGRESS, (long)(f->x->silence_ms == 0)) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_ERRORBUFFER, f->why) == CURLE_OK;
}

static CURLcode wait_for_end(struct flight *f)
{
    for (int live, left;;) {
        struct pollfd p[ENGINE_CALLER_POLLS];
        struct curl_waitfd also[ENGINE_CALLER_POLLS];
        unsigned count = 0;
        const uint64_t end_ms = caller_listen(f->e->caller, p), now = clock_ms();
        f->is_cut = end_ms <= now;
        if (f->is_cut)
            return CURLE_ABORTED_BY_CALLBACK;
        if (curl_multi_perform(f->e->multi, &live) != CURLM_OK)
            return CURLE_OUT_OF_MEMORY;
        if (f->x->tick)
            f->x->tick(f->x->context);
        const CURLMsg *m = live ? NULL : curl_multi_info_read(f->e->multi, &left);
        if (!live)
            return m ? m->data.result : CURLE_OUT_OF_MEMORY;
        for (size_t i = 0; i < ENGINE_CALLER_POLLS; i++)
            if (p[i].fd >= 0)
                also[count++] = (struct curl_waitfd){ .fd = p[i].fd, .events = CURL_WAIT_POLLIN };
        (void)curl_multi_poll(f->e->multi, also, count, (int)MIN_OF(end_ms - now, (uint64_t)1000),
                              NULL); /* watch_silence() is called once a second */
    }
}

static CURLcode perform(struct flight *f)
{
    if (curl_multi_add_handle(f->e->multi, f->e->curl) != CURLM_OK)
        return CURLE_OUT_OF_MEMORY;
    const CURLcode code = wait_for_end(f);
    (void)curl_multi_remove_handle(f->e->multi,
                                   f->e->curl); /* closes a connection on which something is still to come */
    return code;
}

int exchange_run(struct engine *e, struct exchange *x, struct error *err)
{
    struct flight f = { .e = e, .x = x, .heard_ms = clock_ms() };
    struct error unheard;
    int r = 0;
    CURLcode code;
    err = err ? err : &unheard; /* err_remedy() would know no code otherwise */
    e->status = 0;
    buf_init(&x->answer, ENGINE_ANSWER_MAX);
    curl_easy_reset(e->curl); /* all but the connections */
    if (!set_request(&f) || !set_fences(&f) || !set_ears(&f) || !set_headers(&f))
        r = exchange_fail(x, -ENOMEM, err, "no memory, or a path that is too long");
    else if ((code = perform(&f)) != CURLE_OK)
        r = say_failed(&f, code, err);
    else if (!f.is_head_whole)
        r = say_cut_off(&f, err);
    else
        (void)curl_easy_getinfo(e->curl, CURLINFO_RESPONSE_CODE, &e->status);
    curl_slist_free_all(f.headers);
    return r;
}

void exchange_done(struct exchange *x)
{
    buf_done(&x->answer);
}

/* --- calls -------------------------------------------------------------------------------------------- */

static bool is_expected(const long *expected, long status)
{
    while (*expected && *expected != status)
        expected++;
    return *expected != 0;
}

static int read_json(const struct exchange *x, json_t **ret, struct error *err)
{
    char text[ANSWER_TEXT_MAX];
    json_t *answer = NULL;
    if (x->answer.size && !(answer = json_loadb(x->answer.data, x->answer.size, JSON_DECODE_ANY, NULL)))
        return exchange_fail(x, -EBADMSG, err, "its answer is no JSON: «%s»",
                             answer_clean(x->answer.data, x->answer.size, text, sizeof text));
    *ret = answer;
    return 0;
}

static int settle(const struct engine *e, const struct exchange *x, const long *expected, json_t **ret,
                  struct error *err)
{
    if (!is_expected(expected, e->status))
        return exchange_refused(e, x, err);
    return ret ? read_json(x, ret, err) : 0;
}

static int call_text(struct engine *e, struct exchange *x, const long *expected, json_t **ret, struct error *err)
{
    x->max_ms = e->answer_ms;
    int r = exchange_run(e, x, err);
    if (r == 0)
        r = settle(e, x, expected, ret, err);
    exchange_done(x);
    return r;
}

int engine_call(struct engine *e, const char *method, const char *path, json_t *body, const long *expected,
                json_t **ret, struct error *err)
{
    cleanup(freep) char *text = body ? json_dumps(body, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    struct exchange x = { .method = method,
                          .path = path,
                          .body = text,
                          .size = text ? strlen(text) : 0,
                          .type = text ? "application/json" : NULL };
    if (body && !text)
        return exchange_fail(&x, -ENOMEM, err, "no memory, or a body that is no JSON");
    return call_text(e, &x, expected, ret, err);
}

int engine_put_archive(struct engine *e, const char *container, const char *path, const void *tar, size_t size,
                       struct error *err)
{
    static const long expected[] = { 200, 0 };
    struct arena a = { 0 };
    const char *url = arena_printf(&a, "/containers/%s/archive?path=%s", engine_escape(&a, container),
                                   engine_escape(&a, path));
    struct exchange x = { .method = "PUT", .path = url, .body = tar, .size = size, .type = "application/x-tar" };
    const int r = a.failed ? exchange_fail(&x, -ENOMEM, err, "no memory") : call_text(e, &x, expected, NULL, err);
    arena_done(&a);
    return r;
}

/* --- open and close ----------------------------------------------------------------------------------- */

static int ask_version(struct engine *e, struct error *err)
{
    static const long expected[] = { 200, 0 };
    struct exchange x = { .method = "GET", .path = "/version" };
    json_t *answer = NULL;
    int r = call_text(e, &x, expected, &answer, err);
    if (r == -EREMOTEIO || r == -EBADMSG)
        return err_remedy(err, "is %s the socket of a container engine? docker.daemon.socket names it", e->socket), r;
    if (r == 0)
        r = version_agree(e, answer, x.server, err);
    json_decref(answer);
    return r;
}

/* GET /_ping says enough of nearly every engine, at once; GET /version takes Docker 20 ms and Podman 4.3 1.7 s (they
 * start programs for it). */
static int agree(struct engine *e, struct error *err)
{
    struct exchange x = { .method = "GET", .path = "/_ping", .max_ms = e->answer_ms };
    const int r = exchange_run(e, &x, err);
    exchange_done(&x);
    return r < 0 ? r : e->status == 200 && version_from_ping(e, x.api_version, x.server) ? 0 : ask_version(e, err);
}

int engine_open_for(struct engine *e, const char *socket, uint64_t answer_ms, const struct engine_caller *caller,
                    struct error *err)
{
    struct error unheard;
    err = err ? err : &unheard; /* as in exchange_run() */
    *e = (struct engine){ .socket = socket, .answer_ms = answer_ms, .caller = caller };
    if (strlen(socket) > ENGINE_SOCKET_MAX)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL,
                       "engine: docker.daemon.socket: %s: a socket's path has at most %u bytes", socket,
                       ENGINE_SOCKET_MAX);
    if (curl_global_init(CURL_GLOBAL_NOTHING) !=
        CURLE_OK) /* there is no TLS on this way: its libraries need not be woken */
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "engine: libcurl cannot be started");
    e->curl = curl_easy_init();
    e->multi = curl_multi_init();
    if (!e->curl || !e->multi) {
        engine_close(e);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "engine: libcurl cannot be started");
    }
    const int r = agree(e, err);
    if (r < 0)
        engine_close(e);
    return r;
}

int engine_open(struct engine *e, const char *socket, uint64_t answer_ms, struct error *err)
{
    return engine_open_for(e, socket, answer_ms, NULL, err);
}

void engine_close(struct engine *e)
{
    if (!e->curl && !e->multi)
        return;
    curl_easy_cleanup(e->curl); /* takes NULL */
    (void)curl_multi_cleanup(e->multi);
    curl_global_cleanup();
    e->curl = e->multi = NULL;
}
