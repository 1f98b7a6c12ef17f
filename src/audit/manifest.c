#include "audit/manifest.h"

#include <fcntl.h>
#include <stdio.h>

#include "audit/artifacts.h"
#include "base/json.h"

#define MAX_MANIFEST (8u * MIB)

static bool read_entry(const char *line, size_t size, struct manifest_entry *ret)
{
    static const struct member members[] = {
        MEMBER("role", MEMBER_TEXT, struct manifest_entry, role),         MEMBER("name", MEMBER_TEXT, struct manifest_entry, name),
        MEMBER("sha256", MEMBER_TEXT, struct manifest_entry, hash),       MEMBER("left_out", MEMBER_TEXT, struct manifest_entry, left_out),
        MEMBER("size", MEMBER_NUMBER, struct manifest_entry, size),
    };
    uint32_t seen;
    *ret = (struct manifest_entry){ 0 };
    if (size && line[size - 1] == ',')
        size--;
    return members_read(line, size, members, ARRAY_LEN(members), ret, &seen) == 0 && ret->role.p && ret->name.p;
}

void manifest_each(const char *text, size_t size, bool (*visit)(void *, const struct manifest_entry *), void *context)
{
    struct manifest_entry x;
    bool goes_on = true;
    while (size && goes_on) {
        const char *newline = memchr(text, '\n', size);
        size_t n = newline ? (size_t)(newline - text) : size;
        if (read_entry(text, n, &x))
            goes_on = visit(context, &x);
        n += newline != NULL;
        text += n;
        size -= n;
    }
}

struct wanted {
    struct buf name; /* escaped */
    char hash[65];
    bool is_left_out;
};

static bool find_entry(void *context, const struct manifest_entry *x)
{
    struct wanted *w = context;
    if (x->name.size != w->name.size || memcmp(x->name.p, w->name.data, w->name.size) != 0)
        if (!slice_is(x->role, w->name.data))
            return true;
    w->is_left_out = !x->hash.p;
    if (x->hash.size == 64)
        (void)snprintf(w->hash, sizeof w->hash, "%.64s", x->hash.p);
    return false;
}

static int read_manifest(int dir, struct buf *out)
{
    char chunk[16384];
    cleanup(closep) int fd = openat(dir, "manifest.json", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    buf_init(out, MAX_MANIFEST);
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0)
        if (buf_add(out, chunk, (size_t)n) < 0)
            return -EFBIG;
    return n < 0 ? -errno : 0;
}

int manifest_open(const char *artifacts_dir, const char *execution_id, int *ret_dir, struct buf *ret, struct error *err)
{
    char path[4300];
    *ret = (struct buf){ 0 };
    *ret_dir = -1;
    if (!artifacts_id_is_valid(execution_id))
        return err_set(err, -ENOENT, BLAME_CALLER, NULL, "%s is no execution's id", execution_id);
    (void)snprintf(path, sizeof path, "%s/%s", artifacts_dir, execution_id);
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), e = dir < 0 ? -errno : read_manifest(dir, ret);
    if (e == 0) {
        *ret_dir = dir;
        return 0;
    }
    const char *why = e != -ENOENT ? strerror(-e) : dir < 0 ? "nothing is kept of it" : "has no manifest: the run goes on, or it died";
    closep(&dir);
    return err_set(err, e, e == -ENOENT ? BLAME_CALLER : BLAME_HOST, NULL, "%s: %s", execution_id, why);
}

bool manifest_find(const struct buf *manifest, const char *name, char ret_hash[static 65], bool *ret_is_left_out)
{
    struct wanted w = { 0 };
    buf_init(&w.name, 64 * KIB);
    json_escape(&w.name, name, strlen(name));
    if (w.name.data)
        manifest_each(manifest->data, manifest->size, find_entry, &w);
    buf_done(&w.name);
    *ret_is_left_out = w.is_left_out;
    memcpy(ret_hash, w.hash, sizeof w.hash);
    return strspn(w.hash, "0123456789abcdef") == 64;
}
