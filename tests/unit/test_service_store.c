/* What the service keeps in the store: executions and keys, and the way there from the version before. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "base/process.h"
#include "store//service.h"
#include "store_backend.h"
#include "test.h"

#define T0  UINT64_C(1700000000000)
#define DAY LIMIT_DAY_MS

struct place {
    char dir[64], path[96];
    struct store *store;
    struct error err;
};

static void place_open(struct place *p)
{
    *p = (struct place){ .dir = "/tmp/test-store-XXXXXX" };
    CHECK(mkdtemp(p->dir) != NULL);
    (void)snprintf(p->path, sizeof p->path, "%s/state/state.db", p->dir);
    CHECK_EQ(open_store(p->path, &p->store, &p->err), 0);
}

static void place_end(struct place *p)
{
    static const char *const names[] = {
        "state/state.db", "state/state.db-wal", "state/state.db-shm", "state/service.lock", "state", ""
    };
    char path[200];
    p->store = store_close(p->store);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", p->dir, names[i]);
        (void)remove(path);
    }
}

#ifdef ON_POSTGRES
static void query_number(struct place *p, const char *sql, int64_t *ret)
{
    (void)p;
    *ret = postgres_ask(sql);
}
#else
static void query_number(struct place *p, const char *sql, int64_t *ret)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    CHECK(sqlite3_open(p->path, &db) == SQLITE_OK && sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK);
    CHECK(sqlite3_step(q) == SQLITE_ROW);
    *ret = sqlite3_column_int64(q, 0);
    (void)sqlite3_finalize(q);
    (void)sqlite3_close(db);
}
#endif

static struct execution_row row(const char *id, const char *key, const char *agent, uint64_t at)
{
    return (struct execution_row){
        .id = id, .key_id = key, .agent_id = agent, .language = "python", .level = -1, .accepted_ms = at
    };
}

static int accept_as(struct place *p, struct execution_row r, char *ret_id)
{
    char id[STORE_ID_MAX + 1];
    return store_execution_accept(p->store, &r, ret_id ? ret_id : id, &p->err);
}

static void finish(struct place *p, const char *id, const char *result, uint64_t at)
{
    const struct execution_row r = { .id = id,
                                     .level = RISK_MEDIUM,
                                     .reason = REASON_COMPLETED,
                                     .finished_ms = at,
                                     .result = result,
                                     .result_size = result ? strlen(result) : 0 };
    CHECK_EQ(store_execution_finish(p->store, &r, &p->err), 0);
}

/* ---- executions ---- */

TEST(an_execution_goes_its_way_and_ends_once)
{
    struct place p;
    struct execution_row r = row("e1", "key-1", "a1", T0), got;
    char id[STORE_ID_MAX + 1];
    place_open(&p);
    r.is_asynchronous = true;
    r.trace_id = "0af7651916cd43dd8448eb211c80319c";
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_OK);
    CHECK_STR(id, "e1");
    CHECK_EQ(store_execution_get(p.store, "e1", &got, &p.err), 1);
    CHECK(got.state == EXECUTION_QUEUED && got.level == -1 && got.reason == -1 && got.is_asynchronous && !got.result);
    CHECK_STR(got.trace_id, r.trace_id);
    CHECK_EQ(store_execution_start(p.store, "e1", RISK_HIGH, T0 + 5, &p.err), 0);
    CHECK_EQ(store_execution_get(p.store, "e1", &got, &p.err), 1);
    CHECK(got.state == EXECUTION_RUNNING && got.level == RISK_HIGH && got.started_ms == T0 + 5);
    finish(&p, "e1", "{\"a\":1}", T0 + 9);
    finish(&p, "e1", "{\"a\":2}", T0 + 99);
    CHECK_EQ(store_execution_start(p.store, "e1", RISK_LOW, T0 + 200, &p.err), 0);
    CHECK_EQ(store_execution_get(p.store, "e1", &got, &p.err), 1);
    CHECK(got.state == EXECUTION_FINISHED && got.reason == REASON_COMPLETED && got.finished_ms == T0 + 9 &&
          got.level == RISK_HIGH);
    CHECK_STR(got.result, "{\"a\":1}");
    CHECK_EQ(got.result_size, 7);
    CHECK_EQ(store_execution_get(p.store, "e2", &got, &p.err), 0);
    place_end(&p);
}

