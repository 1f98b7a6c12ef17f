/* leases.c - runs that a process may book without counting: taken from the windows in advance, where nodes share a
 * database.
 *
 * Counting takes the locks of the agent and of all agents, and longer the more runs there are. So a process that books
 * runs of one agent often takes some more with one of them: 31, up to 248 where those are soon used up, fewer where
 * there is less room; a row says so. A booking from it is one statement, without those locks: it takes one off the row
 * and writes the run's own row, or those of several runs that were asked for at the same time. Who counts adds both
 * (windows.c), so what is leased is used, and no limit is ever exceeded.
 *
 * Places among the running (rate_limiting.global.max_concurrent_executions) are no part of a lease: a process that has
 * leases has one row of `shares`, with how many of its runs may run at once. Who counts adds what of it is free.
 *
 * What is not used yet may be taken back at any time, by any node: deleting the row does it, since booking needs it. So
 * no run is refused for another's lease (leases_reclaim).
 *
 * Taking a lease waits for the disk; booking from it does not. When PostgreSQL crashes, the last bookings are
 * forgotten, but the lease's row then stands for them: it has the database's epoch, which is another one after a crash,
 * and is not booked from any more. Its owner, which knows how many it booked, gives back the rest; what a dead owner
 * had counts as used until the window has passed.
 *
 * The statements are PostgreSQL's: SQLite has one writer, and no use for this.
 */
#include <stdio.h>
#include "sql/sql.h"

#define LEASES    64u
#define LEASE_MS  10000u /* then it is given back */
#define OFTEN_MS  2000u  /* between two bookings: an agent that needs one */
#define SIZE      31u
#define MOST      248u
#define SOON_MS   1000u /* it was used up by then: the next one is twice as large */
#define BEFORE_MS 1000u /* threads look at the clock, and then come in another order */

struct lease {
    char agent_id[AGENT_ID_MAX + 1]; /* "": no agent's */
    uint8_t level;
    bool is_job;
    uint64_t number; /* 0: only what is known of the agent */
    uint64_t epoch, until_ms, booked_ms;
    uint32_t left, used, size; /* size: as many as were wanted */
    struct limit_rules limits;
    struct limit_counts counts; /* when it was taken */
};

struct leases {
    struct lease list[LEASES];
    struct lease *taking; /* this transaction takes it */
    struct query taken;
    bool is_given_back;
};

_Static_assert(sizeof(struct limit_rules) == 40 + sizeof(struct budget[BUDGET_OWNERS]), "it is compared as bytes");

static bool is_job(const struct reserve *r)
{
    return str_starts(r->execution_id, "job-");
}

bool leases_are_used(const struct sql *s)
{
    return s->driver->is_lost != NULL;
}

/* What is decided anew for each run, or counted in no window. */
static bool can_be_leased(const struct reserve *r)
{
    for (unsigned of = 0; of < BUDGET_OWNERS; of++)
        for (unsigned part = 0; part < BUDGET_PARTS; part++)
            if (r->limits.budgets[of].part[part])
                return false;
    return !r->nonce && !r->is_nameless && !r->limits.cooldown_ms && !str_starts(r->execution_id, "sess-");
}

static struct lease *find(struct sql *s, const struct reserve *r)
{
    for (unsigned i = 0; s->leases && i < LEASES; i++) {
        struct lease *l = &s->leases->list[i];
        if (l->level == r->level && l->is_job == is_job(r) && str_eq(l->agent_id, r->agent_id))
            return l;
    }
    return NULL;
}

/* Not where the clock was set back either: then runs are in the windows again that were not when it was taken. */
static bool is_current(const struct sql *s, const struct lease *l, uint64_t now_ms)
{
    return now_ms < l->until_ms && now_ms + LEASE_MS + BEFORE_MS > l->until_ms && l->epoch == s->epoch;
}

