/* port_head.h - what a server inside a session says: the head of its answer, and the chunks of its body. Hostile bytes.
 * Pure.
 *
 * A head is HTTP/1.0 or 1.1, its lines end with CR LF or LF, and it has at most PORT_HEAD_MAX bytes and
 * PORT_HEADERS_MAX lines. What says two things about its length, or something that is no field, is an error, not a
 * guess. Left away is what is between two hops, what would speak for the service's origin in a browser (cookies,
 * authentication, permissions for other origins, service workers, ...), and what the service says itself.
 */
#pragma once
#include "base/arena.h"
#include "http/http.h"

#define PORT_HEAD_MAX    (16u * 1024u)
#define PORT_HEADERS_MAX 100u
#define PORT_NODE_HOP \
    "Sandbox-Node-Hop" /* a node has passed this request on: it is not passed on again. «1», or «1 NODE» */

struct port_head {
    unsigned status;
    bool has_length, is_chunked, is_upgrade; /* is_upgrade: to websocket, with 101 */
    uint64_t length;
    const char *type;                /* of its content; "application/octet-stream" where it says none */
    const struct http_pair *headers; /* those to pass on; in the arena; name NULL ends */
};

struct port_place {
    const char *prefix; /* the path under which the client sees the server's «/» */
    const char *path;   /* of the request, below it */
    const char *host;   /* the client's Host, or NULL */
    uint16_t port;      /* by which the server knows itself */
    bool is_node;       /* it is another node of ours: all that is not between two hops goes to the client as it is */
};

/* From the first `size` bytes of its answer. A client follows Location with its key: one that leads to the service, but
 * not below the prefix, is left away. -> bytes of the head; 0: more of it is to come; -EBADMSG: *ret_why; -ENOMEM. */
ssize_t port_head_read(const char *data, size_t size, struct arena *a, const struct port_place *place,
                       struct port_head *ret, const char **ret_why);
/* Whether this header of a client goes to the server inside: none between two hops, none that shows who the client is,
 * none that the request gets anew. */
bool port_header_goes_in(const char *name);
/* The same, to another node: also the client's key. None that speaks of this node's browser sessions. */
bool port_header_goes_to_node(const char *name);
/* Whether `token` is in this list of a header: «a, b». In any case. */
bool port_list_has(const char *list, const char *token);

enum port_chunk {
    PORT_CHUNK_SIZE,
    PORT_CHUNK_REST,
    PORT_CHUNK_DATA,
    PORT_CHUNK_AFTER,
    PORT_CHUNK_TRAILER,
    PORT_CHUNK_END
};
struct port_chunks { /* {0} begins */
    enum port_chunk state;
    uint64_t left;            /* of this chunk */
    unsigned digits, skipped; /* of its size; bytes of its extensions, or of the trailers */
    bool line_has_bytes;
};
/* Takes bytes at *at, of which `size` are there, and moves it; at most max of content go to `to`. -> how many; 0: more
 * is to come, or state is PORT_CHUNK_END; -EBADMSG. */
ssize_t port_chunks_read(struct port_chunks *c, const char *data, size_t size, size_t *at, char *to, size_t max);
