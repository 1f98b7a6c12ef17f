/* compiled.c - theory of operation.
 *
 *   header   magic, checksum of all that follows, size of the whole
 *   filters  first, so that their instructions are aligned in a mapped file
 *   build    id and struct sizes: another build's blob is no blob
 *   key      what was asked for, packed; the file name is only its hash
 *   sources  path, present or absent, every byte
 *   policy   configuration, profile, origins, guards, names
 *
 * A lookup maps the file, checks who could have written it, and reads every source again: reading
 * a few kilobytes that are in the page cache costs less than anything that would tell us whether they
 * changed. The checksum guards against rot and power cuts, not against an attacker: whoever may
 * write the file may write the policy, and that is what the ownership check is for.
 *
 * The mapping is private but not a copy: if its owner truncates the file in place while it is
 * mapped, the owner's own process dies of SIGBUS. We ourselves only ever replace it by rename.
 */
#include "config/compiled.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#ifndef BUILD_ID
#define BUILD_ID "dev"
#endif

struct header {
    char magic[8];
    uint64_t checksum, size;
};
static const char blob_magic[8] = "SAPOLICY"; /* no NUL: exactly eight */
static const char error_magic[5] = "SAERR";
#define KEY_MAX_BYTES (32u * 1024u) /* five paths of PATH_MAX and their lengths */

/* Four independent lanes of multiply and fold: about a byte for every tenth of a nanosecond. */
static uint64_t checksum(const char *p, size_t n)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t lane[4] = { n, n ^ k, ~n, n + k }, word;
    for (; n >= 32; p += 32, n -= 32)
        for (size_t i = 0; i < 4; i++) {
            memcpy(&word, p + 8 * i, 8);
            lane[i] = (lane[i] ^ word) * k;
            lane[i] ^= lane[i] >> 29;
        }
    for (; n; p++, n--) {
        lane[n & 3] = (lane[n & 3] ^ (unsigned char)*p) * k;
        lane[n & 3] ^= lane[n & 3] >> 29;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < 4; i++)
        sum = (sum ^ lane[i]) * k;
    return sum ^ sum >> 32;
}

/* ---- key ---- */

static int key_pack(const struct compiled_key *key, struct buf *out)
{
    buf_init(out, KEY_MAX_BYTES);
    const char *const parts[] = { key->level,       key->profile_path, key->config_path, key->system_config,
                                  key->user_config, key->data_dir };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        pack_str(out, parts[i]);
    return out->failed ? -EMSGSIZE : 0;
}

/* FNV-1a. Two keys with one hash share a file and take turns; the key inside tells them apart. */
static void file_name(const struct buf *key, char out[static 32])
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < key->size; i++)
        h = (h ^ (unsigned char)key->data[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 16; i++)
        out[i] = "0123456789abcdef"[h >> (60 - 4 * i) & 15];
    memcpy(out + 16, ".policy", sizeof ".policy");
}

void compiled_file_name(const struct compiled_key *key, char out[static 32])
{
    struct buf packed;
    (void)key_pack(key, &packed); /* a key that is too long has a name too, it is just never stored */
    file_name(&packed, out);
    buf_done(&packed);
}

/* ---- packing ---- */

static void pack_origins(const struct origin *o, size_t n, struct buf *out)
{
    pack_bytes(out, (struct bytes){ o, (uint32_t)(n * sizeof *o) });
}

static void pack_sources(const struct compiled_parts *p, struct buf *out)
{
    pack_u64(out, p->source_count);
    for (uint32_t i = 0; i < p->source_count; i++) {
        pack_str(out, p->sources[i].path);
        pack_u64(out, p->sources[i].is_present);
        pack_bytes(out, p->sources[i].content);
    }
}

static void pack_policy(const struct compiled_parts *p, struct buf *out)
{
    settings_pack(config_settings, p->config, out);
    pack_origins(p->config->origin, config_settings.count, out);
    settings_pack(profile_settings, p->profile, out);
    pack_origins(p->profile->origin, profile_settings.count, out);
    pack_str(out, p->filter_summary);
    for (int l = 0; l < LANG_COUNT; l++)
        pack_str(out, p->guard[l]);
    pack_str(out, p->profile_file);
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        pack_str(out, p->config_file[f]);
}