static struct reserve booking(const struct execution_row *row, const char *agent, struct store *s, struct error *err)
{
    struct agent a = { 0 };
    CHECK_EQ(store_agent(s, agent, NULL, &a, err), 0);
    return (struct reserve){ .execution_id = row->id,
                             .agent_id = agent,
                             .code_hash = "",
                             .language = "python",
                             .level = RISK_MEDIUM,
                             .now_ms = row->accepted_ms + 5,
                             .owner_pid = (uint64_t)getpid(),
                             .owner_start = process_own_start(),
                             .trust_seen = a.trust,
                             .initial_trust = a.trust,
                             .accept = row };
}

/* One transaction: a booked run has its row, one that is refused has none. */
TEST(an_execution_that_begins_with_its_booking_is_there_with_it_and_only_then)
{
    struct place p;
    struct reserve_reply reply;
    struct settle_reply settled;
    struct execution_row found;
    place_open(&p);
    struct execution_row one = row("e1", "k1", "a1", T0), two = row("e2", "k1", "a1", T0);
    struct reserve r = booking(&one, "a1", p.store, &p.err);
    CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.outcome == RESERVE_OK && reply.was_accepted);
    CHECK_EQ(store_execution_get(p.store, "e1", &found, &p.err), 1);
    CHECK(found.state == EXECUTION_RUNNING && found.level == RISK_MEDIUM && found.started_ms == T0 + 5);
    r = booking(&two, "a1", p.store, &p.err);
    r.limits.runs_per_hour = 1;
    CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.outcome == RESERVE_LIMIT && !reply.was_accepted);
    CHECK_EQ(store_execution_get(p.store, "e2", &found, &p.err), 0);
    one.id = "e1"; /* a second row of an id: neither it nor the booking */
    r = booking(&one, "a2", p.store, &p.err);
    r.execution_id = "e3";
    CHECK(store_reserve(p.store, &r, &reply, &p.err) < 0);
    p.err = (struct error){ 0 };
    struct settle s = { .execution_id = "e3", .now_ms = T0 + 6 };
    CHECK(store_settle(p.store, &s, &settled, &p.err) == 0 && !settled.was_settled);
    place_end(&p);
}

/* What store_audited() says, with the execution's end: nothing is left to be recovered. */
TEST(an_execution_that_ends_when_the_audit_has_it_is_not_recovered)
{
    for (int is_told = 0; is_told < 2; is_told++) {
        struct place p;
        struct reserve_reply reply;
        struct settle_reply settled;
        struct recovered_list list;
        place_open(&p);
        struct execution_row one = row("e1", "k1", "a1", T0);
        struct reserve r = booking(&one, "a1", p.store, &p.err);
        r.owner_pid = 0x3fffffff; /* dead, so that what is not told is another's to tell */
        CHECK(store_reserve(p.store, &r, &reply, &p.err) == 0 && reply.was_accepted);
        struct settle s = { .execution_id = "e1", .now_ms = T0 + 6, .awaits_audit = true };
        CHECK(store_settle(p.store, &s, &settled, &p.err) == 0 && settled.was_settled);
        one.reason = REASON_COMPLETED, one.level = RISK_MEDIUM, one.finished_ms = T0 + 7, one.is_told = is_told;
        CHECK_EQ(store_execution_finish(p.store, &one, &p.err), 0);
        CHECK_EQ(store_recover(p.store, T0 + 100000, &list, &p.err), 0);
        CHECK_EQ(list.count, is_told ? 0 : 1);
        place_end(&p);
    }
}

TEST(what_is_no_execution_is_refused)
{
    struct place p;
    char longer[STORE_ID_MAX + 2];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    place_open(&p);
    CHECK_EQ(accept_as(&p, row("", "k", NULL, T0), NULL), -EINVAL);
    CHECK_EQ(accept_as(&p, row("e", longer, NULL, T0), NULL), -EINVAL);
    struct execution_row r = row("e", "k", NULL, T0);
    r.level = RISK_COUNT;
    CHECK_EQ(accept_as(&p, r, NULL), -EINVAL);
    CHECK_EQ(accept_as(&p, row("e", "k", NULL, T0), NULL), ACCEPT_OK);
    CHECK(accept_as(&p, row("e", "k", NULL, T0), NULL) < 0); /* an id twice */
    r = (struct execution_row){ .id = "e", .level = -1, .reason = REASON_COUNT };
    CHECK_EQ(store_execution_finish(p.store, &r, &p.err), -EINVAL);
    place_end(&p);
}

