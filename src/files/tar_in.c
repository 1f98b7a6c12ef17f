#include "base/parse.h"
#include "files/internal.h"
#include "files/tar_header.h"

#define MAX_EXTENDED (64u * KIB) /* of one pax header; paths, a size, times and comments fit a hundred times */

enum stage { STAGE_HEADER, STAGE_EXTENDED, STAGE_LONG_NAME, STAGE_LONG_LINK, STAGE_CONTENT, STAGE_SKIP, STAGE_OVER };

/* What headers before an entry said of it. */
struct ahead {
    char path[WFILE_MAX_PATH], target[PATH_MAX];
    bool has_path, has_target, has_size;
    uint64_t size;
};

struct tar_in {
    int dir, error;
    enum stage stage;
    struct tar_in_limits limits;
    uint32_t entries;
    uint64_t left; /* bytes of this stage */
    size_t padding;
    bool is_marked; /* one block of zeros was there */
    int64_t modified_s;
    struct ahead ahead;
    struct wfile_put put;
    char name[WFILE_MAX_PATH]; /* of the entry, for errors */
    char path[WFILE_MAX_PATH]; /* cleaned */
    char target[PATH_MAX];
    size_t filled; /* of `bytes` */
    union {
        struct tar_header header;
        char bytes[MAX_EXTENDED];
    };
};

const char *tar_words(int error)
{
    switch (error) {
    case -EBADMSG:
        return "is no tar archive, or its end is missing";
    case -ENOTSUP:
        return "is a kind of entry that is not taken (device, fifo, sparse file)";
    case -EMFILE:
        return "has more entries than the limit";
    default:
        return wfile_words(error);
    }
}

/* --- the beginning and the end ---------------------------------------------------------------------------- */

int tar_in_begin(int root, const char *path, const struct tar_in_limits *limits, struct tar_in **ret)
{
    int e = wfile_path_is_sound(path, strlen(path)) ? 0 : -EINVAL;
    cleanup(closep) int dir = e < 0 ? -EBADF : wfile_resolve(root, path, O_PATH | O_DIRECTORY, FOLLOW_NONE);
    if (e == 0 && dir == -ENOENT) {
        e = wfile_mkdir(root, path);
        dir = e < 0 ? e : wfile_resolve(root, path, O_PATH | O_DIRECTORY, FOLLOW_NONE);
    }
    if (e < 0 || dir < 0)
        return e < 0 ? e : dir;
    struct tar_in *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->put = (struct wfile_put)WFILE_PUT_NONE;
    t->limits = *limits;
    if (!t->limits.max_entries || t->limits.max_entries > WFILE_MAX_ENTRIES)
        t->limits.max_entries = WFILE_MAX_ENTRIES;
    t->dir = TAKE_FD(dir);
    *ret = t;
    return 0;
}

struct tar_in *tar_in_free(struct tar_in *t)
{
    if (t) {
        wfile_put_abort(&t->put);
        closep(&t->dir);
    }
    free(t);
    return NULL;
}

const char *tar_in_failed(const struct tar_in *t)
{
    return t->error ? t->name : "";
}

uint32_t tar_in_entries(const struct tar_in *t)
{
    return t->entries;
}

int tar_in_end(struct tar_in *t)
{
    /* one block of zeros and the end of the file: some write no second one */
    bool is_whole = t->stage == STAGE_OVER || (t->stage == STAGE_HEADER && t->is_marked && !t->filled);
    if (!t->error && !is_whole)
        t->error = -EBADMSG;
    return t->error;
}

/* --- fields ---------------------------------------------------------------------------------------------- */

