/* What a program leaves in /workspace: names, hostile trees, and the descriptor's way out of a real sandbox. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "run/client.h"
#include "run/workspace.h"
#include "launch/launch.h"
#include "sample_plan.h"

/* --- what was handed out --------------------------------------------------------------------------- */

struct seen {
    uint32_t count, stop_after; /* 0: never */
    uint64_t bytes;
    struct buf text; /* name=first 40 bytes of content; */
};

static bool see(void *ctx, const char *name, const void *data, uint64_t size)
{
    struct seen *s = ctx;
    s->count++;
    s->bytes += size;
    CHECK(size == 0 || data != NULL);
    (void)buf_addf(&s->text, "%s=%.*s;", name, (int)MIN_OF(size, (uint64_t)40), (const char *)data);
    return s->count != s->stop_after;
}

static bool has(const struct seen *s, const char *text)
{
    return s->text.data && strstr(s->text.data, text);
}

static struct seen seen;
static struct workspace_rest rest;

static int look(struct workspace *w, uint64_t max_bytes)
{
    uint32_t stop_after = seen.stop_after;
    buf_done(&seen.text);
    seen = (struct seen){ .stop_after = stop_after };
    buf_init(&seen.text, 16 * MIB);
    return workspace_read(w, max_bytes, see, &seen, &rest);
}

/* --- names ------------------------------------------------------------------------------------------- */

static void check_name(const char *path, const char *expected)
{
    struct buf b;
    buf_init(&b, 4096);
    CHECK(workspace_name(&b, path) == 0);
    CHECK_STR(b.data, expected);
    buf_done(&b);
}

TEST(workspace_names_keep_letters_and_show_everything_else_as_bytes)
{
    check_name("a/b c.txt", "a/b c.txt");
    check_name("привет/日本/😀", "привет/日本/😀");
    check_name("a\nb\x1b[2J\x7f", "a\\x0ab\\x1b[2J\\x7f");
    check_name("\xff\xfe", "\\xff\\xfe");
    check_name("cut \xe2\x82", "cut \\xe2\\x82");
    check_name("c1 \xc2\x9b", "c1 \\xc2\\x9b");
    check_name("\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80"); /* overlong, surrogate */
    check_name("\\x0a", "\\x5cx0a");                                 /* not the name that a newline gets */
}

TEST(workspace_names_that_have_no_room_are_an_error)
{
    struct buf b;
    buf_init(&b, 8);
    CHECK(workspace_name(&b, "123456789") < 0);
    buf_done(&b);
}

/* --- trees, made by hand -------------------------------------------------------------------------------- */

static char tree[64];
static int tree_fd;

static void make_tree(void)
{
    (void)snprintf(tree, sizeof tree, "%s/test-workspace-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(tree));
    tree_fd = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(tree_fd >= 0);
}

static void drop_tree(void)
{
    char *const argv[] = { (char *)"rm", (char *)"-rf", tree, NULL }, *const envp[] = { NULL };
    int status = -1;
    (void)close(tree_fd);
    pid_t pid = vfork();
    if (pid == 0) {
        (void)execve("/bin/rm", argv, envp);
        _exit(127);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_EQ(status, 0);
}

static void put(int dir, const char *name, const void *data, size_t size)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)close(fd);
}

static int look_at_tree(uint64_t max_bytes)
{
    struct workspace w = { .sock = -1, .dir = fcntl(tree_fd, F_DUPFD_CLOEXEC, 3) };
    int r = look(&w, max_bytes);
    workspace_done(&w);
    CHECK(w.dir < 0 && w.sock < 0);
    return r;
}

TEST(workspace_of_an_empty_directory_is_nothing)
{
    make_tree();
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 0 && memcmp(&rest, &(struct workspace_rest){ 0 }, sizeof rest) == 0);
    drop_tree();
}

