/* compiled_cache.c - compiled policies in files: who may have written them, are they current, store them.
 *
 * A lookup maps the file, checks who could have written it, and reads every source again: reading
 * a few kilobytes that are in the page cache costs less than anything that would tell us whether they
 * changed.
 * The mapping is private but not a copy: if its owner truncates the file in place while it is
 * mapped, the owner's own process dies of SIGBUS. We ourselves only ever replace it by rename.
 */
#include "config/compiled_blob.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "base/cache.h"
#include "base/dirs.h"
#include "base/io.h"

/* ---- sources ---- */

/* True when the file holds exactly these bytes. */
static bool file_is(int fd, struct bytes content)
{
    char chunk[16 * 1024];
    struct stat st;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size != (off_t)content.size)
        return false;
    for (size_t at = 0; at < content.size;) {
        ssize_t n = read(fd, chunk, MIN_OF(content.size - at, sizeof chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || memcmp(chunk, (const char *)content.data + at, (size_t)n) != 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static bool source_is(const char *path, bool is_present, struct bytes content)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return !is_present && (errno == ENOENT || errno == ENOTDIR);
    return is_present && file_is(fd, content);
}

/* ---- the interpreter ---- */

void compiled_python_stamp(char out[static COMPILED_STAMP_MAX])
{
    char real[PATH_MAX];
    struct stat st;
    out[0] = '\0';
    if (!realpath(COMPILED_PYTHON, real) || !str_starts(real, "/usr/") || stat(real, &st) < 0)
        return;
    /* not the inode: overlayfs may number a file anew after a restart */
    (void)snprintf(out, COMPILED_STAMP_MAX, "%s %llu %lld.%09ld", real, (unsigned long long)st.st_size,
                   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static bool python_is(const char *stamp)
{
    char now[COMPILED_STAMP_MAX];
    compiled_python_stamp(now);
    return str_eq(now, stamp);
}

/* ---- lookup ---- */

/* NULL unless it is a regular file of ours and of a sane size. */
static void *map_blob(int dir, const char *name, size_t *ret_size)
{
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !cache_is_ours(&st))
        return NULL;
    if (st.st_size < (off_t)sizeof(struct blob_header) || st.st_size > (off_t)COMPILED_MAX_BYTES)
        return NULL;
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return NULL;
    *ret_size = (size_t)st.st_size;
    return p;
}

static int lookup(const char *cache_dir, const struct compiled_key *key, const struct blob_check *c,
                  struct compiled *ret)
{
    cleanup(buf_done) struct buf packed;
    cleanup(closep) int dir = -EBADF;
    struct blob o;
    char name[32];
    size_t size = 0;
    memset(ret, 0, sizeof *ret);
    if (blob_key(key, &packed) < 0 || (dir = cache_open(cache_dir)) < 0)
        return 0;
    blob_file_name(&packed, name);
    void *blob = map_blob(dir, name, &size);
    if (!blob)
        return 0;
    if (blob_open(blob, size, &o) == 0 && o.key.size == packed.size &&
        memcmp(o.key.data, packed.data, packed.size) == 0 && blob_read(&o, c, ret) == 0) {
        ret->blob = blob;
        ret->blob_size = size;
        ret->is_mapped = true;
        return 1;
    }
    memset(ret, 0, sizeof *ret);
    (void)munmap(blob, size); /* cannot fail for a mapping of ours */
    return 0;
}

int compiled_lookup(const char *cache_dir, const struct compiled_key *key, struct compiled *ret)
{
    struct blob_check c = { .source_is = source_is, .python_is = python_is, .is_for_all = true };
    return lookup(cache_dir, key, &c, ret);
}

/* fast path: everything a run needs, without YAML */
int compiled_lookup_for(const char *cache_dir, const struct compiled_key *key, enum language lang, struct compiled *ret)
{
    struct blob_check c = { .source_is = source_is, .python_is = python_is, .lang = lang };
    return lookup(cache_dir, key, &c, ret);
}

/* ---- storing ---- */

static bool is_policy(const char *name)
{
    size_t n = strlen(name);
    return n == 23 && str_eq(name + 16, ".policy");
}

/* Custom profiles may fill it. A policy is seldom written, so each writer looks. */
static const struct cache cache = { .is_entry = is_policy, .most = 256, .sweep_one_in = 1 };

bool compiled_can_write(const char *cache_dir)
{
    cleanup(closep) int dir = -EBADF;
    return make_dirs(cache_dir, 0700) == 0 && (dir = cache_open(cache_dir)) >= 0 &&
           faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

int compiled_write(const char *cache_dir, const struct compiled_key *key, struct bytes blob)
{
    char name[32], temp[CACHE_TEMP_SIZE];
    int r = make_dirs(cache_dir, 0700);
    if (r < 0)
        return r;
    cleanup(closep) int dir = cache_open(cache_dir);
    if (dir < 0)
        return dir;
    compiled_file_name(key, name);
    cleanup(closep) int fd = cache_create(&cache, dir, temp);
    if (fd < 0)
        return fd;
    r = write_all(fd, blob.data, blob.size);
    if (r == 0 && renameat(dir, temp, dir, name) < 0)
        r = -errno;
    if (r < 0)
        (void)unlinkat(dir, temp, 0); /* best effort: the sweep takes what stays */
    return r;
}