int compiled_pack(const struct compiled_key *key, const struct compiled_parts *p, struct buf *out)
{
    struct header h = { 0 };
    struct buf packed_key;
    assert(p->source_count <= COMPILED_SOURCES_MAX);
    int r = key_pack(key, &packed_key);
    buf_init(out, COMPILED_MAX_BYTES);
    (void)buf_add(out, &h, sizeof h);
    pack_bytes(out, p->filter);
    pack_bytes(out, p->filter_counting);
    pack_str(out, BUILD_ID);
    pack_u64(out, sizeof(struct config) << 32 | sizeof(struct profile));
    pack_bytes(out, (struct bytes){ packed_key.data, (uint32_t)packed_key.size });
    pack_sources(p, out);
    pack_policy(p, out);
    buf_done(&packed_key);
    if (r < 0 || out->failed)
        return -EMSGSIZE;
    memcpy(h.magic, blob_magic, sizeof h.magic);
    h.size = out->size;
    h.checksum = checksum(out->data + sizeof h, out->size - sizeof h);
    memcpy(out->data, &h, sizeof h);
    return 0;
}

void compiled_pack_error(const struct error *err, struct buf *out)
{
    buf_init(out, 4096);
    (void)buf_add(out, error_magic, sizeof error_magic);
    pack_u64(out, (uint64_t)-err->code);
    pack_u64(out, err->blame);
    pack_str(out, err->text);
    pack_str(out, err->remedy);
}

/* ---- unpacking ---- */

/* A blob that has been checked as far as its key. */
struct opened {
    struct unpack rest;
    struct bytes filter, filter_counting, key;
};

static int blob_open(const void *data, size_t size, struct opened *ret)
{
    struct header h;
    if (size < sizeof h || size > COMPILED_MAX_BYTES)
        return -EBADMSG;
    memcpy(&h, data, sizeof h);
    const char *body = (const char *)data + sizeof h;
    if (memcmp(h.magic, blob_magic, sizeof h.magic) != 0 || h.size != size ||
        h.checksum != checksum(body, size - sizeof h))
        return -EBADMSG;
    struct unpack u = unpack_start(body, size - sizeof h);
    ret->filter = unpack_bytes(&u);
    ret->filter_counting = unpack_bytes(&u);
    const char *build = unpack_str(&u);
    uint64_t sizes = unpack_u64(&u);
    ret->key = unpack_bytes(&u);
    if (u.failed || !build || !str_eq(build, BUILD_ID) ||
        sizes != (sizeof(struct config) << 32 | sizeof(struct profile)))
        return -EBADMSG;
    ret->rest = u;
    return 0;
}

static void unpack_origins(struct unpack *u, struct origin *o, size_t n)
{
    struct bytes b = unpack_bytes(u);
    if (b.size != n * sizeof *o) {
        u->failed = true;
        return;
    }
    memcpy(o, b.data, b.size);
    for (size_t i = 0; i < n; i++)
        if (o[i].source > ORIGIN_OPTION || o[i].file >= CONFIG_FILE_COUNT)
            u->failed = true;
}

/* Calls `visit` for each source until it says no. */
static bool each_source(struct unpack *u, bool (*visit)(const struct compiled_source *))
{
    uint64_t n = unpack_u64(u);
    if (n > COMPILED_SOURCES_MAX)
        u->failed = true;
    for (uint64_t i = 0; i < n && !u->failed; i++) {
        struct compiled_source s = { .path = unpack_str(u) };
        uint64_t is_present = unpack_u64(u);
        s.is_present = is_present == 1;
        s.content = unpack_bytes(u);
        if (!s.path || is_present > 1)
            u->failed = true;
        if (u->failed || (visit && !visit(&s)))
            return false;
    }
    return !u->failed;
}

static int unpack_policy(struct opened *o, struct compiled *ret)
{
    struct unpack *u = &o->rest;
    settings_unpack(config_settings, &ret->config, u);
    unpack_origins(u, ret->config.origin, config_settings.count);
    settings_unpack(profile_settings, &ret->profile, u);
    unpack_origins(u, ret->profile.origin, profile_settings.count);
    ret->filter = o->filter;
    ret->filter_counting = o->filter_counting;
    ret->filter_summary = unpack_str(u);
    for (int l = 0; l < LANG_COUNT; l++)
        ret->guard[l] = unpack_str(u);
    ret->profile_file = unpack_str(u);
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        ret->config_file[f] = unpack_str(u);
    if (!ret->filter_summary || !ret->profile_file)
        return -EBADMSG;
    return unpack_end(u);
}

