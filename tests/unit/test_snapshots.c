/* What lies in a state directory: daemon/snapshots.h. What a session has to do with it:
 * tests/integration/service/test_snapshots.py.
 */
#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/io.h"
#include "daemon/snapshot_cut.h"
#include "daemon/snapshots.h"

#define KEY "key-1"

static char place[64];
static const char zeros[MIB];
static unsigned warnings;

static void warn(void *context, const char *text)
{
    (void)context;
    CHECK(strstr(text, "snap-"));
    warnings++;
}

static struct snapshots *begin(void)
{
    (void)snprintf(place, sizeof place, "/tmp/snapshots-XXXXXX");
    CHECK(mkdtemp(place));
    warnings = 0;
    return snapshots_new(place, warn, NULL);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st, (void)type, (void)f;
    return remove(path);
}

static void end(struct snapshots *l)
{
    (void)snapshots_free(l);
    CHECK_EQ(nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* Of this many bytes, all alike. */
static int keep(struct snapshots *l, size_t size, uint64_t max_bytes, struct snapshot *ret, struct error *err)
{
    const struct snapshot head = { .key_id = KEY, .agent_id = "a", .session_id = "s" };
    struct snapshot_writer *w = NULL;
    *err = (struct error){ 0 };
    int e = snapshot_begin(l, &head, max_bytes, &w, err);
    for (size_t n; e == 0 && size; size -= n)
        e = snapshot_write(w, zeros, n = MIN_OF(size, sizeof zeros), err);
    if (e == 0)
        e = snapshot_finish(w, ret, err);
    (void)snapshot_abort(w);
    return e;
}

TEST(the_manifest_counts_for_the_keys_limit)
{
    struct snapshots *l = begin();
    struct snapshot one, two;
    struct error err;
    const uint64_t lines = 64 * MIB / CHUNK_MAX * 65;
    CHECK_EQ(keep(l, 64 * MIB, CHUNK_MAX + lines, &one, &err), -EDQUOT); /* its chunk alone has room */
    CHECK(err.blame == BLAME_POLICY);
    const uint64_t limit = CHUNK_MAX + 2 * (lines + KIB) + KIB;
    CHECK_EQ(keep(l, 64 * MIB, limit, &one, &err), 0);
    CHECK_EQ(keep(l, 64 * MIB, limit, &two, &err), 0);
    CHECK_EQ(two.stored_bytes, 0);
    CHECK_EQ(keep(l, 64 * MIB, limit, &two, &err), -EDQUOT); /* the first two are counted when they are found again */
    end(l);
}

/* From now on no directory can be read. */
static bool refuse_to_list(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getdents64, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { ARRAY_LEN(code), code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void count(void *context, const struct snapshot *s)
{
    (void)s;
    ++*(unsigned *)context;
}

TEST(a_directory_that_cannot_be_read_is_an_error_and_not_an_empty_one)
{
    if (getenv("SANDBOX_TEST_EMULATED"))
        SKIP("the emulator has no seccomp");
    struct snapshots *l = begin();
    struct snapshot s;
    struct error err;
    unsigned found = 0;
    int status = -1;
    CHECK_EQ(keep(l, MIB, MIB, &s, &err), 0);
    const pid_t child = fork();
    if (child == 0) /* nor is it a place where nothing is yet: its limits would be none */
        _exit(!refuse_to_list()                                     ? 1
              : snapshots_each(l, KEY, count, &found, &err) != -EIO ? 2
              : keep(l, MIB, MIB, &s, &err) != -EIO                 ? 3
                                                                    : 0);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    CHECK_EQ(snapshots_each(l, KEY, count, &found, &err), 0);
    CHECK_EQ(found, 1);
    end(l);
}

static int cut_short(const char *path, const struct stat *st, int type, struct FTW *f)
{
    return type == FTW_F && f->level == 4 && st->st_size ? truncate(path, 1) : 0;
}

/* -> bytes that could be read, or -errno */
static int64_t read_back(struct snapshots *l, const char *id)
{
    struct snapshot_reader *r = NULL;
    struct snapshot s;
    struct error err = { 0 };
    const void *data;
    size_t size = 1;
    int64_t total = 0;
    int e = snapshot_open(l, KEY, id, &s, &r, &err);
    while (e == 0 && size && (e = snapshot_read(r, &data, &size, &err)) == 0)
        total += (int64_t)size;
    if (r)
        (void)snapshot_close(r);
    return e < 0 ? e : total;
}

TEST(a_chunk_that_was_cut_short_is_written_anew)
{
    struct snapshots *l = begin();
    struct snapshot one, two;
    struct error err;
    CHECK_EQ(keep(l, MIB, MIB, &one, &err), 0);
    CHECK_EQ(read_back(l, one.id), MIB);
    CHECK_EQ(nftw(place, cut_short, 8, FTW_PHYS), 0); /* snapshots/OWNER/chunks/HASH */
    CHECK_EQ(read_back(l, one.id), -EBADMSG);
    CHECK_EQ(keep(l, MIB, MIB, &two, &err), 0);
    CHECK_EQ(read_back(l, two.id), MIB);
    CHECK_EQ(read_back(l, one.id), MIB);
    end(l);
}

static unsigned files, found_damaged;

static int count_file(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)path, (void)st, (void)f;
    files += type == FTW_F;
    return 0;
}

/* Below the home: one of the manifests, of which `text` is all that is left. */
static const char *damaged_id, *damage;
static int damage_it(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    if (type != FTW_F || !str_eq(path + f->base, damaged_id))
        return 0;
    cleanup(closep) int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return fd < 0 || write_all(fd, damage, strlen(damage)) < 0;
}

static void see(void *context, const struct snapshot *s)
{
    const char *id = context;
    if (s->is_damaged) {
        found_damaged++;
        CHECK_STR(s->id, id);
        CHECK_STR(s->key_id, KEY);
    }
}

TEST(a_damaged_snapshot_is_listed_keeps_what_there_is_and_can_be_removed)
{
    static const char *const damages[] = { "", "{", "no end of a line", "{}\n", "{\"risk_level\":\"none\"}\n" };
    for (size_t i = 0; i < 2 * ARRAY_LEN(damages); i++) {
        struct snapshots *l = begin();
        struct snapshot one, two, removed;
        struct error err;
        CHECK_EQ(keep(l, MIB, MIB, &one, &err), 0);
        CHECK_EQ(keep(l, MIB + 1, MIB, &two, &err), 0);
        damaged_id = one.id, damage = damages[i / 2], found_damaged = 0;
        CHECK_EQ(nftw(place, damage_it, 8, FTW_PHYS), 0);
        CHECK_EQ(snapshots_each(l, KEY, see, one.id, &err), 0);
        CHECK_EQ(found_damaged, 1);
        CHECK_EQ(warnings, 0);
        CHECK_EQ(read_back(l, one.id), -EBADMSG);
        CHECK_EQ(read_back(l, two.id), MIB + 1);
        CHECK(warnings > 0);
        CHECK_EQ(snapshot_remove(l, "key-2", one.id, &removed, &err), -ENOENT);
        CHECK_EQ(snapshot_remove(l, i % 2 ? KEY : NULL, one.id, &removed, &err), 0);
        CHECK_STR(removed.id, one.id);
        CHECK(removed.is_damaged);
        warnings = 0;
        CHECK_EQ(snapshot_remove(l, KEY, two.id, &removed, &err), 0);
        CHECK(!removed.is_damaged && removed.bytes == MIB + 1 && warnings == 0);
        files = 0;
        CHECK_EQ(nftw(place, count_file, 8, FTW_PHYS), 0);
        CHECK_EQ(files, 0);
        end(l);
    }
}

static char removed[200];

static void note_gone(void *context, const struct snapshot *s)
{
    (void)context;
    const size_t at = strlen(removed);
    (void)snprintf(removed + at, sizeof removed - at, "%s", s->id);
}

TEST(snapshots_go_by_age_and_by_size_the_oldest_first)
{
    struct snapshots *l = begin();
    struct snapshot made[3];
    struct error err = { 0 };
    struct snapshot_bounds b = { 0 };
    char expected[100];
    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        CHECK_EQ(keep(l, MIB / 2 + i, UINT64_MAX, &made[i], &err), 0);
        (void)usleep(3000); /* their times have milliseconds */
    }
    removed[0] = '\0';
    CHECK_EQ(snapshots_sweep(l, &b, made[2].created_ms + 1000000, note_gone, NULL, &err), 0);
    CHECK_STR(removed, ""); /* no bound, nothing goes */
    b.max_age_ms = 1000;
    CHECK_EQ(snapshots_sweep(l, &b, made[0].created_ms + 1001, note_gone, NULL, &err), 0);
    CHECK_STR(removed, made[0].id);
    const uint64_t all = snapshots_bytes(l);
    b = (struct snapshot_bounds){ .max_bytes = all };
    CHECK_EQ(snapshots_sweep(l, &b, made[2].created_ms, note_gone, NULL, &err), 0);
    CHECK_STR(removed, made[0].id);
    b.max_bytes = all - 1;
    CHECK_EQ(snapshots_sweep(l, &b, made[2].created_ms, note_gone, NULL, &err), 0);
    (void)snprintf(expected, sizeof expected, "%s%s", made[0].id, made[1].id);
    CHECK_STR(removed, expected);
    CHECK(snapshots_bytes(l) < all && snapshots_bytes(l) > 0);
    struct snapshot_reader *r = NULL;
    struct snapshot found;
    CHECK_EQ(snapshot_open(l, KEY, made[2].id, &found, &r, &err), 0);
    (void)snapshot_close(r);
    end(l);
}

/* As where the service has no descriptor left just then. */
TEST(a_snapshot_that_cannot_be_opened_is_not_taken_for_an_old_one)
{
    struct snapshots *l = begin();
    struct snapshot made;
    struct error err = { 0 };
    const struct snapshot_bounds b = { .max_age_ms = 1000, .max_bytes = 1 };
    glob_t g;
    char pattern[200];
    CHECK_EQ(keep(l, 1, UINT64_MAX, &made, &err), 0);
    (void)snprintf(pattern, sizeof pattern, "%s/*/*/%s", place, made.id);
    CHECK(glob(pattern, 0, NULL, &g) == 0 && g.gl_pathc == 1);
    CHECK(unlink(g.gl_pathv[0]) == 0 && symlink("elsewhere", g.gl_pathv[0]) == 0);
    removed[0] = '\0';
    CHECK_EQ(snapshots_sweep(l, &b, made.created_ms + 1000000, note_gone, NULL, &err), 0);
    CHECK_STR(removed, "");
    globfree(&g);
    end(l);
}