/* In place of the one that was used longest ago. NULL: no memory, or it has a lease. */
static struct lease *find_or_make(struct sql *s, const struct reserve *r)
{
    struct lease *l = find(s, r);
    if (l)
        return l;
    if (!s->leases && !(s->leases = calloc(1, sizeof *s->leases)))
        return NULL;
    l = s->leases->list;
    for (unsigned i = 1; i < LEASES; i++)
        if (s->leases->list[i].booked_ms < l->booked_ms)
            l = &s->leases->list[i];
    if (l->number)
        return NULL; /* until leases_sweep() */
    *l = (struct lease){ .level = r->level, .is_job = is_job(r) };
    (void)snprintf(l->agent_id, sizeof l->agent_id, "%s", r->agent_id);
    return l;
}

/* --- booking --------------------------------------------------------------------------------------- */

/* By query_owner(), as the first three arguments. */
#define OWNED       "owner_pid = ?1 AND owner_start = ?2 AND owner_place = ?3"
#define OWN_RUNNING "(SELECT count(*)" RUNS_RUNNING " AND " OWNED ")"

/* Of each run, as an array: what its row has, and its execution's, which it has where `accepts`. */
#define TEXTS(n)   "CAST(?" #n " AS TEXT[])"
#define NUMBERS(n) "CAST(?" #n " AS BIGINT[])"
#define COLUMNS    18u
#define COLUMNS_OF_RUN                                                                                     \
    "id, language, code, asked_tree, at, shape, tree, size, key_id, accepts, x_key, x_agent, x_language, " \
    "x_asynchronous, x_accepted, x_trace, x_idempotency, x_hash"
#define RUN_TEXTS       TEXTS(13) ", " TEXTS(14) ", " TEXTS(15) ", " TEXTS(16)
#define RUN_PROGRAM     NUMBERS(17) ", " TEXTS(18) ", " TEXTS(19) ", " NUMBERS(20) ", " TEXTS(21)
#define EXECUTION_OWNER NUMBERS(22) ", " TEXTS(23) ", " TEXTS(24) ", " TEXTS(25)
#define EXECUTION_REST  NUMBERS(26) ", " NUMBERS(27) ", " TEXTS(28) ", " TEXTS(29) ", " TEXTS(30)
#define RUNS_HERE                                                                                     \
    "w AS (SELECT * FROM unnest(" RUN_TEXTS ", " RUN_PROGRAM ", " EXECUTION_OWNER ", " EXECUTION_REST \
    ") u(" COLUMNS_OF_RUN "))"
#define IS_KNOWN(kind, hash)                                                                               \
    "EXISTS (SELECT 1 FROM w, LATERAL (SELECT 1 FROM known k WHERE k.kind = " kind " AND k.hash = w." hash \
    " AND w." hash " <> '' AND k.agent <> leases.agent LIMIT 1) b)"

#define ARE_NEW_CODE "NOT " IS_KNOWN("0", "code") " AND NOT " IS_KNOWN("1", "asked_tree")

/* All of the runs, or none. The parts wait for each other in the order share, lease, agent, as everywhere. The agent's
 * row is asked twice: as it was when the statement began, and as it is when no settling holds it. Only this process
 * opens runs under its share, one statement after the other, so counting them needs no lock. */
