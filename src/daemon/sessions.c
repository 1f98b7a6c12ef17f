#include "daemon/sessions.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "daemon/contexts.h"

struct sessions {
    pthread_mutex_t lock;
    struct session_entry *newest;
    uint32_t ended;
};

const char *session_end_name(enum session_end e)
{
    static const char *const names[SESSION_ENDS] = {
        [SESSION_DELETED] = "deleted",          [SESSION_EXPIRED] = "expired", [SESSION_STANDING] = "agent_standing",
        [SESSION_SHUTDOWN] = "service_stopped", [SESSION_KILLED] = "killed",   [SESSION_LOST] = "session_lost",
        [SESSION_REFUSED] = "refused",          [SESSION_KEY] = "key_gone"
    };
    return (unsigned)e < SESSION_ENDS ? names[e] : NULL;
}

struct sessions *sessions_new(void)
{
    struct sessions *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    (void)pthread_mutex_init(&l->lock, NULL);
    return l;
}

/* --- entries ---------------------------------------------------------------------------------------------- */

static void destroy(struct session_entry *e)
{
    e->contexts = contexts_free(e->contexts); /* before what they are of */
    e->live = session_free(e->live);
    e->execution = execution_unref(e->execution);
    strlist_done(&e->metadata);
    strlist_done(&e->env);
    free(e->key_id);
    free(e->agent_id);
    free(e);
}

struct session_entry *session_entry_ref(struct session_entry *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->refs++;
    (void)pthread_mutex_unlock(&e->home->lock);
    return e;
}

struct session_entry *session_entry_unref(struct session_entry *e)
{
    if (!e)
        return NULL;
    struct sessions *l = e->home;
    (void)pthread_mutex_lock(&l->lock);
    const bool is_last = --e->refs == 0;
    (void)pthread_mutex_unlock(&l->lock);
    if (is_last)
        destroy(e);
    return NULL;
}

struct sessions *sessions_free(struct sessions *l)
{
    if (!l)
        return NULL;
    for (struct session_entry *e = l->newest, *next; e; e = next) {
        next = e->next;
        (void)session_entry_unref(e);
    }
    (void)pthread_mutex_destroy(&l->lock);
    free(l);
    return NULL;
}

static bool copy_list(struct strlist *to, const struct strlist *from)
{
    STRLIST_FOREACH(s, from)
    {
        if (strlist_add(to, s) < 0)
            return false;
    }
    return true;
}

static struct session_entry *make(struct sessions *l, const struct session_spec *spec, struct execution *x)
{
    struct session_entry *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->home = l;
    e->refs = 2; /* the table's and the caller's */
    e->level = -1;
    e->created_ms = wall_clock_ms();
    e->expires_ms = e->created_ms + spec->ttl * UINT64_C(1000);
    (void)snprintf(e->id, sizeof e->id, "%s", spec->id);
    e->key_id = strdup(spec->key_id);
    e->agent_id = strdup(spec->agent_id);
    e->is_nameless = spec->is_nameless;
    e->live = session_new();
    e->contexts = contexts_new();
    e->execution = execution_ref(x);
    if (e->key_id && e->agent_id && e->live && e->contexts && copy_list(&e->metadata, spec->metadata) &&
        copy_list(&e->env, spec->env))
        return e;
    destroy(e);
    return NULL;
}

static uint32_t count_of(const struct sessions *l, const char *key_id)
{
    uint32_t count = 0;
    for (const struct session_entry *e = l->newest; e; e = e->next)
        count += !e->has_ended && str_eq(e->key_id, key_id);
    return count;
}

int sessions_add(struct sessions *l, const struct session_spec *spec, struct execution *x, struct session_entry **ret,
                 struct error *err)
{
    struct session_entry *e = make(l, spec, x);
    if (!e)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory or no descriptors for another session");
    (void)pthread_mutex_lock(&l->lock);
    const bool has_room = !spec->max_per_key || count_of(l, spec->key_id) < spec->max_per_key;
    if (has_room) {
        e->next = l->newest;
        l->newest = e;
    }
    (void)pthread_mutex_unlock(&l->lock);
    if (has_room) {
        *ret = e;
        return 0;
    }
    destroy(e);
    (void)err_set(err, -EAGAIN, BLAME_POLICY, NULL, "this key has %u sessions", spec->max_per_key);
    return err_remedy(err, "end one of them; endpoints.api.max_sessions is the limit");
}

