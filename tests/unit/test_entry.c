/* sandbox-entry as the host sees it: the real program at the other end of two pipes, once as an ordinary process and
 * once as pid 1 of a namespace. SANDBOX_ENTRY names another one than build/libexec/sandbox-agent/sandbox-entry. As root
 * and as an ordinary user. */
#include "test.h"

#include "base/clock.h"
#include "base/io.h"
#include "base/landlock.h"
#include "base/seccomp.h"
#include "base/watch_bits.h"
#include "entry/entry.h"
#include "filter/filter.h"
#include "filter/syscalls.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PATIENCE_MS 60000 /* of a loaded machine: only for what does not come */
#define KEPT_BYTES  65536

/* --- a host ------------------------------------------------------------------------------------------------ */

struct host {
    pid_t pid;
    int to, from, err; /* pipes */
    char memory[FRAME_MAX_UP];
    struct frame_reader reader;
    struct entry_plan plan;
    /* what has come */
    bool has_facts, has_end, has_failed, is_intact; /* is_intact: OUT went on as pattern_byte() has it */
    struct entry_facts facts;
    struct entry_end end;
    struct entry_failed failed;
    char kept[FRAME_MAX_UP];  /* FACTS or FAILED, which borrow */
    char text[4][KEPT_BYTES]; /* OUT, ERR, REPORT, ARTIFACT: the beginning */
    uint64_t bytes[4], taken;
    bool has_rest; /* what was left in the workspace; the last file is whole if left is 0 */
    uint32_t files;
    uint64_t left;
    struct workspace_rest rest;
    char names[16384]; /* name=beginning; */
    struct entry_forks forks;
    uint32_t unshared, executed; /* events: unshare(2) that was refused; programs */
    char programs[4096];
    int status; /* of its end, -1: not yet */
};

static const char *entry_path(void)
{
    const char *path = getenv("SANDBOX_ENTRY");
    return path ? path : "build/libexec/sandbox-agent/sandbox-entry";
}

static char pattern_byte(uint64_t at)
{
    return (char)('a' + (at * 7 + at / 4096) % 26);
}

static int note_bytes(struct host *h, unsigned which, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t at = h->bytes[which] + i;
        if (at < KEPT_BYTES - 1)
            h->text[which][at] = data[i];
        h->is_intact = h->is_intact && (which || data[i] == pattern_byte(at));
    }
    h->bytes[which] += size;
    return 0;
}

static void note_name(struct host *h, const char *text, size_t size)
{
    size_t n = strlen(h->names);
    (void)snprintf(h->names + n, sizeof h->names - n, "%.*s", (int)MIN_OF(size, (size_t)100), text);
}

static int note_file(struct host *h, const void *data, size_t size)
{
    struct entry_file f;
    if (!h->has_end || h->has_rest || h->left || frame_get_file(data, size, &f) < 0)
        return -EBADMSG;
    h->files++;
    h->left = f.size;
    note_name(h, "\n", 1);
    note_name(h, f.path, 100);
    note_name(h, "=", 1);
    return 0;
}

static int note_content(struct host *h, const void *data, size_t size)
{
    if (size > h->left)
        return -EBADMSG;
    h->left -= size;
    note_name(h, data, MIN_OF(size, (size_t)20));
    return 0;
}

static int note_rest(struct host *h, const void *data, size_t size)
{
    if (!h->has_end || h->has_rest || h->left)
        return -EBADMSG;
    h->has_rest = true;
    return frame_get_rest(data, size, &h->rest);
}

static int note_event(struct host *h, const void *data, size_t size)
{
    struct watch_event e;
    if (!h->has_facts || h->has_end || watch_event_unpack(data, size, &e) < 0)
        return -EBADMSG;
    h->unshared += e.kind == WATCH_CALL && e.nr == NR_unshare && e.error == EPERM && e.verdict == WATCH_REFUSED;
    h->executed += e.kind == WATCH_EXEC;
    size_t n = strlen(h->programs);
    if (e.kind == WATCH_EXEC)
        (void)snprintf(h->programs + n, sizeof h->programs - n, "%s;", e.text);
    return 0;
}

static int host_take(void *context, uint32_t type, const void *data, size_t size)
{
    struct host *h = context;
    if (type == FRAME_FACTS || type == FRAME_FAILED)
        data = memcpy(h->kept, data, size);
    switch (type) {
    case FRAME_FACTS:
        h->has_facts = true;
        return frame_get_facts(data, size, &h->facts);
    case FRAME_FAILED:
        h->has_failed = true;
        return frame_get_failed(data, size, &h->failed);
    case FRAME_EVENT:
        return note_event(h, data, size);
    case FRAME_FORKS:
        return h->has_end ? -EBADMSG : frame_get_forks(data, size, &h->forks);
    case FRAME_END:
        h->has_end = true;
        return frame_get_end(data, size, &h->end);
    case FRAME_TAKEN:
        return frame_get_u64(data, size, &h->taken);
    case FRAME_OUT:
    case FRAME_ERR:
    case FRAME_REPORT:
    case FRAME_ARTIFACT:
        return note_bytes(h, type - FRAME_OUT, data, size);
    case FRAME_FILE:
        return note_file(h, data, size);
    case FRAME_FILE_DATA:
        return note_content(h, data, size);
    case FRAME_REST:
        return note_rest(h, data, size);
    default:
        return -EBADMSG;
    }
}

