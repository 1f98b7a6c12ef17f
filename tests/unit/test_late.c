/* A store that is away: ends that are kept for it, what is on the disk and what is not; and answers that were lost. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/syscall.h>

#include "daemon/executions.h"
#include "daemon/late.h"
#include "daemon/runner.h"
#include "daemon/runner_row.h"
#include "daemon/service.h"
#include "store/ops.h"
#include "test.h"

struct world {
    char dir[32], late[40];
    struct service *service;
    struct store store;
    struct store_ops ops;
};

static int no_owner(void *self, const char *id, struct execution_owner *ret, struct error *err)
{
    (void)self, (void)id, (void)ret, (void)err;
    return 0;
}

static void world_init(struct world *w)
{
    struct error err = { 0 };
    *w = (struct world){ .dir = "/tmp/test-late-XXXXXX", .ops = { .execution_owner = no_owner } };
    CHECK(mkdtemp(w->dir));
    (void)snprintf(w->late, sizeof w->late, "%s/late", w->dir);
    w->service = calloc(1, sizeof *w->service);
    w->store.ops = &w->ops;
    w->service->store = &w->store;
    w->service->places.state_dir = w->dir;
    CHECK_EQ(late_open(w->service, &w->service->late, &err), 0);
}

static void world_done(struct world *w)
{
    DIR *d = opendir(w->late);
    for (const struct dirent *at; d && (at = readdir(d)) != NULL;)
        (void)unlinkat(dirfd(d), at->d_name, 0);
    (void)closedir(d);
    w->service->late = late_free(w->service->late);
    arena_done(&w->service->arena);
    CHECK(rmdir(w->late) == 0 && rmdir(w->dir) == 0);
    free(w->service);
}

static unsigned files(const struct world *w, const char *end)
{
    unsigned n = 0;
    DIR *d = opendir(w->late);
    for (const struct dirent *at; d && (at = readdir(d)) != NULL;)
        n += at->d_name[0] != '.' && strstr(at->d_name, end);
    (void)closedir(d);
    return n;
}

static int keep(struct world *w, const char *id)
{
    struct error err = { 0 };
    return late_keep_settle(w->service->late, &(struct settle){ .execution_id = id, .now_ms = 1 }, &err);
}

/* From here on no fsync() of this descriptor succeeds. */
static void break_fsync(int fd)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { ARRAY_LEN(code), code };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static int directory_of(const struct world *w)
{
    struct stat of_dir, st;
    CHECK_EQ(stat(w->late, &of_dir), 0);
    for (int fd = 3; fd < 256; fd++)
        if (fstat(fd, &st) == 0 && st.st_ino == of_dir.st_ino && st.st_dev == of_dir.st_dev)
            return fd;
    return -1;
}

TEST(an_end_whose_directory_did_not_reach_the_disk_is_not_kept)
{
    struct world w;
    world_init(&w);
    CHECK_EQ(keep(&w, "e1"), 0);
    CHECK_EQ(files(&w, "e1.settle"), 1);
    const int dir = directory_of(&w);
    CHECK(dir >= 0);
    int status;
    const pid_t pid = fork(); /* a filter is for ever */
    if (pid == 0) {
        break_fsync(dir);
        _exit(keep(&w, "e2") == -EIO ? 0 : 1);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    CHECK_EQ(files(&w, "e2"), 0);
    CHECK_EQ(files(&w, ""), 1);
    world_done(&w);
}

static void put_damaged(const struct world *w, unsigned i, off_t size)
{
    char path[80];
    (void)snprintf(path, sizeof path, "%s/d%u.settle", w->late, i);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, size) == 0 && close(fd) == 0);
}

TEST(damaged_ends_are_put_aside_and_no_more_of_them_than_a_bound)
{
    struct world w;
    struct error err = { 0 };
    world_init(&w);
    for (unsigned i = 0; i < 12; i++)
        put_damaged(&w, i, 8 * MIB);
    CHECK_EQ(keep(&w, "e1"), 0); /* something is there */
    (void)unlinkat(directory_of(&w), "e1.settle", 0);
    CHECK_EQ(late_bring(w.service, &err), 0);
    CHECK_EQ(files(&w, ".bad"), 8);
    CHECK_EQ(files(&w, ""), 8);
    world_done(&w);
}

/* --- an answer that was lost ----------------------------------------------------------------------------------------
 */

static int deferred;

static int any_node(void *self, int level, struct execution_owner *ret, struct error *err)
{
    (void)self, (void)level, (void)ret, (void)err;
    return 1;
}

static int defer(void *self, const char *id, int level, struct error *err)
{
    (void)self, (void)id, (void)level;
    return deferred < 0 ? err_set(err, deferred, BLAME_HOST, "STORE", "test") : deferred;
}

TEST(an_execution_whose_putting_back_was_not_answered_may_be_another_node_s)
{
    static const struct {
        int answer;
        bool is_left;
    } cases[] = { { 1, true }, { 0, false }, { -EHOSTDOWN, true }, { -EBUSY, true }, { -EACCES, false } };
    struct store_ops ops = { .execution_owner = no_owner, .node_of_level = any_node, .request_defer = defer };
    struct store store = { .ops = &ops };
    struct execution execution = { .id = "e1" };
    struct service *v = calloc(1, sizeof *v);
    struct runner *r = calloc(1, sizeof *r);
    v->store = &store;
    r->service = v;
    r->execution = &execution;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        deferred = cases[i].answer;
        CHECK_EQ(row_defer(r, 2), cases[i].is_left);
    }
    free(r);
    free(v);
}
