/* The files of a session: paths, hostile trees, archives, and trees that change while we look. */
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "files/tar.h"
#include "files/walk.h"

#define SECRET "what lies outside"

/* --- a workspace, and what lies beside it ---------------------------------------------------------------- */

static char place[64], outside[80];
static int root, beside;

static void make_place(void)
{
    (void)snprintf(place, sizeof place, "%s/test-files-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(place));
    beside = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(mkdirat(beside, "root", 0700) == 0 && mkdirat(beside, "outside", 0700) == 0);
    root = openat(beside, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(beside >= 0 && root >= 0);
    (void)snprintf(outside, sizeof outside, "%s/outside", place);
    int fd = openat(beside, "outside/secret", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, SECRET, sizeof SECRET - 1) == sizeof SECRET - 1);
    (void)close(fd);
}

static int run_program(const char *const *words, int in, int out)
{
    static char *const environment[] = { NULL };
    int status = -1;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        if ((in >= 0 && dup2(in, 0) < 0) || (out >= 0 && dup2(out, 1) < 0) || fchdir(beside) < 0)
            _exit(126);
        (void)execve(words[0], (char *const *)(const void *)words, environment);
        _exit(127);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

static void drop_place(void)
{
    const char *const words[] = { "/bin/rm", "-rf", place, NULL };
    CHECK_EQ(run_program(words, -1, -1), 0);
    (void)close(root);
    (void)close(beside);
}

/* The code inside or a tree that was there before: without the library. */
static void put(const char *path, const char *data)
{
    int fd = openat(root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, data, strlen(data)) == (ssize_t)strlen(data));
    (void)close(fd);
}

static int upload(const char *path, const char *data)
{
    struct wfile_put p = WFILE_PUT_NONE;
    int e = wfile_put_begin(root, path, WFILE_MODE_KEEP, 1000, &p);
    if (e == 0)
        e = wfile_put_write(&p, data, strlen(data));
    if (e == 0)
        return wfile_put_end(&p, INT64_MIN);
    wfile_put_abort(&p);
    return e;
}

static const char *download(const char *path)
{
    static char text[200];
    struct wfile_stat st;
    int fd = wfile_open(root, path, &st);
    if (fd < 0)
        return wfile_words(fd);
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    CHECK(n >= 0);
    text[n] = '\0';
    return text;
}

static void check_outside(void)
{
    char text[64] = "";
    struct stat st;
    int fd = openat(beside, "outside/secret", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0 && read(fd, text, sizeof text) == sizeof SECRET - 1 && str_eq(text, SECRET));
    CHECK(fstat(fd, &st) == 0 && st.st_nlink == 1 && (st.st_mode & 0777) == 0600);
    (void)close(fd);
    fd = openat(beside, "outside", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct wfile_walk *w = malloc(sizeof *w);
    CHECK(w && wfile_walk_begin(w, fd, ".", 0, 0) == 0);
    unsigned count = 0;
    while (wfile_walk_next(w))
        count++;
    CHECK_EQ(count, 1);
    free(w);
    (void)close(fd);
}

static struct buf listed;

static bool note_entry(void *ctx, const struct wfile_entry *e)
{
    (void)ctx;
    (void)buf_addf(&listed, "%s %s %llu %s;", wfile_kind_name(e->stat.kind), e->name, (unsigned long long)e->stat.size,
                   e->target);
    return true;
}

static const char *list(const char *path, uint32_t depth)
{
    bool is_cut;
    buf_done(&listed);
    buf_init(&listed, 64 * MIB);
    int e = wfile_list(root, path, depth, 0, note_entry, NULL, &is_cut);
    return e < 0 ? wfile_words(e) : listed.data ? listed.data : "";
}

/* --- plain use ------------------------------------------------------------------------------------------- */

TEST(files_are_written_with_the_directories_above_them_and_read_back)
{
    struct wfile_stat st;
    char target[PATH_MAX];
    make_place();
    CHECK_EQ(upload("a/b/c.txt", "hello"), 0);
    CHECK_STR(download("a/b/c.txt"), "hello");
    CHECK_STR(download("a/./b/../b/c.txt"), "hello");
    CHECK(wfile_stat(root, "a/b/c.txt", &st, target) == 0 && st.kind == WFILE_REGULAR && st.size == 5);
    CHECK_EQ(st.mode, 0644);
    CHECK_STR(target, "");
    CHECK(wfile_stat(root, "a/b", &st, NULL) == 0 && st.kind == WFILE_DIRECTORY);
    CHECK_STR(list("a", 9), "directory b 0 ;file b/c.txt 5 ;");
    CHECK_STR(list("a", 1), "directory b 0 ;");
    drop_place();
}

TEST(files_that_are_replaced_keep_their_mode_and_are_never_seen_half)
{
    struct wfile_put p;
    struct wfile_stat st;
    make_place();
    put("script", "old");
    CHECK(fchmodat(root, "script", 0755, 0) == 0);
    CHECK_EQ(wfile_put_begin(root, "script", WFILE_MODE_KEEP, 10, &p), 0);
    CHECK_EQ(wfile_put_write(&p, "new", 3), 0);
    CHECK_STR(download("script"), "old");
    CHECK_EQ(wfile_put_end(&p, 1234567), 0);
    CHECK_STR(download("script"), "new");
    CHECK(wfile_stat(root, "script", &st, NULL) == 0 && st.mode == 0755 && st.modified_s == 1234567);
    CHECK_STR(list(".", 9), "file script 3 ;");
    drop_place();
}

TEST(files_that_are_too_large_or_given_up_leave_nothing)
{
    struct wfile_put p;
    make_place();
    CHECK_EQ(wfile_put_begin(root, "x/big", 0600, 4, &p), 0);
    CHECK_EQ(wfile_put_write(&p, "1234", 4), 0);
    CHECK_EQ(wfile_put_write(&p, "5", 1), -EFBIG);
    wfile_put_abort(&p);
    wfile_put_abort(&p);
    CHECK_STR(list(".", 9), "directory x 0 ;");
    drop_place();
}

TEST(files_are_moved_and_replace_only_when_asked)
{
    make_place();
    put("a", "A");
    put("b", "B");
    CHECK_EQ(wfile_move(root, "a", "b", false), -EEXIST);
    CHECK_EQ(wfile_move(root, "a", "new/place", false), 0);
    CHECK_EQ(wfile_move(root, "new/place", "b", true), 0);
    CHECK_STR(download("b"), "A");
    CHECK_EQ(wfile_move(root, "gone", "other/dir/x", false), -ENOENT);
    CHECK_EQ(wfile_move(root, "new", "new/below/itself", false), -EINVAL);
    CHECK_EQ(wfile_mkdir(root, "d/e"), 1);
    CHECK_EQ(wfile_mkdir(root, "d/e"), 0);
    CHECK_EQ(wfile_mkdir(root, "b"), -EEXIST);
    CHECK_EQ(wfile_move(root, "b", "d", true), -EISDIR);
    CHECK_EQ(upload("d", "x"), -EISDIR);
    CHECK_EQ(upload("d/", "x"), -EISDIR);
    CHECK_EQ(upload("b/c", "x"), -ENOTDIR);
    drop_place();
}

TEST(files_paths_that_are_none_are_refused_by_every_call)
{
    static const char *const bad[] = { "", "/", "/etc/passwd", "..", "../outside/secret", "x/../../outside/secret" };
    struct wfile_stat st;
    char long_name[NAME_MAX + 10];
    memset(long_name, 'n', sizeof long_name);
    long_name[NAME_MAX + 1] = '\0';
    make_place();
    put("x", "");
    for (size_t i = 0; i <= ARRAY_LEN(bad); i++) {
        const char *path = i < ARRAY_LEN(bad) ? bad[i] : long_name;
        CHECK(wfile_open(root, path, &st) < 0);
        CHECK(wfile_stat(root, path, &st, NULL) < 0);
        CHECK(upload(path, "x") < 0);
        CHECK(wfile_mkdir(root, path) < 0);
        CHECK(wfile_remove(root, path) < 0);
        CHECK(wfile_move(root, "x", path, true) < 0);
        CHECK(wfile_move(root, path, "y", true) < 0);
        CHECK(wfile_symlink(root, path, "x") < 0);
        CHECK(wfile_link(root, path, "x") < 0);
        CHECK(wfile_link(root, "z", path) < 0);
    }
    CHECK_EQ(wfile_remove(root, "."), -EINVAL);
    CHECK_EQ(wfile_remove(root, "x/.."), -EINVAL);
    CHECK(!wfile_path_is_sound("a\0b", 3) && wfile_path_is_sound(".", 1) && wfile_path_is_sound("a//b/", 5));
    CHECK_STR(list(".", 9), "file x 0 ;");
    check_outside();
    drop_place();
}

/* --- links and other things --------------------------------------------------------------------------------- */

TEST(files_reads_follow_links_that_stay_inside_and_no_others)
{
    struct wfile_stat st;
    char target[PATH_MAX];
    make_place();
    CHECK_EQ(upload("out/7/x", "seven"), 0);
    CHECK(symlinkat("out/7", root, "latest") == 0 && symlinkat("../outside", root, "up") == 0);
    CHECK(symlinkat(outside, root, "away") == 0 && symlinkat("loop", root, "loop") == 0);
    CHECK(symlinkat("/proc/self/root", root, "magic") == 0 && symlinkat("/proc/self/fd", root, "fds") == 0);
    CHECK_STR(download("latest/x"), "seven");
    CHECK_EQ(wfile_open(root, "up/secret", &st), -EXDEV);
    CHECK_EQ(wfile_open(root, "away/secret", &st), -EXDEV);
    CHECK_EQ(wfile_open(root, "loop", &st), -ELOOP);
    CHECK(wfile_open(root, "magic/etc/passwd", &st) < 0 && wfile_open(root, "fds/0", &st) < 0);
    CHECK(wfile_stat(root, "away", &st, target) == 0 && st.kind == WFILE_LINK && st.size == 0);
    CHECK_STR(target, outside);
    drop_place();
}

TEST(files_changes_follow_no_link_but_replace_one_of_their_name)
{
    make_place();
    CHECK_EQ(upload("real/x", "1"), 0);
    CHECK(symlinkat("real", root, "dir") == 0 && symlinkat("real/x", root, "link") == 0);
    CHECK(symlinkat("../outside/secret", root, "out") == 0);
    CHECK_EQ(upload("dir/x", "2"), -ELOOP);
    CHECK_EQ(wfile_remove(root, "dir/x"), -ELOOP);
    CHECK_EQ(wfile_mkdir(root, "dir/new"), -ELOOP);
    CHECK_EQ(wfile_move(root, "dir/x", "y", true), -ELOOP);
    CHECK_EQ(upload("link", "3"), 0);
    CHECK_EQ(upload("out", "4"), 0);
    CHECK_STR(download("real/x"), "1");
    CHECK_STR(download("link"), "3");
    CHECK_STR(download("out"), "4");
    CHECK_EQ(wfile_remove(root, "dir"), 0);
    CHECK_STR(download("real/x"), "1");
    check_outside();
    drop_place();
}

TEST(files_that_are_no_files_are_named_and_never_opened)
{
    struct wfile_stat st;
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    make_place();
    CHECK(mkfifoat(root, "fifo", 0600) == 0 && symlinkat("fifo", root, "to-fifo") == 0);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/root/socket", place);
    CHECK(s >= 0 && bind(s, (struct sockaddr *)(void *)&address, sizeof address) == 0);
    CHECK_EQ(wfile_open(root, "fifo", &st), -ENXIO);
    CHECK_EQ(wfile_open(root, "to-fifo", &st), -ENXIO);
    CHECK_EQ(wfile_open(root, "socket", &st), -ENXIO);
    CHECK(wfile_stat(root, "fifo", &st, NULL) == 0 && st.kind == WFILE_FIFO);
    CHECK(wfile_stat(root, "socket", &st, NULL) == 0 && st.kind == WFILE_SOCKET);
    CHECK_EQ(wfile_open(root, ".", &st), -EISDIR);
    CHECK_EQ(upload("fifo", "now a file"), 0);
    CHECK_STR(download("fifo"), "now a file");
    (void)close(s);
    drop_place();
}

TEST(files_with_any_name_are_listed_as_clients_can_ask_for_them)
{
    struct buf b;
    const struct wfile_entry bad = { .name = "x/\xff y\n", .target = "", .stat = { .kind = WFILE_REGULAR, .size = 3 } };
    const struct wfile_entry link = {
        .name = "l\n\xc3\xa9\\",
        .target = "\xfe",
        .stat = { .kind = WFILE_LINK, .mode = 0777, .modified_s = 1800000000, .modified_ns = 123456789 }
    };
    const struct wfile_entry late = { .name = "n", .target = "", .stat = { .modified_s = INT64_MAX } };
    buf_init(&b, 4096);
    wfile_entry_json(&b, &bad);
    CHECK_STR(b.data,
              "{\"name\":\"x/\xef\xbf\xbd y\\n\",\"name_encoded\":\"x/%FF%20y%0A\",\"type\":\"file\",\"size\":3,"
              "\"mode\":\"0000\",\"modified\":\"1970-01-01T00:00:00.000Z\"}");
    buf_done(&b);
    buf_init(&b, 4096);
    wfile_entry_json(&b, &link);
    CHECK_STR(b.data, "{\"name\":\"l\\n\xc3\xa9\\\\\",\"type\":\"link\",\"size\":0,\"mode\":\"0777\","
                      "\"modified\":\"2027-01-15T08:00:00.123Z\",\"target\":\"\xef\xbf\xbd\"}");
    buf_done(&b);
    buf_init(&b, 4096);
    wfile_entry_json(&b, &late);
    CHECK(strstr(b.data, "\"modified\":\"1970-"));
    buf_done(&b);
}

TEST(files_lists_are_bounded_and_say_so)
{
    bool is_cut;
    char name[32];
    make_place();
    CHECK(mkdirat(root, "many", 0700) == 0);
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "many/%d", i);
        put(name, "");
    }
    buf_done(&listed);
    buf_init(&listed, MIB);
    CHECK(wfile_list(root, "many", 1, 300, note_entry, NULL, &is_cut) == 0 && !is_cut);
    CHECK(wfile_list(root, "many", 1, 299, note_entry, NULL, &is_cut) == 0 && is_cut);
    CHECK_EQ(wfile_list(root, "many/1", 1, 0, note_entry, NULL, &is_cut), -ENOTDIR);
    CHECK_EQ(wfile_list(root, "nothing", 1, 0, note_entry, NULL, &is_cut), -ENOENT);
    drop_place();
}