static const char book[] =
    "WITH " RUNS_HERE ", "
    "h AS (SELECT 1 FROM shares WHERE ?10 = 1 AND " OWNED " AND epoch = ?8 AND slots >= ?11 + " OWN_RUNNING
    " FOR NO KEY UPDATE), "
    "l AS (UPDATE leases SET available = available - ?11 WHERE number = ?7 AND (?10 = 0 OR EXISTS (SELECT 1 FROM h)) "
    "AND epoch = ?8 AND available >= ?11 AND cpu_left > 0 AND until_ms > ?9 "
    "AND EXISTS (SELECT 1 FROM agents a WHERE a.number = leases.agent AND a.standing = 0 AND a.trust = ?4) "
    "AND (?31 = 0 OR EXISTS (SELECT 1 FROM changes WHERE keys + 1 = ?31)) "
    "AND " ARE_NEW_CODE " RETURNING agent), "
    "a AS (UPDATE agents SET runs = agents.runs + ?11, last_run_ms = greatest(agents.last_run_ms, ?9), level = ?5 "
    "FROM l WHERE agents.number = l.agent AND agents.standing = 0 AND agents.trust = ?4 "
    "RETURNING agents.number AS agent), "
    "r AS (INSERT INTO runs(execution_id, agent, level, language, code_hash, started_ms, owner_pid, owner_start, "
    "owner_place, shape, tree, size, trust_before, trust_after, key_id) "
    "SELECT id, agent, ?6, language, code, at, ?1, ?2, ?3, shape, tree, size, ?4, ?4, key_id FROM a, w RETURNING 1), "
    "x AS (INSERT INTO executions(id, key_id, agent_id, language, level, state, is_asynchronous, accepted_ms, "
    "started_ms, trace_id, idempotency_key, request_hash, owner_pid, owner_start, owner_place) "
    "SELECT id, x_key, x_agent, x_language, ?6 + 1, 1, x_asynchronous, x_accepted, at, x_trace, x_idempotency, "
    "x_hash, ?1, ?2, ?3 FROM a, w WHERE accepts = 1 RETURNING 1) "
    "SELECT " AGENT_COLUMNS
    ", (SELECT count(*) FROM r), CASE ?31 WHEN 0 THEN 0 ELSE (SELECT keys + 1 FROM changes) END FROM agents "
    "WHERE id = ?12";

struct columns {
    struct buf list[COLUMNS];
    uint32_t used;
};

static void put_number(struct columns *c, uint64_t v)
{
    struct buf *b = &c->list[c->used++ % COLUMNS];
    (void)buf_addf(b, "%c%llu", b->size ? ',' : '{', (unsigned long long)MIN_OF(v, (uint64_t)INT64_MAX));
}

static void put_text(struct columns *c, const char *v)
{
    struct buf *b = &c->list[c->used++ % COLUMNS];
    (void)buf_addc(b, b->size ? ',' : '{');
    if (v)
        array_text(b, v);
    else
        (void)buf_adds(b, "NULL");
}

static void put_run(struct columns *c, const struct reserve *r, const struct execution_row *row)
{
    const bool asks_tree = r->level != RISK_HIGH && !r->is_shape_known;
    const char *tree = r->tree ? r->tree : "";
    put_text(c, r->execution_id);
    put_text(c, r->language);
    put_text(c, r->code_hash);
    put_text(c, asks_tree ? tree : "");
    put_number(c, r->now_ms);
    put_text(c, r->shape ? r->shape : "");
    put_text(c, tree);
    put_number(c, r->size);
    put_text(c, r->key_id ? r->key_id : "");
    put_number(c, r->accept != NULL);
    put_text(c, row->key_id);
    put_text(c, row->agent_id);
    put_text(c, row->language);
    put_number(c, row->is_asynchronous);
    put_number(c, row->accepted_ms);
    put_text(c, row->trace_id);
    put_text(c, row->idempotency_key);
    put_text(c, row->request_hash);
}

static int put_runs(struct columns *c, const struct reserve *const *list, uint32_t n, struct error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        struct execution_row row = { 0 };
        int e = list[i]->accept ? execution_of(list[i], &row, err) : 0;
        if (e < 0)
            return e;
        put_run(c, list[i], &row);
    }
    bool has_failed = false;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        (void)buf_addc(&c->list[i], '}');
        has_failed = has_failed || c->list[i].failed;
    }
    return has_failed ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory") : 0;
}

static struct query ask_book(struct sql *s, const struct lease *l, const struct reserve *const *list, uint32_t n,
                             const struct columns *c)
{
    const struct reserve *r = list[0];
    struct query q = query_start(s, book);
    uint64_t latest_ms = 0;
    for (uint32_t i = 0; i < n; i++) {
        sql_books(s, list[i], l->number);
        latest_ms = MAX_OF(latest_ms, list[i]->now_ms);
    }
    query_owner(&q, r->owner_pid, r->owner_start);
    query_u64(&q, r->trust_seen);
    query_u64(&q, r->level_held);
    query_u64(&q, r->level);
    query_u64(&q, l->number);
    query_u64(&q, l->epoch);
    query_u64(&q, latest_ms);
    query_u64(&q, r->limits.global_concurrent > 0);
    query_u64(&q, n);
    query_text(&q, r->agent_id);
    for (uint32_t i = 0; i < COLUMNS; i++)
        query_bytes(&q, c->list[i].data, c->list[i].size);
    query_u64(&q, r->keys_seen);
    return q;
}

