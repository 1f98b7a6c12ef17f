/* port_proxy.h - one request to a server inside a session, or to another node, over a socket that connects to it: head
 * and body there, head and body back. Nothing is kept but what one read takes.
 *
 * The body goes there first, and what the server says is read when that is through: one that answers earlier and takes
 * no more of it is heard all the same. How long is waited: for a connection, for each piece of the body to be taken,
 * and for the head of the answer. An answer that has begun has all the time that its client has.
 */
#pragma once
#include "daemon/port_head.h"

struct port_patience {
    uint64_t connect_ms, write_ms, head_ms;
};
#define PORT_PATIENCE                                            \
    {                                                            \
        .connect_ms = 5000, .write_ms = 60000, .head_ms = 120000 \
    }

/* What carries the bytes: a socket, and where tls is there TLS over it. */
struct port_line {
    int fd;
    void *tls;
    ssize_t (*send)(void *tls, const char *data, size_t size); /* as send(2) and recv(2) that do not wait */
    ssize_t (*receive)(void *tls, char *to, size_t max);
    void (*close)(void *tls); /* the socket, too */
};

struct port_request {
    const struct http_request *client; /* method, headers, body_length; its socket: a client that leaves ends it */
    const char *path;                  /* and query, as they go there */
    const char *prefix;                /* of the client's path, which stands for «/» there */
    uint16_t port;
    bool is_upgrade;  /* to websocket */
    const char *node; /* «node b»: it is another node of ours, and no port; NULL: none */
    const char *host; /* of a node: by what it is called */
    const char *from; /* likewise: this one's name, for its audit */
};

struct port_proxy;
/* fd: taken, also on failure; non-blocking. NULL: no memory. */
struct port_proxy *port_proxy_new(int fd, const struct port_request *q, const struct port_patience *patience);
struct port_proxy *port_proxy_over(const struct port_line *line, const struct port_request *q,
                                   const struct port_patience *patience);
struct port_proxy *port_proxy_free(struct port_proxy *p); /* accepts NULL, returns NULL */

/* Each: 0, or -ETIMEDOUT, -ECONNREFUSED, -EPIPE (BLAME_GUEST, of a node BLAME_HOST); -ECANCELED: the client has left;
 * -ENOMEM (BLAME_HOST).
 */
int port_proxy_begin(struct port_proxy *p, struct error *err); /* connected, and the head is there */
/* The next bytes of the body, or with size 0 its end. What fails is told by port_proxy_answer(), unless the server has
 * answered. */
void port_proxy_feed(struct port_proxy *p, const char *data, size_t size);
/* The head of the answer; -EBADMSG (BLAME_GUEST): it is no HTTP. Borrowed until port_proxy_free(). */
int port_proxy_answer(struct port_proxy *p, const struct port_head **ret, struct error *err);
/* http_answer.stream: the answer's body. */
ssize_t port_proxy_read(void *proxy, char *to, size_t max);
/* For a tunnel: the socket, and what came behind the head. */
int port_proxy_socket(const struct port_proxy *p);
const struct port_line *port_proxy_line(const struct port_proxy *p);
const char *port_proxy_rest(const struct port_proxy *p, size_t *ret_size);