static void dig(int levels)
{
    int at = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < levels; i++) {
        CHECK(mkdirat(at, "d", 0700) == 0);
        int next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        CHECK(next >= 0 && linkat(root, "seed", next, "file", 0) == 0);
        (void)close(at);
        at = next;
    }
    (void)close(at);
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

TEST(files_trees_of_any_depth_are_removed_with_few_descriptors)
{
    make_place();
    unsigned before = open_descriptors();
    put("seed", "x");
    dig(2000); /* its path has 4000 bytes, more than may be named at once */
    CHECK_EQ(wfile_remove(root, "d"), 0);
    CHECK_STR(list(".", 64), "file seed 1 ;");
    CHECK_EQ(open_descriptors(), before);
    drop_place();
}

/* Go's module cache is 0555, and hostile code takes every right. */
static int remove_what_has_no_rights(void)
{
    char name[8] = "a";
    int dir = openat(beside, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 200; i++) {
        const int below = mkdirat(dir, name, 0700) == 0 ? openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        const int file = openat(below, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0 || close(file) < 0 || fchmod(dir, i ? (i % 2 ? 0555 : 0) : 0700) < 0)
            return 2;
        (void)close(dir);
        dir = below;
    }
    (void)close(dir);
    return wfile_remove(root, "a") == 0 ? 0 : 1;
}