int compiled_unpack(const void *data, size_t size, struct compiled *ret)
{
    struct opened o;
    memset(ret, 0, sizeof *ret);
    int r = blob_open(data, size, &o);
    if (r == 0 && !each_source(&o.rest, NULL))
        r = -EBADMSG;
    if (r == 0)
        r = unpack_policy(&o, ret);
    if (r < 0)
        memset(ret, 0, sizeof *ret);
    return r;
}

void compiled_done(struct compiled *c)
{
    if (c->is_mapped)
        (void)munmap(c->blob, c->blob_size); /* cannot fail for a mapping of ours */
    else
        free(c->blob);
    memset(c, 0, sizeof *c);
}

/* ---- receiving ---- */

static int read_all(int fd, struct buf *out)
{
    char chunk[64 * 1024];
    buf_init(out, COMPILED_MAX_BYTES);
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        int r = buf_add(out, chunk, (size_t)n);
        if (r < 0)
            return r;
    }
}

static int receive_error(const struct buf *b, struct error *err)
{
    struct unpack u = unpack_start(b->data + sizeof error_magic, b->size - sizeof error_magic);
    uint64_t code = unpack_u64(&u), blame = unpack_u64(&u);
    const char *text = unpack_str(&u), *remedy = unpack_str(&u);
    if (unpack_end(&u) < 0 || !text || !remedy || code == 0 || code > 4095 || blame > BLAME_GUEST)
        return err_set(err, -EBADMSG, BLAME_US, NULL, "sandbox-policy answered with a damaged error");
    (void)err_set(err, -(int)code, (enum blame)blame, NULL, "%s", text);
    if (*remedy)
        (void)err_remedy(err, "%s", remedy);
    return -(int)code;
}

int compiled_receive(int fd, struct compiled *ret, struct error *err)
{
    cleanup(buf_done) struct buf b;
    memset(ret, 0, sizeof *ret);
    int r = read_all(fd, &b);
    if (r < 0)
        return err_set(err, r, BLAME_US, NULL, "reading the policy from sandbox-policy: %s", strerror(-r));
    if (b.size == 0)
        return err_set(err, -EPIPE, BLAME_US, NULL, "sandbox-policy ended without an answer");
    if (b.size >= sizeof error_magic && memcmp(b.data, error_magic, sizeof error_magic) == 0)
        return receive_error(&b, err);
    if ((r = compiled_unpack(b.data, b.size, ret)) < 0) {
        (void)err_set(err, r, BLAME_US, NULL, "the policy from sandbox-policy is damaged or of another build");
        (void)err_remedy(err, "install sandbox-agent and sandbox-policy of the same build");
        return r;
    }
    ret->blob_size = b.size;
    ret->blob = TAKE_PTR(b.data);
    return 0;
}

/* ---- lookup ---- */

static bool is_ours(const struct stat *st)
{
    return (st->st_uid == geteuid() || st->st_uid == 0) && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The directory, if only we and root could have put something there. */
static int open_cache_dir(const char *path)
{
    cleanup(closep) int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (!is_ours(&st))
        return -EPERM;
    return TAKE_FD(fd);
}

/* NULL unless it is a regular file of ours and of a sane size. */
static void *map_blob(int dir, const char *name, size_t *ret_size)
{
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !is_ours(&st))
        return NULL;
    if (st.st_size < (off_t)sizeof(struct header) || st.st_size > (off_t)COMPILED_MAX_BYTES)
        return NULL;
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (p == MAP_FAILED)
        return NULL;
    *ret_size = (size_t)st.st_size;
    return p;
}

