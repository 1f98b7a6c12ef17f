/* Tests of src/run/decoy.c: what cannot be watched is told. (What is watched, in whole runs:
 * tests/integration/test_watch.py.) */
#include "test.h"

#include "run/decoy.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

TEST(a_canary_that_cannot_be_watched_is_missing_and_not_forgotten)
{
    static struct profile p;
    struct run_request r = { 0 };
    struct arena a = { 0 };
    struct workspace w = { .sock = -1, .dir = -1 };
    struct observe o = { .sock = -1, .record = -1 };
    struct strlist missing = { 0 };
    struct decoy l;
    char place[] = "/dev/shm/decoy-test-XXXXXX", file[64];
    CHECK(mkdtemp(place));
    (void)snprintf(file, sizeof file, "%s/there", place);
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    w.dir = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(fd >= 0 && w.dir >= 0);
    profile_defaults(&p);
    CHECK_EQ(strlist_add(&p.monitoring.canaries, "/workspace/there"), 0);
    CHECK_EQ(strlist_add(&p.monitoring.canaries, "/workspace/absent"), 0);
    decoy_open(&l, &p, &r, &w, &a);
    CHECK(l.waits_for_workspace);
    decoy_missing(&l, &missing);
    CHECK_EQ(missing.count, 0);
    decoy_read(&l, &o, NULL, 0);
    decoy_missing(&l, &missing);
    CHECK_EQ(l.count, 1);
    CHECK_EQ(missing.count, 1);
    CHECK(strstr(strlist_first(&missing), "canaries: 1 of the files"));
    decoy_done(&l);
    workspace_done(&w);
    (void)close(fd);
    (void)unlink(file);
    (void)rmdir(place);
    strlist_done(&missing);
    profile_done(&p);
    arena_done(&a);
}

TEST(events_that_were_lost_and_recordings_that_are_cut_are_missing)
{
    struct observe o = { .sock = -1, .record = -1 };
    struct strlist missing = { 0 };
    observe_missing(&o, &missing);
    CHECK_EQ(missing.count, 0);
    observe_tell(&o, &(struct watch_event){ .kind = WATCH_LOST, .args = { 3 } }, NULL, 0);
    observe_tell(&o, &(struct watch_event){ .kind = WATCH_LOST, .args = { 4 } }, NULL, 0);
    o.record_failed = true;
    observe_missing(&o, &missing);
    CHECK_EQ(missing.count, 2);
    CHECK(strstr(strlist_first(&missing), "7 events were lost"));
    strlist_done(&missing);
}