TEST(files_trees_whose_owner_has_no_rights_are_removed)
{
    int status = -1;
    make_place();
    CHECK_EQ(fchmodat(beside, ".", 0755, 0), 0);
    CHECK(geteuid() != 0 || fchownat(beside, "root", 65534, 65534, 0) == 0);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(geteuid() == 0 && setresuid(65534, 65534, 65534) < 0 ? 3 : remove_what_has_no_rights());
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_EQ(status, 0);
    drop_place();
}

TEST(files_walks_end_at_their_depth_and_say_so)
{
    bool is_cut;
    struct tar_out *t = NULL;
    char bytes[4096];
    ssize_t n;
    make_place();
    put("seed", "x");
    dig(WFILE_MAX_DEPTH + 5);
    buf_done(&listed);
    buf_init(&listed, MIB);
    CHECK(wfile_list(root, ".", 3, 0, note_entry, NULL, &is_cut) == 0 && !is_cut);
    CHECK(wfile_list(root, ".", 1000, 0, note_entry, NULL, &is_cut) == 0 && is_cut);
    CHECK_EQ(tar_out_begin(root, ".", MIB, &t), 0);
    while ((n = tar_out_read(t, bytes, sizeof bytes)) > 0)
        continue;
    CHECK_EQ(n, -ENAMETOOLONG);
    CHECK(str_starts(tar_out_failed(t), "d/d/d/d/"));
    (void)tar_out_free(t);
    drop_place();
}