TEST(workspace_files_come_with_their_relative_paths_and_whole_contents)
{
    static char large[300000];
    make_tree();
    memset(large, 'x', sizeof large);
    put(tree_fd, "a.txt", "first", 5);
    put(tree_fd, "empty", "", 0);
    put(tree_fd, "large", large, sizeof large);
    CHECK(mkdirat(tree_fd, "d", 0700) == 0 && mkdirat(tree_fd, "d/e", 0700) == 0);
    put(tree_fd, "d/e/..f", "deep", 4);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK_EQ(seen.count, 4);
    CHECK_EQ(seen.bytes, 5 + 4 + sizeof large);
    CHECK(has(&seen, "a.txt=first;") && has(&seen, "empty=;") && has(&seen, "d/e/..f=deep;") &&
          has(&seen, "large=xxxx"));
    drop_tree();
}

TEST(workspace_follows_no_link_and_opens_nothing_special)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    make_tree();
    put(tree_fd, "own", "1", 1);
    CHECK(symlinkat("/etc/passwd", tree_fd, "link") == 0 && symlinkat("/etc", tree_fd, "way") == 0);
    CHECK(symlinkat("own", tree_fd, "to-own") == 0 && symlinkat("..", tree_fd, "up") == 0);
    CHECK(mkfifoat(tree_fd, "fifo", 0600) == 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/sock", tree);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(s >= 0 && bind(s, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 1 && has(&seen, "own=1;"));
    CHECK_EQ(rest.special, 6);
    (void)close(s);
    drop_tree();
}

TEST(workspace_leaves_out_what_is_beyond_its_bytes_and_goes_on_with_what_fits)
{
    make_tree();
    put(tree_fd, "sparse", "", 0);
    int fd = openat(tree_fd, "sparse", O_WRONLY | O_CLOEXEC);
    CHECK(fd >= 0 && ftruncate(fd, INT64_C(1) << 40) == 0);
    (void)close(fd);
    put(tree_fd, "eleven", "12345678901", 11);
    put(tree_fd, "ten", "1234567890", 10);
    CHECK_EQ(look_at_tree(10), 0);
    CHECK(seen.count == 1 && has(&seen, "ten=1234567890;"));
    CHECK_EQ(rest.too_large, 2);
    CHECK_EQ(rest.bytes, (INT64_C(1) << 40) + 11);
    CHECK_EQ(look_at_tree(UINT64_MAX), 0); /* no configuration makes us hold a terabyte of zeros */
    CHECK(seen.count == 2 && rest.too_large == 1);
    drop_tree();
}

TEST(workspace_hands_out_256_files_and_looks_at_4096_entries)
{
    char name[32];
    make_tree();
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "f%d", i);
        put(tree_fd, name, "abc", 3);
    }
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == WORKSPACE_MAX_FILES && rest.too_many == 44 && rest.bytes == 44 * 3 && !rest.is_cut);
    for (int i = 300; i < 4096; i++) {
        (void)snprintf(name, sizeof name, "f%d", i);
        put(tree_fd, name, "", 0);
    }
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(!rest.is_cut && rest.too_many == 4096 - 256);
    put(tree_fd, "one more", "", 0);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(rest.is_cut && seen.count == WORKSPACE_MAX_FILES);
    drop_tree();
}

TEST(workspace_goes_eight_directories_deep)
{
    make_tree();
    int dir = fcntl(tree_fd, F_DUPFD_CLOEXEC, 3);
    for (int depth = 0; depth < 400; depth++) { /* a path of 800 bytes, too */
        put(dir, "f", "x", 1);
        CHECK(mkdirat(dir, "d", 0700) == 0);
        int next = openat(dir, "d", O_PATH | O_DIRECTORY | O_CLOEXEC);
        CHECK(next >= 0);
        (void)close(dir);
        dir = next;
    }
    (void)close(dir);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 9 && rest.too_deep == 1);
    CHECK(has(&seen, "d/d/d/d/d/d/d/d/f=x;") && !has(&seen, "d/d/d/d/d/d/d/d/d/"));
    drop_tree();
}

