/* Checkpoints of a workspace: what is shared, what is bounded, and what is left of one that was not made. */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "files/checkpoint.h"

static char place[64], failed[WFILE_MAX_PATH];
static int root, store;
static struct wfile_checkpoint made;

static int open_dir(const char *name)
{
    char path[96];
    (void)snprintf(path, sizeof path, "%s/%s", place, name);
    CHECK(mkdir(path, 0700) == 0);
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

static void make_place(void)
{
    (void)snprintf(place, sizeof place, "%s/test-check-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(place));
    root = open_dir("root");
    store = open_dir("store");
}

static void drop_place(void)
{
    const int top = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(wfile_remove(top, "root") == 0 && wfile_remove(top, "store") == 0 && rmdir(place) == 0);
    (void)close(top);
    (void)close(root);
    (void)close(store);
}

static void put(const char *name, const char *text)
{
    const int fd = openat(root, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(fd);
}

static const char *text_of(const char *name)
{
    static char text[64];
    const int fd = openat(root, name, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd < 0)
        return NULL;
    text[n] = '\0';
    (void)close(fd);
    return text;
}

static unsigned copies(void)
{
    const int fd = openat(store, "copies", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fdopendir(fd);
    unsigned count = 0;
    for (const struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    (void)closedir(d);
    return count;
}

static int keep(uint64_t number, uint64_t max_bytes)
{
    return wfile_checkpoint_make(root, store, number, max_bytes, &made, failed);
}

TEST(checkpoint_copies_are_shared_and_go_with_the_last_that_has_them)
{
    make_place();
    put("a", "one");
    put("b", "same");
    CHECK_EQ(keep(1, 100), 0);
    CHECK_EQ(made.copied_bytes, 7);
    put("a", "two");
    CHECK_EQ(keep(2, 100), 0);
    CHECK_EQ(made.copied_bytes, 3);
    CHECK_EQ(keep(3, 100), 0);
    CHECK_EQ(made.copied_bytes, 0);
    CHECK_EQ(copies(), 3);
    CHECK_EQ(wfile_checkpoint_forget(store, 2), 0); /* its «two» is the third one's, too */
    CHECK_EQ(copies(), 3);
    put("c", "later");
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), 0);
    CHECK_STR(text_of("a"), "one");
    CHECK(!text_of("c"));
    CHECK_EQ(wfile_checkpoint_restore(root, store, 3, failed), 0);
    CHECK_STR(text_of("a"), "two");
    CHECK_EQ(wfile_checkpoint_forget(store, 1), 0);
    CHECK_EQ(copies(), 2);
    CHECK_EQ(wfile_checkpoint_forget(store, 1), 0); /* once more is no error */
    CHECK_EQ(wfile_checkpoint_forget(store, 3), 0);
    CHECK_EQ(copies(), 0);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 3, failed), -ESRCH);
    drop_place();
}

TEST(checkpoint_beyond_its_bound_leaves_nothing_and_says_where)
{
    make_place();
    put("a", "one");
    CHECK_EQ(keep(1, 3), 0);
    put("large", "four");
    put("a", "two");
    CHECK_EQ(keep(2, 6), -EFBIG);
    CHECK(str_eq(failed, "large") || str_eq(failed, "a"));
    CHECK_EQ(copies(), 1);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 2, failed), -ESRCH);
    CHECK_EQ(keep(2, 7), 0);
    CHECK_EQ(keep(2, 7), -EEXIST);
    CHECK_EQ(keep(1, 7), -EINVAL); /* numbers grow */
    drop_place();
}

TEST(checkpoint_records_that_are_damaged_are_refused_before_anything_is_done)
{
    make_place();
    put("a", "one");
    CHECK_EQ(keep(1, 100), 0);
    put("a", "new");
    const int fd = openat(store, "record-1", O_WRONLY | O_CLOEXEC);
    CHECK(fd >= 0 && ftruncate(fd, 20) == 0);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), -EBADMSG);
    CHECK(ftruncate(fd, 0) == 0 && write(fd, "\377\377\377\377\377\377\377\377", 8) == 8);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), -EBADMSG);
    CHECK_STR(text_of("a"), "new");
    (void)close(fd);
    drop_place();
}

static void damage(const char *record)
{
    const int fd = openat(store, record, O_WRONLY | O_TRUNC | O_CLOEXEC);
    CHECK(fd >= 0 && write(fd, "\377\377\377\377\377\377\377\377", 8) == 8);
    (void)close(fd);
}