/* Whether these two may be booked by one statement. */
bool lease_is_shared(const struct reserve *a, const struct reserve *b)
{
    return str_eq(a->agent_id, b->agent_id) && a->level == b->level && is_job(a) == is_job(b) &&
           a->trust_seen == b->trust_seen && a->level_held == b->level_held && a->owner_pid == b->owner_pid &&
           a->owner_start == b->owner_start && a->keys_seen == b->keys_seen &&
           memcmp(&a->limits, &b->limits, sizeof a->limits) == 0 && can_be_leased(a) && can_be_leased(b);
}

static struct lease *find_usable(struct sql *s, const struct reserve *const *list, uint32_t n)
{
    struct lease *l = leases_are_used(s) ? find(s, list[0]) : NULL;
    if (!l || !l->number || l->left < n || !can_be_leased(list[0]) ||
        memcmp(&l->limits, &list[0]->limits, sizeof l->limits) != 0)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        if (!is_current(s, l, list[i]->now_ms))
            return NULL;
    return l;
}

uint32_t lease_left(struct sql *s, const struct reserve *r)
{
    const struct lease *l = find_usable(s, &r, 1);
    return l ? l->left : 0;
}

static enum lease_outcome outcome_of(const struct reserve *r, const struct agent_row *row, uint64_t booked,
                                     uint64_t keys)
{
    return booked                                                                                       ? LEASE_BOOKED
           : r->keys_seen && r->keys_seen != keys                                                       ? LEASE_KEYS
           : row->number && (row->agent.standing != STANDING_GOOD || row->agent.trust != r->trust_seen) ? LEASE_CHANGED
                                                                                                        : LEASE_NONE;
}

int lease_book(struct sql *s, const struct reserve *const *list, uint32_t n, struct agent_row *ret,
               struct limit_counts *ret_counts, struct error *err)
{
    struct lease *l = find_usable(s, list, n);
    struct columns c = { 0 };
    if (!l)
        return LEASE_NONE;
    for (uint32_t i = 0; i < COLUMNS; i++)
        buf_init(&c.list[i], MIB);
    int e = put_runs(&c, list, n, err);
    enum lease_outcome outcome = LEASE_NONE;
    if (e == 0) {
        l->left -= n; /* also if it fails: it may have been done */
        struct query q = ask_book(s, l, list, n, &c);
        uint64_t booked = 0;
        if (query_row(&q)) {
            agent_read_row(&q, ret);
            booked = query_get_u64(&q, AGENT_COLUMN_COUNT);
            outcome = outcome_of(list[0], ret, booked, query_get_u64(&q, AGENT_COLUMN_COUNT + 1));
        }
        e = query_done(&q, err);
    }
    for (uint32_t i = 0; i < COLUMNS; i++)
        buf_done(&c.list[i]);
    if (e < 0 || outcome != LEASE_BOOKED) {
        l->left += e == 0 && outcome != LEASE_NONE ? n : 0; /* nothing was taken off it */
        return e < 0 ? e : (int)outcome;
    }
    *ret_counts = l->counts;
    ret_counts->runs_hour += l->used + 1;
    ret_counts->runs_day += l->used + 1;
    ret_counts->jobs_hour += l->used + 1;
    l->used += n;
    l->booked_ms = list[0]->now_ms;
    return LEASE_BOOKED;
}

/* --- taking ---------------------------------------------------------------------------------------- */

static uint64_t room_below(uint64_t limit, uint64_t used, uint64_t room)
{
    return !limit ? room : used >= limit ? 0 : MIN_OF(room, limit - used);
}