TEST(workspace_skips_paths_beyond_512_bytes)
{
    char name[256];
    make_tree();
    memset(name, 'n', 255);
    name[255] = '\0';
    CHECK(mkdirat(tree_fd, name, 0700) == 0);
    int dir = openat(tree_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    put(dir, name, "511 bytes", 9); /* 255 + 1 + 255 */
    CHECK(mkdirat(dir, "d", 0700) == 0);
    int below = openat(dir, "d", O_PATH | O_DIRECTORY | O_CLOEXEC);
    put(below, name, "513 bytes", 9);
    put(below, "short", "263 bytes", 9);
    (void)close(below);
    (void)close(dir);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 2 && has(&seen, "=511 bytes;") && has(&seen, "/d/short=263 bytes;"));
    CHECK_EQ(rest.too_long, 1);
    drop_tree();
}

TEST(workspace_takes_names_of_any_bytes)
{
    make_tree();
    put(tree_fd, "new\nline", "1", 1);
    put(tree_fd, "\xff\xc3\x28", "2", 1);
    put(tree_fd, "-rf", "3", 1);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 3 && has(&seen, "new\\x0aline=1;") && has(&seen, "\\xff\\xc3(=2;") && has(&seen, "-rf=3;"));
    drop_tree();
}

TEST(workspace_stops_when_told)
{
    make_tree();
    put(tree_fd, "a", "1", 1);
    put(tree_fd, "b", "2", 1);
    CHECK(mkdirat(tree_fd, "d", 0700) == 0);
    put(tree_fd, "d/c", "3", 1);
    seen.stop_after = 2;
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK_EQ(seen.count, 2);
    drop_tree();
}

TEST(workspace_counts_what_it_may_not_read)
{
    if (geteuid() == 0)
        SKIP("root reads everything");
    make_tree();
    put(tree_fd, "closed", "1", 1);
    CHECK(fchmodat(tree_fd, "closed", 0, 0) == 0 && mkdirat(tree_fd, "d", 0) == 0);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 0 && rest.unreadable == 2);
    CHECK(chmod(tree, 0) == 0);
    CHECK_EQ(look_at_tree(MIB), 0);
    CHECK(seen.count == 0 && rest.unreadable == 1);
    CHECK(chmod(tree, 0700) == 0);
    drop_tree();
}

TEST(workspace_rest_is_told_in_words)
{
    struct buf b;
    buf_init(&b, 4096);
    workspace_rest_words(&(struct workspace_rest){ 0 }, &b);
    CHECK_EQ(b.size, 0);
    workspace_rest_words(&(struct workspace_rest){ .too_large = 2, .special = 1, .bytes = 2 * MIB, .is_cut = true },
                         &b);
    CHECK_STR(b.data, "2 too large, 1 link or special file (2m), more than 4096 entries");
    buf_done(&b);
}

/* --- what comes through the socket ------------------------------------------------------------------------ */

static int after_message(const int *fds, size_t count)
{
    struct workspace w;
    int theirs = workspace_open(&w);
    CHECK(theirs >= 0);
    if (count)
        CHECK(send_message(theirs, "w", 1, fds, count) == 0);
    (void)close(theirs);
    int r = look(&w, MIB);
    workspace_done(&w);
    return r;
}

static int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 1024; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

TEST(workspace_takes_a_directory_of_a_tmpfs_and_nothing_else)
{
    struct workspace none = { .sock = -1, .dir = -1 };
    int proc = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    make_tree();
    put(tree_fd, "f", "x", 1);
    CHECK_EQ(look(&none, MIB), -ENODATA);
    CHECK_EQ(after_message(NULL, 0), -ENODATA);
    CHECK_EQ(after_message(&proc, 1), -ENODATA);
    int file = openat(tree_fd, "f", O_RDONLY | O_CLOEXEC);
    CHECK(after_message(&file, 1) < 0 && seen.count == 0);
    if (str_starts(tree, "/dev/shm")) {
        int before = open_descriptors();
        const int two[] = { tree_fd, null };
        CHECK(after_message(&tree_fd, 1) == 0 && seen.count == 1);
        CHECK(after_message(two, 2) == 0 && seen.count == 1);
        CHECK_EQ(open_descriptors(), before); /* the one too many was closed */
    }
    (void)close(file);
    (void)close(proc);
    (void)close(null);
    drop_tree();
}

