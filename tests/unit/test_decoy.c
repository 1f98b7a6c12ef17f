/* Tests of src/run/decoy.c: what cannot be watched is told. (What is watched, in whole runs:
 * tests/integration/test_watch.py.) */
#include "test.h"

#include "base/encoded.h"
#include "run/decoy.h"

#include <fcntl.h>
#include <poll.h>
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

static void put(const char *place, const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", place, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(fd);
}

static void remove_all(const char *place, const char *const *names, size_t count)
{
    char path[256];
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", place, names[i]);
        (void)remove(path);
    }
    (void)rmdir(place);
}

TEST(credentials_further_down_in_a_volume_are_watched_and_what_others_brought_is_not)
{
    static const char *const directories[] = {
        "keys", "a", "a/b", "a/b/c", "a/b/c/d", "node_modules", "node_modules/x"
    };
    static const char *const all[] = {
        "keys/id_rsa", "keys/notes", "a/b/c/.env",     "a/b/c/d/.env", "node_modules/x/.env",
        ".env",        "a/link",     "a/b/c/d",        "a/b/c",        "a/b",
        "a",           "keys",       "node_modules/x", "node_modules"
    };
    static struct profile p;
    struct arena a = { 0 };
    struct decoy l;
    char place[] = "/dev/shm/decoy-test-XXXXXX", path[256];
    CHECK(mkdtemp(place));
    for (size_t i = 0; i < ARRAY_LEN(directories); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", place, directories[i]);
        CHECK_EQ(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < 6; i++)
        put(place, all[i], "TOKEN=1234567890\n");
    (void)snprintf(path, sizeof path, "%s/a/link", place);
    CHECK_EQ(symlink("../keys", path), 0);
    struct run_request r = { .volumes = { { .host = place, .inside = "/data" } }, .volume_count = 1 };
    profile_defaults(&p);
    decoy_open(&l, &p, &r, NULL, &a);
    CHECK_EQ(l.count, 3); /* .env once, keys/id_rsa, a/b/c/.env: neither through the link nor deeper */
    bool has_key = false, has_deep = false;
    for (uint32_t i = 0; i < l.count; i++) {
        CHECK_EQ(l.list[i].flags, WATCH_SETTINGS);
        CHECK_EQ(l.list[i].size, 17);
        has_key |= str_eq(l.list[i].path, "/data/keys/id_rsa");
        has_deep |= str_eq(l.list[i].path, "/data/a/b/c/.env");
    }
    CHECK(has_key && has_deep);
    CHECK_EQ(l.list[0].line, encoded_hash("TOKEN=1234567890", 16));
    struct pollfd f = { .fd = decoy_poll_fd(&l), .events = POLLIN };
    CHECK_EQ(poll(&f, 1, 0), 0); /* our own reading is no event */
    decoy_done(&l);
    remove_all(place, all, ARRAY_LEN(all));
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
