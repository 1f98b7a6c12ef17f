#include "daemon/web_session.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "audit/chain.h"
#include "audit/hmac.h"

struct web_sessions {
    pthread_mutex_t lock;
    struct web_session list[WEB_SESSION_MAX]; /* until_ms 0: free */
};

struct web_sessions *web_sessions_new(void)
{
    struct web_sessions *s = calloc(1, sizeof *s);
    if (s)
        (void)pthread_mutex_init(&s->lock, NULL);
    return s;
}

struct web_sessions *web_sessions_free(struct web_sessions *s)
{
    if (!s)
        return NULL;
    (void)pthread_mutex_destroy(&s->lock);
    secret_wipe(s, sizeof *s);
    free(s);
    return NULL;
}

static bool is_over(const struct web_session *s, uint64_t now_ms)
{
    /* another thread's clock may have been read a moment later than this one's */
    return now_ms >= s->until_ms || now_ms - MIN_OF(s->used_ms, now_ms) >= WEB_SESSION_IDLE_MS;
}

static int make_secret(char out[static WEB_SESSION_SECRET])
{
    uint8_t bytes[32];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return -EIO;
    hex_write(bytes, sizeof bytes, out);
    secret_wipe(bytes, sizeof bytes);
    return 0;
}

int web_session_begin(struct web_sessions *s, const uint8_t key_hash[static 32], uint64_t now_ms,
                      struct web_session *ret)
{
    struct web_session made = { .until_ms = now_ms + WEB_SESSION_MS, .used_ms = now_ms };
    int e = make_secret(made.cookie);
    if (e == 0)
        e = make_secret(made.header);
    if (e < 0)
        return e;
    memcpy(made.key_hash, key_hash, sizeof made.key_hash);
    (void)pthread_mutex_lock(&s->lock);
    struct web_session *place = &s->list[0];
    for (size_t i = 0; i < WEB_SESSION_MAX && !is_over(place, now_ms); i++)
        if (is_over(&s->list[i], now_ms) || s->list[i].used_ms < place->used_ms)
            place = &s->list[i];
    *place = made;
    (void)pthread_mutex_unlock(&s->lock);
    *ret = made;
    secret_wipe(&made, sizeof made);
    return 0;
}

static bool is_secret(const char *have, const char *shown, size_t size)
{
    return size == WEB_SESSION_SECRET - 1 && secret_equal(have, shown, size);
}

/* Each cookie of our name: another program of this host may have set one for a path of its own. */
static bool has_cookie(const char *cookies, const char *wanted)
{
    static const char name[] = WEB_SESSION_COOKIE "=";
    bool has = false;
    for (const char *p = cookies; *p;) {
        p += strspn(p, "; ");
        size_t n = strcspn(p, ";");
        if (str_starts(p, name) && n >= sizeof name - 1)
            has = is_secret(wanted, p + sizeof name - 1, n - (sizeof name - 1)) || has;
        p += n;
    }
    return has;
}

/* With the lock. */
static struct web_session *find(struct web_sessions *s, const char *cookies, const char *header, uint64_t now_ms)
{
    struct web_session *found = NULL;
    for (size_t i = 0; i < WEB_SESSION_MAX; i++)
        if (!is_over(&s->list[i], now_ms) && is_secret(s->list[i].header, header, strlen(header)) &&
            has_cookie(cookies, s->list[i].cookie))
            found = &s->list[i];
    return found;
}

bool web_session_find(struct web_sessions *s, const char *cookies, const char *header, bool is_background,
                      uint64_t now_ms, struct web_session *ret)
{
    (void)pthread_mutex_lock(&s->lock);
    struct web_session *found = cookies && header ? find(s, cookies, header, now_ms) : NULL;
    if (found && !is_background)
        found->used_ms = MAX_OF(found->used_ms, now_ms);
    if (found)
        *ret = *found;
    (void)pthread_mutex_unlock(&s->lock);
    return found != NULL;
}

void web_session_end(struct web_sessions *s, const struct web_session *which, uint64_t at_ms)
{
    (void)pthread_mutex_lock(&s->lock);
    for (struct web_session *x = s->list; x < s->list + WEB_SESSION_MAX; x++) {
        const bool is_it = is_secret(x->header, which->header, strlen(which->header));
        if (is_it && at_ms)
            x->until_ms = MIN_OF(x->until_ms, at_ms);
        else if (is_it)
            secret_wipe(x, sizeof *x);
    }
    (void)pthread_mutex_unlock(&s->lock);
}
