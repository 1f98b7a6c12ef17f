/* sandboxes.h - a sandbox of another protocol is a session of ours. Its clients see those of their own key that live.
 */
#pragma once
#include "front/call.h"

/* Names in a sandbox's metadata that mean something here. */
#define FRONT_AGENT "agent_id"
#define FRONT_LEVEL "risk_level"

/* Agent and level of a new one, of what its metadata say, or its key. */
void front_put_agent_and_level(struct front_call *c, struct body *metadata, struct buf *b);
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
/* It lives, and is of the caller's key. */
bool front_session_is_own(const struct front_call *c, struct body *session);
bool front_session_is_paused(struct body *session);

/* Of the level's profile; zeros: it is not known. */
struct front_size {
    uint64_t cpus, memory_mib, disk_mib;
};
struct front_size front_size(struct service *v, struct body *session);
