#include "front/contexts.h"

#include <pthread.h>
#include <stdio.h>

#include "front/sandboxes.h"

#define ROWS_MAX 65536u /* of all sessions */

struct row {
    struct front_context context;
    struct row *next;
};

struct front_contexts {
    pthread_mutex_t lock;
    struct row *first;
    unsigned count;
};

struct front_contexts *front_contexts_new(void)
{
    struct front_contexts *t = calloc(1, sizeof *t);
    if (t)
        (void)pthread_mutex_init(&t->lock, NULL);
    return t;
}

static void drop(struct front_contexts *t, struct row **at)
{
    struct row *r = *at;
    *at = r->next;
    t->count--;
    free(r);
}

struct front_contexts *front_contexts_free(struct front_contexts *t)
{
    while (t && t->first)
        drop(t, &t->first);
    if (t)
        (void)pthread_mutex_destroy(&t->lock);
    free(t);
    return NULL;
}

/* name NULL: the default one of this language. Lock held. */
static struct row **place(struct front_contexts *t, const char *session_id, const char *name, enum language language)
{
    struct row **at = &t->first;
    for (; *at; at = &(*at)->next) {
        const struct front_context *x = &(*at)->context;
        if (str_eq(x->session_id, session_id) &&
            (name ? *name && str_eq(x->name, name) : x->is_default && x->language == language))
            break;
    }
    return at;
}

/* Lock held. False: no room. */
static bool add(struct front_contexts *t, const struct front_context *x)
{
    struct row *r = t->count < ROWS_MAX ? malloc(sizeof *r) : NULL;
    if (!r)
        return false;
    *r = (struct row){ .context = *x, .next = t->first };
    t->first = r;
    t->count++;
    return true;
}

static void prune(struct front_contexts *t, struct service *v)
{
    (void)pthread_mutex_lock(&t->lock);
    for (struct row **at = &t->first; *at;) {
        if (front_session_is_there(v, (*at)->context.session_id))
            at = &(*at)->next;
        else
            drop(t, at);
    }
    (void)pthread_mutex_unlock(&t->lock);
}

bool front_context_make(struct front_call *c, struct front_contexts *t, const char *name, enum language language,
                        struct front_context *ret)
{
    const char *asked = arena_printf(c->call->arena, "{\"language\":\"%s\"}", language_names[language]);
    prune(t, c->call->service);
    struct body *made = front_ask(c, "POST", "/sessions/{session_id}/contexts",
                                  (struct inner_asked){ .body = asked, .body_size = strlen(asked) });
    if (!made)
        return false;
    *ret = (struct front_context){ .language = language };
    (void)snprintf(ret->session_id, sizeof ret->session_id, "%s", c->session_id);
    (void)snprintf(ret->id, sizeof ret->id, "%s", body_text_if(made, "context_id"));
    (void)snprintf(ret->name, sizeof ret->name, "%s", name ? name : ret->id);
    (void)body_free(made);
    return true;
}

static bool end(struct front_call *c, const struct front_context *x)
{
    return front_ask_done(c, "DELETE", "/sessions/{session_id}/contexts/{context_id}",
                          (struct inner_asked){ .parts = { x->id } });
}

bool front_context_create(struct front_call *c, struct front_contexts *t, const char *what, const char *name,
                          enum language language, struct front_context *ret)
{
    if (!front_context_make(c, t, name, language, ret))
        return false;
    (void)pthread_mutex_lock(&t->lock);
    const bool is_added = !*place(t, ret->session_id, ret->name, language) && add(t, ret);
    (void)pthread_mutex_unlock(&t->lock);
    if (!is_added && end(c, ret))
        front_fail(c, ANSWER_CONFLICT, "%s %.100s is there already, or there are too many", what, ret->name);
    return is_added;
}

bool front_context_find(struct front_call *c, struct front_contexts *t, const char *what, const char *name,
                        struct front_context *ret)
{
    (void)pthread_mutex_lock(&t->lock);
    const struct row *r = *place(t, c->session_id, name, 0);
    if (r)
        *ret = r->context;
    (void)pthread_mutex_unlock(&t->lock);
    if (!r)
        front_fail(c, ANSWER_NOT_FOUND, "%s %.100s not found", what, name);
    return r != NULL;
}

bool front_context_end(struct front_call *c, struct front_contexts *t, const struct front_context *x)
{
    if (!end(c, x) && c->out->status != 404)
        return false;
    front_context_remove(t, x->session_id, x->name);
    return true;
}

void front_context_remove(struct front_contexts *t, const char *session_id, const char *name)
{
    (void)pthread_mutex_lock(&t->lock);
    struct row **at = place(t, session_id, name, 0);
    if (*at)
        drop(t, at);
    (void)pthread_mutex_unlock(&t->lock);
}

uint64_t front_context_count(struct front_contexts *t, const char *session_id, const char *name)
{
    (void)pthread_mutex_lock(&t->lock);
    struct row *r = *place(t, session_id, name, 0);
    const uint64_t n = r ? ++r->context.cells : 1;
    (void)pthread_mutex_unlock(&t->lock);
    return n;
}

void front_contexts_each(struct front_contexts *t, const char *session_id,
                         void (*then)(void *context, const struct front_context *x), void *context)
{
    (void)pthread_mutex_lock(&t->lock);
    for (const struct row *r = t->first; r; r = r->next)
        if (r->context.name[0] && str_eq(r->context.session_id, session_id))
            then(context, &r->context);
    (void)pthread_mutex_unlock(&t->lock);
}

enum front_default front_default_find(struct front_contexts *t, const char *session_id, enum language language,
                                      struct front_context *ret)
{
    enum front_default found = FRONT_MAKE_IT;
    *ret = (struct front_context){ .language = language, .is_default = true };
    (void)snprintf(ret->session_id, sizeof ret->session_id, "%s", session_id);
    (void)pthread_mutex_lock(&t->lock);
    const struct row *r = *place(t, session_id, NULL, language);
    if (r) {
        found = r->context.id[0] ? FRONT_IS_THERE : FRONT_IS_BEING_MADE;
        *ret = r->context;
    } else {
        (void)add(t, ret); /* without memory for it, two may be made: the first one stays unnamed */
    }
    (void)pthread_mutex_unlock(&t->lock);
    return found;
}

void front_default_made(struct front_contexts *t, const char *session_id, enum language language,
                        const char *context_id)
{
    (void)pthread_mutex_lock(&t->lock);
    struct row **at = place(t, session_id, NULL, language);
    if (*at && context_id) {
        (void)snprintf((*at)->context.id, sizeof(*at)->context.id, "%s", context_id);
        (void)snprintf((*at)->context.name, sizeof(*at)->context.name, "%s", context_id);
    } else if (*at) {
        drop(t, at);
    }
    (void)pthread_mutex_unlock(&t->lock);
}
