/* execution.max_processes: a place is given once, however late the process is that takes it.
 *
 * The world here is the test's: which processes are there to be counted, and which threads. A launcher that only looked
 * at the count, as it did first, granted each asker the place that another had been promised: 7 processes for 5. */
#include "notify/grants.h"
#include "random.h"
#include "test.h"

#define MOST 5u
#define T0   UINT64_C(1000000)

static bool all_there(const void *context, uint32_t tid)
{
    (void)context;
    (void)tid;
    return true;
}

static bool gone(const void *context, uint32_t tid)
{
    (void)context;
    return tid != 1;
}

TEST(grants_give_the_last_place_once)
{
    struct grants g = { 0 };
    CHECK(grants_take(&g, 1, MOST - 1, MOST, T0, all_there, NULL));
    CHECK(!grants_take(&g, 2, MOST - 1, MOST, T0, all_there, NULL)); /* its process is not there yet */
    CHECK(!grants_take(&g, 3, MOST - 1, MOST, T0 + 1000, all_there, NULL));
    CHECK(!grants_take(&g, 2, MOST, MOST, T0 + 2000, all_there, NULL));    /* now it is */
    CHECK(grants_take(&g, 2, MOST - 1, MOST, T0 + 3000, all_there, NULL)); /* and now it has ended */
}

TEST(grants_give_all_places_at_once_and_no_more)
{
    struct grants g = { 0 };
    for (uint32_t tid = 10; tid < 10 + MOST - 1; tid++)
        CHECK(grants_take(&g, tid, 1, MOST, T0, all_there, NULL));
    for (uint32_t tid = 20; tid < 30; tid++)
        CHECK(!grants_take(&g, tid, 1, MOST, T0, all_there, NULL));
    for (uint32_t there = 2; there < MOST; there++) /* they come one by one: none is free meanwhile */
        CHECK(!grants_take(&g, 30, there, MOST, T0, all_there, NULL));
}

/* A loop of fork and wait, the honest case: never in its own way. */
TEST(grants_of_one_that_asks_again_are_over)
{
    struct grants g = { 0 };
    for (uint32_t i = 0; i < 1000; i++)
        CHECK(grants_take(&g, 1, MOST - 1, MOST, T0, all_there, NULL));
}

TEST(grants_of_the_dead_are_over)
{
    struct grants g = { 0 };
    CHECK(grants_take(&g, 1, MOST - 1, MOST, T0, all_there, NULL));
    CHECK(!grants_take(&g, 2, MOST - 1, MOST, T0, all_there, NULL));
    CHECK(grants_take(&g, 2, MOST - 1, MOST, T0, gone, NULL));
}

TEST(grants_are_forgotten_in_the_end)
{
    struct grants g = { 0 };
    CHECK(grants_take(&g, 1, MOST - 1, MOST, T0, all_there, NULL));
    CHECK(!grants_take(&g, 2, MOST - 1, MOST, T0 + GRANT_LIMIT_US - 1, all_there, NULL));
    CHECK(grants_take(&g, 2, MOST - 1, MOST, T0 + GRANT_LIMIT_US, all_there, NULL));
}

/* --- a world of threads that fork, whose processes come late and end ------------------------------------- */

#define THREADS 12

struct world {
    uint32_t processes;       /* there to be counted, the program itself included */
    bool is_granted[THREADS]; /* its fork has not happened yet */
};

static uint32_t promised(const struct world *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < THREADS; i++)
        n += w->is_granted[i];
    return n;
}

TEST(grants_hold_in_whatever_order_things_happen)
{
    for (seed = 1; seed <= 200 * UINT64_C(1000003); seed += 1000003) {
        uint64_t first = seed; /* rnd() changes it */
        struct grants g = { 0 };
        struct world w = { .processes = 1 };
        uint32_t refused = 0, granted = 0;
        for (uint64_t now = T0; now < T0 + 4000; now++) { /* 4 ms: no grant is forgotten */
            uint32_t tid = (uint32_t)rnd(THREADS), what = (uint32_t)rnd(10);
            if (what < 6 && !w.is_granted[tid]) {
                bool is_mine = grants_take(&g, tid + 1, w.processes, MOST, now, all_there, NULL);
                w.is_granted[tid] = is_mine;
                granted += is_mine;
                refused += !is_mine;
            } else if (what < 8 && w.is_granted[tid]) {
                w.is_granted[tid] = false;
                w.processes++;
            } else if (w.processes > 1) {
                w.processes--;
            }
            CHECK(w.processes + promised(&w) <= MOST);
        }
        CHECK(refused > 0 && granted > 100);
        seed = first;
    }
}
