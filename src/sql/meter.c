/* meter.c - what runs took, by agent, key and hour.
 *
 * A run and what it took are counted where it is settled, within that transaction. So the sums are those of the runs'
 * results, and a process that dies loses nothing that was settled. Each is added twice: to the agent's row and to one
 * of agent 0, the key's own. Budgets are sums of today's rows and the runs that are open, read in the transaction that
 * books the run: both change in one transaction when a run is settled, so that it is in one of them, always.
 */
#include <time.h>
#include "sql/sql.h"

int meter_add(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms, bool is_unmeasured,
              const struct use *use, struct error *err)
{
    const struct use none = { 0 }, *u = use ? use : &none;
    const uint64_t values[6] = { 1, is_unmeasured, u->cpu_us, u->memory_mib_ms, u->bytes_in, u->bytes_out };
    struct query q =
        query_start(/* both rows at once: in each run */
                    s,
                    "INSERT INTO meter(agent, key_id, hour, runs, unmeasured, cpu_us, memory_mib_ms, bytes_in, "
                    "bytes_out) "
                    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9), (0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
                    "ON CONFLICT(agent, key_id, hour) DO UPDATE SET "
                    "runs = meter.runs + excluded.runs, unmeasured = meter.unmeasured + excluded.unmeasured, "
                    "cpu_us = meter.cpu_us + excluded.cpu_us, memory_mib_ms = meter.memory_mib_ms + "
                    "excluded.memory_mib_ms, "
                    "bytes_in = meter.bytes_in + excluded.bytes_in, bytes_out = meter.bytes_out + excluded.bytes_out");
    query_u64(&q, agent);
    query_text(&q, key_id ? key_id : "");
    query_u64(&q, now_ms / LIMIT_HOUR_MS);
    for (size_t i = 0; i < 6; i++)
        query_u64(&q, values[i]);
    (void)query_row(&q);
    return query_done(&q, err);
}

struct query meter_ask_today(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms)
{
/* open runs count as today's, which they will be unless they end on another day. The first comparison names the index
 */
#define TODAY(open, rows)                                                                                 \
    "SELECT coalesce(sum(runs), 0) + (SELECT count(*) FROM runs WHERE state <> 1 AND state = 0 AND " open \
    "), sum(cpu_us), "                                                                                    \
    "sum(memory_mib_ms), sum(bytes_in + bytes_out) FROM meter WHERE " rows " AND hour >= ?2 AND hour < ?2 + 24"
    struct query q = key_id ? query_start(s, TODAY("key_id = ?1", "agent = 0 AND key_id = ?1"))
                            : query_start(s, TODAY("agent = ?1", "agent = ?1"));
    if (key_id)
        query_text(&q, key_id);
    else
        query_u64(&q, agent);
    query_u64(&q, now_ms / LIMIT_DAY_MS * 24);
    return q;
}

int meter_read_today(struct query *q, struct budget *ret, struct error *err)
{
    const bool has_row = query_row(q);
    for (int i = 0; has_row && i < BUDGET_PARTS; i++)
        ret->part[i] = query_get_u64(q, i);
    return query_done(q, err);
}

/* --- asking --------------------------------------------------------------------------------------- */

static uint64_t month_of(uint64_t hour_ms)
{
    const time_t t = (time_t)(hour_ms / 1000);
    struct tm tm;
    if (!gmtime_r(&t, &tm))
        return hour_ms;
    const uint64_t passed_hours = (uint64_t)(tm.tm_mday - 1) * 24 + (uint64_t)tm.tm_hour;
    return hour_ms - MIN_OF(hour_ms, passed_hours * LIMIT_HOUR_MS);
}

static uint64_t begin_of(enum usage_period p, uint64_t hour)
{
    const uint64_t ms = hour * LIMIT_HOUR_MS;
    switch (p) {
    case USAGE_HOUR:
        return ms;
    case USAGE_DAY:
        return ms / LIMIT_DAY_MS * LIMIT_DAY_MS;
    case USAGE_MONTH:
        return month_of(ms);
    case USAGE_ALL:
    case USAGE_PERIODS:
        break;
    }
    return 0;
}

/* The rows of one group follow each other, so that adding up needs no memory and a page ends where it is full. */
#define ROWS                                                                                               \
    "SELECT agent, key_id, hour, runs, unmeasured, cpu_us, memory_mib_ms, bytes_in, bytes_out FROM meter " \
    "WHERE hour >= ?1 AND hour <= ?2 AND (?3 = 0 OR agent = ?4) AND (?3 = 1 OR agent > 0) "                \
    "AND (?5 IS NULL OR key_id = ?5) AND "
