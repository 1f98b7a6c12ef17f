#include "daemon/attempts.h"

#include <pthread.h>
#include <stdlib.h>
#include "base/fnv.h"

#define MINUTE_MS 60000u
#define WAYS      8u /* an agent's places: more would cost time, fewer would forget busy agents */
#define SETS      (ATTEMPTS_MAX_AGENTS / WAYS)

struct slot {
    char id[AGENT_ID_MAX + 1]; /* "": free */
    uint64_t minute;           /* of the newest attempt */
    uint16_t counts[ATTEMPTS_WINDOW_MIN];
};

struct attempts {
    pthread_mutex_t lock;
    struct slot slots[ATTEMPTS_MAX_AGENTS];
};

struct attempts *attempts_new(void)
{
    struct attempts *a = calloc(1, sizeof *a);
    if (a && pthread_mutex_init(&a->lock, NULL) != 0) {
        free(a);
        return NULL;
    }
    return a;
}

struct attempts *attempts_free(struct attempts *a)
{
    if (a)
        (void)pthread_mutex_destroy(&a->lock);
    free(a);
    return NULL;
}

static size_t set_of(const char *id)
{
    return fnv_text(id) % SETS;
}

/* Forgets what is older than the window; `minute` is the newest from here on. */
static void advance(struct slot *s, uint64_t minute)
{
    if (minute - s->minute >= ATTEMPTS_WINDOW_MIN)
        memset(s->counts, 0, sizeof s->counts);
    else
        for (uint64_t m = s->minute + 1; m <= minute; m++)
            s->counts[m % ATTEMPTS_WINDOW_MIN] = 0;
    s->minute = minute;
}

static uint32_t sum(const struct slot *s, uint64_t minute)
{
    uint32_t n = 0;
    for (uint64_t back = 0; back < ATTEMPTS_WINDOW_MIN && back <= s->minute; back++)
        if (s->minute - back + ATTEMPTS_WINDOW_MIN > minute)
            n += s->counts[(s->minute - back) % ATTEMPTS_WINDOW_MIN];
    return n;
}

/* The place of this agent, or a new one: a free one, or that of the agent with the fewest attempts, so that new ids
 * cannot hide a busy one. */
static struct slot *find(struct attempts *a, const char *id, uint64_t minute)
{
    struct slot *set = &a->slots[set_of(id) * WAYS], *least = NULL;
    uint32_t fewest = UINT32_MAX;
    for (size_t i = 0; i < WAYS; i++) {
        if (str_eq(set[i].id, id))
            return &set[i];
        const uint32_t count = set[i].id[0] ? sum(&set[i], minute) : 0;
        if (count < fewest) {
            least = &set[i];
            fewest = count;
        }
    }
    *least = (struct slot){ .minute = minute };
    memcpy(least->id, id, strlen(id) + 1);
    return least;
}

void attempts_add(struct attempts *a, const char *id, uint64_t now_ms)
{
    const uint64_t minute = now_ms / MINUTE_MS;
    if (!id || !*id || strnlen(id, AGENT_ID_MAX + 1) > AGENT_ID_MAX)
        return;
    (void)pthread_mutex_lock(&a->lock);
    struct slot *s = find(a, id, minute);
    if (minute > s->minute) /* another thread may have read the clock later and been here before */
        advance(s, minute);
    uint16_t *count = &s->counts[minute % ATTEMPTS_WINDOW_MIN];
    if (*count < UINT16_MAX)
        ++*count;
    (void)pthread_mutex_unlock(&a->lock);
}

/* Sorted in: rows are few. -> the new number of rows */
static size_t insert(struct attempts_row *rows, size_t n, size_t max, const struct slot *s, uint32_t count)
{
    size_t at = n;
    while (at > 0 && rows[at - 1].count < count)
        at--;
    if (at == max)
        return n;
    n = MIN_OF(n, max - 1);
    memmove(&rows[at + 1], &rows[at], (n - at) * sizeof *rows);
    rows[at].count = count;
    memcpy(rows[at].id, s->id, sizeof rows[at].id);
    return n + 1;
}

size_t attempts_busiest(struct attempts *a, uint64_t now_ms, struct attempts_row *rows, size_t max)
{
    const uint64_t minute = now_ms / MINUTE_MS;
    size_t n = 0;
    (void)pthread_mutex_lock(&a->lock);
    for (size_t i = 0; i < ATTEMPTS_MAX_AGENTS; i++) {
        const struct slot *s = &a->slots[i];
        uint32_t count = s->id[0] ? sum(s, minute) : 0;
        if (count)
            n = insert(rows, n, max, s, count);
    }
    (void)pthread_mutex_unlock(&a->lock);
    return n;
}