/* --- archives --------------------------------------------------------------------------------------------- */

static int pack_in(const char *path, uint64_t max_bytes, size_t piece, int to)
{
    struct tar_out *t = NULL;
    char bytes[65536];
    ssize_t n;
    int e = tar_out_begin(root, path, max_bytes, &t);
    if (e < 0)
        return e;
    while ((n = tar_out_read(t, bytes, MIN_OF(piece, sizeof bytes))) > 0)
        CHECK(write(to, bytes, (size_t)n) == n);
    (void)tar_out_free(t);
    return (int)n;
}

static const struct tar_in_limits wide = { .max_bytes = 16 * MIB };

static int unpack_from(int from, const char *path, const struct tar_in_limits *limits, size_t piece)
{
    struct tar_in *t = NULL;
    char bytes[65536];
    ssize_t n;
    int e = tar_in_begin(root, path, limits, &t);
    CHECK(lseek(from, 0, SEEK_SET) == 0);
    while (e == 0 && (n = read(from, bytes, MIN_OF(piece, sizeof bytes))) > 0)
        e = tar_in_feed(t, bytes, (size_t)n);
    if (e == 0)
        e = tar_in_end(t);
    (void)tar_in_free(t);
    return e;
}

static int scratch(void)
{
    int fd = open(place, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    return fd;
}

static void plant_tree(void)
{
    char long_name[NAME_MAX + 1], path[600];
    memset(long_name, 'L', NAME_MAX);
    long_name[NAME_MAX] = '\0';
    (void)snprintf(path, sizeof path, "src/%s/%s", long_name, long_name);
    CHECK_EQ(upload("src/empty", ""), 0);
    CHECK_EQ(upload("src/a/file", "content"), 0);
    CHECK_EQ(upload(path, "long"), 0);
    CHECK_EQ(upload("src/\xff\n name", "odd"), 0);
    CHECK_EQ(wfile_mkdir(root, "src/none"), 1);
    CHECK(symlinkat("a/file", root, "src/link") == 0 && symlinkat("/usr/bin/python3", root, "src/python") == 0);
    CHECK(symlinkat(long_name, root, "src/long-link") == 0 && mkfifoat(root, "src/fifo", 0600) == 0);
    CHECK(fchmodat(root, "src/a/file", 0751, 0) == 0);
}

/* The same but for the fifo. */
static void check_tree(const char *top)
{
    struct wfile_stat st;
    char path[700], target[PATH_MAX];
#define AT(name) ((void)snprintf(path, sizeof path, "%s/" name, top), path)
    CHECK_STR(download(AT("empty")), "");
    CHECK_STR(download(AT("a/file")), "content");
    CHECK_STR(download(AT("\xff\n name")), "odd");
    CHECK(wfile_stat(root, AT("a/file"), &st, NULL) == 0 && st.mode == 0751);
    CHECK(wfile_stat(root, AT("none"), &st, NULL) == 0 && st.kind == WFILE_DIRECTORY);
    CHECK(wfile_stat(root, AT("python"), &st, target) == 0 && st.kind == WFILE_LINK);
    CHECK_STR(target, "/usr/bin/python3");
    CHECK(wfile_stat(root, AT("long-link"), &st, target) == 0 && strlen(target) == NAME_MAX);
    CHECK_EQ(wfile_stat(root, AT("fifo"), &st, NULL), -ENOENT);
    size_t end = (size_t)snprintf(path, sizeof path, "%s/", top);
    memset(path + end, 'L', 2 * NAME_MAX + 1);
    path[end + NAME_MAX] = '/';
    path[end + 2 * NAME_MAX + 1] = '\0';
    CHECK_STR(download(path), "long");
#undef AT
}

TEST(tar_archives_come_back_as_they_were_in_any_pieces)
{
    static const size_t pieces[] = { 1, 511, 512, 513, 65536 };
    make_place();
    plant_tree();
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        int fd = scratch();
        CHECK_EQ(pack_in("src", MIB, pieces[i], fd), 0);
        CHECK_EQ(unpack_from(fd, "back/here", &wide, pieces[ARRAY_LEN(pieces) - 1 - i]), 0);
        check_tree("back/here");
        CHECK_EQ(wfile_remove(root, "back"), 0);
        (void)close(fd);
    }
    drop_place();
}

