/* server.h - what the files of this module share.
 *
 * Theory of operation. Each listening socket has a libmicrohttpd daemon of its own: a thread that accepts, and one
 * thread for each connection, in which all callbacks of that connection run. All of them meet in one registry
 * (connections.c): what each connection is doing, and since when.
 *
 *     thread of a connection    reads the head (target.c, framing.c, origin.c), the body (request.c), calls the
 * handler, sends (reply.c) watcher                   looks through the registry, some times within the shortest
 * timeout, and shuts down what is overdue
 *
 * The watcher never closes a descriptor: shutdown() makes the connection's thread see the end of input, and that thread
 * ends as if the client had left. A descriptor in the registry is open: it leaves the registry before libmicrohttpd
 * closes it.
 *
 *     IDLE → HEAD → BODY → HANDLER → ANSWER → IDLE …        any → CLOSING
 *
 * The first three wait for the client and may be evicted; HANDLER has no deadline here.
 */
#pragma once
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include "http/http.h"

#define HTTP_MAX_HEAD_BYTES   (16u * 1024u) /* request line and header lines */
#define HTTP_HEAD_MS          10000u        /* at most of request_timeout, for a head to be whole */
#define HTTP_MAX_HEADER_COUNT 100u
#define HTTP_MAX_QUERY        64u           /* parameters */
#define HTTP_PART_BYTES       (64u * 1024u) /* what a client has to take within write_timeout */
#define HTTP_STREAM_BYTES     (16u * 1024u)
#define HTTP_MAX_BODIES       (256u * MIB) /* of all requests, where max_bodies says nothing */
#define HTTP_MAX_LISTENERS    16u

enum connection_state { CONN_IDLE, CONN_HEAD, CONN_BODY, CONN_HANDLER, CONN_ANSWER, CONN_CLOSING };

struct http_connection {
    struct http_server *server;
    struct http_connection *previous, *next;
    struct MHD_Connection *mhd;
    int fd;
    bool is_unix, is_tls, is_loopback;
    uint32_t peer_uid;
    struct request *request; /* the one that has begun; of its own thread */
    /* under the registry's lock */
    enum connection_state state;
    uint64_t waits_since_us; /* IDLE, HEAD, BODY: the begin of IDLE. Eviction takes the oldest */
    uint64_t deadline_us;    /* 0: none */
    uint64_t bytes_seen;     /* IDLE on TCP: bytes received when it began to wait; more of them make it HEAD */
    bool bytes_are_known;
    uint64_t begun_us; /* when the request's first bytes were seen */
    bool is_admitted;  /* its body may come (http_options.admits): evicted after those of whom nothing is known */
    bool is_beyond;    /* max_connections, and none to evict: is answered 503 */
};

struct query_item {
    const char *name, *value;
};

struct request {
    struct http_request public; /* what the handler sees */
    struct http_connection *connection;
    struct arena arena;
    const char *target;     /* as it came */
    const char *authority;  /* of a target in absolute form: it counts in place of Host (RFC 9112 3.2.2); or NULL */
    const char *raw_target; /* in libmicrohttpd's buffer: for its place only, not to be read */
    size_t raw_target_size;
    struct query_item *query;
    size_t query_count;
    struct buf body;
    uint64_t charged;   /* bytes of the server's body_bytes */
    uint64_t discarded; /* bytes of a body that is too large */
    unsigned refusal;   /* status that the body has earned while it came; 0: none */
    const char *refusal_message;
    bool has_begun;     /* the head has been judged */
    bool input_is_left; /* answered before all was read */
    bool is_fed;        /* http_options.feeds says so */
    bool closes;        /* the connection, whatever the handler says */
    struct http_answer
        answer; /* what it holds is freed, and its `done` called, when libmicrohttpd is through with the request */
};

struct listener {
    int fd;
    bool is_unix, is_tls;
    bool is_ours;      /* not handed over */
    char *unlink_path; /* the UNIX socket that we made */
    struct MHD_Daemon *mhd;
    struct http_server *server;
};