/* Octal digits between spaces, to a NUL or the end; or GNU's binary form, which begins with 0x80. */
static bool read_number(const char *field, size_t size, uint64_t *ret)
{
    const unsigned char *p = (const unsigned char *)field;
    uint64_t value = 0;
    size_t i = 0;
    if (p[0] == 0x80) {
        for (i = 1; i < size; i++) {
            if (value >> 54)
                return false;
            value = value << 8 | p[i];
        }
        *ret = value;
        return true;
    }
    while (i < size && p[i] == ' ')
        i++;
    for (; i < size && p[i] >= '0' && p[i] <= '7'; i++)
        value = value << 3 | (unsigned)(p[i] - '0'); /* at most 12 digits */
    for (; i < size; i++)
        if (p[i] != ' ' && p[i] != '\0')
            return false;
    *ret = value;
    return true;
}

/* A text of a fixed field: up to its NUL or its end. */
static void add_field(char *to, size_t *at, const char *field, size_t size)
{
    size_t n = strnlen(field, size);
    memcpy(to + *at, field, n);
    *at += n;
    to[*at] = '\0';
}

static int copy_text(char *to, size_t max, const char *from, size_t size)
{
    if (size >= max || memchr(from, '\0', size))
        return -ENAMETOOLONG;
    memcpy(to, from, size);
    to[size] = '\0';
    return 0;
}

/* Without «.» and empty parts. Absolute names and «..» are errors: an honest archive of a directory has neither. "."
 * for the directory itself. */
static int clean_path(const char *from, char to[static WFILE_MAX_PATH])
{
    size_t used = 0;
    if (from[0] == '/' || !from[0])
        return -EINVAL;
    for (const char *p = from; *p;) {
        size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.')
            return -EXDEV;
        if (n && !(n == 1 && p[0] == '.')) {
            if (used)
                to[used++] = '/';
            memcpy(to + used, p, n);
            used += n;
        }
        p += n;
        p += *p == '/';
    }
    if (!used)
        to[used++] = '.';
    to[used] = '\0';
    return 0;
}

/* --- headers before an entry ------------------------------------------------------------------------------- */

static int on_record(struct ahead *a, const char *key, size_t key_size, const char *value, size_t size)
{
    char number[24];
    if (key_size == 4 && memcmp(key, "path", 4) == 0) {
        a->has_path = true;
        return copy_text(a->path, sizeof a->path, value, size);
    }
    if (key_size == 8 && memcmp(key, "linkpath", 8) == 0) {
        a->has_target = true;
        return copy_text(a->target, sizeof a->target, value, size);
    }
    if (key_size == 4 && memcmp(key, "size", 4) == 0) {
        a->has_size = true;
        bool is_number = copy_text(number, sizeof number, value, size) == 0 && parse_u64(number, &a->size) == 0;
        return is_number && a->size <= INT64_MAX ? 0 : -EBADMSG;
    }
    return key_size > 11 && memcmp(key, "GNU.sparse.", 11) == 0 ? -ENOTSUP : 0;
}

/* «LENGTH key=value\n», one after the other, to the very end. */
static int read_extended(struct ahead *a, const char *p, size_t left)
{
    while (left) {
        char digits[8];
        uint64_t size;
        const char *space = memchr(p, ' ', MIN_OF(left, sizeof digits));
        if (!space || copy_text(digits, sizeof digits, p, (size_t)(space - p)) < 0 || parse_u64(digits, &size) < 0 ||
            size <= (size_t)(space - p) || size > left || p[size - 1] != '\n')
            return -EBADMSG;
        const char *key = space + 1, *end = p + size - 1;
        const char *sign = key < end ? memchr(key, '=', (size_t)(end - key)) : NULL;
        if (!sign)
            return -EBADMSG;
        int e = on_record(a, key, (size_t)(sign - key), sign + 1, (size_t)(end - sign - 1));
        if (e < 0)
            return e;
        p += size;
        left -= (size_t)size;
    }
    return 0;
}

/* GNU's long names: the text, and a NUL that is counted. */
static int read_long(const char *bytes, size_t size, char *to, size_t max, bool *ret_has)
{
    if (size && bytes[size - 1] == '\0')
        size--;
    *ret_has = true;
    return copy_text(to, max, bytes, size);
}

