/* What a container left in /workspace, on its way: what sandbox-engine takes of sandbox-entry's words, and what the
 * client takes of sandbox-engine's bundle. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include "base/message.h"
#include "engine/collected.h"
#include "entry/frame.h"
#include "run/workspace.h"

/* --- what was handed out --------------------------------------------------------------------------- */

static struct {
    uint32_t count;
    char text[4096]; /* name=first 8 bytes; */
} seen;

static bool see(void *ctx, const char *name, const void *data, uint64_t size)
{
    size_t n = strlen(seen.text);
    (void)ctx;
    seen.count++;
    (void)snprintf(seen.text + n, sizeof seen.text - n, "%s=%.*s;", name, (int)MIN_OF(size, (uint64_t)8),
                   (const char *)data);
    return true;
}

static struct workspace_rest rest;

static int read_bytes(const struct buf *b, uint64_t max_bytes)
{
    seen.count = 0;
    seen.text[0] = '\0';
    rest = (struct workspace_rest){ .special = 77 };
    char *exact = malloc(b->size + 1); /* so that a sanitizer sees the first byte too many */
    CHECK(exact);
    memcpy(exact + 1, b->data, b->size); /* and odd */
    int r = bundle_read(exact + 1, b->size, max_bytes, see, NULL, &rest);
    free(exact);
    return r;
}

/* --- bundles by hand --------------------------------------------------------------------------------- */

static void put(struct buf *b, uint32_t kind, const char *path, uint32_t path_size, const void *data, uint64_t size,
                uint64_t said)
{
    struct bundle_head head = { .kind = kind, .path_size = path_size, .size = said };
    (void)buf_add(b, &head, sizeof head);
    (void)buf_add(b, path, strlen(path));
    (void)buf_add(b, data, size);
}

static void put_file(struct buf *b, const char *path, const char *data)
{
    put(b, BUNDLE_FILE, path, (uint32_t)strlen(path), data, strlen(data), strlen(data));
}

static void put_rest(struct buf *b, struct workspace_rest r)
{
    struct buf packed;
    buf_init(&packed, 256);
    pack_fields(&packed, workspace_rest_fields, workspace_rest_field_count, &r);
    put(b, BUNDLE_REST, "", 0, packed.data, packed.size, packed.size);
    buf_done(&packed);
}

static struct buf bundle_like(void)
{
    struct buf b;
    buf_init(&b, MIB);
    put_file(&b, "a", "one");
    put_file(&b, "d/..e", "");
    put_rest(&b, (struct workspace_rest){ .special = 3, .is_cut = true });
    return b;
}

TEST(bundles_hand_out_files_and_what_is_not_in_them)
{
    struct buf b = bundle_like();
    CHECK_EQ(read_bytes(&b, 3), 0);
    CHECK_STR(seen.text, "a=one;d/..e=;");
    CHECK(rest.special == 3 && rest.is_cut && !rest.is_late);
    buf_done(&b);
}

TEST(bundles_that_are_cut_anywhere_or_go_on_are_none)
{
    struct buf b = bundle_like();
    size_t whole = b.size;
    for (b.size = 0; b.size < whole; b.size++) {
        CHECK_EQ(read_bytes(&b, MIB), -EBADMSG);
        CHECK(seen.count == 0 && rest.special == 77); /* not even the files before the cut */
    }
    (void)buf_add(&b, "x", 1);
    CHECK_EQ(read_bytes(&b, MIB), -EBADMSG);
    buf_done(&b);
}

TEST(bundles_that_lie_about_sizes_kinds_or_paths_are_none)
{
    static const char *const paths[] = {
        "", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "1/2/3/4/5/6/7/8/9/a"
    };
    const struct {
        uint32_t kind, path_size;
        uint64_t size;
    } heads[] = { { 0, 1, 1 },
                  { 3, 1, 1 },
                  { BUNDLE_FILE, 2, 1 },
                  { BUNDLE_FILE, 0, 1 },
                  { BUNDLE_FILE, 1, 0 },
                  { BUNDLE_FILE, 1, 2 },
                  { BUNDLE_FILE, UINT32_MAX, 1 },
                  { BUNDLE_FILE, 1, UINT64_MAX },
                  { BUNDLE_FILE, 1, WORKSPACE_MAX_FILE_BYTES + 1 },
                  { BUNDLE_REST, 1, 1 },
                  { BUNDLE_REST, 0, 1 } };
    struct buf b;
    buf_init(&b, MIB);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++, b.size = 0) {
        put_file(&b, paths[i], "x");
        put_rest(&b, (struct workspace_rest){ 0 });
        CHECK_EQ(read_bytes(&b, MIB), -EBADMSG);
    }
    for (size_t i = 0; i < ARRAY_LEN(heads); i++, b.size = 0) {
        put(&b, heads[i].kind, "a", heads[i].path_size, "x", 1, heads[i].size);
        put_rest(&b, (struct workspace_rest){ 0 });
        CHECK_EQ(read_bytes(&b, MIB), -EBADMSG);
    }
    put(&b, BUNDLE_FILE, "a\0b", 3, "\0bx", 3, 1); /* a NUL in the path */
    put_rest(&b, (struct workspace_rest){ 0 });
    CHECK_EQ(read_bytes(&b, MIB), -EBADMSG);
    buf_done(&b);
}

