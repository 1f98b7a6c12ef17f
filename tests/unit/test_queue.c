/* Tests of the service's line (daemon/queue.c), of settings that only a start takes (daemon/fixed.c), and of the events
 * of an execution (daemon/events.c, executions.c). */
#include "test.h"

#include <stdlib.h>
#include <sys/eventfd.h>

#include "daemon/executions.h"
#include "daemon/fixed.h"
#include "daemon/queue.h"

TEST(whoever_comes_while_there_is_room_has_the_turn_at_once)
{
    struct queue *q = queue_new(2, 4);
    struct queue_place a, b;
    uint64_t wait;
    CHECK(queue_join(q, "x", false, &a, &wait) && queue_join(q, "x", false, &b, &wait));
    CHECK_EQ(queue_wait(&a, 0, -1, -1, NULL), QUEUE_TURN);
    CHECK_EQ(queue_wait(&b, 0, -1, -1, NULL), QUEUE_TURN);
    queue_leave(&a);
    queue_leave(&a);
    queue_leave(&b);
    CHECK(!queue_free(q));
}

TEST(turns_go_round_the_names_whoever_has_the_longer_line)
{
    enum { MANY = 6 };
    struct queue *q = queue_new(1, 20);
    struct queue_place first, many[MANY], late;
    uint64_t wait;
    CHECK(queue_join(q, "busy", false, &first, &wait));
    for (int i = 0; i < MANY; i++)
        CHECK(queue_join(q, "busy", false, &many[i], &wait));
    CHECK(queue_join(q, "modest", false, &late, &wait));
    CHECK(!late.has_turn);
    queue_leave(&first);
    CHECK(many[0].has_turn); /* came first of all */
    queue_leave(&many[0]);
    CHECK(late.has_turn); /* before five others that came earlier */
    queue_leave(&late);
    for (int i = 1; i < MANY; i++) {
        CHECK(many[i].has_turn); /* first come, first served */
        queue_leave(&many[i]);
    }
    CHECK(!queue_free(q));
}

TEST(a_full_line_refuses_and_one_name_alone_cannot_fill_it)
{
    struct queue *q = queue_new(1, 8);
    struct queue_place first, places[8], other;
    uint64_t wait = 0;
    int in = 0;
    CHECK(queue_join(q, "busy", false, &first, &wait));
    for (int i = 0; i < 8; i++)
        in += queue_join(q, "busy", false, &places[i], &wait);
    CHECK_EQ(in, 6);
    CHECK(wait >= 1000);
    CHECK(queue_join(q, "modest", false, &other, &wait));
    for (int i = 0; i < 8; i++)
        queue_leave(&places[i]); /* also those that were refused */
    queue_leave(&other);
    queue_leave(&first);
    CHECK(!queue_free(q));
}

TEST(what_lasts_leaves_a_quarter_of_the_turns)
{
    struct queue *q = queue_new(4, 8);
    struct queue_place lasting[5], run;
    uint64_t wait = 0;
    for (int i = 0; i < 4; i++)
        CHECK_EQ(queue_join(q, "busy", true, &lasting[i], &wait), i < 3);
    CHECK_EQ(queue_lasting_max(q), 3);
    CHECK(queue_join(q, "modest", false, &run, &wait) && run.has_turn);
    queue_leave(&lasting[0]);
    queue_leave(&lasting[0]); /* twice is once */
    CHECK(queue_join(q, "busy", true, &lasting[3], &wait) && !queue_join(q, "busy", true, &lasting[4], &wait));
    for (int i = 1; i < 5; i++)
        queue_leave(&lasting[i]);
    queue_leave(&run);
    CHECK(!queue_free(q));
    q = queue_new(1, 8); /* one turn is for all */
    CHECK(queue_join(q, "busy", true, &lasting[0], &wait) && lasting[0].has_turn);
    queue_leave(&lasting[0]);
    CHECK(!queue_free(q));
}

TEST(what_lasts_of_one_name_leaves_a_quarter_to_others)
{
    struct queue *q = queue_new(16, 4);
    struct queue_place busy[10], modest[4];
    uint64_t wait = 0;
    CHECK_EQ(queue_lasting_max(q), 12);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(queue_join(q, "busy", true, &busy[i], &wait), i < 9);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(queue_join(q, "modest", true, &modest[i], &wait), i < 3);
    queue_leave(&busy[4]); /* in the midst of the others */
    CHECK(queue_join(q, "modest", true, &modest[3], &wait) && !queue_join(q, "busy", true, &busy[4], &wait));
    for (int i = 0; i < 4; i++)
        queue_leave(&modest[i]);
    CHECK(queue_join(q, "busy", true, &busy[4], &wait) && !queue_join(q, "busy", true, &busy[9], &wait));
    for (int i = 0; i < 10; i++)
        queue_leave(&busy[i]);
    CHECK(!queue_free(q));
}

