/* How fast refused calls are answered. Time is the test's. */
#include "notify/pace.h"
#include "test.h"

#define START  UINT64_C(5000000)
#define SECOND UINT64_C(1000000)

static void use_burst(struct pace *p, uint64_t now)
{
    for (uint32_t i = 0; i < PACE_BURST; i++)
        CHECK(pace_may_answer(p, i, EPERM, now));
}

static uint32_t answers_until(struct pace *p, uint64_t now)
{
    struct late_answer a;
    uint32_t n = 0;
    while (pace_next(p, now, &a))
        n++;
    return n;
}

TEST(pace_of_the_honest_is_their_own)
{
    struct pace p = { 0 };
    uint64_t now = START;
    CHECK_EQ(pace_due_us(&p), 0u);
    for (uint32_t i = 0; i < 5 * PACE_PER_S; i++, now += SECOND / PACE_PER_S)
        CHECK(pace_may_answer(&p, i, EPERM, now));
    use_burst(&p, now + 10 * SECOND); /* and as many at once as the bucket holds */
    pace_done(&p);
}

TEST(pace_makes_the_rest_wait_in_turn)
{
    struct pace p = { 0 };
    struct late_answer a;
    use_burst(&p, START);
    for (uint64_t id = 100; id < 110; id++)
        CHECK(!pace_may_answer(&p, id, EPERM, START));
    CHECK(!pace_next(&p, START, &a) && pace_due_us(&p) > START);
    for (uint64_t id = 100; id < 110; id++) {
        uint64_t due = pace_due_us(&p);
        CHECK(due > START && due <= START + SECOND);
        CHECK(!pace_next(&p, due - 1, &a));
        CHECK(pace_next(&p, due, &a));
        CHECK(a.id == id && a.error == EPERM);
    }
    CHECK_EQ(pace_due_us(&p), 0u);
    CHECK(!pace_next(&p, START + SECOND, &a));
    pace_done(&p);
}

TEST(pace_of_a_second_is_its_rate)
{
    struct pace p = { 0 };
    uint32_t answered = 0;
    use_burst(&p, START);
    for (uint64_t now = START, id = 0; now <= START + SECOND; now += 50) { /* one asker that asks again at once */
        if (p.count == 0 && pace_may_answer(&p, id++, EPERM, now))
            answered++;
        answered += answers_until(&p, now);
    }
    CHECK(answered <= PACE_PER_S && answered >= PACE_PER_S - 2);
    pace_done(&p);
}

/* Who asks again while others wait does not get past them. */
TEST(pace_has_no_overtaking)
{
    struct pace p = { 0 };
    struct late_answer a;
    use_burst(&p, START);
    CHECK(!pace_may_answer(&p, 1, EPERM, START));
    CHECK(!pace_may_answer(&p, 2, EAGAIN, START + SECOND));
    CHECK(pace_next(&p, START + SECOND, &a) && a.id == 1);
    CHECK(pace_next(&p, START + SECOND, &a) && a.id == 2 && a.error == EAGAIN);
    pace_done(&p);
}

/* Askers that were interrupted leave their answers here: there is an end to them. */
TEST(pace_keeps_a_bounded_queue)
{
    struct pace p = { 0 };
    struct late_answer a;
    use_burst(&p, START);
    for (uint64_t id = 0; id < 3 * PACE_QUEUE_MAX; id++) {
        (void)pace_may_answer(&p, id, EPERM, START);
        (void)answers_until(&p, START);
        CHECK(p.count <= PACE_QUEUE_MAX);
    }
    CHECK(!pace_next(&p, START, &a));
    CHECK(pace_next(&p, START + SECOND, &a) && a.id == 2 * PACE_QUEUE_MAX);
    pace_done(&p);
}
