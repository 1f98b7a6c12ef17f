#include "daemon/metrics_internal.h"

#include <time.h>

#include "base/clock.h"
#include "daemon/service.h"
#include "run/agent_view.h"

#define MAX_PAGES 1000u /* a million agents */

static void count_agent(struct metrics_agents *n, const struct agent *a, const struct trust_rules *rules,
                        uint64_t now_ms)
{
    const uint32_t trust = agent_trust_now(a, rules, now_ms);
    if (a->standing < STANDING_COUNT)
        n->standing[a->standing]++;
    n->trust[MIN_OF(trust / 100, (uint32_t)ARRAY_LEN(n->trust) - 1)]++;
}

/* One bite: the lock is held for a page. -> whether there is more; last: the page's last id */
static int count_page(struct service *v, struct agent_list *page, const struct trust_rules *rules,
                      char last[static AGENT_ID_MAX + 1], struct metrics_agents *n)
{
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_agents(v->store, last, page, NULL);
    for (uint32_t i = 0; e == 0 && i < page->count; i++)
        count_agent(n, &page->agents[i], rules, wall_clock_ms());
    if (e == 0 && page->count) {
        const char *id = page->agents[page->count - 1].id; /* the store's until the lock is let go */
        size_t size = strnlen(id, AGENT_ID_MAX);
        memcpy(last, id, size);
        last[size] = '\0';
    }
    (void)pthread_mutex_unlock(&v->store_lock);
    return e < 0 ? e : page->is_cut;
}

static struct trust_rules rules_of_now(struct service *v)
{
    struct policy_set *set = service_policies(v);
    struct trust_rules rules = trust_rules_from(&set->level[set->default_level].config);
    (void)policy_set_unref(set);
    return rules;
}

/* Pauses between two pages: a mutex that is taken again at once is not fair to who waits for it. */
static bool collect(struct service *v, struct metrics_agents *ret)
{
    struct metrics_agents n = { .is_known = true };
    const struct trust_rules rules = rules_of_now(v);
    const struct timespec pause = { .tv_nsec = 1000000 };
    char last[AGENT_ID_MAX + 1] = "";
    struct agent_list *page = malloc(sizeof *page);
    int more = page ? 1 : -ENOMEM;
    for (unsigned pages = 0; more > 0 && pages < MAX_PAGES; pages++) {
        more = count_page(v, page, &rules, last, &n);
        if (more > 0)
            (void)nanosleep(&pause, NULL);
    }
    free(page);
    if (more >= 0)
        *ret = n;
    return more >= 0;
}

void metrics_agents(struct service *v, struct metrics *m, struct metrics_agents *ret)
{
    (void)pthread_mutex_lock(&m->agents_lock);
    const uint64_t now = clock_ms();
    const bool is_due = !m->agents_at_ms || now - m->agents_at_ms >= counter_get(&m->collect_interval_ms);
    if (is_due)
        m->agents_at_ms = now; /* ours; who comes meanwhile shows the old */
    *ret = m->agents;
    (void)pthread_mutex_unlock(&m->agents_lock);
    if (!is_due || !collect(v, ret))
        return;
    (void)pthread_mutex_lock(&m->agents_lock);
    m->agents = *ret;
    (void)pthread_mutex_unlock(&m->agents_lock);
}