TEST(a_result_of_four_mebibytes_comes_back_and_a_longer_one_is_not_kept)
{
    struct place p;
    struct execution_row got;
    char *text = malloc(STORE_RESULT_MAX + 2);
    CHECK(text != NULL);
    memset(text, 'r', STORE_RESULT_MAX + 1);
    text[STORE_RESULT_MAX + 1] = '\0';
    place_open(&p);
    for (unsigned i = 0; i < 2; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "e%u", i);
        CHECK_EQ(accept_as(&p, row(id, "k", NULL, T0), NULL), ACCEPT_OK);
        const struct execution_row r = { .id = id,
                                         .level = -1,
                                         .finished_ms = T0,
                                         .result = text,
                                         .result_size = STORE_RESULT_MAX + i,
                                         .events = text,
                                         .events_size = STORE_RESULT_MAX };
        CHECK_EQ(store_execution_finish(p.store, &r, &p.err), 0);
        CHECK_EQ(store_execution_get(p.store, id, &got, &p.err), 1);
        CHECK_EQ(got.state, EXECUTION_FINISHED);
        CHECK_EQ(got.result_size, i ? 0 : STORE_RESULT_MAX);
        CHECK(i ? !got.result : memcmp(got.result, text, STORE_RESULT_MAX) == 0);
        CHECK(i ? !got.events : got.events_size == STORE_RESULT_MAX && memcmp(got.events, text, STORE_RESULT_MAX) == 0);
    }
    const struct execution_row r = { .id = "e2",
                                     .level = -1,
                                     .finished_ms = T0,
                                     .result = "{}",
                                     .result_size = 2,
                                     .events = text,
                                     .events_size = STORE_RESULT_MAX + 1 };
    CHECK_EQ(accept_as(&p, row("e2", "k", NULL, T0), NULL), ACCEPT_OK);
    CHECK_EQ(store_execution_finish(p.store, &r, &p.err), 0);
    CHECK_EQ(store_execution_get(p.store, "e2", &got, &p.err), 1);
    CHECK(got.result_size == 2 && !got.events);
    free(text);
    place_end(&p);
}

TEST(an_idempotency_key_finds_the_first_execution_for_a_day_and_for_its_owner_only)
{
    struct place p;
    char id[STORE_ID_MAX + 1];
    place_open(&p);
    struct execution_row r = row("e1", "key-1", NULL, T0);
    r.idempotency_key = "once";
    r.request_hash = "h1";
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_OK);
    r.id = "e2";
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_SEEN);
    CHECK_STR(id, "e1");
    r.request_hash = "h2";
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_CONFLICT);
    CHECK_STR(id, "e1");
    r.key_id = "key-2";
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_OK);
    r.key_id = "key-1";
    r.id = "e3";
    r.accepted_ms = T0 + DAY;
    CHECK_EQ(accept_as(&p, r, id), ACCEPT_OK);
    CHECK_STR(id, "e3");
    struct execution_counts n;
    CHECK_EQ(store_execution_counts(p.store, &n, &p.err), 0);
    CHECK(n.total == 3 && n.by_state[EXECUTION_QUEUED] == 3);
    place_end(&p);
}

struct seen {
    char ids[400];
    uint32_t count, stop_at;
};

static bool note(void *ctx, const struct execution_row *r)
{
    struct seen *s = ctx;
    size_t n = strlen(s->ids);
    (void)snprintf(s->ids + n, sizeof s->ids - n, "%s%s", n ? " " : "", r->id);
    CHECK(!r->result);
    return ++s->count != s->stop_at;
}

static void expect_list(struct place *p, struct execution_filter f, const char *ids)
{
    struct seen s = { 0 };
    f.limit = f.limit ? f.limit : 100;
    CHECK_EQ(store_executions(p->store, &f, note, &s, &p->err), 0);
    CHECK_STR(s.ids, ids);
}
#define ANY .state = -1, .reason = -1, .level = -1

