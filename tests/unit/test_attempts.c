/* Tests of the count of attempts by agent (daemon/attempts.c). */
#include "test.h"

#include <stdio.h>

#include "daemon/attempts.h"

#define MINUTE 60000u
#define START  (1000 * (uint64_t)MINUTE)

static uint32_t count_of(struct attempts *a, const char *id, uint64_t now_ms)
{
    static struct attempts_row rows[ATTEMPTS_MAX_AGENTS];
    size_t n = attempts_busiest(a, now_ms, rows, ATTEMPTS_MAX_AGENTS);
    for (size_t i = 0; i < n; i++)
        if (str_eq(rows[i].id, id))
            return rows[i].count;
    return 0;
}

TEST(attempts_of_the_last_hour_are_counted_and_older_ones_forgotten)
{
    struct attempts *a = attempts_new();
    for (unsigned i = 0; i < 90; i++)
        attempts_add(a, "steady", START + i * MINUTE);
    CHECK_EQ(count_of(a, "steady", START + 89 * MINUTE), 60);
    CHECK_EQ(count_of(a, "steady", START + 99 * MINUTE), 50);
    CHECK_EQ(count_of(a, "steady", START + 148 * MINUTE), 1);
    CHECK_EQ(count_of(a, "steady", START + 149 * MINUTE), 0);
    attempts_add(a, "steady", START + 300 * MINUTE);
    CHECK_EQ(count_of(a, "steady", START + 300 * MINUTE), 1);
    CHECK(!attempts_free(a));
}

TEST(a_pause_does_not_bring_old_attempts_back)
{
    struct attempts *a = attempts_new();
    for (unsigned i = 0; i < 30; i++)
        attempts_add(a, "x", START);
    attempts_add(a, "x", START + 60 * MINUTE); /* the same place of the ring */
    CHECK_EQ(count_of(a, "x", START + 60 * MINUTE), 1);
    attempts_add(a, "x", START + 59 * MINUTE); /* a thread that read the clock earlier */
    CHECK_EQ(count_of(a, "x", START + 60 * MINUTE), 2);
    CHECK(!attempts_free(a));
}

TEST(the_busiest_come_first_and_anonymous_ones_do_not_count)
{
    struct attempts_row rows[2];
    struct attempts *a = attempts_new();
    for (unsigned i = 0; i < 5; i++)
        attempts_add(a, "five", START);
    for (unsigned i = 0; i < 9; i++)
        attempts_add(a, "nine", START);
    attempts_add(a, "one", START);
    attempts_add(a, NULL, START);
    attempts_add(a, "", START);
    CHECK_EQ(attempts_busiest(a, START, rows, 2), 2);
    CHECK_STR(rows[0].id, "nine");
    CHECK_EQ(rows[0].count, 9);
    CHECK_STR(rows[1].id, "five");
    CHECK_EQ(attempts_busiest(a, START, rows, 1), 1);
    CHECK_STR(rows[0].id, "nine");
    CHECK(!attempts_free(a));
}

TEST(a_busy_agent_is_kept_while_many_new_ids_come)
{
    struct attempts *a = attempts_new();
    for (unsigned i = 0; i < 3 * ATTEMPTS_MAX_AGENTS; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "new-%u", i);
        attempts_add(a, id, START + i);
        if (i % 100 == 0)
            attempts_add(a, "busy", START + i);
    }
    CHECK_EQ(count_of(a, "busy", START + 3 * ATTEMPTS_MAX_AGENTS), (3 * ATTEMPTS_MAX_AGENTS + 99) / 100);
    CHECK(!attempts_free(a));
}
