/* call.h - a request of another protocol's client: what the fronts with routes of their own do alike.
 *
 * It is found in a table, let in by what its protocol shows as a key, and becomes one or two requests of our own
 * interface (inner.h). What is no success is our own error until the front rewords it.
 */
#pragma once
#include "front/inner.h"

struct front_call {
    struct call *call;      /* parts: of the front's own pattern */
    const char *session_id; /* which it is about; NULL: none */
    struct body *body;      /* NULL where the row wants none */
    struct http_answer *out;
    const char *code; /* the protocol's word for an error, where the status does not say it; else NULL */
};
typedef void (*front_handler)(struct front_call *c);

enum front_flag {
    FRONT_INSIDE = 1,  /* the sandbox, not the control plane */
    FRONT_JSON = 2,    /* has a body */
    FRONT_CONNECT = 4, /* has one of the Connect protocol */
};
struct front_row {
    const char *method, *pattern;
    unsigned flags; /* enum front_flag */
    front_handler handle;
};
/* The row for this path that has, of these flags, those that are wanted; call->parts are set. NULL: there is none. */
const struct front_row *front_find(struct front_call *c, const struct front_row *rows, size_t count, const char *path,
                                   unsigned flags, unsigned wanted);

/* Whether endpoints.NAME.enabled is true now; else that is the answer. */
#define front_is_on(c, name)                                                         \
    ({                                                                               \
        struct policy_set *policies_ = service_policies((c)->call->service);         \
        const bool is_on_ = policies_->level[0].config.endpoints.name.enabled;       \
        (void)policy_set_unref(policies_);                                           \
        if (!is_on_)                                                                 \
            front_fail(c, ANSWER_NOT_FOUND, "endpoints." #name ".enabled is false"); \
        is_on_;                                                                      \
    })
/* who: as auth_check(). False: that is the answer. */
bool front_let_in(struct front_call *c, int (*who)(struct front_call *c, struct caller *ret, struct error *err));
/* What a row without a handler of this method answers, or no row at all; page: which document says what is offered. */
void front_not_offered(struct front_call *c, const char *page);

/* --- for the handlers --- */

void front_fail(struct front_call *c, enum answer_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* No body, or {} with any status but 204. */
void front_done(struct front_call *c, unsigned status);
/* Where the client has us, for addresses that it is told: «http://HOST». */
const char *front_own_url(const struct front_call *c);
/* body: false, it is no object, and that is the answer. */
bool front_read(struct front_call *c, const char *data, size_t size, bool may_be_empty);
/* After all members were read: false, one of them is not accepted, and that is the answer. */
bool front_is_read(struct front_call *c);
/* Refuses what the body names of these (NULL ends), which would be weaker, or other, than what was asked for: false. */
bool front_offers(struct front_call *c, const char *const *names, const char *page);
/* The body's text `name` as the member `to`. False: it is none, and that is the answer. */
bool front_put_text(struct front_call *c, const char *name, const char *to, struct buf *b);
/* The body's object of texts `from` as the member `to`. from_of: an object within, or the body. */
void front_put_env(struct body *from_of, const char *from, struct buf *b);

/* As inner_ask_first(), of the session: parts[0] is what stands behind its id. NULL: that is the answer. */
struct body *front_ask(struct front_call *c, const char *method, const char *pattern, struct inner_asked with);
/* Of which only matters whether it was a success. */
bool front_ask_done(struct front_call *c, const char *method, const char *pattern, struct inner_asked with);
/* What b holds, as a request's body; an empty one where b has failed, which our interface refuses. */
struct inner_asked front_body(const struct buf *b);