static int end_ahead(struct tar_in *t)
{
    int e = t->stage == STAGE_EXTENDED ? read_extended(&t->ahead, t->bytes, t->filled)
            : t->stage == STAGE_LONG_NAME
                ? read_long(t->bytes, t->filled, t->ahead.path, sizeof t->ahead.path, &t->ahead.has_path)
                : read_long(t->bytes, t->filled, t->ahead.target, sizeof t->ahead.target, &t->ahead.has_target);
    t->stage = STAGE_SKIP;
    t->filled = 0;
    return e;
}

/* --- an entry ---------------------------------------------------------------------------------------------- */

static int begin_file(struct tar_in *t, uint64_t size, uint32_t mode)
{
    if (size > t->limits.max_bytes)
        return -EFBIG;
    int e = wfile_put_begin(t->dir, t->path, mode, size, &t->put);
    if (e < 0)
        return e;
    t->limits.max_bytes -= size;
    t->stage = STAGE_CONTENT;
    t->left = size;
    t->padding = tar_padding(size);
    return 0;
}

static int add_link(struct tar_in *t, char type)
{
    char existing[WFILE_MAX_PATH];
    if (!t->target[0])
        return -EBADMSG;
    if (type == '2')
        return wfile_symlink(t->dir, t->path, t->target);
    int e = clean_path(t->target, existing);
    return e < 0 ? e : wfile_link(t->dir, t->path, existing);
}

/* The names of the entry whose header is in t, by what came before it. */
static int take_names(struct tar_in *t)
{
    const struct tar_header *h = &t->header;
    const struct ahead *a = &t->ahead;
    size_t at = 0;
    t->target[0] = '\0';
    t->name[0] = '\0';
    if (memcmp(h->magic, "ustar", 6) == 0 && h->prefix[0]) { /* GNU's own, with a space, has times in its place */
        add_field(t->name, &at, h->prefix, sizeof h->prefix);
        t->name[at++] = '/';
    }
    add_field(t->name, &at, h->name, sizeof h->name);
    if (a->has_path)
        memcpy(t->name, a->path, strlen(a->path) + 1);
    at = 0;
    add_field(t->target, &at, h->link, sizeof h->link);
    if (a->has_target)
        memcpy(t->target, a->target, strlen(a->target) + 1);
    return clean_path(t->name, t->path);
}

static int begin_entry(struct tar_in *t, uint64_t size)
{
    uint64_t mode, modified;
    const char type = t->header.type;
    if (!read_number(t->header.mode, sizeof t->header.mode, &mode) ||
        !read_number(t->header.mtime, sizeof t->header.mtime, &modified))
        return -EBADMSG;
    t->modified_s = (int64_t)MIN_OF(modified, (uint64_t)INT64_MAX);
    size = t->ahead.has_size ? t->ahead.size : size;
    int e = take_names(t);
    t->ahead = (struct ahead){ 0 };
    if (e < 0)
        return e;
    if (t->entries == t->limits.max_entries)
        return -EMFILE;
    size_t end = strlen(t->name);
    bool is_dir = type == '5' || ((type == '0' || type == '\0') && t->name[end - 1] == '/'); /* as in the first tars */
    if (is_dir) {
        e = str_eq(t->path, ".") ? 0 : wfile_mkdir(t->dir, t->path);
        t->entries += e >= 0;
    } else if (type == '0' || type == '\0' || type == '7') {
        return begin_file(t, size, (uint32_t)mode & 0777);
    } else if (type == '1' || type == '2') {
        e = add_link(t, type);
        t->entries += e >= 0;
        size = 0; /* some write the file's */
    } else {
        return -ENOTSUP;
    }
    t->stage = STAGE_SKIP;
    t->left = size;
    t->padding = tar_padding(size);
    return MIN_OF(e, 0);
}

static int end_file(struct tar_in *t)
{
    int e = wfile_put_end(&t->put, t->modified_s);
    t->entries += e == 0;
    t->stage = STAGE_SKIP;
    return e;
}