TEST(bundles_keep_the_limits_of_the_walk)
{
    struct buf b;
    char path[600];
    buf_init(&b, MIB);
    for (uint32_t i = 0; i <= WORKSPACE_MAX_FILES; i++) {
        size_t before = b.size;
        (void)snprintf(path, sizeof path, "f%u", i);
        put_rest(&b, (struct workspace_rest){ 0 });
        CHECK_EQ(read_bytes(&b, MIB), 0);
        b.size = before;
        put_file(&b, path, "12");
    }
    put_rest(&b, (struct workspace_rest){ 0 });
    CHECK_EQ(read_bytes(&b, MIB), -EBADMSG); /* the 257th */
    b.size = 0;
    put_file(&b, "a", "1234");
    put_file(&b, "b", "5678");
    put_rest(&b, (struct workspace_rest){ 0 });
    CHECK_EQ(read_bytes(&b, 8), 0);
    CHECK_EQ(read_bytes(&b, 7), -EBADMSG);
    for (size_t n = WORKSPACE_MAX_PATH; n <= WORKSPACE_MAX_PATH + 1; n++) {
        b.size = 0;
        memset(path, 'n', n);
        path[n] = '\0';
        put_file(&b, path, "x");
        put_rest(&b, (struct workspace_rest){ 0 });
        CHECK_EQ(read_bytes(&b, 8), n > WORKSPACE_MAX_PATH ? -EBADMSG : 0);
    }
    buf_done(&b);
}

/* --- what the client takes ----------------------------------------------------------------------------- */

static int after_message(int fd)
{
    struct workspace w;
    int theirs = workspace_open(&w);
    seen.count = 0;
    seen.text[0] = '\0';
    CHECK(theirs >= 0 && send_message(theirs, "w", 1, &fd, 1) == 0);
    int r = workspace_read(&w, MIB, see, NULL, &rest);
    CHECK_EQ(workspace_dir(&w), -1);
    workspace_done(&w);
    (void)close(theirs);
    return r;
}

static int memory_of(const struct buf *b, int seals)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(fd >= 0 && write(fd, b->data, b->size) == (ssize_t)b->size);
    CHECK(!seals || fcntl(fd, F_ADD_SEALS, seals) == 0);
    return fd;
}

TEST(workspace_takes_a_bundle_in_sealed_memory_only_and_cleans_its_names)
{
    struct buf b, none = { 0 };
    const int all = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    buf_init(&b, 4096);
    put_file(&b, "new\nline\x1b\xff", "one");
    put_rest(&b, (struct workspace_rest){ .is_late = true });
    const int seals[] = { all, all & ~F_SEAL_SHRINK, all & ~F_SEAL_GROW, all & ~F_SEAL_WRITE, 0 };
    for (size_t i = 0; i < ARRAY_LEN(seals); i++) {
        int fd = memory_of(&b, seals[i]);
        CHECK_EQ(after_message(fd), i ? -EBADMSG : 0);
        CHECK_STR(seen.text, i ? "" : "new\\x0aline\\x1b\\xff=one;");
        CHECK_EQ(rest.is_late, i == 0);
        (void)close(fd);
    }
    int empty = memory_of(&none, all), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_EQ(after_message(empty), -EBADMSG);
    CHECK_EQ(after_message(null), -ENODATA);
    (void)close(empty);
    (void)close(null);
    buf_done(&b);
}

TEST(workspace_says_what_came_too_late)
{
    struct buf b;
    buf_init(&b, 4096);
    workspace_rest_words(&(struct workspace_rest){ .special = 1, .is_cut = true, .is_late = true }, &b);
    CHECK_STR(
        b.data,
        "1 link or special file, more than 4096 entries, the container was not done with handing them out in time");
    buf_done(&b);
}

/* --- what sandbox-engine takes --------------------------------------------------------------------------- */

