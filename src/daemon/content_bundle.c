#include "daemon/content_bundle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/audit.h"
#include "audit/digest.h"
#include "audit/line.h"
#include "audit/manifest.h"
#include "base/io.h"
#include "base/parse.h"

#define MAGIC      "sandbox-agent artifacts 1 "
#define SMALL_MAX  (1 * MIB) /* larger ones are objects of their own */
#define BUNDLE_MAX (8 * MIB) /* of all small ones together; what comes later counts as large */
#define HEAD_MAX   96u

void content_day(uint64_t ms, char ret[static CONTENT_DAY_SIZE])
{
    char stamp[AUDIT_TIME_SIZE];
    audit_time_write(ms, stamp);
    (void)snprintf(ret, CONTENT_DAY_SIZE, "%.10s", stamp);
}

static void list_key(const char *day, const char *id, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "artifacts/%s/%s", day, id);
}

static void file_key(const char *day, const char *id, const char *hash, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "files/%s/%s/%.64s", day, id, hash);
}

static bool is_hash(const char *p, size_t size)
{
    size_t n = 0;
    while (n < size && strchr("0123456789abcdef", p[n]) && p[n])
        n++;
    return size == DIGEST_HEX_SIZE - 1 && n == size;
}

/* --- writing -------------------------------------------------------------------------------------------------- */

struct writing {
    struct content *store;
    const char *day, *id;
    int dir, e;
    struct buf bundle;
    struct error *err;
};

/* Where a content of this hash is: its bytes and *ret_size; NULL: in a file of its own, or nowhere. */
static const char *find_content(const struct buf *text, size_t at, const char *hash, uint64_t *ret_size)
{
    while (at < text->size) {
        const char *line = text->data + at, *end = memchr(line, '\n', text->size - at);
        char number[24];
        uint64_t size;
        const size_t digits = end ? (size_t)(end - line) : 0;
        if (digits < DIGEST_HEX_SIZE || digits - DIGEST_HEX_SIZE >= sizeof number)
            return NULL;
        (void)snprintf(number, sizeof number, "%.*s", (int)(digits - DIGEST_HEX_SIZE), line + DIGEST_HEX_SIZE);
        at += digits + 1;
        if (parse_u64(number, &size) < 0 || size > text->size - at)
            return NULL;
        if (strncmp(line, hash, DIGEST_HEX_SIZE - 1) == 0) {
            *ret_size = size;
            return text->data + at;
        }
        at += size;
    }
    return NULL;
}

static int damaged(struct writing *w, const char *hash)
{
    return err_set(w->err, -EBADMSG, BLAME_US, "CONTENT", "artifacts of %s: the content %.64s is not what it was",
                   w->id, hash);
}

static int add_small(struct writing *w, int fd, const char *hash, uint64_t size)
{
    char is[DIGEST_HEX_SIZE];
    struct buf content;
    buf_init(&content, SMALL_MAX);
    int e = read_open_file(fd, &content);
    audit_hash(content.data ? content.data : "", content.size, is);
    if (e == 0 && (content.size != size || !str_eq(is, hash)))
        e = damaged(w, hash);
    else if (e < 0)
        e = err_set(w->err, e, BLAME_HOST, "CONTENT", "artifacts of %s: %s", w->id, strerror(-e));
    if (e == 0)
        (void)buf_addf(&w->bundle, "%s %llu\n", hash, (unsigned long long)size),
            (void)buf_add(&w->bundle, content.data ? content.data : "", content.size);
    buf_done(&content);
    return e;
}

static bool add_entry(void *context, const struct manifest_entry *x)
{
    struct writing *w = context;
    char hash[DIGEST_HEX_SIZE], key[CONTENT_KEY_MAX + 1];
    uint64_t size;
    struct stat st;
    if (!x->hash.p || !is_hash(x->hash.p, x->hash.size))
        return true;
    (void)snprintf(hash, sizeof hash, "%.64s", x->hash.p);
    if (find_content(&w->bundle, 0, hash, &size)) /* the same content twice */
        return true;
    cleanup(closep) int fd = openat(w->dir, hash, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        w->e = err_set(w->err, -errno, errno == ENOENT ? BLAME_US : BLAME_HOST, "CONTENT", "artifacts of %s: %m",
                       w->id);
        return false;
    }
    size = (uint64_t)st.st_size;
    file_key(w->day, w->id, hash, key);
    if (size <= SMALL_MAX && w->bundle.size + size + HEAD_MAX <= BUNDLE_MAX)
        w->e = add_small(w, fd, hash, size);
    else
        w->e = content_put_file(w->store, key, fd, size, hash, w->err);
    return w->e == 0;
}

