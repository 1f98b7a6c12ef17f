/* http.h - an HTTP/1.1 server: sockets, framing, limits, and one handler for all requests.
 *
 * libmicrohttpd does the work; this header is all that the service knows of it. One thread a connection: a handler may
 * block as long as it likes (a run takes minutes) and holds up only its own client.
 *
 * Held here, for every request, before the handler sees it:
 *
 * - Framing: one Content-Length of digits, or one «Transfer-Encoding: chunked», never both, never twice. Otherwise the
 *   answer is 400 and the connection is closed. http_start() tries it: where libmicrohttpd is not the one that
 *   framing.c can check, the server does not start (trial.c).
 *
 * - Limits: head (16 KiB, 100 lines) and body sizes, bodies of all requests together. A body comes only where `admits`
 *   says so.
 *
 * - Deadlines: request_timeout for head and body together, of which the head has 10 s at most; idle_timeout between
 *   requests; write_timeout for each part (64 KiB, or what a stream gave at once) of an answer that the client has to
 *   take. They are no pauses: a byte now and then gains nothing. On a UNIX socket, where the kernel does not tell of
 *   first bytes, request_timeout begins with the whole request line, and idle_timeout holds until then.
 *
 * - Connections: at most max_connections. One more replaces the connection that has waited longest without a whole
 *   request, of those first whose body was not admitted.
 *
 * - Host: exactly one, naming loopback, the address listened on, or one of allowed_hosts (not on a UNIX socket); 421.
 *   It is against DNS rebinding. The host of a target in absolute form counts in its place.
 *
 * - Origin: none, our own (http_is_own_origin), or one of allowed_origins: against web pages; 403.
 *
 * Refusals have the body that `refuse` writes, also most of those that libmicrohttpd makes by itself. Its own pages of
 * HTML remain for a request line that is malformed, longer than 64 KiB (414) or of another HTTP (505), where that is
 * the first of its connection, and with TLS; a line of one word is not answered.
 *
 * HEAD comes to the handler as GET; OPTIONS does not come to it: preflights of allowed origins, and Allow, are answered
 * here. The answer to a chunked request is the last one of its connection (framing.h says why). A handler that answers
 * with a header of more than one line breaks the connection off.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"

struct http_request {
    const char *method,
        *path; /* path: without the query, percent-decoded once, otherwise as it came («//», «/../»); begins with '/' */
    const char *body; /* whole; NUL-terminated behind body_size; "" when there is none */
    size_t body_size;
    int fd; /* the client's socket: readable end of file means that it left. Not to be read */
    bool is_unix;
    uint32_t peer_uid; /* is_unix: SO_PEERCRED */
    bool is_loopback;  /* the client's address; also is_unix */
    bool is_tls;
    bool is_head;                       /* it is HEAD, though method says GET */
    bool has_body;                      /* one comes, or has come */
    uint64_t body_length;               /* as the head says; UINT64_MAX: it does not (chunked) */
    const char *target;                 /* path and query as they came */
    uint64_t received_us;               /* CLOCK_MONOTONIC, when its head was there */
    struct arena *arena;                /* until the answer is out */
    struct http_connection *connection; /* internal */
    const struct http_inner *inner;     /* NULL: the client's own request */
};
/* A request that a front makes of its client's: a copy of that with method, body, headers and parameters of its own. */
struct http_inner {
    struct http_pair {
        const char *name, *value; /* borrowed; name NULL ends */
    } headers[4], query[4];
    void (*begun)(void *context, const char *execution_id); /* it became this execution; NULL: not asked for */
    void *context;
    bool waits_for_end; /* its stream of events is read when the last one is there */
};
/* NULL: not there. Names of headers in any case. A header that is there twice is refused before (400) where it steers
 * us: Host, Content-Length, Transfer-Encoding, Authorization, Idempotency-Key, traceparent, Origin. Of others the first
 * counts. */
const char *http_header(const struct http_request *q, const char *name);
const char *http_query(const struct http_request *q, const char *name);
/* Whether it says that a page of this very server sent it: Origin is the request's Host, which was looked at before,
 * and our scheme. https is ours without TLS, too: a proxy of that name may have ended it; http is not with TLS. */
bool http_is_own_origin(const struct http_request *q);
/* Whether the client has shown a certificate that tls_authorities have signed, that is good now, that is for clients
 * (or says nothing of what it is for), and that has this name or address, without wildcards. */
bool http_client_is(const struct http_request *q, const char *name);
/* Calls `each` for every header, until it says false. */
void http_header_each(const struct http_request *q, bool (*each)(void *ctx, const char *name, const char *value),
                      void *ctx);
