#include "daemon/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "audit/digest.h"
#include "audit/audit.h"
#include "base/io.h"
#include "config/config.h"

#define HEAD_SIZE DIGEST_HEX_SIZE /* 64 digits and a newline */

struct content {
    const struct content_place *place;
    void *self;
    char node[CONTENT_NODE_MAX];
};

/* --- words and keys ------------------------------------------------------------------------------------------- */

static const char word_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

/* A byte that is no letter of a word is _ and its two digits; so is _ itself, and a dot at the beginning. */
void content_node_word(const char *node, char ret[static CONTENT_NODE_MAX])
{
    size_t n = 0;
    for (const char *p = node; *p && n + 4 < CONTENT_NODE_MAX; p++) {
        const bool is_kept = strchr(word_letters, *p) && *p != '_' && !(*p == '.' && p == node);
        n += (size_t)snprintf(ret + n, 4, is_kept ? "%c" : "_%02x", (unsigned char)*p);
    }
    ret[n] = '\0';
}

bool content_key_is_good(const char *key)
{
    const size_t n = strlen(key);
    if (!n || n > CONTENT_KEY_MAX || key[n - 1] == '/')
        return false;
    for (const char *p = key; *p;) {
        const size_t word = strspn(p, word_letters);
        if (!word || *p == '.' || (p[word] && p[word] != '/'))
            return false;
        p += word + (p[word] == '/');
    }
    return true;
}

const char *content_node(const struct content *s)
{
    return s->node;
}

static int check_key(const char *key, struct error *err)
{
    return content_key_is_good(key) ? 0 : err_set(err, -EINVAL, BLAME_US, "CONTENT", "%.80s is no key", key);
}

/* --- writing -------------------------------------------------------------------------------------------------- */

int content_put(struct content *s, const char *key, const void *data, size_t size, struct error *err)
{
    char head[HEAD_SIZE + 1];
    int e = check_key(key, err);
    if (e < 0)
        return e;
    audit_hash(data, size, head);
    head[HEAD_SIZE - 1] = '\n';
    return s->place->put(s->self, key, head, HEAD_SIZE, data, -1, size, err);
}

/* Before a byte of it is sent: what is written under a wrong hash would be found when it is too late. */
static int check_file(int fd, uint64_t size, const char *hash, struct error *err)
{
    struct digest d;
    uint8_t is[DIGEST_SIZE];
    char hex[DIGEST_HEX_SIZE], piece[16384];
    uint64_t left = size;
    ssize_t n = 1;
    sha256_begin(&d);
    while (left && (n = pread(fd, piece, MIN_OF(left, (uint64_t)sizeof piece), (off_t)(size - left))) > 0) {
        sha256_add(&d, piece, (size_t)n);
        left -= (uint64_t)n;
    }
    sha256_end(&d, is);
    sha256_hex(is, hex);
    if (n < 0)
        return err_set(err, -errno, BLAME_HOST, "CONTENT", "read a file: %m");
    return !left && str_eq(hex, hash)
               ? 0
               : err_set(err, -EBADMSG, BLAME_US, "CONTENT", "a file is not what %.64s names", hash);
}

