#include "base/bundle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* --- writing -------------------------------------------------------------------------------------------- */

int bundle_open(struct bundle *b)
{
    *b = (struct bundle){ .fd = memfd_create("workspace", MFD_CLOEXEC | MFD_ALLOW_SEALING) };
    return b->fd < 0 ? -errno : 0;
}

int bundle_add(struct bundle *b, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(b->fd, (const char *)data + done, size - done, (off_t)b->at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        b->at += (uint64_t)n;
        done += (size_t)n;
    }
    return 0;
}

static int add_head(struct bundle *b, enum bundle_kind kind, const char *path, uint64_t size)
{
    struct bundle_head head = { .kind = kind, .path_size = (uint32_t)strlen(path), .size = size };
    b->at = b->whole;
    int r = bundle_add(b, &head, sizeof head);
    return r < 0 ? r : bundle_add(b, path, head.path_size);
}

int bundle_begin_file(struct bundle *b, const char *path, uint64_t size)
{
    return add_head(b, BUNDLE_FILE, path, size);
}

void bundle_end_file(struct bundle *b)
{
    b->whole = b->at;
}

int bundle_seal(struct bundle *b, const struct workspace_rest *rest)
{
    char bytes[256];
    struct buf packed = { .data = bytes,
                          .cap = sizeof bytes,
                          .max = sizeof bytes - 1 }; /* buf.c asks for memory only beyond cap */
    pack_fields(&packed, workspace_rest_fields, workspace_rest_field_count, rest);
    assert(!packed.failed); /* ten numbers */
    int r = add_head(b, BUNDLE_REST, "", packed.size);
    if (r == 0)
        r = bundle_add(b, packed.data, packed.size);
    if (r == 0 && (ftruncate(b->fd, (off_t)b->at) < 0 || fcntl(b->fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL) < 0))
        r = -errno;
    return r;
}

void bundle_done(struct bundle *b)
{
    closep(&b->fd);
}

/* --- reading -------------------------------------------------------------------------------------------- */

struct reading {
    const char *p, *end;
    uint64_t left_bytes;
    uint32_t files;
    char path[WORKSPACE_MAX_PATH + 1]; /* of the present file */
    const char *content;
    uint64_t size;
};

static struct reading reading_start(const void *data, size_t size, uint64_t max_bytes)
{
    return (struct reading){ .p = data, .end = (const char *)data + size, .left_bytes = max_bytes };
}

static bool read_path(struct reading *r, size_t size)
{
    if (size > WORKSPACE_MAX_PATH || size > (size_t)(r->end - r->p) || memchr(r->p, '\0', size))
        return false;
    memcpy(r->path, r->p, size);
    r->path[size] = '\0';
    r->p += size;
    return true;
}

/* The next head, with its path, and where what follows lies. Its kind, or -EBADMSG. */
static int read_head(struct reading *r)
{
    struct bundle_head head;
    if ((size_t)(r->end - r->p) < sizeof head)
        return -EBADMSG;
    memcpy(&head, r->p, sizeof head);
    r->p += sizeof head;
    if (!read_path(r, head.path_size) || head.size > (uint64_t)(r->end - r->p))
        return -EBADMSG;
    r->content = r->p;
    r->size = head.size;
    r->p += head.size;
    return head.kind == BUNDLE_FILE || head.kind == BUNDLE_REST ? (int)head.kind : -EBADMSG;
}

static bool is_within(struct reading *r)
{
    if (r->files++ >= WORKSPACE_MAX_FILES || r->size > r->left_bytes || r->size > WORKSPACE_MAX_FILE_BYTES ||
        !leftover_path_is_sound(r->path))
        return false;
    r->left_bytes -= r->size;
    return true;
}

static int read_rest(const struct reading *r, struct workspace_rest *ret)
{
    struct unpack u = unpack_start(r->content, r->size);
    struct workspace_rest rest = { 0 };
    unpack_fields(&u, workspace_rest_fields, workspace_rest_field_count, &rest);
    if (r->path[0] || r->p != r->end || unpack_end(&u) < 0)
        return -EBADMSG;
    *ret = rest;
    return 0;
}

static int look_at_all(struct reading r, struct workspace_rest *ret)
{
    int kind;
    while ((kind = read_head(&r)) == BUNDLE_FILE)
        if (!is_within(&r))
            return -EBADMSG;
    return kind < 0 ? kind : read_rest(&r, ret);
}

int bundle_read(const void *data, size_t size, uint64_t max_bytes, bundle_take *take, void *context,
                struct workspace_rest *ret)
{
    struct reading r = reading_start(data, size, max_bytes);
    int e = look_at_all(r, ret);
    while (e == 0 && read_head(&r) == BUNDLE_FILE)
        if (!take(context, r.path, r.content, r.size))
            break;
    return e;
}

int bundle_read_fd(int fd, uint64_t max_bytes, bundle_take *take, void *context, struct workspace_rest *ret)
{
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & SEALS) != SEALS || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
        return -EBADMSG;
    size_t size = (size_t)st.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return -errno;
    int e = bundle_read(data, size, max_bytes, take, context, ret);
    (void)munmap(data, size);
    return e;
}
