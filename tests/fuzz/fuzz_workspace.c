/* Whatever a program leaves behind: the walk ends within its bounds, hands out clean and different names of regular
 * files below the directory, and nothing else. The first byte bounds the bytes; then come steps, each an operation, the
 * length of a name, and the name. */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/json.h"
#include "run/workspace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_STEPS 400
#define OUTSIDE   "what lies outside"

struct seen {
    uint64_t bytes, max_bytes;
    uint32_t count;
    struct buf names;
};

/* --- names ------------------------------------------------------------------------------------------- */

static void assert_clean(const char *name)
{
    const unsigned char *p = (const unsigned char *)name;
    for (size_t left = strlen(name), n; left; left -= n, p += n) {
        n = json_utf8_length(p, left);
        assert(n > 0 && p[0] >= 0x20 && p[0] != 0x7F && !(p[0] == 0xC2 && p[1] < 0xA0));
    }
}

static unsigned hex(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Back to the bytes: so no two paths share a name. */
static void assert_reversible(const char *path, const char *name)
{
    for (; *path; path++, name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '\\') {
            assert(name[1] == 'x' && name[2] && name[3]);
            c = (unsigned char)(hex(name[2]) << 4 | hex(name[3]));
            name += 3;
        }
        assert(c == (unsigned char)*path);
    }
    assert(*name == '\0');
}

static void read_name(const uint8_t *data, size_t size)
{
    char path[WORKSPACE_MAX_PATH + 1];
    struct buf name;
    size_t n = MIN_OF(size, sizeof path - 1);
    memcpy(path, data, n);
    path[n] = '\0';
    buf_init(&name, 4 * WORKSPACE_MAX_PATH + 1);
    assert(workspace_name(&name, path) == 0);
    if (path[0]) {
        assert_clean(name.data);
        assert_reversible(path, name.data);
    }
    buf_done(&name);
}

/* --- trees --------------------------------------------------------------------------------------------- */

static bool see(void *ctx, const char *name, const void *data, uint64_t size)
{
    struct seen *s = ctx;
    char line[4 * WORKSPACE_MAX_PATH + 4];
    s->count++;
    s->bytes += size;
    assert(s->count <= WORKSPACE_MAX_FILES && s->bytes <= s->max_bytes);
    assert(!memmem(data, size, OUTSIDE, sizeof OUTSIDE - 1));
    assert_clean(name);
    (void)snprintf(line, sizeof line, "\n/%s/", name);
    assert(!strstr(line, "//") && !strstr(line, "/../") && !strstr(line, "/./"));
    (void)snprintf(line, sizeof line, "\n%s\n", name);
    assert(!s->names.data || !strstr(s->names.data, line));
    (void)buf_adds(&s->names, s->names.size ? line + 1 : line);
    return true;
}

static void make_file(int dir, const char *name, const char *data, size_t size, off_t sparse)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    ssize_t n = write(fd, data, size);
    int r = sparse ? ftruncate(fd, sparse) : 0;
    (void)n, (void)r; /* a full /dev/shm makes a smaller tree, no more */
    (void)close(fd);
}

static void make_link(const char *to, int dir, const char *name)
{
    int r = symlinkat(to, dir, name);
    (void)r; /* the name is taken, or none */
}

static int below(int dir, const char *name)
{
    (void)mkdirat(dir, name, 0700);
    int next = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0)
        return dir;
    (void)close(dir);
    return next;
}

static void build(int root, const char *outside, const uint8_t *data, size_t size)
{
    int dir = fcntl(root, F_DUPFD_CLOEXEC, 3);
    for (unsigned step = 0; size >= 2 && step < MAX_STEPS; step++) {
        char name[256] = "";
        size_t n = MIN_OF((size_t)data[1], size - 2);
        for (size_t i = 0; i < n; i++) /* NUL ends it, as anywhere */
            name[i] = data[2 + i] == '/' ? '_' : (char)data[2 + i];
        if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
            name[0] = '_'; /* we build below the root and nowhere else */
        switch (data[0] % 9) {
        case 0:
            make_file(dir, name, name, strlen(name), 0);
            break;
        case 1:
            dir = below(dir, name);
            break;
        case 2:
            (void)close(dir);
            dir = fcntl(root, F_DUPFD_CLOEXEC, 3);
            break;
        case 3:
            make_link(outside, dir, name);
            break;
        case 4:
            (void)mkfifoat(dir, name, 0600);
            break;
        case 5:
            make_file(dir, name, "", 0, (off_t)1 << (data[1] % 41));
            break;
        case 6:
            make_file(dir, name, (const char *)data, MIN_OF(size, (size_t)4096), 0);
            break;
        case 7:
            make_link("..", dir, name);
            break;
        default: /* many at once */
            for (unsigned i = 0; i < data[1]; i++) {
                char numbered[300];
                (void)snprintf(numbered, sizeof numbered, "%u%.200s", i, name);
                make_file(dir, numbered, "", 0, 0);
            }
            break;
        }
        data += 2 + n;
        size -= 2 + n;
    }
    (void)close(dir);
}

static int drop(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void read_tree(const uint8_t *data, size_t size)
{
    char path[] = "/dev/shm/fuzz-workspace-XXXXXX", outside[64];
    struct workspace w = { .sock = -1, .dir = -1 };
    struct workspace_rest rest;
    struct seen seen = { .max_bytes = (uint64_t)1 << (data[0] % 21) };
    if (!mkdtemp(path))
        return;
    buf_init(&seen.names, 4 * MIB);
    w.dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert(w.dir >= 0);
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)snprintf(outside, sizeof outside, "%s-outside", path);
    make_file(AT_FDCWD, outside, OUTSIDE, sizeof OUTSIDE - 1, 0);
    build(root, outside, data + 1, size - 1);
    (void)close(root);
    assert(workspace_read(&w, seen.max_bytes, see, &seen, &rest) == 0);
    workspace_done(&w);
    buf_done(&seen.names);
    (void)nftw(path, drop, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    (void)unlink(outside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 64 * KIB)
        return 0;
    read_name(data, size);
    read_tree(data, size);
    return 0;
}
