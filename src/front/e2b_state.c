#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/executions.h"
#include "front/e2b_internal.h"

#define ROWS_MAX 65536u /* contexts of all sessions: each holds a process */

struct row {
    struct e2b_context context; /* id "": it is being made */
    struct row *next;
};

struct e2b {
    uint8_t secret[32];
    pthread_mutex_t lock;
    struct row *first;
    unsigned count;
};

struct e2b *e2b_new(void)
{
    struct e2b *e = calloc(1, sizeof *e);
    if (!e || random_bytes(e->secret, sizeof e->secret) < 0) {
        free(e);
        return NULL;
    }
    (void)pthread_mutex_init(&e->lock, NULL);
    return e;
}

struct e2b *e2b_free(struct e2b *e)
{
    if (!e)
        return NULL;
    for (struct row *r = e->first, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    (void)pthread_mutex_destroy(&e->lock);
    secret_wipe(e->secret, sizeof e->secret);
    free(e);
    return NULL;
}

/* --- tokens --------------------------------------------------------------------------------------------------- */

void e2b_token(const struct e2b *e, const char *session_id, char ret[static E2B_TOKEN_SIZE])
{
    uint8_t mac[HMAC_SIZE];
    char coded[48];
    hmac_sha256(e->secret, sizeof e->secret, session_id, strlen(session_id), mac);
    base64url_write(mac, sizeof mac, coded, sizeof coded);
    (void)snprintf(ret, E2B_TOKEN_SIZE, "%.47s.%s", session_id, coded);
}

const char *e2b_token_read(const struct e2b *e, const char *token, struct arena *a)
{
    char good[E2B_TOKEN_SIZE];
    const size_t n = strcspn(token, "."), whole = strlen(token);
    if (!token[n] || n >= EXECUTION_ID_SIZE)
        return NULL;
    const char *id = arena_copy_bytes(a, token, n);
    e2b_token(e, id, good);
    return whole == strlen(good) && secret_equal(token, good, whole) ? id : NULL;
}

/* --- contexts ------------------------------------------------------------------------------------------------- */

static struct row **place(struct e2b *e, const char *session_id, const char *id)
{
    struct row **at = &e->first;
    while (*at && !(str_eq((*at)->context.session_id, session_id) && str_eq((*at)->context.id, id)))
        at = &(*at)->next;
    return at;
}

static struct row **place_of_default(struct e2b *e, const char *session_id, enum language language)
{
    struct row **at = &e->first;
    while (*at && !(str_eq((*at)->context.session_id, session_id) && (*at)->context.is_default &&
                    (*at)->context.language == language))
        at = &(*at)->next;
    return at;
}

static bool add(struct e2b *e, const struct e2b_context *c)
{
    struct row *r = e->count < ROWS_MAX ? malloc(sizeof *r) : NULL;
    if (!r)
        return false;
    *r = (struct row){ .context = *c, .next = e->first };
    e->first = r;
    e->count++;
    return true;
}

static void drop(struct e2b *e, struct row **at)
{
    struct row *r = *at;
    *at = r->next;
    e->count--;
    free(r);
}

enum e2b_default e2b_default_find(struct e2b *e, const char *session_id, enum language language,
                                  struct e2b_context *ret)
{
    struct e2b_context c = { .language = language, .is_default = true };
    enum e2b_default found = E2B_MAKE_IT;
    (void)snprintf(c.session_id, sizeof c.session_id, "%s", session_id);
    (void)pthread_mutex_lock(&e->lock);
    const struct row *r = *place_of_default(e, session_id, language);
    if (r) {
        found = r->context.id[0] ? E2B_IS_THERE : E2B_IS_BEING_MADE;
        c = r->context;
    } else {
        (void)add(e, &c); /* without memory for it, two may be made: the first one stays unnamed */
    }
    (void)pthread_mutex_unlock(&e->lock);
    *ret = c;
    return found;
}

void e2b_default_made(struct e2b *e, const char *session_id, enum language language, const char *context_id)
{
    (void)pthread_mutex_lock(&e->lock);
    struct row **at = place_of_default(e, session_id, language);
    if (*at && context_id)
        (void)snprintf((*at)->context.id, sizeof(*at)->context.id, "%s", context_id);
    else if (*at)
        drop(e, at);
    (void)pthread_mutex_unlock(&e->lock);
}

void e2b_context_add(struct e2b *e, const struct e2b_context *c)
{
    (void)pthread_mutex_lock(&e->lock);
    (void)add(e, c); /* without memory for it, it can be used by its session's own interface */
    (void)pthread_mutex_unlock(&e->lock);
}

bool e2b_context_find(struct e2b *e, const char *session_id, const char *id, struct e2b_context *ret)
{
    (void)pthread_mutex_lock(&e->lock);
    const struct row *r = id[0] ? *place(e, session_id, id) : NULL;
    if (r)
        *ret = r->context;
    (void)pthread_mutex_unlock(&e->lock);
    return r != NULL;
}

void e2b_context_remove(struct e2b *e, const char *session_id, const char *id)
{
    (void)pthread_mutex_lock(&e->lock);
    struct row **at = place(e, session_id, id);
    if (*at)
        drop(e, at);
    (void)pthread_mutex_unlock(&e->lock);
}

uint64_t e2b_context_count(struct e2b *e, const char *session_id, const char *id)
{
    (void)pthread_mutex_lock(&e->lock);
    struct row *r = *place(e, session_id, id);
    const uint64_t n = r ? ++r->context.cells : 1;
    (void)pthread_mutex_unlock(&e->lock);
    return n;
}

void e2b_contexts_each(struct e2b *e, const char *session_id, void (*then)(void *context, const struct e2b_context *c),
                       void *context)
{
    (void)pthread_mutex_lock(&e->lock);
    for (const struct row *r = e->first; r; r = r->next)
        if (r->context.id[0] && str_eq(r->context.session_id, session_id))
            then(context, &r->context);
    (void)pthread_mutex_unlock(&e->lock);
}

void e2b_contexts_prune(struct e2b *e, bool (*lives)(void *context, const char *session_id), void *context)
{
    (void)pthread_mutex_lock(&e->lock);
    for (struct row **at = &e->first; *at;) {
        if (lives(context, (*at)->context.session_id))
            at = &(*at)->next;
        else
            drop(e, at);
    }
    (void)pthread_mutex_unlock(&e->lock);
}