TEST(tar_archives_are_those_of_the_tar_command)
{
    static const char *const unpack[] = { "/bin/tar", "-xf", "-", "-C", "root/theirs", NULL };
    static const char *const formats[] = { "--format=gnu", "--format=posix" };
    if (access("/bin/tar", X_OK) < 0)
        SKIP("no tar command here");
    make_place();
    plant_tree();
    int fd = scratch();
    CHECK_EQ(pack_in("src", MIB, 65536, fd), 0);
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && mkdirat(root, "theirs", 0700) == 0);
    CHECK_EQ(run_program(unpack, fd, -1), 0);
    check_tree("theirs");
    (void)close(fd);
    CHECK_EQ(wfile_remove(root, "src/fifo"), 0);
    CHECK(linkat(root, "src/a/file", root, "src/second", 0) == 0);
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        const char *const pack[] = { "/bin/tar", formats[i], "-cf", "-", "-C", "root/src", ".", NULL };
        fd = scratch();
        CHECK_EQ(run_program(pack, -1, fd), 0);
        CHECK_EQ(unpack_from(fd, "ours", &wide, 1000), 0);
        check_tree("ours");
        CHECK_STR(download("ours/second"), "content");
        CHECK_EQ(wfile_remove(root, "ours"), 0);
        (void)close(fd);
    }
    drop_place();
}

TEST(tar_sparse_files_are_bounded_by_their_length)
{
    make_place();
    int fd = openat(root, "hole", O_WRONLY | O_CREAT | O_CLOEXEC, 0600), to = scratch();
    CHECK(fd >= 0 && ftruncate(fd, (off_t)1 << 40) == 0);
    (void)close(fd);
    CHECK_EQ(pack_in(".", GIB, 65536, to), -EFBIG);
    struct wfile_stat st;
    CHECK(wfile_stat(root, "hole", &st, NULL) == 0 && st.size == (uint64_t)1 << 40);
    CHECK_EQ(wfile_remove(root, "hole"), 0);
    (void)close(to);
    drop_place();
}

TEST(tar_hard_links_do_not_multiply_beyond_the_limit)
{
    char name[16];
    make_place();
    put("one", "0123456789");
    for (int i = 0; i < 99; i++) {
        (void)snprintf(name, sizeof name, "l%d", i);
        CHECK(linkat(root, "one", root, name, 0) == 0);
    }
    int fd = scratch();
    CHECK_EQ(pack_in(".", 1000, 65536, fd), 0);
    CHECK_EQ(pack_in(".", 999, 65536, fd), -EFBIG);
    (void)close(fd);
    drop_place();
}

/* --- hostile archives, made by hand ------------------------------------------------------------------------- */

static struct buf archive;

static void archive_new(void)
{
    buf_done(&archive);
    buf_init(&archive, 4 * MIB);
}

static void archive_add(char type, const char *name, const char *target, const char *content, size_t size)
{
    char h[512] = "";
    unsigned sum = 0;
    memcpy(h, name, MIN_OF(strlen(name), (size_t)100));
    (void)snprintf(h + 100, 8, "0000644");
    (void)snprintf(h + 124, 12, "%011zo", size);
    (void)snprintf(h + 136, 12, "%011o", 1);
    h[156] = type;
    memcpy(h + 157, target, MIN_OF(strlen(target), (size_t)100));
    memcpy(h + 257, "ustar\00000", 8);
    memset(h + 148, ' ', 8);
    for (size_t i = 0; i < sizeof h; i++)
        sum += (unsigned char)h[i];
    (void)snprintf(h + 148, 8, "%06o", sum);
    (void)buf_add(&archive, h, sizeof h);
    if (content) {
        static const char zeros[512];
        (void)buf_add(&archive, content, size);
        (void)buf_add(&archive, zeros, -size % 512);
    }
}

static int unpack_archive(const struct tar_in_limits *limits)
{
    static const char zeros[1024];
    struct tar_in *t = NULL;
    (void)buf_add(&archive, zeros, sizeof zeros);
    CHECK_EQ(tar_in_begin(root, "in", limits, &t), 0);
    int e = tar_in_feed(t, archive.data, archive.size);
    if (e == 0)
        e = tar_in_end(t);
    (void)tar_in_free(t);
    return e;
}

static void check_refused(char type, const char *name, const char *target, int error)
{
    make_place();
    archive_new();
    archive_add('0', "good", "", "yes", 3);
    archive_add(type, name, target, type == '0' ? "bad" : NULL, type == '0' ? 3 : 0);
    CHECK_EQ(unpack_archive(&wide), error);
    CHECK_STR(list(".", 9), "directory in 0 ;file in/good 3 ;");
    check_outside();
    drop_place();
}

TEST(tar_names_that_lead_out_and_kinds_that_nobody_sends_are_refused)
{
    check_refused('0', "../x", "", -EXDEV);
    check_refused('0', "a/../../x", "", -EXDEV);
    check_refused('0', "/etc/x", "", -EINVAL);
    check_refused('0', "", "", -EINVAL);
    check_refused('0', "..", "", -EXDEV);
    check_refused('5', "../d", "", -EXDEV);
    check_refused('2', "../l", "x", -EXDEV);
    check_refused('1', "l", "../../outside/secret", -EXDEV);
    check_refused('1', "l", "/etc/passwd", -EINVAL);
    check_refused('1', "l", "nothing", -ENOENT);
    check_refused('1', "l", "", -EBADMSG);
    check_refused('2', "l", "", -EBADMSG);
    check_refused('3', "d", "", -ENOTSUP);
    check_refused('4', "d", "", -ENOTSUP);
    check_refused('6', "f", "", -ENOTSUP);
    check_refused('S', "f", "", -ENOTSUP);
    check_refused('V', "f", "", -ENOTSUP);
}

