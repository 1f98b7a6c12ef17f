/* Files that grow by lines: moved aside when they are full, once, and never lost on the way. */
#include "run/rotate.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char top[] = "/tmp/test-rotate-XXXXXX";

static int place(void)
{
    (void)snprintf(top, sizeof top, "/tmp/test-rotate-XXXXXX");
    CHECK(mkdtemp(top) != NULL);
    int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(dir >= 0);
    return dir;
}

static void leave(int dir)
{
    (void)unlinkat(dir, "x.log", 0);
    (void)unlinkat(dir, "x.log.1", 0);
    CHECK_EQ(close(dir), 0);
    CHECK_EQ(rmdir(top), 0);
}

static void fill(int dir, off_t size)
{
    cleanup(closep) int fd = openat(dir, "x.log", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, size) == 0);
}

static off_t size_of(int dir, const char *name)
{
    struct stat st;
    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? -1 : st.st_size;
}

static void append(int dir)
{
    cleanup(closep) int fd = rotate_open(dir, "x.log");
    CHECK(fd >= 0 && write(fd, "line\n", 5) == 5);
}

TEST(rotate_leaves_a_file_that_is_not_full)
{
    int dir = place();
    append(dir);
    append(dir);
    CHECK(size_of(dir, "x.log") == 10 && size_of(dir, "x.log.1") == -1);
    fill(dir, ROTATE_BYTES - 1);
    append(dir);
    CHECK(size_of(dir, "x.log") == ROTATE_BYTES + 4 && size_of(dir, "x.log.1") == -1);
    leave(dir);
}

TEST(rotate_moves_a_full_file_over_the_older_one)
{
    int dir = place();
    for (int i = 0; i < 2; i++) {
        fill(dir, ROTATE_BYTES + i);
        append(dir);
        CHECK(size_of(dir, "x.log") == 5 && size_of(dir, "x.log.1") == ROTATE_BYTES + i);
    }
    append(dir);
    CHECK_EQ(size_of(dir, "x.log"), 10);
    leave(dir);
}

/* Two that found it full: the second must not move the first one's new file over the full one. */
TEST(rotate_happens_once)
{
    int dir = place();
    fill(dir, ROTATE_BYTES);
    for (int i = 0; i < 16; i++)
        if (fork() == 0) {
            int fd = rotate_open(dir, "x.log");
            _exit(fd < 0 || write(fd, "line\n", 5) != 5);
        }
    for (int i = 0, status; i < 16; i++)
        CHECK(wait(&status) > 0 && status == 0);
    CHECK(size_of(dir, "x.log.1") >= ROTATE_BYTES);
    CHECK_EQ(size_of(dir, "x.log") + size_of(dir, "x.log.1"), ROTATE_BYTES + 16 * 5);
    leave(dir);
}

/* While another process is at it, or the directory is not ours, the line goes where it can. */
TEST(rotate_loses_no_line)
{
    int dir = place();
    fill(dir, ROTATE_BYTES);
    cleanup(closep) int busy = openat(dir, "x.log", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(flock(busy, LOCK_EX), 0);
    append(dir);
    CHECK(size_of(dir, "x.log") == ROTATE_BYTES + 5 && size_of(dir, "x.log.1") == -1);
    leave(dir);
}

TEST(rotate_is_due_when_full_or_moved)
{
    char path[64];
    int dir = place();
    (void)snprintf(path, sizeof path, "%s/x.log", top);
    cleanup(closep) int fd = rotate_open(dir, "x.log");
    CHECK(!rotate_is_due(fd, path));
    CHECK_EQ(renameat(dir, "x.log", dir, "x.log.1"), 0);
    CHECK(rotate_is_due(fd, path));
    CHECK_EQ(renameat(dir, "x.log.1", dir, "x.log"), 0);
    CHECK(!rotate_is_due(fd, path));
    fill(dir, ROTATE_BYTES);
    CHECK(rotate_is_due(fd, path));
    leave(dir);
}