TEST(who_waits_hears_of_a_stop_of_the_end_of_patience_and_that_another_node_has_it)
{
    struct queue *q = queue_new(1, 8);
    struct queue_place first, second;
    uint64_t wait, one = 1;
    int stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(queue_join(q, "a", false, &first, &wait) && queue_join(q, "a", false, &second, &wait));
    CHECK_EQ(queue_wait(&second, 1, stop, -1, NULL), QUEUE_TIMEOUT);
    CHECK_EQ(write(stop, &one, sizeof one), sizeof one);
    _Atomic bool is_away = false;
    CHECK_EQ(queue_wait(&second, 1, -1, -1, &is_away), QUEUE_TIMEOUT);
    is_away = true;
    CHECK_EQ(queue_wait(&second, 60000, -1, -1, &is_away), QUEUE_MOVED);
    CHECK_EQ(queue_wait(&second, 60000, stop, -1, &is_away), QUEUE_STOPPED);
    queue_leave(&second);
    queue_leave(&first);
    (void)close(stop);
    CHECK(!queue_free(q));
}

static void *take_turns(void *context)
{
    struct queue *q = context;
    struct queue_counts c;
    for (int i = 0; i < 300; i++) {
        struct queue_place p;
        uint64_t wait;
        char name[] = { (char)('a' + i % 5), 0 };
        if (!queue_join(q, name, false, &p, &wait))
            continue;
        if (queue_wait(&p, i % 7 ? 10000 : 0, -1, -1, NULL) == QUEUE_TURN) {
            queue_count(q, &c);
            assert(c.running <= c.slots);
        }
        queue_leave(&p);
    }
    return NULL;
}

TEST(many_threads_never_have_more_turns_than_there_are)
{
    struct queue *q = queue_new(3, 64);
    pthread_t threads[12];
    struct queue_counts c;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, take_turns, q), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        (void)pthread_join(threads[i], NULL);
    queue_count(q, &c);
    CHECK_EQ(c.running, 0);
    CHECK_EQ(c.waiting, 0);
    CHECK(!queue_free(q));
}

/* --- events ------------------------------------------------------------------------------------------ */

static void gather_text(const struct events *e, struct buf *out)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->list[i].type == EVENT_STDOUT)
            (void)buf_add(out, e->bytes.data + e->list[i].offset, e->list[i].size);
}

TEST(a_piece_of_output_does_not_end_within_a_sequence_wherever_it_was_cut)
{
    static const char text[] = "aé€😀z\xff\xc3(é";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        struct events e;
        struct buf all, line;
        events_init(&e, EVENTS_MAX_BYTES);
        buf_init(&all, 256);
        events_add(&e, EVENT_STDOUT, 1, text, cut);
        events_add(&e, EVENT_STDERR, 2, "x", 1);
        events_add(&e, EVENT_STDOUT, 3, text + cut, sizeof text - 1 - cut);
        events_end(&e, 4);
        gather_text(&e, &all);
        CHECK_EQ(all.size, sizeof text - 1);
        CHECK(memcmp(all.data, text, all.size) == 0);
        buf_init(&line, KIB);
        CHECK(!events_print(&e, e.count + 1, "id", &line) && !events_print(&e, 0, "id", &line));
        CHECK(events_print(&e, 1, "id", &line));
        CHECK(strncmp(line.data, "id: 1\nevent: std", 16) == 0);
        buf_done(&line);
        buf_done(&all);
        events_done(&e);
    }
}

TEST(more_events_than_are_kept_end_with_a_word_about_it)
{
    struct events e;
    events_init(&e, EVENTS_MAX_BYTES);
    for (uint32_t i = 0; i < EVENTS_MAX + 100; i++)
        events_add(&e, i % 2 ? EVENT_STDOUT : EVENT_STDERR, i, "x", 1);
    CHECK_EQ(e.count, EVENTS_MAX);
    CHECK_EQ(e.list[EVENTS_MAX - 1].type, EVENT_LOST);
    events_done(&e);
}

/* --- executions ---------------------------------------------------------------------------------------- */

static void finish(struct execution *e, size_t size)
{
    struct execution_end end = { .reason = 0, .level = 0, .status = 200 };
    buf_init(&end.result.out[0], size + 1);
    for (size_t i = 0; i < size; i += 1024)
        (void)buf_add(&end.result.out[0], (char[1024]){ 0 }, 1024);
    execution_finished(e, &end);
    CHECK(!execution_stop(e));
    execution_ended(e); /* takes our reference: after it nothing of the list may be touched, since with the last one it
                           may be freed */
}