/* An ordinary user: root's program might look into every process. */
static bool become_nobody(void)
{
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

/* A true pid 1: nothing but a fork of the new namespace's creator. It dies with us. */
enum place { PLACE_HERE, PLACE_INIT, PLACE_INIT_WITH_PROC /* of its own; where it cannot be had, this one */ };

static void mount_proc(void)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
        (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

static _Noreturn void be_entry(int in, int out, int err, enum place place, uint32_t hidden_call)
{
    const bool is_init = place != PLACE_HERE, has_proc = place == PLACE_INIT_WITH_PROC;
    const int namespaces = (geteuid() ? CLONE_NEWUSER : 0) | (has_proc ? CLONE_NEWNS : 0) | CLONE_NEWPID;
    struct sock_filter hides[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, hidden_call, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    char *const argv[] = { (char *)"sandbox-entry", NULL };
    char *const envp[] = { (char *)"PATH=/nowhere:/bin:/usr/bin", NULL };
    if (is_init && unshare(namespaces) < 0)
        _exit(99);
    int program = open(entry_path(), O_PATH | O_CLOEXEC); /* a nobody may not be let in where it lies */
    pid_t pid = is_init ? fork() : 0;
    if (pid == 0) {
        if (has_proc)
            mount_proc();
        bool is_ready = !is_init || become_nobody();
        if (hidden_call)
            is_ready = is_ready && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                       seccomp_load((struct bytes){ hides, sizeof hides }) == 0;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (is_ready && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2)
            (void)fexecve(program, argv, envp);
        _exit(98);
    }
    int status = 97 << 8;
    (void)close(in), (void)close(out), (void)close(err);
    (void)waitpid(pid, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 96);
}

static void host_open_with(struct host *h, enum place place, uint32_t hidden_call)
{
    int to[2], from[2], err[2];
    *h = (struct host){ .is_intact = true,
                        .status = -1,
                        .plan = { .program = "/bin/sh", .cwd = "/", .artifact_max = MIB } };
    if (access(entry_path(), X_OK) < 0)
        SKIP("no sandbox-entry is built");
    frame_reader_init(&h->reader, h->memory, sizeof h->memory);
    CHECK(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0);
    h->pid = fork();
    CHECK(h->pid >= 0);
    if (h->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)close(to[1]), (void)close(from[0]), (void)close(err[0]);
        be_entry(to[0], from[1], err[1], place, hidden_call);
    }
    (void)close(to[0]), (void)close(from[1]), (void)close(err[1]);
    h->to = to[1], h->from = from[0], h->err = err[0];
}

static void host_open_as(struct host *h, enum place place)
{
    host_open_with(h, place, 0);
}

static struct host *host_open(void)
{
    static struct host h; /* large */
    host_open_as(&h, PLACE_HERE);
    return &h;
}

static void host_send(struct host *h, enum frame_type type, const void *data, size_t size)
{
    struct buf b;
    buf_init(&b, FRAME_MAX_DOWN);
    frame_put(&b, type, data, size);
    CHECK(!b.failed && write_all(h->to, b.data, b.size) == 0);
    buf_done(&b);
}

static void host_send_signal(struct host *h, uint64_t signal)
{
    host_send(h, FRAME_SIGNAL, &signal, sizeof signal);
}

/* Reads what is there or comes within ms. False: nothing, or the end. */
static bool host_read(struct host *h, int ms)
{
    static char chunk[100000]; /* fits no frame, so that they come cut */
    struct pollfd p = { .fd = h->from, .events = POLLIN };
    if (poll(&p, 1, ms) != 1)
        return false;
    ssize_t n = read(h->from, chunk, sizeof chunk);
    if (n <= 0)
        return false;
    CHECK_EQ(frame_feed(&h->reader, chunk, (size_t)n, host_take, h), 0);
    return true;
}

#define HOST_UNTIL(h, condition)                                                                              \
    do {                                                                                                      \
        uint64_t until_ = clock_ms() + PATIENCE_MS;                                                           \
        while (!(condition) && clock_ms() < until_ && host_read((h), 100))                                    \
            ;                                                                                                 \
        while (!(condition) && clock_ms() < until_ && (poll(&(struct pollfd){ .fd = (h)->from }, 1, 0) == 0)) \
            (void)host_read((h), 100);                                                                        \
        CHECK(condition);                                                                                     \
    } while (0)

/* Until at least so many bytes lie in the pipe, none of which is read here. */
static void host_wait_unread(const struct host *h, int bytes)
{
    uint64_t until = clock_ms() + PATIENCE_MS;
    int unread = 0;
    while (ioctl(h->from, FIONREAD, &unread) == 0 && unread < bytes && clock_ms() < until)
        (void)usleep(1000);
    CHECK(unread >= bytes);
}

static void host_close(struct host *h)
{
    if (h->to >= 0)
        (void)close(h->to);
    h->to = -1;
    uint64_t until = clock_ms() + PATIENCE_MS;
    while (waitpid(h->pid, &h->status, WNOHANG) == 0 && clock_ms() < until)
        (void)usleep(1000);
    if (h->status == -1)
        (void)kill(h->pid, SIGKILL);
    CHECK(h->status != -1);
    (void)close(h->from);
    (void)close(h->err);
}

/* sh -c script, unless the plan has arguments */
static void host_plan(struct host *h, const char *script)
{
    struct buf b;
    if (!h->plan.argv.count) {
        (void)strlist_add(&h->plan.argv, "sh");
        (void)strlist_add(&h->plan.argv, "-c");
        (void)strlist_add(&h->plan.argv, script);
        (void)strlist_add(&h->plan.env, "PATH=/usr/local/bin:/usr/bin:/bin");
    }
    buf_init(&b, FRAME_MAX_DOWN);
    frame_put_fields(&b, FRAME_PLAN, entry_plan_fields, entry_plan_field_count, &h->plan);
    CHECK(!b.failed && write_all(h->to, b.data, b.size) == 0);
    buf_done(&b);
    strlist_done(&h->plan.argv);
    strlist_done(&h->plan.env);
    strlist_done(&h->plan.copies);
    strlist_done(&h->plan.probes);
    strlist_done(&h->plan.own_places);
}

static void host_start(struct host *h, const char *script)
{
    host_plan(h, script);
    HOST_UNTIL(h, h->has_facts);
    host_send(h, FRAME_GO, NULL, 0);
}

static void host_end(struct host *h)
{
    HOST_UNTIL(h, h->has_end && (h->has_rest || !h->plan.workspace));
    host_send(h, FRAME_BYE, NULL, 0);
    host_close(h);
    CHECK_EQ(h->status, 0);
}

static void host_run(struct host *h, const char *script)
{
    host_start(h, script);
    host_send(h, FRAME_STDIN_END, NULL, 0);
    host_end(h);
}

static const char *scratch(const char *name)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/entry-%d-%s", (int)getpid(), name);
    return path;
}

/* --- frames ------------------------------------------------------------------------------------------------ */

static int count_frame(void *context, uint32_t type, const void *data, size_t size)
{
    unsigned *count = context;
    CHECK(type == *count + 1 && size == *count * 3 && (size == 0 || ((const char *)data)[size - 1] == 'x'));
    return ++*count == 5 ? 7 : 0;
}

TEST(frames_arrive_however_they_are_cut)
{
    char memory[64], bytes[64];
    struct buf b;
    memset(bytes, 'x', sizeof bytes);
    buf_init(&b, 4096);
    for (unsigned i = 0; i < 5; i++)
        frame_put(&b, (enum frame_type)(i + 1), bytes, i * 3);
    for (size_t cut = 1; cut <= b.size; cut++) {
        struct frame_reader r;
        unsigned count = 0;
        int result = 0;
        frame_reader_init(&r, memory, sizeof memory);
        for (size_t at = 0; at < b.size && result == 0; at += cut)
            result = frame_feed(&r, b.data + at, MIN_OF(cut, b.size - at), count_frame, &count);
        CHECK_EQ(count, 5);
        CHECK_EQ(result, 7);
    }
    buf_done(&b);
}

static int take_none(void *context, uint32_t type, const void *data, size_t size)
{
    (void)context, (void)type, (void)data, (void)size;
    return 1;
}

TEST(a_frame_that_is_too_large_is_refused_by_its_head)
{
    char memory[64];
    struct frame_reader r;
    for (uint32_t size = sizeof memory - sizeof(struct frame_head) + 1; size; size = size < 1000         ? 1000
                                                                                     : size < UINT32_MAX ? UINT32_MAX
                                                                                                         : 0) {
        struct frame_head head = { .type = 1, .size = size };
        frame_reader_init(&r, memory, sizeof memory);
        CHECK_EQ(frame_feed(&r, &head, sizeof head, take_none, NULL), -EBADMSG);
        frame_reader_init(&r, memory, sizeof memory);
        CHECK_EQ(frame_feed(&r, &head, 5, take_none, NULL), 0);
        CHECK_EQ(frame_feed(&r, (char *)&head + 5, 3, take_none, NULL), -EBADMSG);
    }
}

TEST(a_plan_that_makes_no_sense_does_not_unpack)
{
    struct entry_plan good = { .program = "sh", .cwd = "/" }, back;
    (void)strlist_add(&good.argv, "sh");
    struct entry_plan bad[] = { good, good, good, good, good, good, good, good };
    bad[0].program = "../sh";
    bad[1].cwd = "tmp";
    bad[2].argv = (struct strlist){ 0 };
    bad[3].report_fd = 2;
    bad[4].copies = good.argv; /* one word, not two */
    bad[5].artifact = "out";
    bad[6].access_count = 1;
    bad[6].access[0] = (struct plan_access){ "usr", LANDLOCK_READ };
    bad[7].workspace = "workspace";
    for (size_t i = 0; i <= ARRAY_LEN(bad); i++) {
        struct buf b;
        buf_init(&b, FRAME_MAX_DOWN);
        pack_fields(&b, entry_plan_fields, entry_plan_field_count, i ? &bad[i - 1] : &good);
        CHECK_EQ(frame_get_plan(b.data, b.size, &back), i ? -EBADMSG : 0);
        CHECK_EQ(frame_get_plan(b.data, b.size - 1, &back), -EBADMSG);
        buf_done(&b);
    }
    strlist_done(&good.argv);
}

/* --- mounts ------------------------------------------------------------------------------------------------ */

#define LINE "36 35 98:0 /root /point rw,noatime master:1 shared:2 - ext4 /dev/sda rw,errors=continue\n"

TEST(a_table_of_mounts_is_read_line_by_line)
{
    static const struct {
        const char *line, *point, *type, *root;
        bool is_readonly, is_super_readonly, is_noexec;
    } lines[] = {
        { LINE, "/point", "ext4", "/root", false, false, false },
        { "8 8 0:8 / / ro  - 9p none ro,trans=fd", "/", "9p", "/", true, true, false }, /* gVisor's two spaces */
        { "8 8 0:8 / /a\\040b\\011\\134 ro,relatime - tmpfs  rw", "/a b\t\\", "tmpfs", "/", true, false,
          false }, /* and a source of no letters */
        { "8 8 0:8 net:[1] /x\\400\\04 rock - nsfs a rox", "/x\\400\\04", "nsfs", "net:[1]", false, false, false },
        { "8 8 0:8 / /- rw - x - ro", "/-", "x", "/", true, true, false },
        { "8 8 0:8 / /n rw,noexec - x - rw", "/n", "x", "/", false, false, true },
        { "8 8 0:8 / /m ro,nosuid,noexec,nodev - x - rw", "/m", "x", "/", true, false, true },
        { "8 8 0:8 / /o rw,noexecute - x - rw,noexec", "/o", "x", "/", false, false, false },
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char text[200], *cursor = text;
        struct mountinfo m;
        (void)snprintf(text, sizeof text, "%s", lines[i].line);
        CHECK_EQ(mountinfo_next(&cursor, &m), 1);
        CHECK_STR(m.point, lines[i].point);
        CHECK_STR(m.type, lines[i].type);
        CHECK_STR(m.root, lines[i].root);
        CHECK(m.is_readonly == lines[i].is_readonly && m.is_super_readonly == lines[i].is_super_readonly &&
              m.is_noexec == lines[i].is_noexec);
        CHECK_EQ(mountinfo_next(&cursor, &m), 0);
    }
}

/* However it is cut or damaged: lines within the text, an end, or a refusal. */
static int read_lines(char *text, size_t size)
{
    char *cursor = text;
    struct mountinfo m;
    int r, count = 0;
    while ((r = mountinfo_next(&cursor, &m)) > 0) {
        CHECK(m.point >= text && m.root >= text && m.type >= text && m.point + strlen(m.point) <= text + size &&
              m.type + strlen(m.type) <= text + size);
        count++;
    }
    return r < 0 ? r : count;
}

TEST(a_damaged_table_of_mounts_is_refused_or_read_and_never_overrun)
{
    static const char good[] = LINE LINE, bytes[] = " \n-/\\\0r0",
                      *const bad[] = { "\n\n",
                                       "x",
                                       " - ",
                                       "36 35 98:0 /root /point - ext4 /dev/sda rw",
                                       "36 35 98:0 /root point rw - ext4 /dev/sda rw",
                                       "36 35 98:0  /point rw - ext4 a rw",
                                       "36 35 98:0 /root /point rw - ext4 /dev/sda",
                                       "36 35 98:0 /root /point rw - ext4",
                                       "36 35 98:0 /root /point rw -  a rw",
                                       LINE "\n" LINE,
                                       LINE "x\n" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[300];
        (void)snprintf(text, sizeof text, "%s", bad[i]);
        CHECK_EQ(read_lines(text, strlen(text)), -EBADMSG);
    }
    int refused = 0;
    for (size_t at = 0; at < sizeof good - 1; at++)
        for (size_t k = 0; k < sizeof bytes; k++) { /* the last: cut here, in memory of just that size */
            size_t size = k < sizeof bytes - 1 ? sizeof good - 1 : at;
            char *text = malloc(size + 1);
            CHECK(text);
            memcpy(text, good, size);
            text[size] = '\0';
            if (k < sizeof bytes - 1)
                text[at] = bytes[k];
            int r = read_lines(text, size);
            CHECK(r == -EBADMSG || (r >= 0 && r <= 3));
            refused += r < 0;
            free(text);
        }
    CHECK(refused > 300);
}

/* --- runs -------------------------------------------------------------------------------------------------- */

TEST(entry_runs_a_program_and_tells_streams_and_end_apart)
{
    struct host *h = host_open();
    host_run(h, "echo out; echo err >&2; umask; pwd; exit 3");
    CHECK_STR(h->text[0], "out\n0022\n/\n");
    CHECK_STR(h->text[1], "err\n");
    CHECK(h->end.has_exit && !h->end.has_signal && h->end.exit_code == 3);
    CHECK(h->end.duration_us > 100 && h->end.duration_us < PATIENCE_MS * UINT64_C(1000));
}

static bool has_mount(const struct entry_facts *f, const char *point, const char *type)
{
    struct stat st;
    for (uint32_t i = 0; i < f->mount_count; i++)
        if (str_eq(f->mounts[i].point, point) && str_eq(f->mounts[i].type, type))
            return stat(point, &st) == 0 && f->mounts[i].dev == st.st_dev && f->mounts[i].ino == st.st_ino &&
                   f->mounts[i].root[0] == '/';
    return false;
}

TEST(entry_tells_what_is_true_before_anything_runs)
{
    struct host *h = host_open();
    struct stat st;
    (void)strlist_add(&h->plan.probes, "/proc");
    (void)strlist_add(&h->plan.probes, "/nowhere");
    h->plan.program = "sh"; /* in the PATH of env */
    host_plan(h, "echo ran");
    HOST_UNTIL(h, h->has_facts);
    CHECK_EQ(h->facts.uid, geteuid());
    CHECK_EQ(h->facts.landlock_abi, landlock_abi());
    CHECK(strstr(h->facts.kernel, "Linux ") == h->facts.kernel);
    CHECK_STR(h->facts.program, access("/usr/local/bin/sh", X_OK) == 0 ? "/usr/local/bin/sh" : "/usr/bin/sh");
    CHECK(stat("/proc/self/ns/net", &st) == 0);
    CHECK_EQ(h->facts.ns[ENTRY_NS_NET], st.st_ino);
    CHECK(stat("/proc", &st) == 0);
    CHECK(h->facts.probe_count == 2 && h->facts.probes[0].dev == st.st_dev && h->facts.probes[0].ino == st.st_ino);
    CHECK_EQ(h->facts.probes[1].error, ENOENT);
    if (h->facts.are_mounts_whole) /* else there are more here than a container has */
        CHECK(has_mount(&h->facts, "/proc", "proc") && !has_mount(&h->facts, "/nowhere", "proc"));
    else
        CHECK_EQ(h->facts.mount_count, ENTRY_MAX_MOUNTS);
    CHECK(h->facts.nofile_soft && h->facts.nofile_hard >= h->facts.nofile_soft);
    CHECK(h->facts.cap_bounding != UINT64_MAX || geteuid() == 0);
    CHECK(!host_read(h, 20) && h->bytes[0] == 0); /* not without GO */
    host_close(h);                                /* and the host thinks better of it */
    CHECK(WIFEXITED(h->status) && h->bytes[0] == 0);
}

TEST(entry_resets_signals_and_leaves_three_descriptors_and_the_report)
{
    struct host *h = host_open();
    h->plan.report_fd = 15;
    host_run(
        h, "ls /proc/self/fd | tr '\\n' ' '; grep -E 'Sig(Blk|Ign)' /proc/self/status; echo report >/proc/self/fd/15");
    CHECK(strstr(h->text[0], "0 1 15 2 3 ")); /* 3: of ls */
    CHECK(strstr(h->text[0], "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
    CHECK_STR(h->text[2], "report\n");
}

TEST(entry_tells_a_signal_that_ended_the_program)
{
    struct host *h = host_open();
    host_run(h, "kill -9 $$");
    CHECK(h->end.has_signal && h->end.signal == SIGKILL && !h->end.has_exit);
}

/* The host says nothing, and reads: its engine may have been killed. */
TEST(entry_keeps_the_deadline_itself)
{
    struct host *h = host_open();
    h->plan.timeout_ms = 100;
    h->plan.grace_ms = 200;
    host_run(h, "trap 'echo told' TERM; while :; do sleep 0.05; done");
    CHECK_STR(h->text[0], "told\n");
    CHECK(h->end.has_signal && h->end.signal == SIGKILL && h->end.is_timed_out && h->end.is_killed);
    CHECK(h->end.duration_us >= 250000);
}

TEST(entry_lets_a_program_that_heeds_its_deadline_end_as_it_likes)
{
    struct host *h = host_open();
    h->plan.timeout_ms = 100;
    h->plan.grace_ms = PATIENCE_MS;
    host_run(h, "trap 'exit 7' TERM; while :; do sleep 0.05; done");
    CHECK(h->end.has_exit && h->end.exit_code == 7 && h->end.is_timed_out && !h->end.is_killed);
}

TEST(entry_that_is_in_time_says_so)
{
    struct host *h = host_open();
    h->plan.timeout_ms = PATIENCE_MS;
    host_run(h, "exit 0");
    CHECK(h->end.has_exit && !h->end.is_timed_out);
}

/* Of the process whose number begins the text: what /proc tells of it, "" if there is none. */
static const char *stat_of(const char *number)
{
    static char line[256];
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%.*s/stat", (int)strcspn(number, "\n"), number);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    line[MAX_OF(n, (ssize_t)0)] = '\0';
    return line;
}

static void wait_stopped(const char *number)
{
    for (uint64_t until = clock_ms() + PATIENCE_MS; !strstr(stat_of(number), ") T") && clock_ms() < until;)
        (void)usleep(1000);
    CHECK(strstr(stat_of(number), ") T"));
}

TEST(entry_hands_signals_on_to_everybody_stopped_or_not)
{
    struct host *h = host_open();
    host_start(h, "trap 'echo term; exit 4' TERM; echo $$; kill -STOP $$; echo no");
    HOST_UNTIL(h, h->bytes[0] && h->text[0][h->bytes[0] - 1] == '\n');
    wait_stopped(h->text[0]);
    host_send_signal(h, SIGUSR1); /* ignored: it would end the shell */
    host_send_signal(h, SIGTERM);
    host_end(h);
    CHECK(h->end.exit_code == 4 && strstr(h->text[0], "\nterm\n") && !strstr(h->text[0], "no"));
}

TEST(entry_kills_with_a_full_output_that_nobody_reads_and_a_stdin_that_the_program_does_not_read)
{
    struct host *h = host_open();
    static char bytes[128 * 1024]; /* twice: the whole window */
    host_start(h, "exec cat /dev/zero");
    host_send(h, FRAME_STDIN, bytes, sizeof bytes);
    host_send(h, FRAME_STDIN, bytes, sizeof bytes);
    host_wait_unread(h, 60000); /* of the 65536 that the pipe holds: its pages need not all be filled */
    host_send_signal(h, SIGKILL);
    host_end(h);
    CHECK_EQ(h->end.signal, SIGKILL);
    CHECK(h->bytes[0] > 60000);
    CHECK(h->taken >= 65536 &&
          h->taken <= 2 * sizeof bytes); /* the pipe, and the rest where END had to wait for room */
}

TEST(entry_brings_a_large_stdin_through_its_window)
{
    struct host *h = host_open();
    const uint64_t all = 8 * MIB;
    static char bytes[65536];
    uint64_t sent = 0;
    host_start(h, "exec cat");
    while (sent < all) {
        HOST_UNTIL(h, sent + sizeof bytes <= h->taken + ENTRY_STDIN_WINDOW);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = pattern_byte(sent + i);
        host_send(h, FRAME_STDIN, bytes, sizeof bytes);
        sent += sizeof bytes;
    }
    host_send(h, FRAME_STDIN_END, NULL, 0);
    host_end(h);
    CHECK(h->is_intact);
    CHECK_EQ(h->bytes[0], all);
}

TEST(entry_takes_stdin_that_the_program_closed)
{
    struct host *h = host_open();
    static char bytes[100000];
    host_start(h, "exec <&-; echo closed; sleep 0.05; echo done");
    HOST_UNTIL(h, h->bytes[0] >= 7);
    for (uint64_t sent = 0; sent < 10 * sizeof bytes;) {
        host_send(h, FRAME_STDIN, bytes, sizeof bytes);
        sent += sizeof bytes;
        HOST_UNTIL(h, h->taken == sent || h->has_end);
    }
    host_end(h);
    CHECK_STR(h->text[0], "closed\ndone\n");
}

TEST(fifty_megabytes_arrive_intact_at_a_host_that_reads_in_fits)
{
    struct host *h = host_open();
    const uint64_t all = 50 * MIB;
    const char *path = scratch("large");
    static char block[65536];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    CHECK(fd >= 0);
    for (uint64_t at = 0; at < all; at += sizeof block) {
        for (size_t i = 0; i < sizeof block; i++)
            block[i] = pattern_byte(at + i);
        CHECK_EQ(write_all(fd, block, sizeof block), 0);
    }
    (void)close(fd);
    char script[128];
    (void)snprintf(script, sizeof script, "exec cat %s", path);
    host_start(h, script);
    for (int i = 0; i < 3; i++) {
        (void)usleep(10000);
        (void)host_read(h, 0);
    }
    HOST_UNTIL(h, h->has_end);
    (void)unlink(path);
    host_end(h);
    CHECK_EQ(h->bytes[0], all);
    CHECK(h->is_intact && h->end.exit_code == 0);
}

TEST(entry_sends_the_artifact_of_a_program_that_did_well)
{
    static const struct {
        const char *script;
        uint64_t bytes;
    } cases[] = { { "head -c 300000 /dev/zero >%s", 300000 },
                  { "head -c 300000 /dev/zero >%s; exit 1", 0 },
                  { "head -c 3000000 /dev/zero >%s", 0 },
                  { "ln -s /etc/passwd %s", 0 },
                  { "mkfifo %s", 0 },
                  { ": %s", 0 } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct host *h = host_open();
        char script[128];
        h->plan.artifact = scratch("artifact");
        (void)snprintf(script, sizeof script, cases[i].script, h->plan.artifact);
        host_run(h, script);
        (void)unlink(scratch("artifact"));
        CHECK_EQ(h->bytes[3], cases[i].bytes);
        CHECK_EQ(h->end.artifact_bytes, cases[i].bytes);
    }
}

static struct host *host_open_inside(void)
{
    static struct host h;
    pid_t pid = fork(); /* whether it is possible at all */
    int status = -1;
    if (pid == 0)
        _exit(unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWPID : CLONE_NEWPID) < 0);
    CHECK(waitpid(pid, &status, 0) == pid);
    if (status != 0)
        SKIP("no pid namespace for us here");
    host_open_as(&h, PLACE_INIT);
    return &h;
}

/* --- the workspace ------------------------------------------------------------------------------------------ */

static struct host *host_with_workspace(struct host *h)
{
    const char *path = scratch("workspace");
    CHECK(mkdir(path, 0777) == 0 && chmod(path, 0777) == 0); /* pid 1 is a nobody */
    h->plan.workspace = path;
    h->plan.cwd = path;
    h->plan.workspace_max = MIB;
    return h;
}

static void drop_workspace(void)
{
    char command[100];
    (void)snprintf(command, sizeof command, "/bin/rm -rf %s", scratch("workspace"));
    CHECK_EQ(system(command), 0);
}

TEST(entry_tells_the_files_that_a_program_left)
{
    struct host *h = host_with_workspace(host_open());
    host_run(h, "echo one >a; mkdir -p d/e; echo two >d/e/b; : >empty; printf 3 >\"$(printf 'x\\ny')\"; exit 3");
    drop_workspace();
    CHECK_EQ(h->end.exit_code, 3);
    CHECK_EQ(h->files, 4);
    CHECK(strstr(h->names, "\na=one\n") && strstr(h->names, "\nd/e/b=two\n") && strstr(h->names, "\nempty=") &&
          strstr(h->names, "\nx\ny=3"));
    CHECK(memcmp(&h->rest, &(struct workspace_rest){ 0 }, sizeof h->rest) == 0);
}

TEST(entry_follows_no_link_and_opens_nothing_special)
{
    struct host *h = host_with_workspace(host_open());
    host_run(h, "ln -s /etc/passwd a; ln -s / b; ln -s .. c; mkfifo d; echo own >e; ln e f; mkdir g; ln -s ../e g/h");
    drop_workspace();
    CHECK(h->files == 2 && strstr(h->names, "\ne=own\n") && strstr(h->names, "\nf=own\n"));
    CHECK_EQ(h->rest.special, 5);
}

TEST(entry_bounds_files_bytes_and_depth)
{
    struct host *h = host_with_workspace(host_open());
    host_run(h, "for i in 1 2 3 4 5 6 7 8 9 10; do mkdir d; cd d; done; cd ../../../../../../../../../..; truncate -s "
                "1G sparse; seq 300 | xargs touch");
    drop_workspace();
    CHECK_EQ(h->files, WORKSPACE_MAX_FILES);
    CHECK(h->rest.too_large == 1 && h->rest.too_many == 44 && h->rest.too_deep == 1 && h->rest.bytes == GIB &&
          !h->rest.is_cut);
}

TEST(entry_brings_a_large_file_to_a_host_that_reads_late)
{
    struct host *h = host_with_workspace(host_open());
    h->plan.workspace_max = 8 * MIB;
    host_start(h, "head -c 3000000 /dev/zero >a; head -c 6000000 /dev/zero >b; head -c 2000000 /dev/zero >c");
    host_wait_unread(h, 60000);
    host_end(h);
    drop_workspace();
    CHECK(h->files >= 1 && h->files <= 2 && h->rest.too_large == 3 - h->files); /* in whichever order they come */
}

TEST(entry_tells_the_files_of_a_program_that_is_killed)
{
    struct host *h = host_with_workspace(host_open());
    host_start(h, "echo begun >log; echo ready; exec sleep 60");
    HOST_UNTIL(h, h->bytes[0] >= 6);
    host_send_signal(h, SIGKILL);
    host_end(h);
    drop_workspace();
    CHECK(h->end.has_signal && h->files == 1 && strstr(h->names, "\nlog=begun\n"));
}

TEST(entry_ends_at_bye_while_it_tells_files)
{
    struct host *h = host_with_workspace(host_open());
    h->plan.workspace_max = 100 * MIB;
    host_start(h, "truncate -s 50M large");
    HOST_UNTIL(h, h->has_end);
    CHECK(!h->has_rest);
    host_send(h, FRAME_BYE, NULL, 0);
    host_close(h);
    drop_workspace();
    CHECK_EQ(h->status, 0);
}

static void check_nothing_to_be_read(struct host *h)
{
    CHECK(h->files == 0 && h->rest.unreadable == 1);
}

TEST(entry_tells_what_it_cannot_read)
{
    struct host *h = host_with_workspace(host_open());
    host_run(h, "rmdir $PWD");
    check_nothing_to_be_read(h);
    h = host_with_workspace(host_open());
    host_run(h, "mv $PWD $PWD-2; ln -s /etc $PWD; rmdir $PWD-2");
    drop_workspace();
    check_nothing_to_be_read(h);
    if (geteuid() == 0)
        h = host_with_workspace(host_open_inside());
    else
        h = host_with_workspace(host_open());
    host_run(h, "echo x >a; chmod 0 a; mkdir d; echo y >d/b; chmod 0 d; echo z >c");
    (void)chmod(scratch("workspace/d"), 0700);
    drop_workspace();
    CHECK(h->files == 1 && strstr(h->names, "\nc=z\n") && h->rest.unreadable == 2);
}

TEST(entry_copies_files_before_it_tells_facts_or_says_why_not)
{
    struct host *h = host_open();
    char to[64];
    struct stat st;
    (void)snprintf(to, sizeof to, "%s", scratch("copy"));
    (void)strlist_add(&h->plan.copies, "/proc/self/comm");
    (void)strlist_add(&h->plan.copies, to);
    host_plan(h, "true");
    HOST_UNTIL(h, h->has_facts);
    CHECK(stat(to, &st) == 0 && st.st_mode == (S_IFREG | 0644) && st.st_size == sizeof "sandbox-entry");
    host_close(h);
    (void)unlink(to);

    h = host_open();
    (void)strlist_add(&h->plan.copies, "/etc/passwd");
    (void)strlist_add(&h->plan.copies, "/proc/none/there");
    host_plan(h, "true");
    HOST_UNTIL(h, h->has_failed);
    CHECK_STR(h->failed.step, "COPY");
    CHECK_STR(h->failed.text, "copy /etc/passwd to /proc/none/there: No such file or directory");
    CHECK(!h->has_facts);
    host_close(h);
    CHECK_EQ(h->status, 0);
}

static void expect_failure(struct host *h, const char *program, int error, const char *text)
{
    h->plan.program = program;
    (void)strlist_add(&h->plan.argv, "x");
    host_start(h, NULL);
    HOST_UNTIL(h, h->has_failed);
    CHECK_EQ(h->failed.error, error);
    CHECK_EQ(h->failed.blame, BLAME_GUEST);
    CHECK_STR(h->failed.step, "EXEC");
    CHECK_STR(h->failed.text, text);
    host_send(h, FRAME_BYE, NULL, 0);
    host_close(h);
    CHECK_EQ(h->status, 0);
}

TEST(a_program_that_cannot_be_executed_is_told_as_the_native_backend_does)
{
    expect_failure(host_open(), "/nowhere/prog", ENOENT, "/nowhere/prog: No such file or directory");
    expect_failure(host_open(), "/etc/passwd", EACCES, "/etc/passwd: Permission denied");
    expect_failure(host_open(), "/etc", EACCES, "/etc: Permission denied");
    expect_failure(host_open(), "no-such-prog", ENOENT, "no-such-prog: not found in /nowhere:/bin:/usr/bin");
    struct host *h = host_open();
    (void)strlist_add(&h->plan.env, "PATH=/usr:relative");
    expect_failure(h, "no-such-prog", ENOENT, "no-such-prog: not found in /usr:relative");
}

TEST(entry_fences_the_program_with_landlock)
{
    struct host *h = host_open();
    char script[300];
    if (!landlock_abi())
        SKIP("this kernel has no landlock");
    const char *path = scratch("fenced");
    h->plan.needs_landlock = h->plan.deny_tcp = true;
    h->plan.access[h->plan.access_count++] = (struct plan_access){ "/usr", LANDLOCK_READ | LANDLOCK_EXEC };
    h->plan.access[h->plan.access_count++] = (struct plan_access){ "/lib", LANDLOCK_READ | LANDLOCK_EXEC };
    h->plan.access[h->plan.access_count++] = (struct plan_access){ "/lib64", LANDLOCK_READ | LANDLOCK_EXEC };
    h->plan.access[h->plan.access_count++] = (struct plan_access){ "/not/there", LANDLOCK_READ };
    h->plan.access[h->plan.access_count++] = (struct plan_access){ ACCESS_PROGRAM, LANDLOCK_READ | LANDLOCK_EXEC };
    (void)snprintf(script, sizeof script,
                   "cat /usr/bin/env >&2; cat /etc/passwd; echo >%s; echo $?; kill -0 $PPID; echo $?", path);
    host_run(h, script);
    CHECK_EQ(access(path, F_OK), -1);
    CHECK(h->bytes[1] > 1000); /* /usr may be read */
    CHECK_STR(h->text[0], landlock_abi() >= 6
                              ? "2\n1\n"
                              : "2\n0\n"); /* nothing of /etc, nothing written; from ABI 6 on not even a signal to us */
}

/* --- hosts that are none ------------------------------------------------------------------------------------- */

/* Sends bytes, and says the end of the program: 125, and its last word or not. */
static void expect_end(struct host *h, const void *data, size_t size, bool has_word)
{
    char word[400] = "";
    (void)signal(SIGPIPE, SIG_IGN); /* it may be gone before all is written */
    (void)write_all(h->to, data, size);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)close(h->to);
    h->to = -1;
    ssize_t n = read(h->err, word, sizeof word - 1);
    CHECK_EQ(n > 0, has_word);
    CHECK(!has_word || (str_starts(word, "sandbox-entry: ") && word[n - 1] == '\n'));
    host_close(h);
    CHECK_EQ(h->status, 125 << 8);
}

TEST(entry_says_what_it_is_to_somebody_who_starts_it_by_hand)
{
    static const uint64_t huge = UINT64_MAX;
    expect_end(host_open(), "", 0, true);
    expect_end(host_open(), "help\nquit\n", 10, true);
    expect_end(host_open(), &huge, sizeof huge, true);
}

TEST(entry_ends_at_frames_that_are_out_of_order_or_malformed)
{
    static const char big[200000];
    static const struct {
        uint32_t type, size, state; /* state: 0 no plan, 1 planned, 2 running */
    } cases[] = { { FRAME_GO, 0, 0 }, { FRAME_PLAN, 8, 0 },          { FRAME_GO, 1, 1 },        { FRAME_STDIN, 1, 1 },
                  { FRAME_GO, 0, 2 }, { FRAME_SIGNAL, 4, 2 },        { FRAME_STDIN_END, 3, 2 }, { FRAME_FACTS, 0, 2 },
                  { 99, 0, 2 },       { FRAME_STDIN, sizeof big, 2 } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct host *h = host_open();
        struct buf b;
        if (cases[i].state == 1)
            host_plan(h, "exec sleep 60");
        if (cases[i].state == 2)
            host_start(h, "exec sleep 60");
        buf_init(&b, sizeof big + 8);
        frame_put(&b, (enum frame_type)cases[i].type, big, cases[i].size);
        expect_end(h, b.data, b.size, true);
        buf_done(&b);
    }
}

TEST(stdin_beyond_its_window_ends_the_run)
{
    struct host *h = host_open();
    static char bytes[128 * 1024];
    struct buf b;
    host_start(h, "exec sleep 60");
    buf_init(&b, sizeof bytes + 8);
    frame_put(&b, FRAME_STDIN, bytes, sizeof bytes);
    (void)signal(SIGPIPE, SIG_IGN); /* it may be gone before all is written */
    for (int i = 0; i < 4; i++)     /* 64 KiB are in the pipe */
        (void)write_all(h->to, b.data, b.size);
    (void)signal(SIGPIPE, SIG_DFL);
    buf_done(&b);
    host_close(h);
    CHECK_EQ(h->status, 125 << 8);
}

TEST(a_host_that_dies_takes_the_program_with_it)
{
    struct host *h = host_open();
    host_start(h, "echo $$; exec sleep 600");
    HOST_UNTIL(h, h->bytes[0] && h->text[0][h->bytes[0] - 1] == '\n');
    host_close(h);
    CHECK_EQ(h->status, 125 << 8);
    const char *now = stat_of(h->text[0]);
    /* dead, even if whoever inherited it has not taken it yet */
    for (uint64_t until = clock_ms() + PATIENCE_MS; now[0] && !strstr(now, ") Z") && clock_ms() < until;
         now = stat_of(h->text[0]))
        (void)usleep(1000);
    CHECK(!now[0] || strstr(now, ") Z"));
}

/* --- pid 1 --------------------------------------------------------------------------------------------------- */

/* A descendant in another session, and one that ignores everything, and a pipe end that one of them holds. */
TEST(as_pid_1_it_ends_everybody_when_the_program_ends)
{
    struct host *h = host_open_inside();
    host_run(
        h, "setsid sh -c 'trap \"\" TERM HUP; sleep 600 & sleep 600' & (sleep 600 &) ; sleep 0.05; echo $PPID; exit 5");
    CHECK_STR(h->text[0], "1\n");
    CHECK_EQ(h->facts.pid, 1);
    CHECK_EQ(h->end.exit_code, 5);
    CHECK(h->end.duration_us < PATIENCE_MS * UINT64_C(1000));
}

TEST(as_pid_1_it_outlives_a_fork_bomb_and_a_hostile_program)
{
    struct host *h = host_open_inside();
    host_start(h, "kill -9 -1; kill -9 1; kill -STOP 1; kill -TERM 1; kill -CHLD 1; kill -SEGV 1; echo alive;"
                  "i=0; while [ $i -lt 60 ]; do setsid sh -c 'while :; do (:); kill -CHLD 1; done' & i=$((i+1)); done; "
                  "kill -STOP $$");
    HOST_UNTIL(h, h->bytes[0] >= 6);
    (void)usleep(30000);
    host_send_signal(h, SIGKILL);
    host_end(h);
    CHECK_STR(h->text[0], "alive\n");
    CHECK_EQ(h->end.signal, SIGKILL);
}

/* Its /proc is the outer namespace's, so that entry is found by its name. */
TEST(the_program_cannot_look_into_entry)
{
    struct host *h = host_open_inside();
    host_run(h, "for p in /proc/[0-9]*; do [ \"$(cat $p/comm 2>/dev/null)\" = sandbox-entry ] || continue; kill -0 1 "
                "&& echo kin;"
                "ls $p/fd/ 2>/dev/null; cat $p/environ 2>/dev/null; (: >$p/oom_score_adj) 2>/dev/null && echo written;"
                "(: >$p/mem) 2>/dev/null && echo written; done | sort -u");
    CHECK_STR(h->text[0], "kin\n");
}

/* prlimit(2) on us is allowed to it, so nothing that we still need is asked for then. */
TEST(limits_that_the_program_puts_on_entry_change_nothing)
{
    struct host *h = host_open_inside();
    static char bytes[65536];
    host_start(h, "prlimit --pid 1 --nofile=0:0 --data=0:0 --stack=0:0 --as=0:0 --fsize=0:0 --nproc=0:0 && echo "
                  "limited; cat; head -c 1000000 /dev/zero; exit 9");
    host_send(h, FRAME_STDIN, bytes, sizeof bytes);
    host_send(h, FRAME_STDIN_END, NULL, 0);
    host_end(h);
    CHECK_EQ(h->end.exit_code, 9);
    CHECK_EQ(h->bytes[0], 8 + 65536 + 1000000);
}

TEST(a_program_that_takes_descriptors_from_entry_has_its_files_told_as_unreadable)
{
    struct host *h = host_with_workspace(host_open_inside());
    host_run(h, "echo x >a; prlimit --pid 1 --nofile=0:0 --data=0:0 --stack=0:0 --as=0:0 --fsize=0:0 --nproc=0:0 && "
                "echo limited");
    drop_workspace();
    CHECK_STR(h->text[0], "limited\n");
    check_nothing_to_be_read(h);
}

/* --- what the program's filter asks -------------------------------------------------------------------------- */

static struct sock_filter asking[BPF_MAXINSNS], verdicts[BPF_MAXINSNS];

/* As the profiles' filters, but that it may set limits of others, as a profile's file could permit. */
static struct host *host_with_filter(struct host *h, uint32_t watch)
{
    static struct filter_spec spec;
    const struct filter_options opt = { .refuse_setuid_bits = true, .uid = getuid(), .gid = getgid() };
    struct error err = { 0 };
    size_t n, m;
    CHECK_EQ(filter_builtin(FILTER_DEFAULT, &opt, &spec), 0);
    filter_set(&spec, NR_prlimit64, SECCOMP_RET_ALLOW);
    CHECK_EQ(filter_compile(&spec, verdicts, BPF_MAXINSNS, &m, &err), 0);
    CHECK_EQ(filter_watch(&spec, watch), 0);
    CHECK_EQ(filter_compile(&spec, asking, BPF_MAXINSNS, &n, &err), 0);
    h->plan.filter = (struct bytes){ asking, (uint32_t)(n * sizeof asking[0]) };
    h->plan.verdicts = (struct bytes){ verdicts, (uint32_t)(m * sizeof verdicts[0]) };
    h->plan.watch = watch;
    return h;
}

static struct host *host_watching(void)
{
    return host_with_filter(host_open_inside(), NOTIFY_CALLS | NOTIFY_EXEC | NOTIFY_STDIO);
}

TEST(entry_answers_and_tells_what_the_filter_asks)
{
    struct host *h = host_watching();
    host_run(h, "unshare -U true || echo refused; /bin/echo hello; exit 4");
    CHECK_EQ(h->facts.watch_error, 0);
    CHECK_EQ(h->facts.open_calls, 0);
    CHECK_STR(h->text[0], "refused\nhello\n");
    CHECK_EQ(h->end.exit_code, 4);
    CHECK_EQ(h->unshared, 1);
    CHECK(str_starts(h->programs, "/bin/sh;") && strstr(h->programs, "unshare;") && strstr(h->programs, "/bin/echo;"));
}

TEST(a_filter_that_does_not_ask_is_no_obstacle)
{
    struct host *h = host_with_filter(host_open_inside(), 0);
    host_run(h, "unshare -U true || echo refused");
    CHECK_EQ(h->facts.watch_error, 0);
    CHECK_STR(h->text[0], "refused\n");
    CHECK_EQ(h->unshared + h->executed, 0);
}

TEST(another_filter_that_hides_calls_is_told_before_anything_runs)
{
    static struct host h;
    host_open_with(&h, PLACE_INIT, (uint32_t)NR_bpf);
    host_plan(host_with_filter(&h, NOTIFY_CALLS), "true");
    HOST_UNTIL(&h, h.has_facts);
    CHECK_EQ(h.facts.watch_error, EACCES);
    host_close(&h);
}

TEST(a_listener_that_cannot_be_had_is_told_before_anything_runs)
{
    static struct host h;
    host_open_with(&h, PLACE_INIT, (uint32_t)NR_seccomp);
    host_plan(host_with_filter(&h, NOTIFY_CALLS), "true");
    HOST_UNTIL(&h, h.has_facts);
    CHECK_EQ(h.facts.watch_error, EPERM);
    host_close(&h);
}

TEST(a_program_that_asks_and_cannot_be_executed_is_told_as_any_other)
{
    struct host *h = host_watching();
    h->plan.program = "/etc/passwd";
    host_start(h, "true");
    HOST_UNTIL(h, h->has_failed);
    CHECK_EQ(h->failed.error, EACCES);
    CHECK_EQ(h->failed.blame, BLAME_GUEST);
    CHECK_STR(h->failed.step, "EXEC");
    host_close(h);
}

TEST(limits_that_the_program_puts_on_entry_hide_no_call)
{
    struct host *h = host_watching();
    host_run(h, "prlimit --pid 1 --nofile=0:0 --data=0:0 --stack=0:0 --as=0:0 --fsize=0:0 --nproc=0:0 && echo limited;"
                "unshare -U true; exit 9");
    CHECK_STR(h->text[0], "limited\n");
    CHECK_EQ(h->end.exit_code, 9);
    CHECK_EQ(h->unshared, 1);
}

/* The program waits at its questions, and each is told. */
TEST(a_host_that_reads_late_misses_no_event)
{
    struct host *h = host_watching();
    host_start(h, "i=0; while [ $i -lt 800 ]; do unshare -U true 2>/dev/null; i=$((i+1)); done");
    host_wait_unread(h, 32768); /* pages of a pipe are not filled to their end */
    host_end(h);
    CHECK_EQ(h->unshared, 800);
    CHECK_EQ(h->executed, 801);
}

TEST(a_program_that_waits_at_a_question_is_killed)
{
    struct host *h = host_watching();
    host_start(h, "while :; do unshare -U true 2>/dev/null; done");
    host_wait_unread(h, 32768); /* pages of a pipe are not filled to their end */
    host_send_signal(h, SIGKILL);
    host_end(h);
    CHECK_EQ(h->end.signal, SIGKILL);
}

/* --- execution.max_processes --------------------------------------------------------------------------------- */

#define NO_PROC "a /proc of its own cannot be mounted here"

/* Runs the script by `shell` -c with at most four processes. False: it could not be tried here. */
static bool host_run_counted(struct host *h, const char *shell, const char *script)
{
    host_open_as(h, PLACE_INIT_WITH_PROC);
    (void)host_with_filter(h, NOTIFY_FORKS);
    h->plan.max_processes = 4;
    h->plan.program = shell;
    host_start(h, script);
    HOST_UNTIL(h, h->has_end || h->has_failed);
    if (h->has_failed) {
        CHECK_EQ(h->failed.error, EXDEV);
        host_close(h);
        return false;
    }
    host_end(h);
    return true;
}

TEST(max_processes_counts_what_runs_at_the_same_time)
{
    static struct host h;
    if (!host_run_counted(&h, "/bin/sh", "for i in 1 2 3; do sleep 600 & done; echo three; sleep 600 & echo four"))
        SKIP(NO_PROC);
    CHECK_STR(h.text[0], "three\n");
    CHECK_EQ(h.forks.granted, 3);
    CHECK(h.forks.refused > 0 && h.forks.askers == 1);
}

TEST(max_processes_is_in_no_way_of_one_after_the_other)
{
    static struct host h;
    if (!host_run_counted(&h, "/bin/sh", "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done; echo $i"))
        SKIP(NO_PROC);
    CHECK_STR(h.text[0], "100\n");
    CHECK_EQ(h.forks.refused, 0);
    CHECK_EQ(h.forks.granted, 100);
}

/* As natively, where a control group counts: a process that has ended takes no place though no process waits for it. */
TEST(max_processes_counts_no_dead)
{
    static struct host h;
    if (!host_run_counted(&h, "/usr/bin/python3",
                          "import os\n"
                          "for i in range(12):\n"
                          "    pid = os.fork() or os._exit(0)\n"
                          "    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)\n"
                          "print('all')\n"))
        SKIP(NO_PROC);
    CHECK_STR(h.text[0], "all\n");
    CHECK_EQ(h.forks.refused, 0);
}

/* prlimit(2) on entry is allowed to it: the count goes on. */
TEST(limits_that_the_program_puts_on_entry_make_no_place)
{
    static struct host h;
    if (!host_run_counted(&h, "/bin/sh",
                          "prlimit --pid 1 --nofile=0:0 --data=0:0 --stack=0:0 --as=0:0 --fsize=0:0 --nproc=0:0 && "
                          "for i in 1 2 3; do sleep 600 & done; echo three; sleep 600 & echo four"))
        SKIP(NO_PROC);
    CHECK_STR(h.text[0], "three\n");
}

TEST(processes_are_not_counted_in_the_proc_of_another_namespace)
{
    static struct host h;
    host_open_as(&h, PLACE_INIT);
    (void)host_with_filter(&h, NOTIFY_FORKS);
    h.plan.max_processes = 4;
    host_start(&h, "true");
    HOST_UNTIL(&h, h.has_failed);
    CHECK_EQ(h.failed.error, EXDEV);
    host_close(&h);
}
