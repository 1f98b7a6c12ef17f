#include "daemon/messenger_internal.h"

#include <stdio.h>

#define LOOK_MS 60000u

static uint64_t hash_of(const char *condition, const char *agent_id)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a: a chance match leaves one repetition out */
    for (const char *part = condition; part; part = part == condition ? agent_id : NULL) {
        for (const char *p = part; *p; p++)
            h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
        h = (h ^ 0xff) * UINT64_C(1099511628211);
    }
    return h;
}

bool digest_is_quiet(const struct digest_rules *r, uint32_t minute)
{
    if (!r->has_quiet)
        return false;
    return r->quiet_from <= r->quiet_to ? minute >= r->quiet_from && minute < r->quiet_to
                                        : minute >= r->quiet_from || minute < r->quiet_to;
}

static bool was_told(const struct digest *d, uint64_t hash, uint64_t now_ms, uint64_t within_ms)
{
    for (uint32_t i = 0; i < DIGEST_TOLD; i++)
        if (d->told[i].at_ms && d->told[i].hash == hash && now_ms - d->told[i].at_ms < within_ms)
            return true;
    return false;
}

static struct digest_item *find(struct digest *d, const char *condition, const char *agent_id)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (str_eq(d->items[i].condition, condition) && str_eq(d->items[i].agent, agent_id))
            return &d->items[i];
    return NULL;
}

static bool is_urgent(const char *condition)
{
    return str_eq(condition, "quarantined") || str_eq(condition, "banned");
}

/* For one that may not wait, the newest that may makes room. False: there is none. */
static bool make_room(struct digest *d)
{
    uint32_t at = d->count;
    while (at > 0 && is_urgent(d->items[at - 1].condition))
        at--;
    if (!at)
        return false;
    memmove(&d->items[at - 1], &d->items[at], (d->count - at) * sizeof d->items[0]);
    d->count--;
    d->left_out++;
    return true;
}

void digest_add(struct digest *d, const struct digest_rules *r, const char *condition, const char *agent_id,
                const char *message, uint64_t now_ms)
{
    struct digest_item *item = find(d, condition, agent_id);
    if (!item && was_told(d, hash_of(condition, agent_id), now_ms, r->repeat_after_ms)) {
        d->left_out++;
        return;
    }
    if (!item && d->count == DIGEST_ITEMS && !(is_urgent(condition) && make_room(d))) {
        d->left_out++;
        return;
    }
    if (!item) {
        item = &d->items[d->count++];
        *item = (struct digest_item){ 0 };
        (void)snprintf(item->condition, sizeof item->condition, "%s", condition);
        (void)snprintf(item->agent, sizeof item->agent, "%s", agent_id);
    }
    item->count++;
    (void)snprintf(item->message, sizeof item->message, "%s", message); /* the last one */
}

static void remember(struct digest *d, const struct digest_item *i, uint64_t now_ms)
{
    d->told[d->told_at].hash = hash_of(i->condition, i->agent);
    d->told[d->told_at].at_ms = now_ms;
    d->told_at = (d->told_at + 1) % DIGEST_TOLD;
}

bool digest_take(struct digest *d, const struct digest_rules *r, uint64_t now_ms, uint32_t minute, struct digest *ret,
                 uint64_t *ret_wait_ms)
{
    const bool is_quiet = digest_is_quiet(r, minute);
    uint32_t kept = 0;
    ret->count = ret->left_out = 0;
    *ret_wait_ms = LOOK_MS;
    if (d->count && now_ms < d->next_ms) {
        *ret_wait_ms = MIN_OF(d->next_ms - now_ms, (uint64_t)LOOK_MS);
        return false;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        if (is_quiet && !is_urgent(d->items[i].condition)) {
            d->items[kept++] = d->items[i];
            continue;
        }
        ret->items[ret->count++] = d->items[i];
        remember(d, &d->items[i], now_ms);
    }
    d->count = kept;
    if (!ret->count)
        return false;
    ret->left_out = d->left_out;
    d->left_out = 0;
    d->next_ms = now_ms + r->gather_ms;
    return true;
}
