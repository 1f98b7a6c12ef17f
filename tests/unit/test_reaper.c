/* What a process of a job may write to its reaper without end. The module is compiled into this file, under another
 * name, for its static functions and its reads. */
#include "base/base.h"

#include <unistd.h>

static unsigned words;

/* A pipe that is refilled as fast as it is read. */
static ssize_t read_of_a_full_pipe(int fd, void *to, size_t size)
{
    (void)fd;
    memset(to, 0, size);
    return ++words > (1u << 20) ? -1 : (ssize_t)size;
}

#define read             read_of_a_full_pipe
#define reaper_main      own_reaper_main
#define reaper_wait_main own_reaper_wait_main
#include "steward/reaper.c"
#undef read

#include "test.h"

TEST(a_reaper_hears_no_more_words_at_once_than_a_pipe_holds)
{
    struct main_process m = { .pid = 1, .successors = 0 };
    CHECK(!pass_on(&m)); /* no child of ours has the number 0 */
    CHECK_EQ(words, SUCCESSORS_MAX);
    CHECK_EQ(m.pid, 1);
}
