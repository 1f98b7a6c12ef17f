/* How this works: kinds stand in a table under one lock. stock_claim() notes the demand. A thread is woken later, and
 * opens instances one at a time without the lock, puts them into their kind, and drops what died or was not asked for.
 */
#include "daemon/stock.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "base/clock.h"
#include "base/wait.h"

#define RATE_MS   2000u  /* claims of so long are counted */
#define REFILL_MS 100u   /* to open one and have its interpreter wait, on a busy machine */
#define PAUSE_MS  3u     /* from a claim to the next opening */
#define HOLD_MS   20u    /* the same while a run that was given one is under way: it is over by then, or long */
#define LOOK_MS   1000u  /* dead and idle ones are looked for */
#define SHUN_MS   60000u /* a kind whose instances die unused */
#define LOST_MAX  3u     /* in a row, until it is shunned */

struct program { /* an interpreter that was replaced since is not the one that a run asks for */
    uint64_t dev, ino;
    struct timespec changed;
};

struct kind {
    struct recipe recipe;
    char path[256]; /* of the interpreter, on the host as inside */
    uint64_t used_ms, window_ms, shunned_until_ms;
    uint64_t lacks_ms;            /* since when there are too few; 0: there are enough */
    uint32_t claims, last_claims; /* in this window and the one before */
    uint32_t lost_in_a_row, count;
    char lost_why[200]; /* what was told last */
    struct {
        struct instance instance;
        struct program program;
    } stock[STOCK_KIND_MAX];
};

struct stock {
    struct stock_options options;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_ending;
    uint32_t waiting;   /* of all kinds */
    uint32_t under_way; /* runs that were given one */
    uint32_t kind_count;
    struct kind *kinds[STOCK_KINDS];
};

/* --- kinds ------------------------------------------------------------------------------------------------- */

static bool look_at(const char *path, struct program *ret)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return false;
    *ret = (struct program){ st.st_dev, st.st_ino, st.st_mtim };
    return true;
}

