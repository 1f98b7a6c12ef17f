/* A start that lasts is given time by the machine it is on: slowness.c measures, observe.c tells the detectors. */
#include "run/observe.h"
#include "run/slowness.h"
#include "test.h"

TEST(the_slower_of_two_measures_counts_within_bounds)
{
    CHECK_EQ(slowness_of(0, 0), 1);
    CHECK_EQ(slowness_of(190, 3200), 1);
    CHECK_EQ(slowness_of(1000, 3200), 5);
    CHECK_EQ(slowness_of(190, 175000), 50); /* an emulated machine */
    CHECK_EQ(slowness_of(UINT64_MAX, 0), SLOWNESS_MAX);
    CHECK_EQ(slowness_of(0, UINT64_MAX), SLOWNESS_MAX);
    const uint32_t here = slowness_measure();
    CHECK(here >= 1 && here <= SLOWNESS_MAX);
}

struct told {
    uint32_t count;
    uint64_t at_us[8], cpu_us[8];
};

static void on_event(void *context, const struct watch_event *e)
{
    struct told *t = context;
    if (e->kind != WATCH_STARTING || t->count == ARRAY_LEN(t->at_us))
        return;
    t->at_us[t->count] = e->at_us;
    t->cpu_us[t->count++] = e->args[0];
}

static void sample(struct observe *o, uint64_t at_us)
{
    observe_tell(o, &(struct watch_event){ .kind = WATCH_SAMPLE, .at_us = at_us }, NULL, 0);
}

/* Whether it is told here depends on the machine. */
TEST(a_start_that_lasts_gets_more_time_once_and_only_where_the_machine_is_slow)
{
    struct told t = { .count = 0 };
    struct observe o = { .sock = -1, .record = -1, .on_event = on_event, .event_context = &t };
    observe_starting(&o);
    CHECK(t.count == 1 && t.at_us[0] == 0 && t.cpu_us[0] >= 1000000);
    sample(&o, 900000);
    CHECK(t.count == 1 && o.is_starting);
    sample(&o, 1100000);
    sample(&o, 1200000);
    CHECK(!o.is_starting && t.count <= 2);
    if (t.count == 2)
        CHECK(t.at_us[1] == 1100000 && t.cpu_us[1] >= 2 * t.cpu_us[0] && t.cpu_us[1] <= SLOWNESS_MAX * t.cpu_us[0]);
}

TEST(nothing_is_measured_once_the_program_has_begun)
{
    struct told t = { .count = 0 };
    struct observe o = { .sock = -1, .record = -1, .on_event = on_event, .event_context = &t };
    observe_starting(&o);
    observe_tell(&o, &(struct watch_event){ .kind = WATCH_BEGUN, .at_us = 500000 }, NULL, 0);
    CHECK(!o.is_starting);
    sample(&o, 5000000);
    CHECK_EQ(t.count, 1);
}