TEST(executions_are_listed_newest_first_by_every_filter_and_in_pages)
{
    struct place p;
    place_open(&p);
    static const struct {
        const char *id, *key, *agent;
    } made[] = {
        { "e1", "k1", "a1" }, { "e2", "k2", "a1" }, { "e3", "k1", NULL }, { "e4", "k1", "a2" }, { "e5", "k2", NULL }
    };
    for (unsigned i = 0; i < ARRAY_LEN(made); i++)
        CHECK_EQ(accept_as(&p, row(made[i].id, made[i].key, made[i].agent, T0 + i), NULL), ACCEPT_OK);
    CHECK_EQ(store_execution_start(p.store, "e2", RISK_LOW, T0, &p.err), 0);
    finish(&p, "e4", "{}", T0 + 9);
    expect_list(&p, (struct execution_filter){ ANY }, "e5 e4 e3 e2 e1");
    expect_list(&p, (struct execution_filter){ ANY, .key_id = "k1" }, "e4 e3 e1");
    expect_list(&p, (struct execution_filter){ ANY, .agent_id = "a1" }, "e2 e1");
    expect_list(&p, (struct execution_filter){ ANY, .key_id = "k1", .agent_id = "a1" }, "e1");
    expect_list(&p, (struct execution_filter){ ANY, .limit = 2 }, "e5 e4");
    expect_list(&p, (struct execution_filter){ ANY, .limit = 2, .before_id = "e4" }, "e3 e2");
    expect_list(&p, (struct execution_filter){ ANY, .before_id = "nobody" }, "");
    expect_list(&p, (struct execution_filter){ ANY, .since_ms = T0 + 1, .until_ms = T0 + 3 }, "e3 e2");
    expect_list(&p, (struct execution_filter){ .state = EXECUTION_RUNNING, .reason = -1, .level = -1 }, "e2");
    expect_list(&p, (struct execution_filter){ .state = -1, .reason = REASON_COMPLETED, .level = -1 }, "e4");
    expect_list(&p, (struct execution_filter){ .state = -1, .reason = -1, .level = RISK_MEDIUM }, "e4");
    expect_list(&p, (struct execution_filter){ .state = -1, .reason = -1, .level = RISK_LOW }, "e2");
    struct seen s = { .stop_at = 2 };
    CHECK_EQ(store_executions(p.store, &(struct execution_filter){ ANY, .limit = 9 }, note, &s, &p.err), 0);
    CHECK_STR(s.ids, "e5 e4");
    place_end(&p);
}

static void tell(void *ctx, const struct execution_row *r, struct orphan_words *w)
{
    (void)note(ctx, r);
    CHECK(r->state == EXECUTION_FINISHED && r->reason == REASON_SANDBOX_ERROR);
    (void)buf_addf(&w->result, "{\"lost\":\"%s\"}", r->id);
    (void)buf_addf(&w->events, "id: 1 of %s", r->id);
}

static void accept_in_a_process_that_dies(struct place *p, unsigned count)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct store *s;
        char id[STORE_ID_MAX + 1], name[16];
        int e = open_store(p->path, &s, NULL);
        for (unsigned i = 0; i < count && e >= 0; i++) {
            (void)snprintf(name, sizeof name, "dead%u", i);
            const struct execution_row r = row(name, "k", NULL, T0);
            e = store_execution_accept(s, &r, id, NULL);
        }
        _exit(e < 0); /* nothing is closed */
    }
    int status;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

TEST(what_a_dead_service_left_is_finished_and_told_once)
{
    struct place p;
    struct execution_row got;
    struct seen s = { 0 };
    place_open(&p);
    p.store = store_close(p.store);
    accept_in_a_process_that_dies(&p, 3);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    CHECK_EQ(accept_as(&p, row("mine", "k", NULL, T0), NULL), ACCEPT_OK);
    CHECK_EQ(store_executions_orphaned(p.store, T0 + 5, tell, &s, &p.err), 0);
    CHECK_STR(s.ids, "dead0 dead1 dead2");
    CHECK_EQ(store_execution_get(p.store, "dead1", &got, &p.err), 1);
    CHECK(got.state == EXECUTION_FINISHED && got.reason == REASON_SANDBOX_ERROR && got.finished_ms == T0 + 5);
    CHECK_STR(got.result, "{\"lost\":\"dead1\"}");
    CHECK_STR(got.events, "id: 1 of dead1");
    CHECK_EQ(store_executions_orphaned(p.store, T0 + 6, tell, &s, &p.err), 0);
    CHECK_EQ(s.count, 3);
    CHECK_EQ(store_execution_get(p.store, "mine", &got, &p.err), 1);
    CHECK_EQ(got.state, EXECUTION_QUEUED);
    place_end(&p);
}