TEST(workspace_does_not_wait_for_a_directory_that_never_comes)
{
    struct workspace w;
    int theirs = workspace_open(&w);
    CHECK(theirs >= 0);
    CHECK_EQ(look(&w, MIB), -ENODATA);
    (void)close(theirs);
    workspace_done(&w);
}

TEST(descriptors_of_a_run_travel_only_where_the_job_asks_for_them)
{
    for (int asks = 0; asks < 8; asks++) {
        struct job j = { .artifact = asks & 1 ? "/a" : NULL,
                         .report_fd = asks & 2 ? 15 : 0,
                         .workspace = asks & 4 ? "/w" : NULL };
        int all[RUN_FD_MAX] = { 10, 11, 12, 13, 14, 15, 16, 17 }, there[RUN_FD_MAX] = { 0 };
        size_t count = run_fds_gather(&j, RUN_FD_MAX, all, there);
        CHECK(!run_fds_place(&j, RUN_FD_MAX, there, count - 1) && !run_fds_place(&j, RUN_FD_MAX, there, count + 1));
        CHECK(run_fds_place(&j, RUN_FD_MAX, there, count));
        for (int i = 0; i < RUN_FD_MAX; i++)
            CHECK_EQ(there[i], i < RUN_FD_COUNT || asks >> (i - RUN_FD_COUNT) & 1 ? 10 + i : -1);
    }
}

/* --- the launcher's check: only what the sandbox itself made is handed out ---------------------------------- */

#define WORKSPACE(expected, path, ...)                          \
    do {                                                        \
        struct sample p;                                        \
        struct error err = { 0 };                               \
        sample_init(&p, "/bin/true", NULL, NULL);               \
        p.job.workspace = path;                                 \
        __VA_ARGS__;                                            \
        CHECK_EQ(plan_check(&p.shape, &p.job, &err), expected); \
        if (expected)                                           \
            CHECK_STR(err.text, "workspace " path);             \
        sample_done(&p);                                        \
    } while (0)
#define MOUNT(kind, source, target) (void)sample_add(&p, kind, source, target, 0)

TEST(launcher_hands_out_no_workspace_that_is_not_the_sandboxs_own)
{
    WORKSPACE(0, "/tmp", (void)0);
    WORKSPACE(0, "/made", MOUNT(MOUNT_DIR, NULL, "/made"));
    WORKSPACE(0, "/tmp", MOUNT(MOUNT_VOLUME, "/srv", "/tmp/data")); /* below it: the walk does not cross */
    WORKSPACE(-EINVAL, "/usr", (void)0);
    WORKSPACE(-EINVAL, "/usr/lib", (void)0);
    WORKSPACE(-EINVAL, "/", (void)0);
    WORKSPACE(-EINVAL, "/tmp/below", (void)0);
    WORKSPACE(-EINVAL, "/tmp/../usr", (void)0);
    WORKSPACE(-EINVAL, "tmp", (void)0);
    WORKSPACE(-EINVAL, "/proc", MOUNT(MOUNT_PROC, NULL, "/proc"));
    WORKSPACE(-EINVAL, "/data", MOUNT(MOUNT_VOLUME, "/srv", "/data"));
    WORKSPACE(-EINVAL, "/tmp", MOUNT(MOUNT_VOLUME, "/srv", "/tmp")); /* laid over it */
    WORKSPACE(-EINVAL, "/tmp", MOUNT(MOUNT_MASK, NULL, "/tmp"));
    WORKSPACE(-EINVAL, "/usr/made", MOUNT(MOUNT_DIR, NULL, "/usr/made"));
    WORKSPACE(-EINVAL, "/way", MOUNT(MOUNT_LINK, "/tmp", "/way"));
}

/* --- out of a real sandbox --------------------------------------------------------------------------------- */

