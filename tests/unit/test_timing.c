/* Where a run's time went: parts that do not overlap, and whose sum is the whole. */
#include "run/timing.h"

#include "test.h"

static uint64_t sum(const uint64_t us[static TIMING_PARTS])
{
    uint64_t all = 0;
    for (int i = 0; i < TIMING_PARTS; i++)
        all += us[i];
    return all;
}

static struct timing usual(void)
{
    return (struct timing){ .received_us = 1000,
                            .queued_us = 1100,
                            .granted_us = 1600,
                            .scan_us = 1700,
                            .scanned_us = 2000,
                            .decided_us = 2100,
                            .sent_us = 2200,
                            .settled_us = 9000 };
}

TEST(the_parts_of_a_run_add_up_to_its_whole_time)
{
    static const uint64_t want[] = { 500, 300, 300, 1100, 4000, 1800 };
    uint64_t us[TIMING_PARTS];
    struct timing t = usual();
    timing_outcome(&t, &(struct outcome){ .started_us = 1000, .duration_us = 5000 });
    timing_split(&t, us);
    for (int i = 0; i < TIMING_PARTS; i++)
        CHECK_EQ(us[i], want[i]);
    CHECK_EQ(sum(us), t.settled_us - t.received_us);
}

TEST(a_container_s_duration_begins_where_its_program_does)
{
    uint64_t us[TIMING_PARTS];
    struct timing t = usual();
    timing_outcome(&t, &(struct outcome){ .started_us = 1000, .ready_us = 1000, .duration_us = 4000 });
    timing_split(&t, us);
    CHECK_EQ(us[TIMING_RUN], 4000);
    CHECK_EQ(us[TIMING_START], 1100);
    CHECK_EQ(sum(us), t.settled_us - t.received_us);
}

TEST(what_never_started_has_no_time_of_a_program)
{
    uint64_t us[TIMING_PARTS];
    struct timing t = usual();
    timing_outcome(&t, &(struct outcome){ .duration_us = 5000 });
    timing_split(&t, us);
    CHECK_EQ(us[TIMING_START], 6900);
    CHECK_EQ(us[TIMING_RUN] + us[TIMING_SETTLE], 0);
    CHECK_EQ(sum(us), t.settled_us - t.received_us);
    t.decided_us = 0; /* refused */
    timing_split(&t, us);
    CHECK_EQ(us[TIMING_DECIDE], 8000 - 500 - 300);
    CHECK_EQ(sum(us), t.settled_us - t.received_us);
    t = (struct timing){ .received_us = 1000, .queued_us = 1100, .settled_us = 4000 }; /* its turn never came */
    timing_split(&t, us);
    CHECK_EQ(us[TIMING_QUEUE], 2900);
    CHECK_EQ(sum(us), 3000);
}

TEST(a_header_has_room_for_the_longest_times)
{
    char text[TIMING_HEADER_SIZE];
    struct timing t = usual();
    timing_outcome(&t, &(struct outcome){ .started_us = 1000, .duration_us = 5000 });
    timing_header(&t, text);
    CHECK_STR(text,
              "queue;dur=0.500, scan;dur=0.300, decide;dur=0.300, start;dur=1.100, run;dur=4.000, settle;dur=1.800");
    t = (struct timing){ .received_us = 1,
                         .queued_us = 1,
                         .granted_us = UINT64_MAX,
                         .scan_us = 1,
                         .scanned_us = UINT64_MAX,
                         .decided_us = 1,
                         .started_us = UINT64_MAX,
                         .ended_us = 1,
                         .settled_us = UINT64_MAX };
    timing_header(&t, text); /* its own assertion */
    CHECK(strlen(text) < sizeof text);
}