int content_bundle_write(struct content *s, const char *day, const char *id, int dir, const struct buf *manifest,
                         struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    struct writing w = { .store = s, .day = day, .id = id, .dir = dir, .err = err };
    struct buf whole;
    buf_init(&w.bundle, BUNDLE_MAX + SMALL_MAX);
    buf_init(&whole, CONTENT_MAX);
    manifest_each(manifest->data, manifest->size, add_entry, &w);
    (void)buf_addf(&whole, MAGIC "%zu\n", manifest->size);
    (void)buf_add(&whole, manifest->data, manifest->size);
    if (w.bundle.size)
        (void)buf_add(&whole, w.bundle.data, w.bundle.size);
    if (w.e == 0 && (w.bundle.failed || whole.failed))
        w.e = err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "artifacts of %s: no memory", id);
    list_key(day, id, key);
    if (w.e == 0)
        w.e = content_put(s, key, whole.data, whole.size, err);
    buf_done(&w.bundle);
    buf_done(&whole);
    return w.e;
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static int take_apart(struct content_bundle *b)
{
    const char *end = b->text.size ? memchr(b->text.data, '\n', MIN_OF(b->text.size, (size_t)HEAD_MAX)) : NULL;
    uint64_t size;
    char number[24];
    if (!end || b->text.size < sizeof MAGIC || memcmp(b->text.data, MAGIC, sizeof MAGIC - 1) != 0)
        return -EBADMSG;
    const char *from = b->text.data + sizeof MAGIC - 1;
    if ((size_t)(end - from) >= sizeof number)
        return -EBADMSG;
    (void)snprintf(number, sizeof number, "%.*s", (int)(end - from), from);
    if (parse_u64(number, &size) < 0 || size > b->text.size - (size_t)(end + 1 - b->text.data))
        return -EBADMSG;
    buf_init(&b->manifest, size + 1);
    return buf_add(&b->manifest, end + 1, size) < 0 ? -ENOMEM : 0;
}

bool content_bundle_is_there(struct content *s, const char *day, const char *id)
{
    char key[CONTENT_KEY_MAX + 1];
    struct error ignored = { 0 };
    list_key(day, id, key);
    return content_has(s, key, &ignored) == 1;
}

int content_bundle_read(struct content *s, const char *day, const char *id, struct content_bundle *ret,
                        struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    list_key(day, id, key);
    *ret = (struct content_bundle){ 0 };
    int e = content_get(s, key, CONTENT_MAX, &ret->text, err);
    if (e == 0 && (e = take_apart(ret)) < 0)
        e = err_set(err, e, BLAME_HOST, "CONTENT", "%s in content.place: %s", key,
                    e == -EBADMSG ? "is no list of artifacts" : strerror(-e));
    return e;
}

void content_bundle_done(struct content_bundle *b)
{
    buf_done(&b->text);
    buf_done(&b->manifest);
}

static int in_memory(const char *data, uint64_t size, const char *hash, struct error *err)
{
    char is[DIGEST_HEX_SIZE];
    audit_hash(data, size, is);
    if (!str_eq(is, hash))
        return err_set(err, -EBADMSG, BLAME_HOST, "CONTENT", "the content %.64s in content.place is another", hash);
    cleanup(closep) int fd = memfd_create("artifact", MFD_CLOEXEC);
    const int e = fd < 0 ? -errno : write_all(fd, data, size);
    if (e < 0 || lseek(fd, 0, SEEK_SET) < 0)
        return err_set(err, e < 0 ? e : -errno, BLAME_HOST, "CONTENT", "hold an artifact: %s",
                       strerror(e < 0 ? -e : errno));
    return TAKE_FD(fd);
}

int content_bundle_open(struct content *s, const struct content_bundle *b, const char *day, const char *id,
                        const char *hash, const char *scratch, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    uint64_t size = 0;
    const char *line = memchr(b->text.data, '\n', b->text.size);
    const char *found = find_content(&b->text, (size_t)(line + 1 - b->text.data) + b->manifest.size, hash, &size);
    if (found)
        return in_memory(found, size, hash, err);
    cleanup(closep) int fd = open(scratch, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, "CONTENT", "hold an artifact in %s: %m", scratch);
    file_key(day, id, hash, key);
    int e = content_get_file(s, key, hash, CONTENT_FILE_MAX, fd, err);
    if (e == 0 && lseek(fd, 0, SEEK_SET) < 0)
        e = err_set(err, -errno, BLAME_HOST, "CONTENT", "hold an artifact in %s: %m", scratch);
    return e < 0 ? e : TAKE_FD(fd);
}