static const char *launcher_path(void)
{
    const char *path = getenv("SANDBOX_LAUNCHER");
    return path ? path : "build/libexec/sandbox-agent/sandbox-launcher";
}

static struct client client;

static void begin(void)
{
    struct error err = { 0 };
    if (access(launcher_path(), X_OK) < 0)
        SKIP("no launcher is built");
    CHECK(client_start(&client, launcher_path(), &err) == 0);
}

static void end(void)
{
    pid_t pid = client.pid;
    client_stop(&client);
    CHECK(waitpid(pid, NULL, 0) == pid);
}

static void shell(struct sample *p, const char *script)
{
    sample_init(p, "/bin/sh", "-c", script);
    p->job.workspace = "/tmp";
}

/* -> enum run_reason, and the workspace, for workspace_done() */
static int run(struct sample *p, struct workspace *w)
{
    struct error err = { 0 };
    static struct outcome o;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), theirs = workspace_open(w);
    int fds[RUN_FD_MAX] = { null, null, null, null, -1, -1, theirs };
    CHECK(null >= 0 && theirs >= 0);
    CHECK(client_run(&client, 1, &p->shape, &p->job, fds, &err) == 0);
    (void)close(theirs);
    (void)close(null);
    CHECK(client_read(&client, &o, &err) == 0);
    if (o.reason != REASON_SANDBOX_ERROR)
        return o.reason;
    (void)fprintf(stderr, "# %s: %s\n", o.error_step ? o.error_step : "", o.error_text ? o.error_text : "");
    if (getenv("SANDBOX_MUST_WORK"))
        test_fail(__FILE__, __LINE__, "a sandbox works here");
    SKIP("no sandbox works here");
}

/* Runs the script and looks. */
static int run_shell(const char *script, uint64_t timeout_ms, bool may_reuse)
{
    struct sample p;
    struct workspace w;
    shell(&p, script);
    p.job.timeout_ms = timeout_ms;
    p.job.may_reuse = may_reuse;
    int reason = run(&p, &w);
    CHECK_EQ(look(&w, MIB), 0);
    workspace_done(&w);
    sample_done(&p);
    return reason;
}

/* One that its timeout ends; again with more time where it had too little to write its file. */
static void run_late(const char *script, const char *left, bool may_reuse)
{
    for (uint64_t timeout_ms = 300; timeout_ms < 60000; timeout_ms *= 3) {
        CHECK_EQ(run_shell(script, timeout_ms, may_reuse), REASON_TIMEOUT);
        if (has(&seen, left))
            break;
    }
    CHECK(has(&seen, left));
}

TEST(workspace_of_a_program_comes_out_however_the_program_ends)
{
    begin();
    for (int reuse = 0; reuse < 2; reuse++) {
        CHECK_EQ(run_shell("mkdir /tmp/d; echo good >/tmp/d/f", 30000, reuse), REASON_COMPLETED);
        CHECK(seen.count == 1 && has(&seen, "d/f=good\n;"));
        CHECK_EQ(run_shell("echo bad >/tmp/f; exit 3", 30000, reuse), REASON_ERROR);
        CHECK(seen.count == 1 && has(&seen, "f=bad\n;"));
        CHECK_EQ(run_shell("echo signal >/tmp/f; kill -9 $$", 30000, reuse), REASON_SIGNAL);
        CHECK(seen.count == 1 && has(&seen, "f=signal\n;"));
        run_late("echo late >/tmp/f; sleep 600", "f=late\n;", reuse); /* init is killed from outside */
        CHECK_EQ(seen.count, 1);
        run_late("echo loop >/tmp/f; trap '' TERM; while :; do echo x >/tmp/g; done", "f=loop\n;", reuse);
        CHECK_EQ(run_shell("exit 0", 30000, reuse), REASON_COMPLETED);
        CHECK_EQ(seen.count, 0);
    }
    end();
}

