/* routes.h - from a request to its handler: one table of method, path, who may, and who answers.
 *
 * Order: the path (404), the method (405 with Allow), the key (401), its role (403), unknown parameters
 * (400), then the handler. Routes that are E2B's or Daytona's are in tables of their own (front/e2b.h,
 * front/daytona.h). What is bound to agents and levels the handlers check themselves (auth_may). Paths lie below
 * endpoints.api.base_path, but for those that ask for no key.
 */
#pragma once
#include "daemon/capabilities_api.h"
#include "daemon/service.h"

/* At most so many at once of what is costly and has no queue of its own. */
struct gate {
    _Atomic unsigned inside;
};
/* False: full, and *a says so (429). */
bool gate_enter(struct gate *g, unsigned most, const char *what, struct call *c, struct http_answer *a);
void gate_leave(struct gate *g);

/* Answers a handler's error with the status that it asks for: who is to blame, and -EBADMSG (400), -ENOENT (404),
 * -EACCES or -EPERM (403). */
void call_refuse(struct call *c, struct http_answer *a, const struct error *err);

/* A key that auth_check() and the like said no to: 401 (-EACCES), or 503 where it could not be looked up. */
void call_refuse_key(struct call *c, struct http_answer *a, int e, const struct error *err);
/* What a handler left: an answer that is none, or larger than its bound, becomes a 500 that says so. */
void call_finish(struct call *c, struct http_answer *a);

/* The one parameter of this request, ?reason=: NULL where it is not there; false and why where it cannot be taken. */
bool call_reason(const struct call *c, const char **ret, struct error *err);

/* What this side of the service keeps between requests. */
struct routes {
    const char *base_path; /* of the start: where it listens does not change with the configuration */
    struct gate scans, searches, what_ifs;
    struct capabilities capabilities;
};
/* After the policies are there. Its strings live in the service's arena. */
int routes_open(struct service *v, struct routes **ret, struct error *err);
struct routes *routes_close(struct routes *r); /* accepts NULL, returns NULL */

/* http_options.handle, .feeds, .admits and .refuse; context: the service. */
bool routes_feed(void *service, struct http_request *q);
void routes_handle(void *service, struct http_request *q, struct http_answer *a);
bool routes_admit(void *service, struct http_request *q);
void routes_refuse(void *service, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body);

/* A front's request in place of its client's: c->request is an inner one of http.h, c->caller was let in, and c->parts
 * are there. pattern: a row of the table. The role is asked for as of any request. */
void routes_inner(struct call *c, const char *method, const char *pattern, struct http_answer *a);

/* «METHOD /path roles» a line, for `sandboxd --routes` and its test: roles are run, read, admin, or «none» where no key
 * is asked for. */
void routes_print(const char *base_path, struct buf *out);

/* --- for the table and its tests --- */

enum route_may { MAY_RUN = 1 << KEY_RUN, MAY_READ = 1 << KEY_READ, MAY_ADMIN = 1 << KEY_ADMIN };
enum route_flag {
    ROUTE_OUTSIDE = 1, /* not below the base path */
    ROUTE_OPEN = 2,    /* no key */
    ROUTE_LOCAL = 4,   /* no key from this machine */
    ROUTE_SPANS = 8,   /* what stands for {…} may have slashes: where no other path fits */
    ROUTE_SLASH = 32,  /* a slash behind it is the same place */
    ROUTE_PASSES = 64, /* what stands for the last {…} is all the rest, and body and parameters are not ours to read */
    ROUTE_OWNED = 128, /* the first {…} may be another node's: pass_on.h */
    ROUTE_LIVES = 256, /* the same while it is not finished; then the store has it */
    ROUTE_KEPT = 1024, /* ROUTE_OWNED, and the content store may have it, too */
    ROUTE_ASKS = 16,   /* has parameters, which its handler knows; the others below the base path take none */
    ROUTE_FEEDS =
        512, /* its body, of any size, comes in pieces: called before it, and when it is there (http.h: feed) */
    ROUTE_BOOKS = 2048, /* its handler asks again for an old key (caller.is_old) before it answers or anything runs */
};
struct route {
    const char *method, *pattern;
    uint8_t may; /* admin always may */
    uint16_t flags;
    route_handler handler;
};
extern const struct route routes_table[];
extern const size_t routes_count;

/* Whether the path is of this form: what stands for {…} goes to parts, in the arena. */
bool route_match(const struct route *r, const char *path, bool may_span, const char *parts[static 2], struct arena *a);
/* The route, or NULL: then *ret_allow is a list of the methods that this path has («GET, POST»), or NULL when there is
 * no such path. */
const struct route *route_find(const char *base_path, const char *method, const char *path, const char *parts[static 2],
                               const char **ret_allow, struct arena *a);