TEST(more_orphans_than_one_batch_are_all_found)
{
    struct place p;
    struct seen s = { 0 };
    place_open(&p);
    p.store = store_close(p.store);
    accept_in_a_process_that_dies(&p, 70);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    CHECK_EQ(store_executions_orphaned(p.store, T0 + 5, tell, &s, &p.err), 0);
    CHECK_EQ(s.count, 70);
    place_end(&p);
}

TEST(a_directory_has_one_service_and_to_it_foreign_executions_are_orphans)
{
    struct place p;
    struct store *other;
    struct seen s = { 0 };
    place_open(&p);
    CHECK_EQ(store_set_service(p.store, &p.err), 0);
    CHECK_EQ(store_set_service(p.store, &p.err), 0); /* twice is once */
    CHECK_EQ(open_store(p.path, &other, &p.err), 0);
    CHECK_EQ(store_set_service(other, &p.err), -EALREADY);
    CHECK(strstr(p.err.text, "another service") && p.err.remedy[0]);
    CHECK_EQ(accept_as(&p, row("ours", "k", NULL, T0), NULL), ACCEPT_OK);
    /* as if of another pid namespace: nobody can say whether that one lives */
    CHECK_EQ(accept_as(&p, row("theirs", "k", NULL, T0), NULL), ACCEPT_OK);
    CHECK(run_sql(p.store,
                  "UPDATE executions SET owner_place = replace(owner_place, 'pid:', 'xid:') WHERE id = 'theirs'"));
    CHECK_EQ(store_executions_orphaned(other, T0 + 5, tell, &s, &p.err), 0);
    CHECK_EQ(s.count, 0);
    CHECK_EQ(store_executions_orphaned(p.store, T0 + 5, tell, &s, &p.err), 0);
    CHECK_STR(s.ids, "theirs");
    p.store = store_close(p.store);
    CHECK_EQ(store_set_service(other, &p.err), 0); /* the place is free again */
    (void)store_close(other);
    place_end(&p);
}

TEST(old_executions_go_but_not_open_ones_nor_those_an_idempotency_key_needs)
{
    struct place p;
    uint64_t removed = 0, all = 0;
    struct execution_counts n;
    struct execution_row got;
    place_open(&p);
    for (unsigned i = 0; i < 300; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "e%u", i);
        struct execution_row r = row(id, "k", NULL, T0 + i);
        if (i == 7)
            r.idempotency_key = "once", r.request_hash = "h";
        CHECK_EQ(accept_as(&p, r, NULL), ACCEPT_OK);
        if (i != 5)
            finish(&p, id, "{}", T0 + i);
    }
    do {
        CHECK_EQ(store_executions_prune(p.store, 100, T0 + 1000, &removed, &p.err), 0);
        CHECK(removed <= 3 * STORE_PRUNE_BATCH);
        all += removed;
    } while (removed);
    CHECK_EQ(all, 198 + 199); /* executions: but the open one, a hundred, and the one with its key, whose result goes */
    CHECK_EQ(store_execution_counts(p.store, &n, &p.err), 0);
    CHECK_EQ(n.by_state[EXECUTION_FINISHED], 101); /* and the one with its key */
    CHECK_EQ(n.by_state[EXECUTION_QUEUED], 1);
    CHECK_EQ(store_execution_get(p.store, "e7", &got, &p.err), 1);
    CHECK(got.idempotency_key && !got.result);
    CHECK_EQ(store_execution_get(p.store, "e200", &got, &p.err), 1);
    CHECK(got.result);
    do
        CHECK_EQ(store_executions_prune(p.store, 100, T0 + 7 + DAY, &removed, &p.err), 0);
    while (removed);
    CHECK_EQ(store_execution_get(p.store, "e7", &got, &p.err), 0);
    CHECK_EQ(store_execution_get(p.store, "e5", &got, &p.err), 1);
    int64_t rows;
    query_number(&p, "SELECT count(*) FROM results", &rows);
    CHECK_EQ(rows, 100);
    place_end(&p);
}

