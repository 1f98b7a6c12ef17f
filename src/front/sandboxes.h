/* sandboxes.h - a sandbox of another protocol is a session of ours. Its clients see those of their own key that live.
 */
#pragma once
#include "front/call.h"

/* Names in a sandbox's metadata that mean something here. */
#define FRONT_AGENT "agent_id"
#define FRONT_LEVEL "risk_level"

/* A new one, of members of the call's body. Agent and level are those that its metadata say, or its key's. */
struct front_new {
    const char *metadata, *env, *const *not_offered; /* names; of the last a list, NULL ends */
    const char *own, *own_text;                      /* the front's own in its metadata; own_text NULL: none */
    const char *page;                                /* which document says what is offered */
    uint64_t ttl;                                    /* seconds */
    bool is_offline;
};
/* NULL: that is the answer. */
struct body *front_session_create(struct front_call *c, const struct front_new *new);
/* The metadata of one, as a member; without: the name of one that is the front's own. */
void front_put_metadata(struct buf *b, const char *member, struct body *session, const char *without);

/* Whether a session is there, and has not ended. */
bool front_session_is_there(struct service *v, const char *session_id);
/* The call's own, if it lives and is of the caller's key; NULL: that is the answer. */
struct body *front_session(struct front_call *c);
/* «It is not found», in place of whatever was answered. */
void front_session_gone(struct front_call *c);
/* With each session that our interface tells of, the newest first, until then() says false. False: that is the answer.
 */
bool front_sessions_each(struct front_call *c, bool (*then)(void *context, struct body *session), void *context);
/* It lives, is of the caller's key, and has all of these metadata (K=V). */
bool front_session_is(const struct front_call *c, struct body *session, const struct strlist *metadata);
bool front_session_is_paused(struct body *session);

/* Of the level's profile; zeros: it is not known. */
struct front_size {
    uint64_t cpus, memory_mib, disk_mib;
};
struct front_size front_size(struct service *v, struct body *session);
