/* What lies in a state directory: daemon/snapshots.h. What a session has to do with it:
 * tests/integration/service/test_snapshots.py.
 */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/io.h"
#include "daemon/snapshot_cut.h"
#include "daemon/snapshots.h"

#define KEY "key-1"

static char place[64];
static const char zeros[MIB];

static struct snapshots *begin(void)
{
    (void)snprintf(place, sizeof place, "/tmp/snapshots-XXXXXX");
    CHECK(mkdtemp(place));
    return snapshots_new(place);
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