/* ---- keys ---- */

static const char hash1[] = "1111111111111111111111111111111111111111111111111111111111111111";
static const char hash2[] = "2222222222222222222222222222222222222222222222222222222222222222";

static struct key_row key(const char *id, const char *name, const char *hash)
{
    return (struct key_row){ .id = id,
                             .name = name,
                             .hash = hash,
                             .role = KEY_RUN,
                             .agents = "a1\na2",
                             .levels = 3,
                             .created_ms = T0,
                             .expires_ms = T0 + DAY };
}

TEST(keys_are_kept_listed_used_and_revoked)
{
    struct place p;
    static struct key_list list;
    place_open(&p);
    struct key_row k = key("key-000000000001", "ci", hash1);
    CHECK_EQ(store_key_add(p.store, &k, &p.err), 0);
    k = key("key-000000000002", "ci", hash2);
    CHECK_EQ(store_key_add(p.store, &k, &p.err), -EEXIST);
    CHECK(p.err.blame == BLAME_CALLER && p.err.remedy[0]);
    CHECK_EQ(store_key_used(p.store, "key-000000000001", T0 + 50, &p.err), 0);
    CHECK_EQ(store_key_used(p.store, "key-000000000001", T0 + 40, &p.err), 0);
    CHECK_EQ(store_keys(p.store, &list, &p.err), 0);
    CHECK_EQ(list.count, 1);
    CHECK_STR(list.keys[0].hash, hash1);
    CHECK_STR(list.keys[0].agents, "a1\na2");
    CHECK(list.keys[0].levels == 3 && list.keys[0].last_used_ms == T0 + 50 && list.keys[0].expires_ms == T0 + DAY);
    CHECK(key_row_is_good(&list.keys[0], T0) && !key_row_is_good(&list.keys[0], T0 + DAY));
    CHECK_EQ(store_key_revoke(p.store, "nobody", T0, &p.err), -ENOENT);
    CHECK_EQ(store_key_revoke(p.store, "ci", T0 + 60, &p.err), 0);
    CHECK_EQ(store_key_revoke(p.store, "key-000000000001", T0 + 70, &p.err), -ENOENT);
    CHECK_EQ(store_keys(p.store, &list, &p.err), 0);
    CHECK_EQ(list.keys[0].revoked_ms, T0 + 60);
    CHECK(!key_row_is_good(&list.keys[0], T0));
    CHECK_EQ(store_key_add(p.store, &k, &p.err), 0); /* the name is free again */
    place_end(&p);
}

TEST(what_is_no_key_is_refused)
{
    struct place p;
    place_open(&p);
    static const struct {
        const char *id, *name, *hash, *agents;
        uint8_t role;
        uint32_t levels;
    } bad[] = {
        { "key-000000000001", "", hash1, "", KEY_RUN, 0 },
        { "key-000000000001", "a\nb", hash1, "", KEY_RUN, 0 },
        { "key-000000000001", "a\xff", hash1, "", KEY_RUN, 0 },
        { "key-000000000001", "key-a", hash1, "", KEY_RUN, 0 },
        { "key-00000000000g", "n", hash1, "", KEY_RUN, 0 },
        { "key-000000000001", "n", "1", "", KEY_RUN, 0 },
        { "key-000000000001", "n", hash1, "a\n\nb", KEY_RUN, 0 },
        { "key-000000000001", "n", hash1, "", KEY_ROLES, 0 },
        { "key-000000000001", "n", hash1, "", KEY_RUN, 8 },
        { "key-000000000001", "n", hash1, "a", KEY_READ, 0 },
        { "key-000000000001", "n", hash1, "", KEY_ADMIN, 1 },
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        const struct key_row k = { .id = bad[i].id,
                                   .name = bad[i].name,
                                   .hash = bad[i].hash,
                                   .agents = bad[i].agents,
                                   .role = bad[i].role,
                                   .levels = bad[i].levels };
        CHECK_EQ(store_key_add(p.store, &k, &p.err), -EINVAL);
    }
    place_end(&p);
}

