/* Whatever archive a client sends, in whatever pieces: nothing is made outside the directory, nothing half-made stays,
 * limits hold, and what was unpacked can be packed again and comes back. The first byte says how large the pieces are.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "files/tar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES   (256 * KIB)
#define MAX_ENTRIES 64u

static bool check_entry(void *ctx, const struct wfile_entry *e)
{
    uint64_t *bytes = ctx;
    assert(!strstr(e->name, WFILE_TEMPORARY));
    assert(e->stat.kind == WFILE_REGULAR || e->stat.kind == WFILE_DIRECTORY || e->stat.kind == WFILE_LINK);
    *bytes += e->stat.size;
    return true;
}

static int unpack(int root, const uint8_t *data, size_t size, size_t piece)
{
    const struct tar_in_limits limits = { .max_bytes = MAX_BYTES, .max_entries = MAX_ENTRIES };
    struct tar_in *t = NULL;
    assert(tar_in_begin(root, "in", &limits, &t) == 0);
    for (size_t at = 0, n; at < size; at += n) {
        n = MIN_OF(piece, size - at);
        if (tar_in_feed(t, data + at, n) < 0)
            break;
    }
    int e = tar_in_end(t);
    assert(tar_in_entries(t) <= MAX_ENTRIES && tar_words(e));
    (void)tar_in_free(t);
    return e;
}

/* Names that an archive was unpacked under can be packed: 0, or the bytes of hard links are too many. */
static void pack(int root)
{
    struct tar_out *t = NULL;
    char bytes[1000];
    ssize_t n;
    assert(tar_out_begin(root, "in", MAX_ENTRIES * MAX_BYTES, &t) == 0);
    while ((n = tar_out_read(t, bytes, sizeof bytes)) > 0)
        continue;
    assert(n == 0 || n == -ENAMETOOLONG);
    (void)tar_out_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char place[] = "/dev/shm/fuzz-tar-XXXXXX";
    uint64_t bytes = 0;
    bool is_cut;
    if (size < 1 || !mkdtemp(place))
        return 0;
    int beside = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert(beside >= 0 && mkdirat(beside, "root", 0700) == 0);
    int root = openat(beside, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    (void)unpack(root, data + 1, size - 1, 1 + (size_t)data[0] * 8);
    assert(wfile_list(root, ".", WFILE_MAX_DEPTH, 0, check_entry, &bytes, &is_cut) == 0);
    assert(bytes <= MAX_ENTRIES * MAX_BYTES);
    pack(root);
    assert(wfile_remove(beside, "root") == 0);
    bytes = 0;
    assert(wfile_list(beside, ".", 1, 1, check_entry, &bytes, &is_cut) == 0 && !is_cut);
    (void)close(root);
    (void)close(beside);
    assert(rmdir(place) == 0);
    return 0;
}