static uint64_t room_of(const struct reserve *r, const struct limit_counts *n)
{
    const struct limit_rules *l = &r->limits;
    uint64_t room = INT32_MAX;
    if (is_job(r)) {
        room = room_below(l->jobs_per_hour, n->jobs_hour, room);
    } else {
        room = room_below(l->runs_per_hour, n->runs_hour, room);
        room = room_below(l->runs_per_day, n->runs_day, room);
        room = room_below(l->global_runs_per_hour, n->global_hour, room);
    }
    return room;
}

/* Of what is left, a node's share may be taken by half: the last ones are booked by counting. */
#define SHARE                                                                                                         \
    "(SELECT 2 * greatest(1, (SELECT count(*) FROM nodes WHERE seen_ms > CAST(extract(epoch FROM clock_timestamp()) " \
    "* 1000 AS BIGINT) - 30000)) AS share) w "

/* With the runs of this process that run now, this one among them. */
static int take_slots(struct sql *s, const struct reserve *r, const struct limit_counts *n, struct error *err)
{
    struct query q = query_start(
        s, "INSERT INTO shares(owner_pid, owner_start, owner_place, epoch, slots) SELECT ?1, ?2, ?3, ?4, "
           "?5 / w.share + " OWN_RUNNING " FROM " SHARE "ON CONFLICT(owner_place, owner_pid, owner_start) "
           "DO UPDATE SET slots = excluded.slots, epoch = excluded.epoch");
    query_owner(&q, r->owner_pid, r->owner_start);
    query_u64(&q, s->epoch);
    query_u64(&q, room_below(r->limits.global_concurrent, n->global_running, INT32_MAX));
    (void)query_row(&q);
    return query_done(&q, err);
}

static struct query ask_take(struct sql *s, const struct lease *l, uint64_t agent, const struct reserve *r,
                             const struct limit_counts *n)
{
    struct query q = query_start(
        s, "INSERT INTO leases(agent, level, is_job, available, cpu_left, until_ms, epoch) "
           "SELECT ?1, ?2, ?3, least(?8, ?4 / w.share), CASE ?5 WHEN 0 THEN " LEASE_NO_CPU_LIMIT
           " ELSE 1 + ?5 / w.share END, ?6, ?7 FROM " SHARE "WHERE ?4 / w.share > 0 RETURNING number, available");
    query_u64(&q, agent);
    query_u64(&q, r->level);
    query_u64(&q, is_job(r));
    query_u64(&q, room_of(r, n));
    query_u64(&q, r->limits.cpu_ms_per_hour ? r->limits.cpu_ms_per_hour - n->cpu_ms_hour : 0); /* some is left */
    query_u64(&q, r->now_ms + LEASE_MS);
    query_u64(&q, s->epoch);
    query_u64(&q, l->size);
    return q;
}

int lease_take(struct sql *s, uint64_t agent, const struct reserve *r, const struct limit_counts *n,
               const struct limit_counts *leased, bool *ret_is_durable, struct error *err)
{
    struct lease *l = leases_are_used(s) && can_be_leased(r) ? find_or_make(s, r) : NULL;
    if (!l)
        return 0;
    const bool is_often = l->booked_ms && r->now_ms < l->booked_ms + OFTEN_MS;
    l->booked_ms = r->now_ms;
    if (!is_often)
        return 0;
    struct limit_counts all = windows_sum(n, leased);
    all.global_running++;
    all.global_hour++;
    const bool was_used_up = l->size && !l->left && r->now_ms < l->until_ms - LEASE_MS + SOON_MS;
    l->size = was_used_up ? MIN_OF(2 * l->size, MOST) : SIZE;
    l->limits = r->limits;
    l->counts = *n;
    l->until_ms = r->now_ms + LEASE_MS;
    int e = r->limits.global_concurrent ? take_slots(s, r, &all, err) : 0;
    if (e < 0)
        return e;
    s->leases->taking = l;
    s->leases->taken = ask_take(s, l, agent, r, &all);
    query_send(&s->leases->taken);
    *ret_is_durable = room_of(r, &all) < INT32_MAX;
    return 0;
}