TEST(a_thousand_keys_are_enough_and_dead_ones_make_room)
{
    struct place p;
    char id[32], name[32], hash[72];
    place_open(&p);
#ifndef ON_POSTGRES
    CHECK(run_sql(p.store, "PRAGMA synchronous=OFF"));
#endif
    for (unsigned i = 0; i <= STORE_MAX_KEYS; i++) {
        (void)snprintf(id, sizeof id, "key-%012x", i);
        (void)snprintf(name, sizeof name, "n%u", i);
        (void)snprintf(hash, sizeof hash, "%064x", i);
        struct key_row k = key(id, name, hash);
        k.expires_ms = 0;
        CHECK_EQ(store_key_add(p.store, &k, &p.err), i < STORE_MAX_KEYS ? 0 : -ENOSPC);
    }
    CHECK_EQ(store_key_revoke(p.store, "n500", T0, &p.err), 0);
    struct key_row k = key(id, name, hash);
    CHECK_EQ(store_key_add(p.store, &k, &p.err), 0);
    int64_t n;
    query_number(&p, "SELECT count(*) FROM keys", &n);
    CHECK_EQ(n, STORE_MAX_KEYS);
    place_end(&p);
}

#ifndef ON_POSTGRES
TEST(the_version_changes_when_another_connection_writes_and_only_then)
{
    struct place p;
    struct store *other;
    uint64_t before, after;
    place_open(&p);
    CHECK_EQ(open_store(p.path, &other, &p.err), 0);
    CHECK_EQ(store_version(p.store, &before, &p.err), 0);
    struct key_row k = key("key-000000000001", "ci", hash1);
    CHECK_EQ(store_key_add(p.store, &k, &p.err), 0);
    CHECK_EQ(store_version(p.store, &after, &p.err), 0);
    CHECK_EQ(before, after);
    CHECK_EQ(store_key_revoke(other, "ci", T0, &p.err), 0);
    CHECK_EQ(store_version(p.store, &after, &p.err), 0);
    CHECK(before != after);
    (void)store_close(other);
    place_end(&p);
}

/* ---- the file ---- */

TEST(a_database_of_version_1_opens_and_keeps_its_rows)
{
    struct place p;
    struct agent a;
    static struct key_list list;
    static const char back_to_1[] =
        "DROP TABLE executions; DROP TABLE results; DROP TABLE keys; DROP INDEX agents_of_key; DROP INDEX "
        "agents_noticed;"
        "DROP TABLE shapes; DROP TABLE sums; DROP TABLE known; DROP TABLE refusals;"
        "ALTER TABLE runs DROP COLUMN shape; ALTER TABLE runs DROP COLUMN tree; ALTER TABLE runs DROP COLUMN size;"
        "ALTER TABLE agents DROP COLUMN errors; ALTER TABLE agents DROP COLUMN attempts;"
        "ALTER TABLE agents DROP COLUMN start; ALTER TABLE agents DROP COLUMN debt;"
        "ALTER TABLE agents DROP COLUMN level; ALTER TABLE agents DROP COLUMN last_offence_ms;"
        "ALTER TABLE agents DROP COLUMN quarantines; ALTER TABLE agents DROP COLUMN shapes;"
        "ALTER TABLE agents DROP COLUMN hours; ALTER TABLE agents DROP COLUMN last_hour;"
        "ALTER TABLE agents DROP COLUMN first_work_ms; ALTER TABLE agents DROP COLUMN is_vouched;"
        "ALTER TABLE agents DROP COLUMN key_id; ALTER TABLE agents DROP COLUMN notice;"
        "ALTER TABLE agents DROP COLUMN learned; DROP TABLE baseline;"
        "ALTER TABLE runs DROP COLUMN key_id; DROP TABLE meter; PRAGMA user_version=1;"
        "INSERT INTO agents(id, trust, trust_at_ms, first_seen_ms, runs) VALUES('old', 612, 5, 5, 9)";
    int64_t version;
    place_open(&p);
    CHECK(run_sql(p.store, back_to_1));
    p.store = store_close(p.store);
    query_number(&p, "PRAGMA user_version", &version);
    CHECK_EQ(version, 1);
    CHECK_EQ(open_store(p.path, &p.store, &p.err), 0);
    CHECK_EQ(store_agent(p.store, "old", NULL, &a, &p.err), 0);
    CHECK(a.is_known && a.trust == 612 && a.runs == 9);
    CHECK_EQ(store_keys(p.store, &list, &p.err), 0);
    CHECK_EQ(list.count, 0);
    CHECK_EQ(accept_as(&p, row("e1", "k", NULL, T0), NULL), ACCEPT_OK);
    query_number(&p, "PRAGMA user_version", &version);
    CHECK_EQ(version, 6);
    place_end(&p);
}

