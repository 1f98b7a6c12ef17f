#include "audit/artifacts.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/dir.h"
#include "audit/line.h"
#include "audit/manifest.h"
#include "base/json.h"
#include "base/io.h"

#define MAX_MANIFEST (4u * MIB)
#define MAX_COUNT    10000u
#define MAX_NAME     1024u

bool artifacts_id_is_valid(const char *id)
{
    size_t n = strlen(id);
    if (!n || n > 128 || id[0] == '.' || str_eq(id, "objects"))
        return false;
    return strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == n;
}

static int fail(const struct artifacts *s, int code, const char *what, struct error *err)
{
    (void)err_set(err, code, BLAME_HOST, "ARTIFACTS", "%s artifacts of %s in %s: %s", what, s->execution_id, s->path,
                  strerror(-code));
    return err_remedy(err,
                      "see security.store_artifacts.path; store_artifacts.enabled: false runs without keeping any");
}

static int open_below(int dir, const char *name, bool may_exist)
{
    if (mkdirat(dir, name, 0700) < 0 && !(may_exist && errno == EEXIST))
        return -errno;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int artifacts_open(struct artifacts *s, const char *path, uint64_t max_bytes, const char *execution_id, struct arena *a,
                   struct error *err)
{
    char stamp[AUDIT_TIME_SIZE];
    struct timespec now;
    *s = (struct artifacts){
        .dir = -1, .objects = -1, .path = path, .max_bytes = max_bytes, .execution_id = execution_id
    };
    (void)a;
    if (!artifacts_id_is_valid(execution_id))
        return err_set(err, -EINVAL, BLAME_US, "ARTIFACTS", "%s is no execution id", execution_id);
    cleanup(closep) int top = dir_open(path);
    if (top < 0)
        return fail(s, top, "keep", err);
    int e = dir_check(top, "ARTIFACTS", path, err);
    if (e < 0)
        return e;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(top);
    if (visit.is_refused)
        return fail(s, -EPERM, "keep", err);
    cleanup(closep) int objects = open_below(top, "objects", true);
    cleanup(closep) int dir = objects < 0 ? objects : open_below(top, execution_id, false);
    if (dir < 0)
        return fail(s, dir, "keep", err);
    if (!(s->manifest = malloc(sizeof *s->manifest)))
        return fail(s, -ENOMEM, "keep", err);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    audit_time_write((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000, stamp);
    buf_init(s->manifest, MAX_MANIFEST);
    (void)buf_addf(s->manifest, "{\"execution_id\":\"%s\",\"created\":\"%s\",\"artifacts\":[", execution_id, stamp);
    s->objects = TAKE_FD(objects);
    s->dir = TAKE_FD(dir);
    return 0;
}

/* --- the manifest ---------------------------------------------------------------------------------- */

static bool begin_entry(struct artifacts *s, const char *role, const char *name, uint64_t size)
{
    struct buf *b = s->manifest;
    if (s->count == MAX_COUNT || b->size > MAX_MANIFEST - 8 * MAX_NAME) {
        s->left_out++; /* only counted */
        return false;
    }
    (void)buf_adds(b, s->count++ ? ",\n{\"role\":" : "\n{\"role\":");
    json_put_string(b, role);
    (void)buf_adds(b, ",\"name\":");
    json_bytes(b, name, MIN_OF(strlen(name), (size_t)MAX_NAME));
    (void)buf_addf(b, ",\"size\":%llu", (unsigned long long)size);
    return true;
}

void artifacts_leave_out(struct artifacts *s, const char *role, const char *name, uint64_t size, const char *why)
{
    if (s->dir < 0 || !begin_entry(s, role, name, size))
        return;
    s->left_out++;
    (void)buf_adds(s->manifest, ",\"left_out\":");
    json_put_string(s->manifest, why);
    (void)buf_addc(s->manifest, '}');
}

static void list(struct artifacts *s, const char *role, const char *name, uint64_t size, const char *hash)
{
    s->used_bytes += size;
    if (begin_entry(s, role, name, size))
        (void)buf_addf(s->manifest, ",\"sha256\":\"%s\"}", hash);
}

/* --- contents -------------------------------------------------------------------------------------- */

static void object_name(const char *hash, char out[static 72])
{
    (void)snprintf(out, 72, "%.2s/%s", hash, hash + 2);
}

/* True: an object of this hash and size is now linked from the execution. */
static bool link_known(const struct artifacts *s, const char *hash, uint64_t size)
{
    char object[72];
    struct stat st;
    object_name(hash, object);
    if (fstatat(s->dir, hash, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return (uint64_t)st.st_size == size; /* the same content twice in this run */
    if (linkat(s->objects, object, s->dir, hash, 0) < 0)
        return false;
    if (fstatat(s->dir, hash, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == size)
        return true;
    (void)unlinkat(s->dir, hash, 0); /* damaged: it is written anew, and takes the object's place */
    (void)unlinkat(s->objects, object, 0);
    return false;
}

/* «part» is whole: it gets its name here, and in the pool where it is not there yet. */
static int settle_part(const struct artifacts *s, const char *hash)
{
    char object[72], folder[3] = { hash[0], hash[1], '\0' };
    object_name(hash, object);
    if (renameat(s->dir, "part", s->dir, hash) < 0)
        return -errno;
    if (mkdirat(s->objects, folder, 0700) < 0 && errno != EEXIST)
        return -errno;
    if (linkat(s->dir, hash, s->objects, object, 0) == 0)
        return 0;
    if (errno != EEXIST)
        return -errno;
    struct stat st;
    if (fstatat(s->objects, object, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        st.st_nlink > 30000) { /* of 65000 that ext4 can take */
        (void)unlinkat(s->objects, object, 0);
        if (linkat(s->dir, hash, s->objects, object, 0) < 0 && errno != EEXIST)
            return -errno;
    }
    return 0;
}

static int open_part(const struct artifacts *s)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(s->dir, "part", flags, 0600);
    if (fd < 0 && errno == EEXIST && unlinkat(s->dir, "part", 0) == 0) /* of one that could not be finished */
        fd = openat(s->dir, "part", flags, 0600);
    return fd < 0 ? -errno : fd;
}

int artifacts_add(struct artifacts *s, const char *role, const char *name, const void *data, size_t size,
                  struct error *err)
{
    char hash[AUDIT_HASH_SIZE];
    if (s->dir < 0)
        return 0;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(s->dir);
    if (size > s->max_bytes - MIN_OF(s->used_bytes, s->max_bytes)) {
        artifacts_leave_out(s, role, name, size, "too large");
        return 0;
    }
    audit_hash(data, size, hash);
    if (!link_known(s, hash, size)) {
        cleanup(closep) int part = open_part(s);
        int e = part < 0 ? part : write_all(part, data, size);
        if (e == 0)
            e = settle_part(s, hash);
        if (e < 0)
            return fail(s, e, "keep", err);
    }
    list(s, role, name, size, hash);
    return 0;
}

static int write_manifest(struct artifacts *s)
{
    struct buf *b = s->manifest;
    b->max += s->receipt_size; /* its own maker bounds it */
    (void)buf_addf(b, "\n],\"bytes\":%llu,\"max_bytes\":%llu,\"left_out\":%u,\"complete\":%s",
                   (unsigned long long)s->used_bytes, (unsigned long long)s->max_bytes, s->left_out,
                   s->left_out ? "false" : "true");
    if (s->receipt) {
        (void)buf_adds(b, MANIFEST_RECEIPT);
        (void)buf_add(b, s->receipt, s->receipt_size);
    }
    (void)buf_adds(b, "}\n");
    if (b->failed)
        return -EMSGSIZE;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(s->dir);
    cleanup(closep) int part = open_part(s);
    int e = part < 0 ? part : write_all(part, b->data, b->size);
    return e == 0 && renameat(s->dir, "part", s->dir, "manifest.json") < 0 ? -errno : e;
}

void artifacts_drop(struct artifacts *s)
{
    if (!s->manifest) /* never opened */
        return;
    closep(&s->dir);
    closep(&s->objects);
    buf_done(s->manifest);
    free(s->manifest);
    s->manifest = NULL;
    s->dir = -1;
}

int artifacts_close(struct artifacts *s, struct error *err)
{
    int e = 0;
    if (!s->manifest) /* never opened */
        return 0;
    if ((e = write_manifest(s)) < 0)
        e = fail(s, e, "list", err);
    artifacts_drop(s);
    return e;
}