static bool content_is(int fd, const char *want, size_t left)
{
    char chunk[16 * 1024];
    while (left) {
        ssize_t n = read(fd, chunk, MIN_OF(left, sizeof chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || memcmp(chunk, want, (size_t)n) != 0)
            return false;
        want += n;
        left -= (size_t)n;
    }
    return true;
}

static bool source_is_unchanged(const struct compiled_source *s)
{
    cleanup(closep) int fd = open(s->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return !s->is_present && (errno == ENOENT || errno == ENOTDIR);
    return s->is_present && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == (off_t)s->content.size &&
           content_is(fd, s->content.data, s->content.size);
}

static bool blob_is_current(const void *blob, size_t size, const struct buf *key, struct compiled *ret)
{
    struct opened o;
    memset(ret, 0, sizeof *ret);
    return blob_open(blob, size, &o) == 0 && o.key.size == key->size &&
           memcmp(o.key.data, key->data, key->size) == 0 && each_source(&o.rest, source_is_unchanged) &&
           unpack_policy(&o, ret) == 0;
}

/* fast path: everything a run needs, without YAML */
int compiled_lookup(const char *cache_dir, const struct compiled_key *key, struct compiled *ret)
{
    cleanup(buf_done) struct buf packed;
    cleanup(closep) int dir = -EBADF;
    char name[32];
    size_t size = 0;
    memset(ret, 0, sizeof *ret);
    if (key_pack(key, &packed) < 0 || (dir = open_cache_dir(cache_dir)) < 0)
        return 0;
    file_name(&packed, name);
    void *blob = map_blob(dir, name, &size);
    if (!blob)
        return 0;
    if (!blob_is_current(blob, size, &packed, ret)) {
        memset(ret, 0, sizeof *ret);
        (void)munmap(blob, size);
        return 0;
    }
    ret->blob = blob;
    ret->blob_size = size;
    ret->is_mapped = true;
    return 1;
}

/* ---- storing ---- */

static int make_dirs(const char *path)
{
    char part[4096];
    size_t n = strlen(path);
    if (n >= sizeof part)
        return -ENAMETOOLONG;
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0700) < 0 && errno != EEXIST)
            return -errno;
    }
    return 0;
}

/* Removes what a killed writer left, and everything when custom profiles have filled the directory:
 * what is still needed comes back at its next use. */
#define CACHE_MAX_FILES 256
#define TEMP_MAX_AGE_S 60
static void sweep(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    size_t count = 0;
    const struct dirent *e;
    while ((e = readdir(d)))
        count++;
    rewinddir(d);
    while ((e = readdir(d))) {
        struct stat st;
        bool is_temp = str_starts(e->d_name, ".tmp.");
        if (e->d_name[0] == '.' && !is_temp)
            continue;
        if (is_temp ? fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_mtime < time(NULL) - TEMP_MAX_AGE_S
                    : count > CACHE_MAX_FILES)
            (void)unlinkat(dir, e->d_name, 0); /* another process may have been faster */
    }
    (void)closedir(d);
}

static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(fd, p, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0)
            return -errno;
        p += w;
        n -= (size_t)w;
    }
    return 0;
}

int compiled_write(const char *cache_dir, const struct compiled_key *key, struct bytes blob)
{
    char name[32], temp[32];
    uint64_t nonce = 0;
    int r = make_dirs(cache_dir);
    if (r < 0)
        return r;
    cleanup(closep) int dir = open_cache_dir(cache_dir);
    if (dir < 0)
        return dir;
    sweep(dir);
    compiled_file_name(key, name);
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        return -EIO;
    (void)snprintf(temp, sizeof temp, ".tmp.%016llx", (unsigned long long)nonce);
    cleanup(closep) int fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    r = write_all(fd, blob.data, blob.size);
    if (r == 0 && renameat(dir, temp, dir, name) < 0)
        r = -errno;
    if (r < 0)
        (void)unlinkat(dir, temp, 0); /* best effort: the sweep takes what stays */
    return r;
}

void compiled_origin(const struct compiled *c, struct origin o, struct buf *out)
{
    const char *file = o.source == ORIGIN_PROFILE ? c->profile_file
                       : o.source == ORIGIN_CONFIG && o.file < CONFIG_FILE_COUNT ? c->config_file[o.file] : NULL;
    if (file)
        (void)buf_addf(out, "%s:%u", file, o.line);
    else
        (void)buf_adds(out, o.source == ORIGIN_OPTION ? "option" : "default");
}
