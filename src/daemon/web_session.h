/* web_session.h - an operator who has logged in with a key, in a browser.
 *
 * Two secrets of 256 bits are made at each log in. One is a cookie, which no script reads (HttpOnly) and no other site
 * sends (SameSite=Strict). Cookies know no port, so another program of the same host may see it; that is why the other
 * secret is a header, which the page keeps for its own origin. A request is the session's with both, and one that
 * changes something only where Origin is our own as well.
 *
 * A session ends after 15 minutes without a request of the operator (the page marks what it asks by itself), after 8
 * hours in any case, with a log out, with the service, and with its key: of the key it has the hash only, and auth.c
 * looks at the key anew with each request. What the page asks for in the next ten seconds still hears why. At most 64
 * live; one more replaces the one that was idle longest.
 */
#pragma once
#include "http/http.h"

#define WEB_SESSION_COOKIE     "sandbox_session"
#define WEB_SESSION_HEADER     "X-Sandbox-Session"
#define WEB_SESSION_BACKGROUND "X-Sandbox-Background" /* the page asked, not a person */
#define WEB_SESSION_IDLE_MS    (15 * 60 * UINT64_C(1000))
#define WEB_SESSION_MS         (8 * 3600 * UINT64_C(1000))
#define WEB_SESSION_LAST_MS    10000u /* of one whose key has gone */
#define WEB_SESSION_MAX        64u
#define WEB_SESSION_SECRET     65 /* 64 hex digits */

struct web_sessions;
struct web_sessions *web_sessions_new(void); /* NULL: no memory */
struct web_sessions *web_sessions_free(struct web_sessions *s);

struct web_session {
    char cookie[WEB_SESSION_SECRET], header[WEB_SESSION_SECRET];
    uint8_t key_hash[32];
    uint64_t until_ms, used_ms; /* of CLOCK_MONOTONIC */
};
/* 0 and *ret, or -errno: no random numbers. */
int web_session_begin(struct web_sessions *s, const uint8_t key_hash[static 32], uint64_t now_ms,
                      struct web_session *ret);
/* Whose session these two secrets are: false: of none any more. */
bool web_session_find(struct web_sessions *s, const char *cookies, const char *header, bool is_background,
                      uint64_t now_ms, struct web_session *ret);
/* That of these two secrets ends at that time, if not before; 0: now. */
void web_session_end(struct web_sessions *s, const struct web_session *which, uint64_t at_ms);
