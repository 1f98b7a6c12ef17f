/* What is known of a process that asks, and for how long: src/notify/caller.c. */
#include "test.h"

#include "base/clock.h"
#include "notify/caller.h"

/* A process, or a thread of one, that had our number before. */
static struct kin known_as(uint64_t age_us, uint32_t pid, uint32_t inside)
{
    struct notify n = { .listener = -1, .events = -1, .root = -1, .next_kin = 1 };
    const uint32_t self = (uint32_t)getpid();
    n.kin[0] = (struct kin){
        .thread = self, .pid = pid, .inside = inside, .parent = 7, .read_us = clock_us() - age_us
    };
    return caller_kin(&n, self, false);
}

TEST(a_number_that_another_process_has_now_is_not_taken_for_the_first_ones)
{
    const uint32_t self = (uint32_t)getpid();
    CHECK_EQ(known_as(0, 4194000, 3).pid, 4194000); /* numbers do not come again that soon */
    const struct kin now = known_as(60u * 1000 * 1000, 4194000, 3);
    CHECK_EQ(now.pid, self);
    CHECK_EQ(now.parent, (uint32_t)getppid());
    CHECK_EQ(known_as(60u * 1000 * 1000, now.pid, now.inside).parent, 7); /* the same one: as when it asked first */
}