TEST(finished_executions_are_found_until_newer_ones_need_the_room)
{
    struct executions *l = executions_new();
    char id[32];
    for (int i = 0; i < 40; i++) {
        (void)snprintf(id, sizeof id, "exec-%d", i);
        struct execution *e = executions_add(l, id, "key", NULL, "bash", NULL, false, true);
        CHECK(e && executions_live(l) == 1);
        CHECK(execution_stop(e));
        finish(e, 4 * MIB);
    }
    CHECK(!executions_find(l, "exec-0"));
    struct execution *last = executions_find(l, "exec-39");
    CHECK(last && last->state == EXECUTION_FINISHED);
    (void)execution_unref(last);
    CHECK_EQ(executions_live(l), 0);
    CHECK(!executions_free(l));
}

TEST(what_is_finished_is_bounded_by_bytes_however_large_and_in_whatever_order)
{
    static const size_t sizes[] = { 1, 4, 30, 70, 8, 40, 1, 64, 2, 200, 3, 33, 31, 5 };
    struct executions *l = executions_new();
    char id[32];
    for (size_t i = 0; i < 3 * ARRAY_LEN(sizes); i++) {
        (void)snprintf(id, sizeof id, "exec-%zu", i);
        finish(executions_add(l, id, "key", NULL, "bash", NULL, false, false), sizes[i % ARRAY_LEN(sizes)] * MIB);
        CHECK(executions_kept_bytes(l) <= 64 * MIB);
    }
    for (int i = 0; i < 5000; i++) { /* their own weight counts, too */
        (void)snprintf(id, sizeof id, "small-%d", i);
        finish(executions_add(l, id, "key", NULL, "bash", NULL, true, true), 20 * KIB);
    }
    CHECK(executions_kept_bytes(l) <= 64 * MIB);
    CHECK(executions_find(l, "small-0") == NULL);
    CHECK(!executions_free(l));
}

TEST(those_that_live_share_one_account_and_each_has_a_little_of_its_own)
{
    struct executions *l = executions_new();
    executions_limit(l, MIB);
    struct execution *a = executions_add(l, "a", "key", NULL, "bash", NULL, false, false),
                     *b = executions_add(l, "b", "key", NULL, "bash", NULL, false, false);
    CHECK(execution_charge(a, MIB / 2));
    CHECK(!execution_charge(b, MIB));
    CHECK(execution_may_keep(a, 250 * KIB)); /* 500 KiB: the rest of the account */
    CHECK(!execution_may_keep(b, 250 * KIB) && b->was_cut && !a->was_cut);
    CHECK(execution_may_keep(b, EXECUTION_OWN_BYTES / 2));
    CHECK(!execution_may_keep(b, 64 * KIB));
    execution_forget(a); /* gives it back */
    CHECK(execution_may_keep(b, 250 * KIB));
    execution_forget(b);
    CHECK(!executions_free(l));
}

TEST(an_execution_that_was_never_begun_leaves_nothing)
{
    struct executions *l = executions_new();
    struct execution *e = executions_add(l, "exec-1", "key", "agent", "bash", NULL, true, true);
    struct execution *waiter = execution_ref(e);
    execution_forget(e); /* takes our reference, as execution_ended() does */
    CHECK(!executions_find(l, "exec-1"));
    CHECK(executions_wait_all(l, 0));
    CHECK_STR(waiter->id, "exec-1");
    (void)execution_unref(waiter);
    CHECK(!executions_free(l));
}

/* --- settings -------------------------------------------------------------------------------------------- */

static void count_difference(void *context, const char *key, const char *in_force, const char *now)
{
    CHECK_STR(key, "endpoints.api.host");
    CHECK_STR(in_force, "127.0.0.1");
    CHECK_STR(now, "null");
    ++*(int *)context;
}

static void name_difference(void *context, const char *key, const char *in_force, const char *now)
{
    const char **named = context;
    (void)in_force, (void)now;
    *named = key;
}

TEST(what_is_kept_ready_is_told_to_want_a_start)
{
    static struct config before, after;
    const char *named = "";
    before.warm.enabled = !after.warm.enabled;
    fixed_differences(&before, &after, name_difference, &named);
    CHECK_STR(named, "warm.enabled");
}

TEST(settings_that_only_a_start_takes_are_compared_one_by_one)
{
    static struct config before, after;
    int count = 0;
    config_defaults(&before);
    config_defaults(&after);
    fixed_differences(&before, &after, count_difference, &count);
    CHECK_EQ(count, 0);
    const char *host = after.endpoints.api.host;
    after.endpoints.api.host = NULL;
    after.endpoints.api.queue_size++; /* taken by a reload */
    fixed_differences(&before, &after, count_difference, &count);
    after.endpoints.api.host = host; /* the only one who knows where it is */
    CHECK_EQ(count, 1);
}
