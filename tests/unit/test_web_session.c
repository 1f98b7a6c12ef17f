/* Sessions of the operator's page: two secrets, and the two ends that a clock makes. */
#include <stdio.h>
#include "daemon/web_session.h"
#include "test.h"

#define BEGIN UINT64_C(1000000)
static const uint8_t key[32] = { 1, 2, 3 };

static bool is_there(struct web_sessions *all, const struct web_session *s, uint64_t now_ms, bool is_background)
{
    char cookies[256];
    struct web_session found;
    (void)snprintf(cookies, sizeof cookies, "other=1; " WEB_SESSION_COOKIE "=%s", s->cookie);
    return web_session_find(all, cookies, s->header, is_background, now_ms, &found) &&
           memcmp(found.key_hash, key, sizeof key) == 0;
}

TEST(web_session_needs_its_cookie_and_its_header)
{
    struct web_sessions *all = web_sessions_new();
    struct web_session a, b, found;
    char cookies[256];
    CHECK_EQ(web_session_begin(all, key, BEGIN, &a), 0);
    CHECK_EQ(web_session_begin(all, key, BEGIN, &b), 0);
    CHECK(strcmp(a.cookie, b.cookie) != 0 && strcmp(a.header, b.header) != 0 && strcmp(a.cookie, a.header) != 0);
    CHECK(is_there(all, &a, BEGIN, false) && is_there(all, &b, BEGIN, false));
    (void)snprintf(cookies, sizeof cookies, WEB_SESSION_COOKIE "=%s", a.cookie);
    CHECK(web_session_find(all, cookies, a.header, false, BEGIN, &found));
    CHECK(!web_session_find(all, cookies, b.header, false, BEGIN, &found));
    CHECK(!web_session_find(all, cookies, NULL, false, BEGIN, &found));
    CHECK(!web_session_find(all, NULL, a.header, false, BEGIN, &found));
    CHECK(!web_session_find(all, cookies, "", false, BEGIN, &found));
    (void)snprintf(cookies, sizeof cookies, WEB_SESSION_COOKIE "=wrong; " WEB_SESSION_COOKIE "=%s", a.cookie);
    CHECK(web_session_find(all, cookies, a.header, false, BEGIN, &found)); /* another program set one of that name */
    (void)snprintf(cookies, sizeof cookies, "x" WEB_SESSION_COOKIE "=%s", a.cookie);
    CHECK(!web_session_find(all, cookies, a.header, false, BEGIN, &found));
    web_session_end(all, &a, 0);
    CHECK(!is_there(all, &a, BEGIN, false) && is_there(all, &b, BEGIN, false));
    (void)web_sessions_free(all);
}

TEST(web_session_ends_when_it_is_idle_and_in_any_case)
{
    struct web_sessions *all = web_sessions_new();
    struct web_session s;
    CHECK_EQ(web_session_begin(all, key, BEGIN, &s), 0);
    CHECK(is_there(all, &s, BEGIN + WEB_SESSION_IDLE_MS - 1, true)); /* what the page asks keeps nothing alive */
    CHECK(!is_there(all, &s, BEGIN + WEB_SESSION_IDLE_MS, false));
    CHECK_EQ(web_session_begin(all, key, BEGIN, &s), 0);
    uint64_t now = BEGIN;
    for (; now + WEB_SESSION_IDLE_MS / 2 < BEGIN + WEB_SESSION_MS; now += WEB_SESSION_IDLE_MS / 2)
        CHECK(is_there(all, &s, now, false));
    CHECK(is_there(all, &s, BEGIN + WEB_SESSION_MS - 1, false));
    CHECK(!is_there(all, &s, BEGIN + WEB_SESSION_MS, false));
    (void)web_sessions_free(all);
}

TEST(web_session_that_ends_soon_does_so_however_it_is_used)
{
    struct web_sessions *all = web_sessions_new();
    struct web_session s;
    CHECK_EQ(web_session_begin(all, key, BEGIN, &s), 0);
    for (uint64_t now = BEGIN; now < BEGIN + WEB_SESSION_LAST_MS; now += 1000) { /* each request is refused */
        CHECK(is_there(all, &s, now, false));
        web_session_end(all, &s, now + WEB_SESSION_LAST_MS);
    }
    CHECK(!is_there(all, &s, BEGIN + WEB_SESSION_LAST_MS, false));
    (void)web_sessions_free(all);
}

TEST(web_session_does_not_end_by_a_clock_that_was_read_a_moment_before)
{
    struct web_sessions *all = web_sessions_new();
    struct web_session s;
    CHECK_EQ(web_session_begin(all, key, BEGIN, &s), 0);
    CHECK(is_there(all, &s, BEGIN + 5, false));
    CHECK(is_there(all, &s, BEGIN + 4, false)); /* of another thread */
    CHECK(is_there(all, &s, BEGIN - 1, false));
    CHECK(is_there(all, &s, BEGIN + 4 + WEB_SESSION_IDLE_MS, true)); /* it was used at 5 */
    (void)web_sessions_free(all);
}

TEST(web_session_beyond_the_last_place_takes_that_of_the_one_idle_longest)
{
    struct web_sessions *all = web_sessions_new();
    struct web_session s[WEB_SESSION_MAX + 1];
    for (unsigned i = 0; i < WEB_SESSION_MAX; i++)
        CHECK_EQ(web_session_begin(all, key, BEGIN + i, &s[i]), 0);
    CHECK(is_there(all, &s[0], BEGIN + 1000, false)); /* in use: the next one is the idlest */
    CHECK_EQ(web_session_begin(all, key, BEGIN + 2000, &s[WEB_SESSION_MAX]), 0);
    for (unsigned i = 0; i <= WEB_SESSION_MAX; i++)
        CHECK_EQ(is_there(all, &s[i], BEGIN + 3000, true), i != 1);
    (void)web_sessions_free(all);
}