void lease_end(struct sql *s, const struct reserve *r, bool is_done)
{
    struct lease *l = find(s, r);
    if (!l)
        return;
    if (is_done && s->leases->is_given_back)
        l->number = 0;
    s->leases->is_given_back = false;
    l = s->leases->taking;
    s->leases->taking = NULL;
    if (!l)
        return;
    if (is_done && query_row(&s->leases->taken)) {
        l->number = query_get_u64(&s->leases->taken, 0);
        l->left = (uint32_t)query_get_u64(&s->leases->taken, 1);
        l->epoch = s->epoch;
        l->used = 0;
    }
    (void)query_done(&s->leases->taken, NULL); /* without one the next run is counted */
}

/* --- giving back ----------------------------------------------------------------------------------- */

/* After a crash some bookings may be forgotten: what is available beyond what we know of stays, as used. */
static int give_back(struct sql *s, const struct lease *l, struct error *err)
{
    return l->epoch == s->epoch
               ? RUN(s, err, "DELETE FROM leases WHERE number = ?1 AND epoch = ?2", l->number, l->epoch)
               : RUN(s, err,
                     "UPDATE leases SET lost = lost + greatest(0, available - ?3), available = 0, epoch = 0 WHERE "
                     "number = ?1 AND epoch = ?2",
                     l->number, l->epoch, l->left);
}

int lease_give_back(struct sql *s, const struct reserve *r, struct error *err)
{
    const struct lease *l = find(s, r);
    if (!l || !l->number || !can_be_leased(r))
        return 0;
    /* Who takes all leases back has that lock, and would wait for what we give back: so not while we wait for it. A run
     * that needs a lock before this one, its key's, gives nothing back: the lease is counted with it. */
    int e = r->limits.global_concurrent || r->limits.global_runs_per_hour ? transaction_lock(s, SQL_LOCK_ALL, "", err)
                                                                          : 0;
    if (e < 0)
        return e;
    s->leases->is_given_back = true;
    struct query q = query_start(s, "DELETE FROM shares WHERE " OWNED);
    query_owner(&q, r->owner_pid, r->owner_start);
    (void)query_row(&q);
    e = query_done(&q, err);
    return e < 0 ? e : give_back(s, l, err);
}

int leases_reclaim(struct sql *s, uint64_t agent, bool of_all, struct error *err)
{
    int e = of_all ? RUN(s, err, "DELETE FROM shares WHERE epoch = ?1", s->epoch) : 0;
    return e < 0
               ? e
               : RUN(s, err, "DELETE FROM leases WHERE epoch = ?1 AND (agent = ?2 OR ?3 = 1)", s->epoch, agent, of_all);
}

int leases_sweep(struct sql *s, uint64_t now_ms, struct error *err)
{
    int e = 0;
    for (unsigned i = 0; s->leases && i < LEASES && e == 0; i++) {
        struct lease *l = &s->leases->list[i];
        if (!l->number || is_current(s, l, now_ms))
            continue;
        e = give_back(s, l, err);
        l->number = e == 0 ? 0 : l->number;
    }
    return e;
}

int leases_prune(struct sql *s, uint64_t before_ms, struct error *err)
{
    int e = RUN(s, err, "DELETE FROM leases WHERE until_ms < ?1", before_ms);
    return e < 0 ? e : RUN(s, err, "DELETE FROM shares WHERE epoch <> ?1", s->epoch); /* of before a crash: of no use */
}

/* The leases of all nodes: each has at most what is left below the limit, whoever takes it. */
int lease_charge(struct sql *s, uint64_t agent, uint8_t level, uint64_t cpu_ms, struct error *err)
{
    if (!leases_are_used(s) || !cpu_ms)
        return 0;
    return RUN(s, err,
               "UPDATE leases SET cpu_left = cpu_left - ?3 WHERE agent = ?1 AND level = ?2 AND available > 0 AND "
               "cpu_left < " LEASE_NO_CPU_LIMIT,
               agent, level, cpu_ms);
}
