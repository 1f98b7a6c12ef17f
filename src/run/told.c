#include "run/told.h"

#include "base/fnv.h"

void told_init(struct told *t)
{
    *t = (struct told){ 0 };
    (void)pthread_mutex_init(&t->lock, NULL);
}

/* One place for an agent: of two that have the same, the last is known. */
static struct told_agent *place_of(struct told *t, const char *agent_id)
{
    return &t->agents[fnv_text(agent_id) % TOLD_AGENTS];
}

void told_add(struct told *t, const char *agent_id, enum alert_kind kind, uint64_t until_ms)
{
    struct told_agent *a = place_of(t, agent_id);
    if (strlen(agent_id) > AGENT_ID_MAX)
        return;
    (void)pthread_mutex_lock(&t->lock);
    if (!str_eq(a->id, agent_id)) {
        *a = (struct told_agent){ 0 };
        memcpy(a->id, agent_id, strlen(agent_id));
    }
    a->until_ms[kind] = until_ms;
    (void)pthread_mutex_unlock(&t->lock);
}

bool told_is(struct told *t, const char *agent_id, enum alert_kind kind, uint64_t now_ms)
{
    const struct told_agent *a = place_of(t, agent_id);
    (void)pthread_mutex_lock(&t->lock);
    const bool is = now_ms < a->until_ms[kind] && str_eq(a->id, agent_id);
    (void)pthread_mutex_unlock(&t->lock);
    return is;
}