int content_put_file(struct content *s, const char *key, int fd, uint64_t size, const char *hash, struct error *err)
{
    char head[HEAD_SIZE + 1];
    int e = check_key(key, err);
    if (e == 0 && size > CONTENT_FILE_MAX)
        e = err_set(err, -EFBIG, BLAME_US, "CONTENT", "%llu bytes are more than a content store takes",
                    (unsigned long long)size);
    if (e == 0)
        e = check_file(fd, size, hash, err);
    if (e == 0 && lseek(fd, 0, SEEK_SET) < 0)
        e = err_set(err, -errno, BLAME_HOST, "CONTENT", "read a file: %m");
    if (e < 0)
        return e;
    (void)snprintf(head, sizeof head, "%.64s\n", hash);
    return s->place->put(s->self, key, head, HEAD_SIZE, NULL, fd, size, err);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

struct reading {
    char head[HEAD_SIZE + 1];
    size_t head_size;
    struct digest digest;
    struct buf *to; /* or fd */
    uint64_t left;  /* bytes that fd takes */
    int fd, e;
};

static int take(void *context, const void *data, size_t size)
{
    struct reading *r = context;
    const size_t head = MIN_OF(size, HEAD_SIZE - r->head_size);
    memcpy(r->head + r->head_size, data, head);
    r->head_size += head;
    data = (const char *)data + head;
    size -= head;
    sha256_add(&r->digest, data, size);
    if (r->to)
        r->e = buf_add(r->to, data, size) < 0 ? -EFBIG : 0;
    else
        r->e = size > r->left ? -EFBIG : write_all(r->fd, data, size);
    r->left -= MIN_OF((uint64_t)size, r->left);
    return r->e;
}

static int read_object(struct content *s, const char *key, struct reading *r, struct error *err)
{
    uint8_t is[DIGEST_SIZE];
    char hex[DIGEST_HEX_SIZE];
    int e = check_key(key, err);
    sha256_begin(&r->digest);
    if (e == 0)
        e = s->place->get(s->self, key, take, r, err);
    sha256_end(&r->digest, is);
    sha256_hex(is, hex);
    if (r->e < 0)
        return err_set(err, r->e, BLAME_HOST, "CONTENT", "%s: %s", key, strerror(-r->e));
    if (e == 0 &&
        (r->head_size < HEAD_SIZE || r->head[HEAD_SIZE - 1] != '\n' || memcmp(r->head, hex, HEAD_SIZE - 1) != 0)) {
        e = err_set(err, -EBADMSG, BLAME_HOST, "CONTENT", "%s in content.place is not what was written", key);
        (void)err_remedy(err, "see what has changed it, or whether it is all there");
    }
    return e;
}

int content_get(struct content *s, const char *key, size_t max, struct buf *ret, struct error *err)
{
    struct reading r = { .to = ret, .fd = -1 };
    buf_init(ret, max);
    return read_object(s, key, &r, err);
}

int content_get_any(struct content *s, const char *key, uint64_t max, int fd, struct error *err)
{
    struct reading r = { .fd = fd, .left = max };
    return read_object(s, key, &r, err);
}

int content_get_file(struct content *s, const char *key, const char *hash, uint64_t max, int fd, struct error *err)
{
    struct reading r = { .fd = fd, .left = max };
    const int e = read_object(s, key, &r, err);
    return e == 0 && strncmp(r.head, hash, HEAD_SIZE - 1) != 0
               ? err_set(err, -EBADMSG, BLAME_HOST, "CONTENT", "%s in content.place is another file", key)
               : e;
}

int content_has(struct content *s, const char *key, struct error *err)
{
    int e = check_key(key, err);
    return e < 0 ? e : s->place->has(s->self, key, err);
}

int content_remove(struct content *s, const char *key, struct error *err)
{
    int e = check_key(key, err);
    return e < 0 ? e : s->place->remove(s->self, key, err);
}

int content_each(struct content *s, const char *prefix, bool (*each)(void *context, const char *key), void *context,
                 struct error *err)
{
    return s->place->each(s->self, prefix, each, context, err);
}

/* --- life ----------------------------------------------------------------------------------------------------- */

int content_open(const struct config *c, const char *node, struct content **ret, struct error *err)
{
    *ret = NULL;
    if (!c->content.place)
        return 0;
    struct content *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "no memory");
    content_node_word(node, s->node);
    int e = str_starts(c->content.place, "s3://") ? content_s3_open(c, &s->place, &s->self, err)
                                                  : content_dir_open(c->content.place, &s->place, &s->self, err);
    if (e < 0)
        free(s);
    else
        *ret = s;
    return e;
}

void content_stop(struct content *s)
{
    if (s->place->stop)
        s->place->stop(s->self);
}

struct content *content_close(struct content *s)
{
    if (s)
        s->place->close(s->self);
    free(s);
    return NULL;
}