struct session_entry *sessions_find(struct sessions *l, const char *id)
{
    (void)pthread_mutex_lock(&l->lock);
    struct session_entry *e = l->newest;
    while (e && !str_eq(e->id, id))
        e = e->next;
    if (e)
        e->refs++;
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

/* --- their lives -------------------------------------------------------------------------------------------- */

void session_entry_decided(struct session_entry *e, int level, const struct request_packages *p)
{
    (void)pthread_mutex_lock(&e->home->lock);
    if (p->name) {
        (void)snprintf(e->packages.name, sizeof e->packages.name, "%s", p->name);
        (void)snprintf(e->packages.tree, sizeof e->packages.tree, "%s", p->tree);
        e->packages.mounted = (struct request_packages){ .name = e->packages.name,
                                                         .tree = e->packages.tree,
                                                         .is_node = p->is_node };
    }
    e->level = level;
    (void)pthread_mutex_unlock(&e->home->lock);
}

/* The one that ended longest ago is forgotten. With the lock; the caller gives its reference up. */
static struct session_entry *drop_oldest(struct sessions *l)
{
    struct session_entry **found = NULL;
    for (struct session_entry **p = &l->newest; *p; p = &(*p)->next)
        if ((*p)->has_ended && (!found || (*p)->ended_ms <= (*found)->ended_ms))
            found = p;
    struct session_entry *e = found ? *found : NULL;
    if (e) {
        *found = e->next;
        l->ended--;
    }
    return e;
}

void session_entry_over(struct session_entry *e, enum session_end what)
{
    struct sessions *l = e->home;
    struct session_entry *oldest = NULL;
    (void)pthread_mutex_lock(&l->lock);
    struct execution *x = e->execution;
    e->execution = NULL;
    e->has_ended = true;
    e->ended_ms = wall_clock_ms();
    if (e->end == SESSION_LIVES)
        e->end = what;
    if (++l->ended > SESSIONS_ENDED_MAX)
        oldest = drop_oldest(l);
    (void)pthread_mutex_unlock(&l->lock);
    contexts_clear(e->contexts); /* scanners, descriptors and texts; the entry itself is asked about for long */
    (void)execution_unref(x);
    (void)session_entry_unref(oldest);
}

/* With the lock. */
static bool end(struct session_entry *e, enum session_end why)
{
    if (e->has_ended || !e->execution)
        return false;
    if (e->end == SESSION_LIVES)
        e->end = why;
    return execution_stop(e->execution);
}

bool session_entry_end(struct session_entry *e, enum session_end why)
{
    (void)pthread_mutex_lock(&e->home->lock);
    const bool is_ending = end(e, why);
    (void)pthread_mutex_unlock(&e->home->lock);
    return is_ending;
}

int session_entry_level(struct session_entry *e, enum session_end *ret_end)
{
    (void)pthread_mutex_lock(&e->home->lock);
    const int level = e->level;
    *ret_end = e->end;
    (void)pthread_mutex_unlock(&e->home->lock);
    return level;
}

bool session_entry_extend(struct session_entry *e, uint32_t ttl)
{
    (void)pthread_mutex_lock(&e->home->lock);
    const bool lives = !e->has_ended && e->end == SESSION_LIVES;
    if (lives)
        e->expires_ms = MIN_OF(wall_clock_ms() + ttl * UINT64_C(1000), e->created_ms + SESSION_LIFE_MAX_MS);
    (void)pthread_mutex_unlock(&e->home->lock);
    return lives;
}

void session_entry_count_job(struct session_entry *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->jobs++;
    (void)pthread_mutex_unlock(&e->home->lock);
}

/* --- all of them ---------------------------------------------------------------------------------------------- */

void sessions_each(struct sessions *l, bool (*then)(void *context, const struct session_entry *e), void *context)
{
    (void)pthread_mutex_lock(&l->lock);
    for (struct session_entry *e = l->newest; e && then(context, e); e = e->next)
        ;
    (void)pthread_mutex_unlock(&l->lock);
}

void sessions_expire(struct sessions *l)
{
    const uint64_t now_ms = wall_clock_ms();
    (void)pthread_mutex_lock(&l->lock);
    for (struct session_entry *e = l->newest; e; e = e->next)
        if (now_ms >= e->expires_ms)
            (void)end(e, SESSION_EXPIRED);
    (void)pthread_mutex_unlock(&l->lock);
}

void sessions_end_all(struct sessions *l, enum session_end why)
{
    (void)pthread_mutex_lock(&l->lock);
    for (struct session_entry *e = l->newest; e; e = e->next)
        (void)end(e, why);
    (void)pthread_mutex_unlock(&l->lock);
}

void sessions_end_key(struct sessions *l, const char *key_id, enum session_end why)
{
    (void)pthread_mutex_lock(&l->lock);
    for (struct session_entry *e = l->newest; e; e = e->next)
        if (str_eq(e->key_id, key_id))
            (void)end(e, why);
    (void)pthread_mutex_unlock(&l->lock);
}

void sessions_end_agent(struct sessions *l, const char *agent_id, enum session_end why)
{
    (void)pthread_mutex_lock(&l->lock);
    for (struct session_entry *e = l->newest; e; e = e->next)
        if (str_eq(e->agent_id, agent_id))
            (void)end(e, why);
    (void)pthread_mutex_unlock(&l->lock);
}