TEST(checkpoint_records_that_are_damaged_are_passed_over_and_told)
{
    make_place();
    put("a", "one");
    CHECK_EQ(keep(1, 100), 0);
    CHECK_EQ(keep(2, 100), 0);
    CHECK_EQ(keep(3, 100), 0);
    damage("record-2");
    CHECK_EQ(wfile_checkpoint_forget(store, 1), 0); /* its copy is the third one's, too, behind the damaged one */
    CHECK_EQ(wfile_checkpoint_restore(root, store, 3, failed), 0);
    CHECK_STR(text_of("a"), "one");
    CHECK_STR(failed, "");
    damage("record-3");
    CHECK_EQ(keep(4, 100), 0);
    CHECK_STR(failed, "checkpoint 3");
    CHECK_EQ(made.copied_bytes, 3); /* with a copy of its own */
    CHECK_EQ(wfile_checkpoint_forget(store, 2), 0);
    CHECK_EQ(wfile_checkpoint_forget(store, 3), 0);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 3, failed), -ESRCH);
    CHECK_EQ(keep(5, 100), 0);
    CHECK_STR(failed, "");
    CHECK_EQ(made.copied_bytes, 0);
    CHECK_EQ(keep(5, 100), -EEXIST); /* and the fifth one's copies are untouched */
    put("a", "new");
    CHECK_EQ(wfile_checkpoint_restore(root, store, 5, failed), 0);
    CHECK_STR(text_of("a"), "one");
    drop_place();
}

static bool is_in_store(const char *name)
{
    return faccessat(store, name, F_OK, 0) == 0;
}

TEST(checkpoint_of_a_worker_that_was_killed_is_none_and_its_copies_go_with_the_next)
{
    make_place();
    put("a", "one");
    CHECK_EQ(keep(1, 100), 0);
    /* killed while it wrote the record of the second one */
    const int record = openat(store, "unfinished", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const int copy = openat(store, "copies/2-0", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(record >= 0 && copy >= 0 && write(record, "half", 4) == 4 && write(copy, "left", 4) == 4);
    (void)close(record);
    (void)close(copy);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 2, failed), -ESRCH);
    put("a", "two");
    CHECK_EQ(keep(3, 100), 0);
    CHECK_EQ(copies(), 2);
    CHECK(!is_in_store("unfinished") && is_in_store("record-3"));
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), 0);
    CHECK_STR(text_of("a"), "one");
    drop_place();
}

TEST(checkpoint_changes_a_name_s_kind_back)
{
    make_place();
    put("file", "text");
    CHECK(mkdirat(root, "dir", 0750) == 0 && symlinkat("file", root, "link") == 0);
    put("dir/inner", "in");
    CHECK_EQ(keep(1, 100), 0);
    CHECK(unlinkat(root, "file", 0) == 0 && mkdirat(root, "file", 0700) == 0 && unlinkat(root, "link", 0) == 0);
    CHECK(unlinkat(root, "dir/inner", 0) == 0 && unlinkat(root, "dir", AT_REMOVEDIR) == 0);
    CHECK(symlinkat("/", root, "dir") == 0);
    put("link", "none");
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), 0);
    char target[8] = "";
    struct stat st;
    CHECK_STR(text_of("file"), "text");
    CHECK_STR(text_of("dir/inner"), "in");
    CHECK(readlinkat(root, "link", target, sizeof target) == 4 && memcmp(target, "file", 4) == 0);
    CHECK(fstatat(root, "dir", &st, AT_SYMLINK_NOFOLLOW) == 0 && (st.st_mode & 07777) == 0750);
    drop_place();
}

TEST(checkpoint_ends_when_who_asked_has_gone)
{
    int pair[2];
    make_place();
    put("a", "one");
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    wfile_checkpoint_asked_by(pair[0]);
    CHECK_EQ(keep(1, 100), 0); /* it waits */
    put("a", "new");
    put("b", "since");
    (void)close(pair[1]);
    CHECK_EQ(keep(2, 100), -ECANCELED);
    CHECK_EQ(copies(), 1);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), -ECANCELED);
    CHECK_STR(text_of("a"), "new");
    CHECK_STR(text_of("b"), "since");
    wfile_checkpoint_asked_by(-EBADF);
    CHECK_EQ(wfile_checkpoint_restore(root, store, 1, failed), 0);
    CHECK(!text_of("b"));
    (void)close(pair[0]);
    drop_place();
}

#define NO_NAMESPACE 255

/* A file that another is mounted on cannot be removed: EBUSY each time. -> the error's number */
static int go_back_over_a_mount(void)
{
    char from[96], to[96], top[96];
    (void)snprintf(from, sizeof from, "%s/root/a", place);
    (void)snprintf(to, sizeof to, "%s/root/busy", place);
    (void)snprintf(top, sizeof top, "%s/root", place);
    if ((unshare(CLONE_NEWNS) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || mount(from, to, NULL, MS_BIND, NULL) < 0)
        return NO_NAMESPACE;
    const int own = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)alarm(60);
    return own < 0 ? 1 : -wfile_checkpoint_restore(own, store, 1, failed);
}

TEST(checkpoint_s_way_back_ends_where_something_cannot_be_removed)
{
    int status;
    make_place();
    put("a", "one");
    CHECK_EQ(keep(1, 100), 0);
    put("busy", "");
    const pid_t child = fork();
    CHECK(child >= 0);
    if (!child)
        _exit(go_back_over_a_mount());
    CHECK(waitpid(child, &status, 0) == child);
    drop_place();
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_NAMESPACE)
        SKIP("no mount namespace for this user");
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), EBUSY);
}