static struct collected kept;

static int say_file(const char *path, uint64_t size)
{
    struct buf b;
    const struct entry_file f = { path, size };
    buf_init(&b, 4096);
    pack_fields(&b, entry_file_fields, entry_file_field_count, &f);
    int r = collected_file(&kept, b.data, b.size);
    buf_done(&b);
    return r;
}

static int say_rest(struct workspace_rest r)
{
    struct buf b;
    buf_init(&b, 4096);
    pack_fields(&b, workspace_rest_fields, workspace_rest_field_count, &r);
    int e = collected_rest(&kept, b.data, b.size);
    buf_done(&b);
    return e;
}

/* What the client makes of it. */
static int deliver(void)
{
    struct workspace w;
    int theirs = workspace_open(&w);
    seen.count = 0;
    seen.text[0] = '\0';
    collected_send(&kept, theirs);
    collected_done(&kept);
    int r = workspace_read(&w, MIB, see, NULL, &rest);
    workspace_done(&w);
    (void)close(theirs);
    return r;
}

TEST(kept_files_arrive_at_the_client)
{
    collected_init(&kept, true, MIB);
    CHECK(say_file("a", 6) == 0 && collected_data(&kept, "one", 3) == 0 && collected_data(&kept, "two", 3) == 0);
    CHECK(say_file("empty", 0) == 0 && say_file("d/b", 1) == 0 && collected_data(&kept, "x", 1) == 0);
    CHECK_EQ(say_rest((struct workspace_rest){ .mounts = 2 }), 0);
    CHECK_EQ(deliver(), 0);
    CHECK_STR(seen.text, "a=onetwo;empty=;d/b=x;");
    CHECK(rest.mounts == 2 && !rest.is_late);
}

TEST(kept_files_that_come_in_part_are_none_and_a_cut_is_told)
{
    collected_init(&kept, true, 10);
    CHECK(say_file("a", 10) == 0 && collected_data(&kept, "half", 4) == 0);
    CHECK(say_file("b", 9) == 0 && collected_data(&kept, "123456789", 9) == 0); /* it took no room of the ten */
    CHECK(say_file("c", 1) == 0);                                               /* and here the container ends */
    CHECK_EQ(deliver(), 0);
    CHECK_STR(seen.text, "b=12345678;");
    CHECK(rest.is_late);
    collected_init(&kept, true, 10);
    CHECK(deliver() == 0 && seen.count == 0 && rest.is_late); /* not even a beginning */
}

TEST(kept_takes_nothing_that_entry_does_not_say)
{
    collected_init(&kept, false, MIB);
    CHECK(say_file("a", 1) < 0 && say_rest((struct workspace_rest){ 0 }) < 0);
    CHECK_EQ(deliver(), -ENODATA);
    collected_init(&kept, true, 10);
    CHECK(collected_data(&kept, "x", 1) < 0 && collected_file(&kept, "x", 1) < 0 && collected_rest(&kept, "x", 1) < 0);
    CHECK(say_file("../a", 1) < 0 && say_file("/a", 1) < 0 && say_file("", 1) < 0 && say_file(NULL, 1) < 0 &&
          say_file("a", 11) < 0 && say_file("a", UINT64_MAX) < 0);
    CHECK(say_file("a", 3) == 0 && collected_data(&kept, "abcd", 4) < 0);
    CHECK_EQ(say_rest((struct workspace_rest){ .is_late = true }), -EBADMSG);
    CHECK_EQ(say_rest((struct workspace_rest){ 0 }), 0);
    CHECK(say_rest((struct workspace_rest){ 0 }) < 0 && say_file("b", 1) < 0);
    collected_done(&kept);
}

TEST(kept_holds_as_many_files_and_bytes_as_are_kept)
{
    char path[16];
    collected_init(&kept, true, 2 * WORKSPACE_MAX_FILES + 1);
    for (uint32_t i = 0; i < WORKSPACE_MAX_FILES; i++) {
        (void)snprintf(path, sizeof path, "%u", i);
        CHECK(say_file(path, 2) == 0 && collected_data(&kept, "ab", 2) == 0);
    }
    CHECK_EQ(say_file("one more", 0), -EBADMSG);
    CHECK_EQ(deliver(), 0);
    CHECK_EQ(seen.count, WORKSPACE_MAX_FILES);
    collected_init(&kept, true, 3);
    CHECK(say_file("a", 2) == 0 && collected_data(&kept, "ab", 2) == 0 && say_file("b", 2) == -EBADMSG);
    collected_done(&kept);
}
