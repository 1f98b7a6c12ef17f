/* The limit of tasks that a session's sandbox has in its cgroup, and what its launcher keeps in mind of it:
 * run_set_room() of launch/run.c. A directory stands for the cgroup: only what is written there matters. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "launch/run.h"

#define PIDS 1000u /* numbers of the same length: a file keeps what is behind a shorter one, a cgroup does not */

struct place {
    char dir[40];
    struct launcher launcher;
    struct run *run;
};

static void place_open(struct place *p)
{
    *p = (struct place){ .dir = "/tmp/test-room-XXXXXX", .launcher = { .epoll = -1 } };
    CHECK(mkdtemp(p->dir) != NULL);
    p->run = calloc(1, sizeof *p->run);
    CHECK(p->run != NULL);
    *p->run = (struct run){
        .launcher = &p->launcher,
        .shape = { .pids = PIDS, .room_max = 100 },
        .cgroup = { .kind = CGROUP_V2, .dir = CGROUP_NO_DIRS, .features = UINT32_C(1) << FEATURE_PIDS },
        .pidfd = -1,
        .report_fd = -1,
        .home_fd = -1,
        .state = RUN_RUNNING,
        .room = 1
    };
    p->run->cgroup.dir[0] = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(p->run->cgroup.dir[0] >= 0);
}

/* false: a write fails, as there is nothing to write to. */
static void let_write(struct place *p, bool on)
{
    const int dir = p->run->cgroup.dir[0], fd = on ? openat(dir, "pids.max", O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
    CHECK(on ? fd >= 0 && close(fd) == 0 : unlinkat(dir, "pids.max", 0) == 0);
}

static uint64_t limit_of(const struct place *p)
{
    char text[16] = "";
    uint64_t limit = 0;
    const int fd = openat(p->run->cgroup.dir[0], "pids.max", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0 && read(fd, text, sizeof text - 1) > 0 && close(fd) == 0);
    CHECK_EQ(parse_u64(text, &limit), 0);
    return limit;
}

static void place_end(struct place *p)
{
    (void)unlinkat(p->run->cgroup.dir[0], "pids.max", 0);
    (void)close(p->run->cgroup.dir[0]);
    free(p->run);
    CHECK(rmdir(p->dir) == 0);
}

TEST(a_room_that_could_not_be_raised_is_not_kept_in_mind_as_raised)
{
    struct place p;
    place_open(&p);
    CHECK_EQ(run_set_room(p.run, 50), EIO); /* there is no pids.max yet */
    CHECK_EQ(p.run->room, 1);
    CHECK_EQ(run_set_room(p.run, 1), EIO); /* back to what it has: nothing keeps more than the profile says */
    CHECK(p.run->state == RUN_RUNNING && p.run->forced == REASON_COMPLETED);
    let_write(&p, true);
    CHECK_EQ(run_set_room(p.run, 50), 0);
    CHECK(p.run->room == 50 && limit_of(&p) == PIDS + 1 + 50);
    place_end(&p);
}

TEST(a_session_whose_room_cannot_be_taken_back_ends)
{
    struct place p;
    place_open(&p);
    let_write(&p, true);
    CHECK_EQ(run_set_room(p.run, 101), EINVAL); /* more than its plan has */
    CHECK_EQ(run_set_room(p.run, 50), 0);
    let_write(&p, false);
    CHECK_EQ(run_set_room(p.run, 2), EIO);
    CHECK_EQ(p.run->room, 50);
    CHECK(p.run->state == RUN_KILLED && p.run->forced == REASON_KILLED);
    place_end(&p);
}