static const char *const orders[2][2] = {
    /* [by_agent][by_key]; from agent ?6, key ?7, hour ?8 on */
    { ROWS "?6 IS NOT NULL AND ?7 IS NOT NULL AND hour >= ?8 ORDER BY hour",
      ROWS "?6 IS NOT NULL AND (key_id, hour) >= (?7, ?8) ORDER BY key_id, hour" },
    { ROWS "?7 IS NOT NULL AND (agent, hour) >= (?6, ?8) ORDER BY agent, hour",
      ROWS "(agent, key_id, hour) >= (?6, ?7, ?8) ORDER BY agent, key_id, hour" },
};

static struct query ask_rows(struct sql *s, const struct usage_ask *r, uint64_t agent)
{
    /* of all agents together, the keys' own rows will do; each agent for itself: all but those */
    const bool is_of_one = r->agent_id || !r->by_agent;
    struct query q = query_start(s, orders[r->by_agent][r->by_key]);
    query_u64(&q, r->since_ms / LIMIT_HOUR_MS);
    query_u64(&q, r->until_ms / LIMIT_HOUR_MS);
    query_u64(&q, is_of_one);
    query_u64(&q, agent);
    query_text(&q, r->key_id);
    query_u64(&q, r->after.agent);
    query_text(&q, r->after.key_id ? r->after.key_id : "");
    query_u64(&q, r->after.hour);
    return q;
}

struct group { /* the row that is being added up */
    uint64_t agent;
    struct usage_row row;
    bool is_open;
};

static bool is_of(const struct group *g, const struct usage_ask *r, uint64_t agent, const char *key, uint64_t at_ms)
{
    return g->is_open && g->row.at_ms == at_ms && (!r->by_agent || g->agent == agent) &&
           (!r->by_key || (g->row.key_id && str_eq(g->row.key_id, key)));
}

static void add_up(struct usage_row *row, struct query *q)
{
    row->runs += query_get_u64(q, 3);
    row->unmeasured += query_get_u64(q, 4);
    row->use.cpu_us += query_get_u64(q, 5);
    row->use.memory_mib_ms += query_get_u64(q, 6);
    row->use.bytes_in += query_get_u64(q, 7);
    row->use.bytes_out += query_get_u64(q, 8);
}

/* Groups of agents by number; their ids come afterwards. */
static int read_rows(struct sql *s, const struct usage_ask *r, uint64_t agent,
                     uint64_t numbers[static STORE_USAGE_PAGE], struct usage_list *ret, struct error *err)
{
    struct group g = { 0 };
    struct query q = ask_rows(s, r, agent);
    while (query_row(&q)) {
        const uint64_t number = query_get_u64(&q, 0), hour = query_get_u64(&q, 2),
                       at_ms = begin_of((enum usage_period)r->period, hour);
        const char *key = query_get_text(&q, 1);
        if (!key)
            break; /* no memory: query_done() says so */
        if (!is_of(&g, r, number, key, at_ms)) {
            if (g.is_open)
                ret->rows[ret->count++] = g.row;
            if (ret->count == STORE_USAGE_PAGE) {
                ret->is_cut = true;
                ret->next = (struct usage_cursor){ number, hour, key };
                g.is_open = false;
                break;
            }
            numbers[ret->count] = number;
            g = (struct group){ number, { .at_ms = at_ms, .key_id = r->by_key ? key : NULL }, true };
        }
        add_up(&g.row, &q);
    }
    if (g.is_open)
        ret->rows[ret->count++] = g.row;
    return query_done(&q, err);
}

static int name_agents(struct sql *s, const uint64_t numbers[static STORE_USAGE_PAGE], struct usage_list *ret,
                       struct error *err)
{
    int e = 0;
    for (uint32_t i = 0; e == 0 && i < ret->count; i++) {
        if (i && numbers[i] == numbers[i - 1]) {
            ret->rows[i].agent_id = ret->rows[i - 1].agent_id;
            continue;
        }
        struct query q = query_start(s, "SELECT id FROM agents WHERE number = ?");
        query_u64(&q, numbers[i]);
        ret->rows[i].agent_id = query_row(&q) ? query_get_text(&q, 0) : "";
        e = query_done(&q, err);
    }
    return e;
}

int sql_usage(struct sql *s, const struct usage_ask *r, struct usage_list *ret, struct error *err)
{
    uint64_t numbers[STORE_USAGE_PAGE];
    struct agent_row row = { 0 };
    sql_begin_call(s);
    *ret = (struct usage_list){ .next.key_id = "" };
    int e = r->agent_id ? agent_find(s, r->agent_id, &row, err) : 0;
    if (e < 0 || (r->agent_id && !row.number))
        return e;
    e = read_rows(s, r, row.number, numbers, ret, err);
    return e == 0 && r->by_agent ? name_agents(s, numbers, ret, err) : e;
}