TEST(tar_entries_do_not_go_through_a_link_that_the_archive_brought)
{
    make_place();
    archive_new();
    archive_add('2', "away", outside, NULL, 0);
    archive_add('0', "away/planted", "", "bad", 3);
    CHECK_EQ(unpack_archive(&wide), -ELOOP);
    archive_new();
    archive_add('2', "up", "../../outside", NULL, 0);
    archive_add('5', "up/planted", "", NULL, 0);
    CHECK_EQ(unpack_archive(&wide), -ELOOP);
    archive_new();
    archive_add('2', "s", "../../outside/secret", NULL, 0);
    archive_add('0', "s", "", "replaces the link", 17);
    CHECK_EQ(unpack_archive(&wide), 0);
    CHECK_STR(download("in/s"), "replaces the link");
    archive_new();
    archive_add('1', "hard", "up/secret", NULL, 0);
    CHECK_EQ(unpack_archive(&wide), -ELOOP);
    check_outside();
    drop_place();
}

TEST(tar_bombs_meet_the_limits)
{
    const struct tar_in_limits small = { .max_bytes = 10, .max_entries = 3 };
    char name[16];
    make_place();
    archive_new();
    archive_add('0', "a", "", "12345", 5);
    archive_add('0', "b", "", "123456", 6);
    CHECK_EQ(unpack_archive(&small), -EFBIG);
    archive_new();
    for (int i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "d%d", i);
        archive_add('5', name, "", NULL, 0);
    }
    CHECK_EQ(unpack_archive(&small), -EMFILE);
    archive_new();
    archive_add('0', "huge", "", NULL, (size_t)1 << 32);
    CHECK_EQ(unpack_archive(&small), -EFBIG);
    archive_new();
    archive_add('x', "pax", "", NULL, 1 << 20);
    CHECK_EQ(unpack_archive(&small), -EBADMSG);
    CHECK_STR(download("in/a"), "12345");
    CHECK_STR(download("in/b"), wfile_words(-ENOENT));
    drop_place();
}

static int unpack_extended(char type, const char *records, size_t size)
{
    archive_new();
    archive_add(type, "pax", "", records, size);
    archive_add('0', "plain", "", "abc", 3);
    return unpack_archive(&wide);
}