/* A header that belongs to the next entry, or to all. */
static int begin_ahead(struct tar_in *t, enum stage stage, uint64_t size)
{
    if (size > MAX_EXTENDED)
        return -EBADMSG;
    t->stage = stage;
    t->left = size;
    t->padding = tar_padding(size);
    return 0;
}

static bool is_zero(const struct tar_header *h)
{
    const char *p = (const char *)h;
    return !p[0] && memcmp(p, p + 1, sizeof *h - 1) == 0;
}

static int on_header(struct tar_in *t)
{
    uint64_t sum, size;
    t->filled = 0;
    if (is_zero(&t->header)) {
        t->stage = t->is_marked ? STAGE_OVER : STAGE_HEADER;
        t->is_marked = true;
        return 0;
    }
    t->is_marked = false;
    if (!read_number(t->header.sum, sizeof t->header.sum, &sum) || sum != tar_sum(&t->header) ||
        !read_number(t->header.size, sizeof t->header.size, &size))
        return -EBADMSG;
    switch (t->header.type) {
    case 'x':
        return begin_ahead(t, STAGE_EXTENDED, size);
    case 'L':
        return begin_ahead(t, STAGE_LONG_NAME, size);
    case 'K':
        return begin_ahead(t, STAGE_LONG_LINK, size);
    case 'g': /* comments and defaults for all, of which we use none */
        t->stage = STAGE_SKIP;
        t->left = size;
        t->padding = tar_padding(size);
        return 0;
    default:
        return begin_entry(t, size);
    }
}

/* --- bytes ------------------------------------------------------------------------------------------------- */

/* What is collected in `bytes`, up to `wanted`. -> how much of data was taken */
static size_t fill(struct tar_in *t, const char *data, size_t size, size_t wanted)
{
    size_t n = MIN_OF(size, wanted - t->filled);
    memcpy(t->bytes + t->filled, data, n);
    t->filled += n;
    return n;
}

/* One step of the stage. -> how much was taken, or an error */
static ssize_t step(struct tar_in *t, const char *data, size_t size)
{
    size_t n = (size_t)MIN_OF((uint64_t)size, t->left);
    int e = 0;
    switch (t->stage) {
    case STAGE_HEADER:
        n = fill(t, data, size, TAR_BLOCK);
        if (t->filled == TAR_BLOCK)
            e = on_header(t);
        break;
    case STAGE_EXTENDED:
    case STAGE_LONG_NAME:
    case STAGE_LONG_LINK:
        n = fill(t, data, n, MAX_EXTENDED);
        t->left -= n;
        if (!t->left)
            e = end_ahead(t);
        break;
    case STAGE_CONTENT:
        e = wfile_put_write(&t->put, data, n);
        t->left -= n;
        if (e == 0 && !t->left)
            e = end_file(t);
        break;
    case STAGE_SKIP:
        t->left -= n;
        if (!t->left && !n) {
            n = MIN_OF(size, t->padding);
            t->padding -= n;
        }
        if (!t->left && !t->padding)
            t->stage = STAGE_HEADER;
        break;
    case STAGE_OVER:
        return (ssize_t)size;
    }
    return e < 0 ? e : (ssize_t)n;
}

/* A file without content ends before a further byte comes. */
static int settle(struct tar_in *t)
{
    if (t->stage == STAGE_CONTENT && !t->left)
        t->error = end_file(t);
    else if (t->stage != STAGE_HEADER && t->stage != STAGE_SKIP && t->stage != STAGE_OVER && !t->left)
        t->error = end_ahead(t);
    if (!t->error && t->stage == STAGE_SKIP && !t->left && !t->padding)
        t->stage = STAGE_HEADER;
    return t->error;
}

int tar_in_feed(struct tar_in *t, const void *data, size_t size)
{
    const char *p = data;
    while (!t->error && size) {
        ssize_t n = step(t, p, size);
        if (n < 0) {
            t->error = (int)n;
            break;
        }
        p += n;
        size -= (size_t)n;
        (void)settle(t);
    }
    if (t->error)
        wfile_put_abort(&t->put);
    return t->error;
}
