#include "daemon/webhook_internal.h"

#include <stdio.h>
#include <time.h>

#include "base/json.h"

const char *const webhook_event_names[] = { "execution_started", "execution_completed", "execution_failed",
                                            "security_violation", "alert" };
_Static_assert(ARRAY_LEN(webhook_event_names) == WEBHOOK_EVENTS, "an event has no name");

/* --- bodies ------------------------------------------------------------------------------------------- */

static void put_time(struct buf *b, uint64_t now_ms)
{
    char day[32], text[48];
    const time_t seconds = (time_t)(now_ms / 1000);
    struct tm utc;
    (void)gmtime_r(&seconds, &utc);
    (void)strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc);
    (void)snprintf(text, sizeof text, "%s.%03uZ", day, (unsigned)(now_ms % 1000));
    json_put_string(b, text);
}

struct webhook_body *webhook_body_make(enum webhook_event e, const char *data, size_t size, uint64_t now_ms,
                                       uint64_t random[2])
{
    char id[40];
    struct buf b;
    struct webhook_body *body = NULL;
    (void)snprintf(id, sizeof id, "evt-%016llx%016llx", (unsigned long long)random[0], (unsigned long long)random[1]);
    buf_init(&b, size + KIB);
    json_open(&b, '{');
    json_key(&b, "id"), json_put_string(&b, id);
    json_key(&b, "type"), json_put_string(&b, webhook_event_names[e]);
    json_key(&b, "created"), put_time(&b, now_ms);
    json_key(&b, "data"), (void)buf_add(&b, data, size);
    json_close(&b, '}');
    if (!b.failed && (body = malloc(sizeof *body + b.size))) {
        *body = (struct webhook_body){ .refs = 1, .event = e, .size = b.size };
        memcpy(body->id, id, sizeof id);
        memcpy(body->text, b.data, b.size);
    }
    buf_done(&b);
    return body;
}

static void body_unref(struct webhook_queue *q, struct webhook_body *b)
{
    if (--b->refs)
        return;
    q->bytes -= b->size;
    free(b);
}

/* --- targets ------------------------------------------------------------------------------------------ */

static struct webhook_target *find_target(const struct webhook_queue *q, const char *url)
{
    struct webhook_target *t = q->targets;
    while (t && !str_eq(t->url, url))
        t = t->next;
    return t;
}

static void drop_empty(struct webhook_queue *q)
{
    for (struct webhook_target **at = &q->targets; *at;) {
        struct webhook_target *t = *at;
        if (t->is_current || t->waiting) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        free(t->url);
        free(t);
    }
}

static struct webhook_target *add_target(struct webhook_queue *q, const char *url)
{
    struct webhook_target *t = calloc(1, sizeof *t), **last = &q->targets;
    if (!t || !(t->url = strdup(url))) {
        free(t);
        return NULL;
    }
    if (webhook_url_check(url, &webhook_keys, true, t->shown, NULL) < 0)
        (void)snprintf(t->shown, sizeof t->shown, "(no URL)");
    while (*last)
        last = &(*last)->next;
    return *last = t;
}

int webhook_queue_configure(struct webhook_queue *q, const struct strlist *urls, uint32_t max)
{
    STRLIST_FOREACH(url, urls)
    if (!find_target(q, url) && !add_target(q, url)) {
        drop_empty(q); /* those that were added just now */
        return -ENOMEM;
    }
    q->max = max;
    q->current = 0;
    for (struct webhook_target *t = q->targets; t; t = t->next) {
        t->is_current = strlist_has(urls, t->url);
        q->current += t->is_current;
    }
    drop_empty(q);
    return 0;
}

/* --- posts -------------------------------------------------------------------------------------------- */

/* A share of its own: what a dead receiver leaves waiting is not taken from others. */
static bool has_room(const struct webhook_queue *q, const struct webhook_target *t, size_t size)
{
    return t->waiting < MAX_OF(q->max / q->current, 1u) && q->bytes + size <= WEBHOOK_MAX_BYTES;
}

