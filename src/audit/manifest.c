#include "audit/manifest.h"

#include <fcntl.h>
#include <stdio.h>

#include "audit/artifacts.h"
#include "base/json.h"

#define MAX_MANIFEST (8u * MIB)

static bool read_entry(const char *line, size_t size, struct manifest_entry *ret)
{
    static const struct member members[] = {
        MEMBER("role", MEMBER_TEXT, struct manifest_entry, role),
        MEMBER("name", MEMBER_TEXT, struct manifest_entry, name),
        MEMBER("sha256", MEMBER_TEXT, struct manifest_entry, hash),
        MEMBER("left_out", MEMBER_TEXT, struct manifest_entry, left_out),
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

/* What a word may mean, the first of these that is there. */
enum { AS_ROLE_AND_NAME, AS_ROLE, AS_NAME, MEANINGS };

struct wanted {
    struct buf word; /* escaped */
    struct {
        char hash[65];
        uint32_t count;
    } found[MEANINGS];
};

static bool is_role_and_name(const struct buf *word, const struct manifest_entry *x)
{
    size_t n = x->role.size;
    return word->size == n + 1 + x->name.size && memcmp(word->data, x->role.p, n) == 0 && word->data[n] == '/' &&
           memcmp(word->data + n + 1, x->name.p, x->name.size) == 0;
}

/* Where the program was silent, a file that it has called «stdout» is not what is asked for. */
static bool is_name(const struct buf *word, const struct manifest_entry *x)
{
    static const char *const ours[] = { "code", "plan", "stdout", "stderr" };
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        if (str_eq(word->data, ours[i]) && slice_is(x->role, "workspace"))
            return false;
    return x->name.size == word->size && memcmp(x->name.p, word->data, word->size) == 0;
}

static bool find_entry(void *context, const struct manifest_entry *x)
{
    struct wanted *w = context;
    const bool is[MEANINGS] = { is_role_and_name(&w->word, x), slice_is(x->role, w->word.data), is_name(&w->word, x) };
    for (size_t i = 0; i < MEANINGS; i++)
        if (is[i] && !w->found[i].count++ && x->hash.size == 64)
            (void)snprintf(w->found[i].hash, sizeof w->found[i].hash, "%.64s", x->hash.p);
    return !is[AS_ROLE_AND_NAME];
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
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
        e = dir < 0 ? -errno : read_manifest(dir, ret);
    if (e == 0) {
        *ret_dir = dir;
        return 0;
    }
    const char *why = e != -ENOENT ? strerror(-e)
                      : dir < 0    ? "nothing is kept of it"
                                   : "has no manifest: the run goes on, or it died";
    closep(&dir);
    return err_set(err, e, e == -ENOENT ? BLAME_CALLER : BLAME_HOST, NULL, "%s: %s", execution_id, why);
}

bool manifest_find(const struct buf *manifest, const char *word, char ret_hash[static 65], bool *ret_is_left_out)
{
    struct wanted w = { 0 };
    buf_init(&w.word, 64 * KIB);
    json_escape(&w.word, word, strlen(word));
    if (w.word.data)
        manifest_each(manifest->data, manifest->size, find_entry, &w);
    buf_done(&w.word);
    if (w.found[AS_ROLE].count > 1) /* one of several files: of which, only its name says */
        w.found[AS_ROLE].count = 0;
    size_t i = 0;
    while (i + 1 < MEANINGS && !w.found[i].count)
        i++;
    *ret_is_left_out = w.found[i].count && !w.found[i].hash[0];
    memcpy(ret_hash, w.found[i].hash, sizeof w.found[i].hash);
    return strspn(ret_hash, "0123456789abcdef") == 64;
}

/* Behind the list, whose texts have their quotes escaped: the member's name stands there once. */
bool manifest_receipt(const struct buf *manifest, struct slice *ret)
{
    const char *found = manifest->size
                            ? memmem(manifest->data, manifest->size, MANIFEST_RECEIPT "{", sizeof MANIFEST_RECEIPT)
                            : NULL;
    const char *end = manifest->data + manifest->size;
    if (!found || manifest->size < 2 || memcmp(end - 2, "}\n", 2) != 0)
        return false;
    found += sizeof MANIFEST_RECEIPT - 1;
    *ret = (struct slice){ found, (uint32_t)(end - 2 - found) };
    return true;
}