static off_t size_of(const struct place *p, const char *suffix)
{
    struct stat st;
    char path[120];
    (void)snprintf(path, sizeof path, "%s%s", p->path, suffix);
    return stat(path, &st) == 0 ? st.st_size : -1;
}

TEST(a_service_s_wal_waits_for_the_checkpoint_and_begins_anew_after_it)
{
    struct place p;
    uint64_t pages = 0;
    char id[16];
    place_open(&p);
    CHECK_EQ(store_set_service(p.store, &p.err), 0);
    off_t file = size_of(&p, "");
    for (unsigned i = 0; i < 200; i++) {
        (void)snprintf(id, sizeof id, "e%u", i);
        CHECK_EQ(accept_as(&p, row(id, "k", NULL, T0), NULL), ACCEPT_OK);
    }
    CHECK_EQ(size_of(&p, ""), file);
    off_t wal = size_of(&p, "-wal");
    CHECK(wal > 200 * 1024);
    CHECK_EQ(store_checkpoint(p.store, &pages, &p.err), 0);
    CHECK(pages >= 200 && size_of(&p, "") > file);
    CHECK_EQ(store_checkpoint_rest(p.store, &p.err), 0);
    CHECK_EQ(accept_as(&p, row("more", "k", NULL, T0), NULL), ACCEPT_OK);
    CHECK_EQ(size_of(&p, "-wal"), wal); /* written from its beginning */
    CHECK_EQ(store_checkpoint(p.store, &pages, &p.err), 0);
    CHECK(pages < 20);
    place_end(&p);
}
#endif

TEST(what_a_store_answers_is_the_arena_s_where_there_is_one_and_hashes_do_not_travel)
{
    struct key_list *own = calloc(1, sizeof *own), *other = calloc(1, sizeof *other);
    const struct key_row k = { .id = "key-0123456789ab",
                               .name = "first",
                               .hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                               .created_ms = T0 };
    struct arena arena = { 0 };
    struct place p;
    place_open(&p);
    struct store borrowed = *p.store;
    borrowed.arena = &arena;
    CHECK(own && other);
    CHECK_EQ(store_key_add(p.store, &k, &p.err), 0);
    CHECK_EQ(store_keys(&borrowed, other, &p.err), 0);
    CHECK_EQ(store_keys(p.store, own, &p.err), 0);
    CHECK_EQ(store_executions_prune(p.store, 1, T0, &(uint64_t){ 0 }, &p.err), 0); /* its strings are gone now */
    CHECK_EQ(own->count, 1);
    CHECK_EQ(other->count, 1);
    CHECK_STR(other->keys[0].name, "first");
    CHECK(own->keys[0].hash && !other->keys[0].hash);
    arena_done(&arena);
    free(own);
    free(other);
    place_end(&p);
}

TEST(a_store_that_is_not_open_or_has_no_database_here_says_so)
{
    static const struct store_ops without = { 0 };
    struct store closed = { 0 }, elsewhere = { .ops = &without };
    struct error err = { 0 };
    struct agent agent;
    uint64_t version;
    CHECK_EQ(store_agent(&closed, "a", NULL, &agent, &err), -EPIPE);
    CHECK_EQ(store_version(&closed, &version, &err), -EOPNOTSUPP);
    CHECK_EQ(store_version(&elsewhere, &version, &err), -EOPNOTSUPP);
    CHECK(strstr(err.text, "only the process that has the database") != NULL);
    CHECK(!store_is_open(&closed) && store_is_open(&elsewhere) && !store_close(&closed) && !store_close(NULL));
}