static bool add_post(struct webhook_queue *q, struct webhook_target *t, struct webhook_body *b)
{
    struct webhook_post *p = has_room(q, t, b->refs > 1 ? 0 : b->size) ? calloc(1, sizeof *p) : NULL;
    struct webhook_post **end = t->fresh_last ? &t->fresh_last->next : &t->fresh;
    if (!p)
        return false;
    *p = (struct webhook_post){ .to = t, .body = b };
    b->refs++;
    *end = t->fresh_last = p;
    t->waiting++;
    q->waiting++;
    return true;
}

uint32_t webhook_queue_add(struct webhook_queue *q, struct webhook_body *b)
{
    uint32_t refused = 0;
    for (struct webhook_target *t = q->targets; t; t = t->next)
        if (t->is_current && !add_post(q, t, b))
            refused++;
    q->bytes += b->size; /* body_unref() takes it off again where no post keeps it */
    body_unref(q, b);
    return refused;
}

static struct webhook_post *take_from(struct webhook_target *t, uint64_t now_ms)
{
    struct webhook_post *p = t->again && t->again->due_ms <= now_ms ? t->again : t->fresh;
    if (!p)
        return NULL;
    if (p == t->again)
        t->again = p->next;
    else {
        t->fresh = p->next;
        t->fresh_last = t->fresh ? t->fresh_last : NULL;
    }
    p->next = NULL;
    p->attempts++;
    t->under_way++;
    return p;
}

/* The least busy target first: where there are more than WEBHOOK_IN_FLIGHT at once, all get their turn. */
static struct webhook_target *choose(const struct webhook_queue *q, uint64_t now_ms, uint64_t *ret_due_ms)
{
    struct webhook_target *best = NULL;
    *ret_due_ms = UINT64_MAX;
    for (struct webhook_target *t = q->targets; t; t = t->next) {
        if (t->under_way >= WEBHOOK_PER_TARGET)
            continue;
        if (t->fresh || (t->again && t->again->due_ms <= now_ms))
            best = !best || t->under_way < best->under_way ? t : best;
        else if (t->again)
            *ret_due_ms = MIN_OF(*ret_due_ms, t->again->due_ms);
    }
    return best;
}

struct webhook_post *webhook_queue_take(struct webhook_queue *q, uint64_t now_ms, uint64_t *ret_due_ms)
{
    *ret_due_ms = UINT64_MAX;
    struct webhook_target *t = q->under_way < WEBHOOK_IN_FLIGHT ? choose(q, now_ms, ret_due_ms) : NULL;
    struct webhook_post *p = t ? take_from(t, now_ms) : NULL;
    q->under_way += p != NULL;
    return p;
}

void webhook_queue_again(struct webhook_queue *q, struct webhook_post *p, uint64_t due_ms)
{
    struct webhook_post **at = &p->to->again;
    p->due_ms = due_ms;
    while (*at && (*at)->due_ms <= due_ms)
        at = &(*at)->next;
    p->next = *at;
    *at = p;
    p->to->under_way--;
    q->under_way--;
}

static void free_post(struct webhook_queue *q, struct webhook_post *p)
{
    p->to->waiting--;
    q->waiting--;
    body_unref(q, p->body);
    free(p);
}

void webhook_queue_end(struct webhook_queue *q, struct webhook_post *p)
{
    p->to->under_way--;
    q->under_way--;
    free_post(q, p);
    drop_empty(q);
}

static uint32_t clear_list(struct webhook_queue *q, struct webhook_post **list)
{
    uint32_t n = 0;
    for (struct webhook_post *p; (p = *list); n++) {
        *list = p->next;
        free_post(q, p);
    }
    return n;
}

uint32_t webhook_queue_clear(struct webhook_queue *q)
{
    uint32_t n = 0;
    for (struct webhook_target *t = q->targets; t; t = t->next) {
        n += clear_list(q, &t->fresh) + clear_list(q, &t->again);
        t->fresh_last = NULL;
    }
    return n;
}

void webhook_queue_done(struct webhook_queue *q)
{
    (void)webhook_queue_clear(q);
    for (struct webhook_target *t = q->targets; t; t = t->next)
        t->is_current = false;
    drop_empty(q);
    assert(!q->targets); /* nothing is under way any more */
}