TEST(workspace_shows_links_into_the_sandbox_as_links)
{
    begin();
    CHECK_EQ(run_shell("cd /tmp; ln -s /etc/shadow a; ln -s .. b; mkfifo c; : >-rf; chmod 000 -- -rf", 30000, false),
             REASON_COMPLETED);
    CHECK_EQ(rest.special, 3);
    CHECK_EQ(seen.count + rest.unreadable, 1);
    end();
}

TEST(workspace_survives_the_removal_of_everything)
{
    begin();
    CHECK_EQ(run_shell("rm -rf /tmp /tmp/* 2>/dev/null; echo still >/tmp/f", 30000, false), REASON_COMPLETED);
    CHECK(seen.count == 1 && has(&seen, "f=still\n;"));
    end();
}

TEST(workspace_holds_no_file_of_a_volume_below_it)
{
    struct sample p;
    struct workspace w;
    struct stat st;
    begin();
    make_tree();
    put(tree_fd, "secret", "host", 4);
    CHECK(chmod(tree, 0755) == 0 && fchmodat(tree_fd, "secret", 0644, 0) == 0 && stat(tree, &st) == 0);
    for (int round = 0; round < 20;
         round++) { /* at once and later: while the mounts are still there, and when they are gone */
        shell(&p, "cat /tmp/data/secret >/tmp/seen");
        struct plan_mount *m = sample_add(&p, MOUNT_VOLUME, tree, "/tmp/data", MOUNT_RO);
        m->dev = st.st_dev;
        m->ino = st.st_ino;
        CHECK_EQ(run(&p, &w), REASON_COMPLETED);
        (void)usleep((useconds_t)(round % 4 * 1000));
        CHECK_EQ(look(&w, MIB), 0);
        CHECK(seen.count == 1 && has(&seen, "seen=host;") && rest.mounts <= 1);
        workspace_done(&w);
        sample_done(&p);
    }
    end();
    drop_tree();
}

TEST(workspace_that_is_still_looked_at_is_not_the_next_programs)
{
    struct sample p;
    struct workspace first, second;
    begin();
    shell(&p, "echo one >/tmp/f");
    p.job.may_reuse = true;
    CHECK_EQ(run(&p, &first), REASON_COMPLETED);
    sample_done(&p);
    shell(&p, "test ! -e /tmp/f && echo two >/tmp/g");
    p.job.may_reuse = true;
    CHECK_EQ(run(&p, &second), REASON_COMPLETED);
    sample_done(&p);
    CHECK(look(&first, MIB) == 0 && seen.count == 1 && has(&seen, "f=one\n;"));
    CHECK(look(&second, MIB) == 0 && seen.count == 1 && has(&seen, "g=two\n;"));
    workspace_done(&first);
    workspace_done(&second);
    end();
}

TEST(workspace_of_a_program_that_never_started_is_none)
{
    struct sample p;
    struct workspace w;
    begin();
    sample_init(&p, "/bin/no-such-program", NULL, NULL);
    p.job.workspace = "/tmp";
    struct error err = { 0 };
    struct outcome o;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), theirs = workspace_open(&w);
    const int fds[RUN_FD_MAX] = { null, null, null, null, -1, -1, theirs };
    CHECK(client_run(&client, 1, &p.shape, &p.job, fds, &err) == 0);
    (void)close(theirs);
    CHECK(client_read(&client, &o, &err) == 0);
    CHECK_EQ(o.reason, REASON_SANDBOX_ERROR);
    int r = look(&w, MIB); /* the directory came before the exec failed; whichever it is, there is nothing in it */
    CHECK((r == 0 || r == -ENODATA) && seen.count == 0);
    workspace_done(&w);
    sample_done(&p);
    (void)close(null);
    end();
}

TEST(workspace_is_no_descriptor_that_the_program_gets)
{
    begin();
    /* /proc/self/fd is not there; what can be opened by its number can be tested by duplicating it */
    CHECK_EQ(
        run_shell(
            "for n in 3 4 5 6 7 8 9; do if eval \": <&$n\"; then echo $n >>/tmp/open; fi; done 2>/dev/null; exit 0",
            30000, false),
        REASON_COMPLETED);
    CHECK_EQ(seen.count, 0);
    end();
}
