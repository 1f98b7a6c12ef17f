/* api.h - the Engine API (Docker 20.10 to 29, Podman's compatible one) as function calls.
 *
 * One struct engine is one process's or thread's; each call is one HTTP request over the unix socket by libcurl,
 * bounded by answer_ms. Engines differ; what is known of that stands in the files where it matters, with the version
 * where it was seen. Every failure says what was asked of the engine and what it answered («engine: POST
 * /containers/create: 404 No such image: x»), BLAME_HOST unless said otherwise. A call that is answered with an
 * unexpected status is -EREMOTEIO, with engine->status set; no engine: -ECONNREFUSED, -ENOENT, -EACCES or -ENOTSOCK;
 * too late: -ETIMEDOUT; it went away in the middle: -ECONNRESET; too much: -EMSGSIZE; what no engine says: -EBADMSG;
 * cut off for its caller: -ECANCELED.
 */
#pragma once
#include <jansson.h>
#include <poll.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#define ENGINE_VERSION_MIN "1.41" /* the oldest that has what we need (Docker 20.10) */
#define ENGINE_VERSION_MAJOR                                                     \
    1 /* of which the engine's newest is taken: what a newer one does otherwise, \
         readback.h and the facts find */
#define ENGINE_ANSWER_MAX (8u * 1024u * 1024u)

/* Whom calls serve. While one waits for the engine it listens to the caller's descriptors, too, so that no process has
 * to wait for an engine that does not answer. */
#define ENGINE_CALLER_POLLS 2
struct engine_caller {
    void *context;
    /* Reads what came, without waiting; fills in what to poll for. By when (clock_ms()) the call has to be over,
     * UINT64_MAX: no process is in a hurry. */
    uint64_t (*listen)(void *context, struct pollfd out[static ENGINE_CALLER_POLLS]);
};

struct engine {
    const char *socket; /* borrows */
    uint64_t answer_ms;
    const struct engine_caller *caller; /* borrows; NULL: none */
    void *curl, *multi;
    char version[16]; /* agreed upon: the engine's newest of our major version */
    bool is_podman;
    char name[96]; /* «Docker 20.10.24», «Podman 4.3.1» for messages */
    long status;   /* of the last whole answer, 0: none came */
    bool is_shown; /* a person at our terminal is told of what takes its time (base/progress.h) */
};

/* Agrees upon the version: GET /_ping, and GET /version where that does not suffice. A child of fork() opens one of its
 * own: the connection is shared otherwise. After a failure nothing is left to close. 0, or why not (-EPROTONOSUPPORT:
 * too old or too new, saying both versions). The remedy of an engine that is not there says how to start one, who may
 * use its socket (EACCES: the docker group), and which key names another socket. */
int engine_open(struct engine *e, const char *socket, uint64_t answer_ms, struct error *err);
int engine_open_for(struct engine *e, const char *socket, uint64_t answer_ms, const struct engine_caller *caller,
                    struct error *err);
void engine_close(struct engine *e);

/* One call. path: behind «/v1.41», percent-encoded already. body: NULL, or JSON (borrowed). *ret (may be NULL): the
 * answer's JSON, or NULL where it has none; caller decrefs. expected: status codes that are no failure, ended by 0;
 * which one came is in e->status. */
int engine_call(struct engine *e, const char *method, const char *path, json_t *body, const long *expected,
                json_t **ret, struct error *err);
/* PUT of a tar archive into a container; GET is not needed. */
int engine_put_archive(struct engine *e, const char *container, const char *path, const void *tar, size_t size,
                       struct error *err);
/* POST /images/create: a stream of JSON objects, where an error comes with status 200 (-EREMOTEIO too). Bounded by
 * max_ms in all, and by answer_ms of silence. A name without tag or digest means :latest, as everywhere. */
int engine_pull(struct engine *e, const char *image, uint64_t max_ms, struct error *err);

/* POST /containers/{id}/attach with stdin, stdout and stderr: the connection becomes ours. A descriptor, non-blocking,
 * or negative errno. What came behind the answer's head already is in `begun`, which is made here and which the caller
 * ends. Podman prepares the container in this call, so what its runtime has against it is said here (4.3: 409). */
int engine_attach(struct engine *e, const char *container, struct buf *begun, struct error *err);

/* Percent-encodes a path segment or query value. */
const char *engine_escape(struct arena *a, const char *text);

/* The engine's framing of an attached container without terminal: [stream, 0, 0, 0, size in big endian] and bytes, cut
 * anywhere by the connection. */
struct demux {
    uint8_t head[8];
    uint32_t head_size, left; /* of the frame */
    uint8_t stream;           /* 1 stdout, 2 stderr */
};
/* Takes bytes as they come; calls take() with runs of one stream's bytes. 0, -EBADMSG for what is no framing (and ever
 * after), or what take() returns (not 0). A zeroed struct is a beginning. */
int demux_feed(struct demux *d, const void *data, size_t size,
               int (*take)(void *context, unsigned stream, const void *data, size_t size), void *context);