static bool is_same_program(const struct program *a, const struct program *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

static void drop_instance(struct stock *s, struct kind *k, uint32_t at)
{
    instance_close(&k->stock[at].instance);
    k->stock[at] = k->stock[--k->count];
    s->waiting--;
}

static void kind_free(struct stock *s, uint32_t at)
{
    struct kind *k = s->kinds[at];
    while (k->count)
        drop_instance(s, k, k->count - 1);
    recipe_done(&k->recipe);
    free(k);
    s->kinds[at] = s->kinds[--s->kind_count];
}

/* The path, too: whoever sends a recipe may name another program with it than is in it. */
static struct kind *kind_find(const struct stock *s, const struct recipe *r, const char *path)
{
    for (uint32_t i = 0; i < s->kind_count; i++)
        if (recipe_equal(&s->kinds[i]->recipe, r) && str_eq(s->kinds[i]->path, path))
            return s->kinds[i];
    return NULL;
}

/* In place of the one that was not used for longest, where there is no room. Takes the recipe. */
static struct kind *kind_add(struct stock *s, struct recipe *r, const char *path)
{
    struct kind *k = strlen(path) < sizeof k->path ? calloc(1, sizeof *k) : NULL;
    uint32_t oldest = 0;
    if (!k)
        return NULL;
    for (uint32_t i = 1; i < s->kind_count; i++)
        if (s->kinds[i]->used_ms < s->kinds[oldest]->used_ms)
            oldest = i;
    if (s->kind_count == STOCK_KINDS)
        kind_free(s, oldest);
    k->recipe = *r;
    *r = (struct recipe){ 0 };
    memcpy(k->path, path, strlen(path) + 1);
    s->kinds[s->kind_count++] = k;
    return k;
}

static void roll_window(struct kind *k, uint64_t now_ms)
{
    if (now_ms - k->window_ms < RATE_MS)
        return;
    k->last_claims = now_ms - k->window_ms < 2 * RATE_MS ? k->claims : 0;
    k->claims = 0;
    k->window_ms = now_ms;
}

static void note_demand(struct kind *k, uint64_t now_ms)
{
    roll_window(k, now_ms);
    k->claims++;
    k->used_ms = now_ms;
    if (!k->lacks_ms)
        k->lacks_ms = now_ms;
}

/* What comes while one is opened, and one that waits. Claims of windows that are over do not count. */
static uint32_t target_of(struct kind *k, uint64_t now_ms)
{
    roll_window(k, now_ms);
    if (now_ms < k->shunned_until_ms)
        return 0;
    uint32_t at_once = MAX_OF(k->claims, k->last_claims) * REFILL_MS / RATE_MS;
    return MIN_OF(1 + at_once, STOCK_KIND_MAX);
}

/* What it has said at its end is read once: it may be said again and again. */
static void tell_lost(const struct stock *s, struct kind *k, struct instance *i)
{
    struct outcome o = { 0 };
    struct error err = { 0 };
    struct pollfd f = { .fd = i->client.sock, .events = POLLIN };
    const bool has_said = poll(&f, 1, 0) == 1 && client_read(&i->client, &o, &err) == 0 && o.error_text;
    const char *why = has_said && strncmp(o.error_text, k->lost_why, sizeof k->lost_why - 1) != 0 ? o.error_text : NULL;
    if (why)
        (void)snprintf(k->lost_why, sizeof k->lost_why, "%s", why);
    s->options.on_lost(s->options.context, k->path, why);
}

/* --- taking --------------------------------------------------------------------------------------------------- */

static bool take(struct stock *s, struct kind *k, struct instance *ret)
{
    struct program now = { 0 };
    bool is_there = look_at(k->path, &now);
    while (k->count) {
        const uint32_t last = k->count - 1;
        if (is_there && is_same_program(&k->stock[last].program, &now) && instance_waits(&k->stock[last].instance)) {
            *ret = k->stock[last].instance;
            k->count--;
            s->waiting--;
            k->lost_in_a_row = 0;
            return true;
        }
        if (is_there && is_same_program(&k->stock[last].program, &now))
            tell_lost(s, k, &k->stock[last].instance);
        drop_instance(s, k, last);
    }
    return false;
}

bool stock_claim(struct stock *s, const struct plan *park, struct instance *ret)
{
    struct recipe r;
    if (!s)
        return false;
    if (recipe_make(park, &r) == 0)
        return stock_claim_recipe(s, &r, park->job.program, ret);
    recipe_done(&r);
    return false;
}

bool stock_claim_recipe(struct stock *s, struct recipe *r, const char *program, struct instance *ret)
{
    bool has_one = false;
    (void)pthread_mutex_lock(&s->lock);
    struct kind *k = kind_find(s, r, program);
    if (!k)
        k = kind_add(s, r, program);
    if (k) {
        note_demand(k, clock_ms());
        has_one = take(s, k, ret);
    }
    s->under_way += has_one;
    (void)pthread_mutex_unlock(&s->lock);
    if (!has_one)
        stock_wake(s);
    recipe_done(r);
    return has_one;
}

void stock_wake(struct stock *s)
{
    (void)pthread_cond_signal(&s->wake); /* without the lock, for which the thread would wait */
}

void stock_done(struct stock *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->under_way--;
    (void)pthread_cond_signal(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
}

uint32_t stock_waiting(struct stock *s)
{
    if (!s)
        return 0;
    (void)pthread_mutex_lock(&s->lock);
    const uint32_t waiting = s->waiting;
    (void)pthread_mutex_unlock(&s->lock);
    return waiting;
}

/* --- the thread ------------------------------------------------------------------------------------------------- */

static void drop_dead(struct stock *s, struct kind *k, uint64_t now_ms)
{
    for (uint32_t i = k->count; i-- > 0;)
        if (!instance_waits(&k->stock[i].instance)) {
            tell_lost(s, k, &k->stock[i].instance);
            drop_instance(s, k, i);
            if (++k->lost_in_a_row >= LOST_MAX) {
                k->shunned_until_ms = now_ms + SHUN_MS;
                k->lost_in_a_row = 0;
            }
        }
}

static void look_around(struct stock *s, uint64_t now_ms)
{
    for (uint32_t i = s->kind_count; i-- > 0;) {
        struct kind *k = s->kinds[i];
        drop_dead(s, k, now_ms);
        while (k->count > MAX_OF(target_of(k, now_ms), 1u)) /* of a burst that is over */
            drop_instance(s, k, 0);
        if (now_ms - k->used_ms > s->options.idle_ms && now_ms >= k->shunned_until_ms)
            kind_free(s, i);
    }
}

/* The kind that lacks most. */
static struct kind *neediest(const struct stock *s, uint64_t now_ms)
{
    struct kind *best = NULL;
    uint32_t most = 0;
    if (s->waiting >= s->options.max_count)
        return NULL;
    for (uint32_t i = 0; i < s->kind_count; i++) {
        struct kind *k = s->kinds[i];
        uint32_t target = target_of(k, now_ms), lacks = target > k->count ? target - k->count : 0;
        if (lacks > most) {
            most = lacks;
            best = k;
        }
    }
    return best;
}

static bool copy_recipe(const struct recipe *from, struct recipe *to)
{
    *to = *from;
    buf_init(&to->bytes, from->bytes.size);
    return buf_add(&to->bytes, from->bytes.data, from->bytes.size) == 0;
}

/* Without the lock: the launcher may be busy, or dead. */
static bool open_one(struct stock *s, const struct recipe *r, struct instance *ret)
{
    struct client connection;
    struct error ignored = { 0 }; /* the runs that want one tell what lacks */
    if (launcher_connection(s->options.launcher, &connection, &ignored) < 0)
        return false;
    return instance_open(&connection, atomic_fetch_add(s->options.next_tag, 2) + 2, r, ret, &ignored) == 0;
}

/* With the lock held, which is given up meanwhile. False: not now. */
static bool refill(struct stock *s, struct kind *k)
{
    struct recipe r;
    struct program program;
    struct instance fresh = INSTANCE_NONE;
    char path[sizeof k->path];
    memcpy(path, k->path, sizeof path);
    bool is_made = copy_recipe(&k->recipe, &r);
    (void)pthread_mutex_unlock(&s->lock);
    is_made = is_made && look_at(path, &program) && open_one(s, &r, &fresh);
    (void)pthread_mutex_lock(&s->lock);
    k = kind_find(s, &r, path); /* it may have gone */
    recipe_done(&r);
    if (is_made && k && k->count < STOCK_KIND_MAX) {
        k->stock[k->count].program = program;
        k->stock[k->count++].instance = fresh;
        s->waiting++;
        if (k->count >= target_of(k, clock_ms()))
            k->lacks_ms = 0;
    } else {
        instance_close(&fresh);
    }
    return is_made;
}

/* What was just given out comes first, while it runs; but where runs come without a pause, so do openings. */
static uint64_t opens_at_ms(const struct stock *s, const struct kind *k)
{
    return k->lacks_ms + (s->under_way ? HOLD_MS : PAUSE_MS);
}

static void *keep(void *context)
{
    struct stock *s = context;
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL); /* the service's signals are for others */
    (void)pthread_mutex_lock(&s->lock);
    while (!s->is_ending) {
        const uint64_t now_ms = clock_ms();
        look_around(s, now_ms);
        struct kind *k = neediest(s, now_ms);
        if (k && opens_at_ms(s, k) > now_ms)
            (void)wait_until(&s->wake, &s->lock, opens_at_ms(s, k));
        else if (!k || !refill(s, k))
            (void)wait_until(&s->wake, &s->lock, clock_ms() + LOOK_MS);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* --- life -------------------------------------------------------------------------------------------------------- */

struct stock *stock_new(const struct stock_options *o)
{
    struct stock *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->options = *o;
    (void)pthread_mutex_init(&s->lock, NULL);
    wait_init(&s->wake);
    if (pthread_create(&s->thread, NULL, keep, s) == 0)
        return s;
    free(s);
    return NULL;
}

struct stock *stock_free(struct stock *s)
{
    if (!s)
        return NULL;
    (void)pthread_mutex_lock(&s->lock);
    s->is_ending = true;
    (void)pthread_cond_signal(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    while (s->kind_count)
        kind_free(s, s->kind_count - 1);
    (void)pthread_mutex_destroy(&s->lock);
    (void)pthread_cond_destroy(&s->wake);
    free(s);
    return NULL;
}
