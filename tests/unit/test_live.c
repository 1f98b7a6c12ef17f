/* Tests of what a run uses at this moment: src/watch/live.c. */
#include "test.h"

#include "watch/live.h"

static struct live live;

static bool tell(enum watch_kind kind, uint64_t connection, uint64_t out, uint64_t in)
{
    return live_add(&live, &(struct watch_event){
                               .kind = (uint8_t)kind, .connection = connection, .bytes_out = out, .bytes_in = in });
}

TEST(a_sample_is_what_it_uses_now)
{
    live = (struct live){ 0 };
    CHECK(live_add(
        &live, &(struct watch_event){ .kind = WATCH_SAMPLE, .at_us = 5, .cpu_us = 4, .memory_bytes = 300, .pids = 2 }));
    CHECK(live_add(
        &live, &(struct watch_event){ .kind = WATCH_SAMPLE, .at_us = 9, .cpu_us = 3, .memory_bytes = 100, .pids = 1 }));
    CHECK_EQ(live.usage.at_us, 9);
    CHECK_EQ(live.usage.cpu_us, 4); /* a child that was reaped elsewhere takes nothing back */
    CHECK_EQ(live.usage.memory_bytes, 100);
    CHECK_EQ(live.usage.pids, 1);
    CHECK(!live_add(&live, &(struct watch_event){ .kind = WATCH_EXEC }));
}

TEST(bytes_of_a_connection_count_once_while_it_is_open_and_when_it_ends)
{
    live = (struct live){ 0 };
    CHECK(tell(WATCH_TRAFFIC, 1, 10, 100));
    CHECK(tell(WATCH_TRAFFIC, 2, 1, 1));
    CHECK(tell(WATCH_TRAFFIC, 1, 15, 100));
    CHECK_EQ(live.usage.bytes_out, 16);
    CHECK_EQ(live.usage.bytes_in, 101);
    CHECK(tell(WATCH_CLOSED, 1, 20, 110));
    CHECK(tell(WATCH_CLOSED, 2, 1, 1));
    CHECK(tell(WATCH_CLOSED, 3, 4, 0)); /* too short for anything between */
    CHECK_EQ(live.usage.bytes_out, 25);
    CHECK_EQ(live.usage.bytes_in, 111);
}

TEST(more_connections_than_places_count_when_they_are_closed)
{
    const uint64_t many = LIVE_CONNECTIONS + 5;
    live = (struct live){ 0 };
    for (uint64_t i = 1; i <= many; i++)
        CHECK(tell(WATCH_TRAFFIC, i, 1, 0));
    CHECK_EQ(live.usage.bytes_out, LIVE_CONNECTIONS);
    for (uint64_t i = many; i >= 1; i--)
        CHECK(tell(WATCH_CLOSED, i, 2, 0));
    CHECK_EQ(live.usage.bytes_out, 2 * many);
}
