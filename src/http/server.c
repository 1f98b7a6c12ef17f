#include "http/framing.h"

#include <sys/socket.h>

#define STACK_BYTES        (1u * MIB)    /* a run takes about half of it */
#define POOL_BYTES         (64u * 1024u) /* of a connection: head, and as much of a body as one read takes */
#define BEYOND_CONNECTIONS 64u           /* of each listener: those that are told that there is no room */
/* forward secrecy and authenticated encryption only; the client's order, since ours would cost a round trip more */
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-256-CBC:-AES-128-CBC"

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = connection_add(cls, mhd);
    } else if (*context) {
        request_drop(*context);
        connection_remove(*context);
        *context = NULL;
    }
}

/* target.c decodes, since this one would swallow what is malformed. */
static size_t leave_escapes(void *cls, struct MHD_Connection *mhd, char *s)
{
    (void)cls;
    (void)mhd;
    return strlen(s);
}

static int start_daemon(struct listener *l, struct error *err)
{
    const struct http_options *o = &l->server->options;
    const struct MHD_OptionItem tls[] = {
        { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)o->tls_certificate },
        { MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)o->tls_key },
        { MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES },
        { o->tls_authorities ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0, (void *)(uintptr_t)o->tls_authorities },
        { MHD_OPTION_END, 0, NULL },
    };
    const struct MHD_OptionItem none[] = { { MHD_OPTION_END, 0, NULL } };
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
                     MHD_USE_ERROR_LOG | (l->is_tls ? MHD_USE_TLS : 0);
    l->mhd = MHD_start_daemon(flags, 0, NULL, NULL, request_go_on, l->server, MHD_OPTION_EXTERNAL_LOGGER, library_says,
                              NULL, MHD_OPTION_LISTEN_SOCKET, l->fd, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                              MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
                              o->max_connections + BEYOND_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, 0u,
                              MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES, MHD_OPTION_NOTIFY_CONNECTION,
                              on_connection, l, MHD_OPTION_URI_LOG_CALLBACK, request_begin, l->server,
                              MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL, MHD_OPTION_NOTIFY_COMPLETED,
                              request_end, l->server, MHD_OPTION_ARRAY, l->is_tls ? tls : none, MHD_OPTION_END);
    if (l->mhd)
        return 0;
    return err_set(err, -EINVAL, BLAME_CALLER, "HTTP", "%s",
                   l->is_tls
                       ? "the server cannot be started: certificate and key must be PEM text that belong together, and "
                         "authorities (fleet.ca_file) PEM text, too"
                       : "the server cannot be started: no memory or no thread");
}

int server_start(const struct http_options *o, struct http_server **ret, struct error *err)
{
    struct http_server *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, "HTTP", "no memory");
    s->options = *o;
    if (!s->options.max_bodies)
        s->options.max_bodies = HTTP_MAX_BODIES;
    int r = connections_start(s, err);
    if (r == 0)
        r = listeners_open(s, err);
    for (size_t i = 0; r == 0 && i < s->listener_count; i++)
        r = start_daemon(&s->listeners[i], err);
    if (r < 0) {
        (void)http_stop(s);
        return r;
    }
    *ret = s;
    return 0;
}

int http_start(const struct http_options *o, struct http_server **ret, struct error *err)
{
    int r = trial_run(err);
    return r < 0 ? r : server_start(o, ret, err);
}

uint16_t http_port(const struct http_server *s)
{
    return s->port;
}

const struct http_counters *http_counters(const struct http_server *s)
{
    return &s->counters;
}

void http_drain(struct http_server *s)
{
    if (s->is_draining)
        return;
    s->is_draining = true;
    for (size_t i = 0; i < s->listener_count; i++) {
        if (s->listeners[i].mhd)
            (void)MHD_quiesce_daemon(s->listeners[i].mhd); /* gives back the descriptor, which we know */
        listener_mute(&s->listeners[i]);
    }
    connections_drain(s, false);
}

struct http_server *http_stop(struct http_server *s)
{
    if (!s)
        return NULL;
    http_drain(s);
    s->is_stopping = true;
    connections_drain(s, true);
    if (s->has_watcher)
        connections_await_end(s);
    for (size_t i = 0; i < s->listener_count; i++) {
        if (s->listeners[i].mhd)
            MHD_stop_daemon(s->listeners[i].mhd); /* joins all its threads */
        listener_close(&s->listeners[i]);
    }
    connections_stop(s);
    free(s);
    return NULL;
}