TEST(tar_extended_headers_are_read_strictly)
{
    make_place();
#define EXTENDED(s) unpack_extended('x', s, sizeof s - 1)
    CHECK_EQ(EXTENDED("13 path=p/ax\n"), 0);
    CHECK_STR(download("in/p/ax"), "abc");
    CHECK_EQ(EXTENDED("11 size=3\n\n"), -EBADMSG); /* the length is one too many */
    CHECK_EQ(EXTENDED("10 size=3\n18 comment=nothing\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("10 size=3\n19 comment=nothing\n"), 0);
    CHECK_EQ(EXTENDED("10 size=x\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("28 size=9999999999999999999\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("13 path=/abs\n"), -EINVAL);
    CHECK_EQ(EXTENDED("13 path=../x\n"), -EXDEV);
    CHECK_EQ(EXTENDED("12 path=a\0b\n"), -ENAMETOOLONG);
    CHECK_EQ(EXTENDED("22 GNU.sparse.major=1\n"), -ENOTSUP);
    CHECK_EQ(EXTENDED("0 x\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("99999999 path=x\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("7 path\n"), -EBADMSG);
    CHECK_EQ(EXTENDED("2 "), -EBADMSG);
    CHECK_EQ(EXTENDED(""), 0);
    CHECK_EQ(unpack_extended('L', "gnu/long\0", 9), 0);
    CHECK_STR(download("in/gnu/long"), "abc");
    CHECK_EQ(unpack_extended('L', "../long\0", 8), -EXDEV);
#undef EXTENDED
    drop_place();
}

TEST(tar_archives_that_are_cut_or_damaged_are_no_archives)
{
    struct tar_in *t = NULL;
    make_place();
    archive_new();
    archive_add('0', "a", "", "12345", 5);
    for (size_t cut = 0; cut <= archive.size; cut += 17) {
        CHECK_EQ(tar_in_begin(root, "cut", &wide, &t), 0);
        CHECK_EQ(tar_in_feed(t, archive.data, cut), 0);
        CHECK_EQ(tar_in_end(t), -EBADMSG);
        t = tar_in_free(t);
    }
    archive.data[0] ^= 1; /* the sum */
    CHECK_EQ(unpack_archive(&wide), -EBADMSG);
    CHECK_EQ(tar_in_begin(root, "cut", &wide, &t), 0);
    CHECK_EQ(tar_in_feed(t, "PK\3\4 this is a zip file", 24), 0);
    CHECK_EQ(tar_in_end(t), -EBADMSG);
    (void)tar_in_free(t);
    (void)list("cut", 9);
    CHECK(!strstr(listed.data ? listed.data : "", WFILE_TEMPORARY));
    drop_place();
}

/* --- a hundred hostile trees ----------------------------------------------------------------------------------- */

static uint64_t seed;

static unsigned roll(unsigned sides)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407; /* Knuth's MMIX */
    return (unsigned)(seed >> 33) % sides;
}

static void odd_name(char name[static 256])
{
    static const char *const names[] = { "a",
                                         "b",
                                         "dir",
                                         "-rf",
                                         "\n",
                                         "\xff\xfe",
                                         "a\\x0a",
                                         "...",
                                         " ",
                                         "x;y",
                                         "\x1b[2J",
                                         ".hidden",
                                         "\xe2\x80\xae.txt",
                                         "con",
                                         WFILE_TEMPORARY "0" };
    if (roll(8)) {
        (void)snprintf(name, 256, "%s%.*s", names[roll(ARRAY_LEN(names))], (int)roll(3), "12");
        return;
    }
    memset(name, 'n', 255);
    name[255] = '\0';
}

static void grow_tree(int dir, unsigned depth)
{
    static const char *const targets[] = {
        "..", "../../outside", "../../../../../../etc", "/proc/self/root", "/etc/passwd", "self", "a/b", ".", "dir", "/"
    };
    char name[256];
    for (unsigned i = roll(6); i > 0; i--) {
        odd_name(name);
        switch (roll(9)) {
        case 0:
        case 1: {
            int fd = openat(dir, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
            ssize_t n = fd < 0 ? 0 : write(fd, name, strlen(name));
            (void)n; /* a fifo of that name */
            closep(&fd);
            break;
        }
        case 2:
            CHECK(symlinkat(targets[roll(ARRAY_LEN(targets))], dir, name) == 0 || errno == EEXIST);
            break;
        case 3:
            CHECK(symlinkat(outside, dir, name) == 0 || errno == EEXIST);
            break;
        case 4:
            (void)mkfifoat(dir, name, 0600);
            break;
        case 5:
            CHECK(linkat(root, "seed", dir, name, 0) == 0 || errno == EEXIST);
            break;
        default: {
            (void)mkdirat(dir, name, 0700);
            cleanup(closep) int next = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (next >= 0 && depth)
                grow_tree(next, depth - 1);
            break;
        }
        }
    }
}

/* Every call on everything that a list names. */
static bool try_entry(void *ctx, const struct wfile_entry *e)
{
    struct wfile_stat st;
    char text[64];
    (void)ctx;
    int fd = wfile_open(root, e->name, &st);
    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof text);
        CHECK(n >= 0 && !memmem(text, (size_t)n, SECRET, sizeof SECRET - 1));
        CHECK(st.kind == WFILE_REGULAR);
        (void)close(fd);
    }
    CHECK_EQ(wfile_stat(root, e->name, &st, NULL), 0);
    CHECK(st.kind == e->stat.kind);
    return true;
}

TEST(files_of_a_hundred_hostile_trees_never_lead_out)
{
    bool is_cut;
    make_place();
    for (seed = 1; seed < 4000; seed += 40) {
        uint64_t kept = seed;
        put("seed", "x");
        int top = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = scratch();
        CHECK(mkdirat(root, "tree", 0700) == 0);
        int dir = openat(root, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        grow_tree(dir, 5);
        grow_tree(dir, 3);
        seed = kept;
        CHECK_EQ(wfile_list(root, ".", 64, 0, try_entry, NULL, &is_cut), 0);
        CHECK(!is_cut);
        CHECK_EQ(pack_in("tree", 16 * MIB, 4096, fd), 0);
        CHECK_EQ(unpack_from(fd, "copy", &wide, 4096), 0);
        CHECK_EQ(wfile_list(root, "copy", 64, 0, note_entry, NULL, &is_cut), 0);
        CHECK_EQ(wfile_remove(root, "tree"), 0);
        CHECK_EQ(wfile_remove(root, "copy"), 0);
        CHECK(str_starts(list(".", 9), "file seed ") && strcspn(listed.data, ";") + 1 == listed.size);
        check_outside();
        (void)close(fd);
        (void)close(dir);
        (void)close(top);
    }
    drop_place();
}

/* --- trees that change while we look ------------------------------------------------------------------------------ */

static void make_link(const char *text, const char *name)
{
    int e = symlinkat(text, root, name);
    (void)e; /* the other side may have put something there */
}

/* In a process of its own until it is killed: what is a directory or a file becomes a link to the outside, and back. */
static void change_for_ever(void)
{
    for (unsigned i = 0;; i++) {
        (void)renameat(root, "tree/d", root, "tree/kept");
        make_link(i % 2 ? "../../outside" : outside, "tree/d");
        (void)renameat(root, "tree/f", root, "tree/kept-file");
        make_link("../../outside/secret", "tree/f");
        (void)unlinkat(root, "tree/d", 0);
        (void)mkfifoat(root, "tree/d", 0600);
        (void)unlinkat(root, "tree/d", 0);
        (void)renameat(root, "tree/kept", root, "tree/d");
        (void)unlinkat(root, "tree/f", 0);
        (void)renameat(root, "tree/kept-file", root, "tree/f");
        (void)renameat(root, "tree/d/in", beside, "away"); /* out of the workspace, where no sandbox could */
        (void)renameat(beside, "away", root, "tree/d/in");
    }
}

static pid_t start_changing(void)
{
    CHECK_EQ(upload("tree/d/in/x", "inside"), 0);
    CHECK_EQ(upload("tree/d/secret", "inside"), 0);
    CHECK_EQ(upload("tree/f", "inside"), 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        change_for_ever();
    return pid;
}

static void stop_changing(pid_t pid)
{
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    if (faccessat(beside, "away", F_OK, 0) == 0) {
        const char *const words[] = { "/bin/rm", "-rf", "away", NULL };
        CHECK_EQ(run_program(words, -1, -1), 0);
    }
}

static void check_no_secret(const char *text)
{
    CHECK(!strstr(text, SECRET));
}

TEST(files_reads_of_a_tree_that_changes_give_nothing_from_outside)
{
    make_place();
    pid_t pid = start_changing();
    for (unsigned i = 0; i < 3000; i++) {
        check_no_secret(download("tree/d/secret"));
        check_no_secret(download("tree/f"));
        check_no_secret(download("tree/d/../f"));
    }
    for (unsigned i = 0; i < 100; i++) {
        cleanup(closep) int fd = scratch();
        char text[65536];
        (void)pack_in("tree", MIB, 700, fd);
        ssize_t n = pread(fd, text, sizeof text, 0);
        CHECK(n >= 0 && !memmem(text, (size_t)n, SECRET, sizeof SECRET - 1));
    }
    stop_changing(pid);
    check_outside();
    drop_place();
}

TEST(files_changes_in_a_tree_that_changes_touch_nothing_outside)
{
    make_place();
    for (unsigned round = 0; round < 3; round++) {
        pid_t pid = start_changing();
        for (unsigned i = 0; i < 500; i++) {
            (void)upload("tree/d/secret", "overwritten");
            (void)upload("tree/d/planted", "overwritten");
            (void)upload("tree/f", "overwritten");
            (void)wfile_mkdir(root, "tree/d/new");
            (void)wfile_move(root, "tree/d/new", "tree/d/moved", true);
            (void)wfile_remove(root, "tree/d/secret");
        }
        (void)wfile_remove(root, "tree");
        stop_changing(pid);
        check_outside();
        int e = wfile_remove(root, "tree");
        CHECK(e == 0 || e == -ENOENT);
    }
    drop_place();
}

TEST(tar_files_that_change_their_size_keep_the_archive_whole)
{
    make_place();
    put("f", "0123456789");
    struct tar_out *t = NULL;
    char bytes[512];
    int fd = scratch();
    CHECK_EQ(tar_out_begin(root, ".", MIB, &t), 0);
    CHECK_EQ(tar_out_read(t, bytes, sizeof bytes), 512);
    CHECK(write(fd, bytes, 512) == 512);
    put("f", "012");
    for (ssize_t n; (n = tar_out_read(t, bytes, sizeof bytes)) != 0;)
        CHECK(n > 0 && write(fd, bytes, (size_t)n) == n);
    t = tar_out_free(t);
    CHECK_EQ(unpack_from(fd, "back", &wide, 512), 0);
    struct wfile_stat st;
    CHECK(wfile_stat(root, "back/f", &st, NULL) == 0 && st.size == 10);
    CHECK_STR(download("back/f"), "012");
    (void)close(fd);
    drop_place();
}

TEST(tar_links_come_after_everything_else)
{
    make_place();
    CHECK(symlinkat("../../outside", root, "a") == 0);
    CHECK_EQ(upload("b/c", "x"), 0);
    CHECK(symlinkat("..", root, "b/a") == 0);
    CHECK_EQ(upload("z", "x"), 0);
    int fd = scratch();
    char h[512];
    bool is_link = false;
    unsigned links = 0;
    CHECK_EQ(pack_in(".", MIB, 512, fd), 0);
    for (off_t at = 0; pread(fd, h, 512, at) == 512 && h[0]; at += 512 + (h[156] == '0' ? 512 : 0)) {
        CHECK(!is_link || h[156] == '2');
        is_link = h[156] == '2';
        links += is_link;
    }
    CHECK_EQ(links, 2);
    (void)close(fd);
    drop_place();
}

static bool see_change(void *ctx, const struct wfile_event *e)
{
    bool *is_seen = ctx;
    *is_seen |= e->change == WFILE_CREATE && str_eq(e->name, "open/new");
    return true;
}

/* A watch changes the working directory, which the next tests still need. */
static int watch_closed(bool *ret_is_cut, bool *ret_is_seen)
{
    struct wfile_watch *w = NULL;
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (geteuid() == 0)
        (void)setfsuid(61999); /* and without root's capabilities for files */
    int e = wfile_watch_begin(root, ".", true, see_change, ret_is_seen, &w, ret_is_cut);
    (void)setfsuid(geteuid());
    if (e < 0)
        return e;
    e = mknodat(root, "open/new", S_IFREG | 0600, 0) < 0 ? -errno : 0;
    struct pollfd f = { .fd = wfile_watch_fd(w), .events = POLLIN };
    while (e == 0 && !*ret_is_seen && poll(&f, 1, 60000) > 0)
        (void)wfile_watch_read(w);
    (void)wfile_watch_end(w);
    e = fchdir(here) < 0 ? -errno : e;
    (void)close(here);
    return e;
}

TEST(files_watches_say_what_they_do_not_see_and_see_the_rest)
{
    bool is_cut = false, is_seen = false;
    int status = -1;
    make_place();
    CHECK(fchmodat(beside, "root", 0755, 0) == 0 && fchmodat(beside, ".", 0755, 0) == 0);
    CHECK(mkdirat(root, "closed", 0) == 0 && mkdirat(root, "open", 0755) == 0 && fchmodat(root, "open", 0755, 0) == 0);
    CHECK_EQ(watch_closed(&is_cut, &is_seen), 0);
    CHECK(is_cut && is_seen);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = { 0, 0 };
        struct wfile_watch *w;
        _exit(setrlimit(RLIMIT_NOFILE, &none) < 0
                  ? 1
                  : wfile_watch_begin(root, ".", true, see_change, &is_seen, &w, &is_cut) != -EUSERS);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    drop_place();
}