struct http_server {
    struct http_options options;
    struct http_counters counters;
    struct listener listeners[HTTP_MAX_LISTENERS];
    size_t listener_count;
    uint16_t port;
    _Atomic uint64_t body_bytes;
    _Atomic bool is_draining, is_stopping;

    pthread_mutex_t lock; /* the registry */
    pthread_cond_t wake;
    pthread_t watcher;
    bool has_watcher;
    struct http_connection *connections;
    uint32_t open; /* registered and not CLOSING */
};

/* --- server.c: http_start() without the trial */
int server_start(const struct http_options *o, struct http_server **ret, struct error *err);

/* --- trial.c: whether libmicrohttpd and framing.c refuse together what must be refused */
int trial_run(struct error *err);

/* --- listen.c: fills s->listeners; on failure what was opened is closed by listeners_close() */
int listeners_open(struct http_server *s, struct error *err);
/* No client can connect any more. The descriptor stays until libmicrohttpd has ended: its thread may be about to
 * accept. What was handed over belongs to another process, too: there clients queue for the next server. */
void listener_mute(struct listener *l);
void listener_close(struct listener *l);

/* --- connections.c */
int connections_start(struct http_server *s, struct error *err);
void connections_stop(struct http_server *s);
struct http_connection *connection_add(struct listener *l, struct MHD_Connection *mhd);
void connection_remove(struct http_connection *c);
/* False: it is overdue or evicted meanwhile, nothing may be sent on it. */
bool connection_enter(struct http_connection *c, enum connection_state state);
/* Its body may come: CONN_BODY. */
bool connection_admit(struct http_connection *c, bool is_admitted);
/* A part of the answer is about to be sent. */
bool connection_part(struct http_connection *c);
/* All that wait for a first byte have a moment left; with `now`, all are shut down. */
void connections_drain(struct http_server *s, bool now);
/* Until all that were shut down are through, for some seconds at most. libmicrohttpd 0.9.75 crashes when a refusal of
 * its own meets its end: it takes no answer any more, and sends it. */
void connections_await_end(struct http_server *s);
/* Its client has closed, or the server ends. */
bool connection_is_gone(const struct http_connection *c);

/* --- target.c */
/* The request's path and query out of its target: false, it is malformed. */
MUST_USE bool target_parse(struct request *q, const char *target, const char **ret_why);

/* --- origin.c */
/* 0, or the status to refuse with. */
unsigned origin_check(const struct request *q, const char **ret_why);
const char *origin_allowed(const struct request *q);
bool host_is_loopback(const char *host, size_t size);

/* --- reply.c */
/* Sends q->answer, which is the handler's or ours. */
enum MHD_Result reply_send(struct request *q);
/* A refusal made here; the connection ends with it. */
enum MHD_Result reply_refuse(struct request *q, unsigned status, const char *message);
/* Straight into the socket, where libmicrohttpd cannot answer; does not block. Nothing with TLS. q: or
 * NULL. */
void reply_raw(struct http_connection *c, const struct request *q, unsigned status, const char *message);

/* --- tunnel.c: the answer 101, and all that follows it; the connection is of no further use */
void tunnel_run(struct request *q);
struct tunnel_side {
    int fd;
    void *tls; /* gnutls_session_t, or NULL */
};
/* Until one side has ended, or the client has left and for last_ms no byte more could be passed on. Closes neither. */
void tunnel_pass(const struct tunnel_side *client, const struct tunnel_side *server, int last_ms);

/* --- request.c: callbacks of libmicrohttpd */
void *request_begin(void *cls, const char *target, struct MHD_Connection *mhd);
enum MHD_Result request_go_on(void *cls, struct MHD_Connection *mhd, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request);
void request_end(void *cls, struct MHD_Connection *mhd, void **request, enum MHD_RequestTerminationCode code);
/* Its log. Where it refuses a request by itself it would send a page of HTML, on some ways with two status lines; it
 * says so here first, and then our answer goes straight into the socket, which is shut for the page. */
void library_says(void *cls, const char *format, va_list args);
/* One that libmicrohttpd began and, ending the connection, did not say request_end() of. */
void request_drop(struct http_connection *c);