/* Calls `each` for every query parameter, until it says false. */
void http_query_each(const struct http_request *q, bool (*each)(void *ctx, const char *name, const char *value),
                     void *ctx);

#define HTTP_MAX_HEADERS 12
struct http_answer {
    unsigned status;          /* 0: as if 500 */
    const char *content_type; /* default application/json */
    struct {
        const char *name, *value; /* static, or of the request's arena */
    } headers[HTTP_MAX_HEADERS];
    const struct http_pair *more; /* further headers, of the request's arena; name NULL ends. Or NULL */
    struct buf body;              /* taken; freed when it is out */
    /* Instead of a body: the next bytes; may block, about a second at a time at most: 0 means «nothing yet, is the
     * client still there?», -1 the end, -2 breaks the connection off. Sent as chunks, each at once. max may be small,
     * about 100 bytes, when the request's head was large. Not called for HEAD. */
    ssize_t (*stream)(void *context, char *to, size_t max);
    bool has_size; /* the stream has `size` bytes, and is sent without chunks; also told for HEAD */
    uint64_t size;
    /* Set by a handler that was called before its request's body (http_options.feeds), with no status: gets the body's
     * next bytes; may block. When all are there, the handler is called again, with the same answer. */
    void (*feed)(void *context, const char *data, size_t size);
    /* Status 101: what the client sends from now on goes to this socket and back, until one of the two ends. What is in
     * the body comes first. The socket is the handler's, until `done`. */
    bool is_tunnel;
    int tunnel;
    void *tunnel_tls; /* of that socket, a gnutls_session_t, or NULL */
    /* Called once, in the connection's thread, when the answer is out or the client gone; also when there is no stream.
     * NULL: nothing to do */
    void (*done)(void *context);
    void *context;
    bool closes; /* the connection, afterwards */
};
void http_answer_header(struct http_answer *a, const char *name, const char *value);

struct http_options {
    const char *host;   /* NULL: no TCP */
    uint16_t port;      /* 0: any free one, see http_port() */
    const char *socket; /* path of a UNIX socket, or NULL; made 0660, an old one without a listener is replaced */
    const int *fds;     /* sockets that listen already (socket activation); taken: http_stop() closes them */
    size_t fd_count;
    const char *tls_certificate, *tls_key; /* PEM text, or NULL; for TCP only */
    /* PEM text: clients are asked for a certificate of these, and need none (http_client_is()); NULL: they are not */
    const char *tls_authorities;
    uint64_t max_body, request_timeout_ms, idle_timeout_ms, write_timeout_ms;
    uint64_t max_bodies; /* of all requests that are being received or handled, in bytes; beyond it 503. 0: 256 MiB */
    uint32_t max_connections;
    const struct strlist *allowed_hosts, *allowed_origins; /* borrowed while the server lives */
    void (*handle)(void *context, struct http_request *q, struct http_answer *a);
    /* Whether the body of this request may come, by its head alone. False: it is not read; the handler answers without
     * it, and the connection ends. NULL: all may. */
    bool (*admits)(void *context, struct http_request *q);
    /* Whether the handler of this request takes its body in pieces: it is called before the body comes (see feed),
     * which may have any size, and request_timeout begins anew with each piece. OPTIONS comes to it, too, but no
     * preflight. NULL: none does. */
    bool (*feeds)(void *context, struct http_request *q);
    /* A refusal that is made here: the body for it, up to 4 KiB. May be called by any thread, under a lock: it must not
     * call back. q: its request, for path and headers; NULL where that is not known, or not by this thread. */
    void (*refuse)(void *context, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body);
    void *context;
};

struct http_counters { /* for metrics; read without a lock */
    _Atomic uint64_t connections, refused_connections, evicted, requests, bad_requests, timeouts;
    _Atomic uint32_t live;
};

/* «localhost», or an address of loopback. Names that only look like one are none. */
bool http_is_loopback(const char *name);
/* Whether these bytes are a token, as names of headers and methods are (RFC 9110 5.6.2). */
bool http_is_token(const char *s, size_t n);

struct http_server;
int http_start(const struct http_options *o, struct http_server **ret, struct error *err);
uint16_t http_port(const struct http_server *s);
const struct http_counters *http_counters(const struct http_server *s);
/* Accepts nothing new; what is there may end: requests are answered, each with «Connection: close», idle connections
 * closed. */
void http_drain(struct http_server *s);
/* Ends everything, waits for handlers; returns NULL. */
struct http_server *http_stop(struct http_server *s);
