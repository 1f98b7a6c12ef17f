#include "front/mcp_state.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

struct mcp_session {
    char id[MCP_SESSION_ID_SIZE];
    char *key_id;
    struct mcp_session *next; /* used before this one */
};

struct mcp {
    pthread_mutex_t lock;
    struct mcp_session *sessions; /* the one used last first */
    struct mcp_running *running;
};

struct mcp *mcp_new(void)
{
    struct mcp *m = calloc(1, sizeof *m);
    if (m)
        (void)pthread_mutex_init(&m->lock, NULL);
    return m;
}

static void session_free(struct mcp_session *s)
{
    free(s->key_id);
    free(s);
}

struct mcp *mcp_free(struct mcp *m)
{
    while (m && m->sessions) {
        struct mcp_session *s = m->sessions;
        m->sessions = s->next;
        session_free(s);
    }
    if (m)
        (void)pthread_mutex_destroy(&m->lock);
    free(m);
    return NULL;
}

/* --- sessions --------------------------------------------------------------------------------------------------- */

/* With the lock: taken out of the list, or NULL. */
static struct mcp_session *take(struct mcp *m, const char *key_id, const char *id)
{
    for (struct mcp_session **at = &m->sessions; *at; at = &(*at)->next)
        if (str_eq((*at)->id, id) && str_eq((*at)->key_id, key_id)) {
            struct mcp_session *s = *at;
            *at = s->next;
            return s;
        }
    return NULL;
}

static void put_first(struct mcp *m, struct mcp_session *s)
{
    s->next = m->sessions;
    m->sessions = s;
}

/* With the lock: those that are too many, of this key and of all. */
static void forget_oldest(struct mcp *m, const char *key_id)
{
    unsigned all = 0, of_key = 0;
    for (struct mcp_session **at = &m->sessions; *at;) {
        struct mcp_session *s = *at;
        const bool is_ours = str_eq(s->key_id, key_id);
        if (++all > MCP_SESSIONS_MAX || (is_ours && ++of_key > MCP_SESSIONS_OF_A_KEY)) {
            *at = s->next;
            session_free(s);
        } else {
            at = &s->next;
        }
    }
}

bool mcp_session_begin(struct mcp *m, const char *key_id, char ret_id[static MCP_SESSION_ID_SIZE])
{
    unsigned char r[16];
    struct mcp_session *s = calloc(1, sizeof *s);
    if (!s || !(s->key_id = strdup(key_id)) || getrandom(r, sizeof r, 0) != (ssize_t)sizeof r) {
        if (s)
            session_free(s);
        return false;
    }
    int n = snprintf(s->id, sizeof s->id, "mcp-");
    for (size_t i = 0; i < sizeof r; i++)
        n += snprintf(s->id + n, sizeof s->id - (size_t)n, "%02x", r[i]);
    memcpy(ret_id, s->id, sizeof s->id);
    (void)pthread_mutex_lock(&m->lock);
    put_first(m, s);
    forget_oldest(m, key_id);
    (void)pthread_mutex_unlock(&m->lock);
    return true;
}

bool mcp_session_is(struct mcp *m, const char *key_id, const char *id)
{
    (void)pthread_mutex_lock(&m->lock);
    struct mcp_session *s = take(m, key_id, id);
    if (s)
        put_first(m, s);
    (void)pthread_mutex_unlock(&m->lock);
    return s != NULL;
}

bool mcp_session_end(struct mcp *m, const char *key_id, const char *id)
{
    (void)pthread_mutex_lock(&m->lock);
    struct mcp_session *s = take(m, key_id, id);
    (void)pthread_mutex_unlock(&m->lock);
    if (s)
        session_free(s);
    return s != NULL;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

void mcp_running_add(struct mcp *m, struct mcp_running *r)
{
    (void)pthread_mutex_lock(&m->lock);
    r->next = m->running;
    m->running = r;
    (void)pthread_mutex_unlock(&m->lock);
}

void mcp_running_remove(struct mcp *m, struct mcp_running *r)
{
    (void)pthread_mutex_lock(&m->lock);
    for (struct mcp_running **at = &m->running; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    (void)pthread_mutex_unlock(&m->lock);
}

bool mcp_running_begun(struct mcp *m, struct mcp_running *r, const char *execution_id)
{
    (void)pthread_mutex_lock(&m->lock);
    (void)snprintf(r->execution_id, sizeof r->execution_id, "%s", execution_id);
    const bool is_cancelled = r->is_cancelled;
    (void)pthread_mutex_unlock(&m->lock);
    return is_cancelled;
}

bool mcp_running_cancel(struct mcp *m, const struct mcp_running *which, char ret[static 48])
{
    ret[0] = '\0';
    (void)pthread_mutex_lock(&m->lock);
    for (struct mcp_running *r = m->running; r && !ret[0]; r = r->next)
        if (str_eq(r->key_id, which->key_id) && str_eq(r->session_id, which->session_id) && str_eq(r->id, which->id)) {
            r->is_cancelled = true;
            memcpy(ret, r->execution_id, sizeof r->execution_id);
        }
    (void)pthread_mutex_unlock(&m->lock);
    return ret[0] != '\0';
}
