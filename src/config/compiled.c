/* compiled.c - theory of operation.
 *
 *   header   magic, checksum of all that follows up to the guards, size of that and of the whole
 *   filters  first, so that their instructions are aligned in a mapped file
 *   build    id and struct sizes: another build's blob is no blob
 *   key      what was asked for, packed; the file name is only its hash
 *   sources  path, present or absent, every byte
 *   policy   configuration, profile, origins, names, where each guard lies
 *   guards   finished texts, NUL-terminated, with checksums of their own: a run needs at most one
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
    uint64_t checksum, main_size, size;
};
static const char blob_magic[8] = "SAPOLICY"; /* no NUL: exactly eight */
static const char error_magic[5] = "SAERR";
#define KEY_MAX_BYTES (32u * 1024u) /* five paths of PATH_MAX and their lengths */

/* Four independent lanes of multiply and fold: about a byte for every tenth of a nanosecond. */
uint64_t compiled_checksum(const void *data, size_t n)
{
    const char *p = data;
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

/* Where the guards will lie is known before they are written: one behind the other after main_size. */
static void pack_guards(const struct compiled_parts *p, struct buf *out)
{
    uint64_t at = 0;
    for (int l = 0; l < LANG_COUNT; l++) {
        const struct compiled_guard *g = &p->guard[l];
        size_t size = g->text ? strlen(g->text) + 1 : 0;
        assert(!g->text || g->rules_at + g->rules_size < size);
        pack_str(out, g->path);
        pack_str(out, g->marker);
        pack_u64(out, at);
        pack_u64(out, size);
        pack_u64(out, g->rules_at);
        pack_u64(out, g->rules_size);
        pack_u64(out, g->text ? compiled_checksum(g->text, size) : 0);
        at += size;
    }
}

static void pack_policy(const struct compiled_parts *p, struct buf *out)
{
    settings_pack(config_settings, p->config, out);
    pack_origins(p->config->origin, config_settings.count, out);
    settings_pack(profile_settings, p->profile, out);
    pack_origins(p->profile->origin, profile_settings.count, out);
    pack_str(out, p->filter_summary);
    pack_str(out, p->profile_file);
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        pack_str(out, p->config_file[f]);
    pack_guards(p, out);
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
    h.main_size = out->size;
    for (int l = 0; l < LANG_COUNT; l++)
        if (p->guard[l].text)
            (void)buf_add(out, p->guard[l].text, strlen(p->guard[l].text) + 1);
    if (r < 0 || out->failed)
        return -EMSGSIZE;
    memcpy(h.magic, blob_magic, sizeof h.magic);
    h.size = out->size;
    h.checksum = compiled_checksum(out->data + sizeof h, h.main_size - sizeof h);
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
    struct bytes filter, filter_counting, key, guards;
};

/* Where the sources of a blob have to be looked at again, and of which language the guard is wanted. */
struct check {
    bool compares_sources, is_for_all;
    enum language lang;
};

static int blob_open(const void *data, size_t size, struct opened *ret)
{
    struct header h;
    if (size < sizeof h || size > COMPILED_MAX_BYTES)
        return -EBADMSG;
    memcpy(&h, data, sizeof h);
    const char *body = (const char *)data + sizeof h;
    if (memcmp(h.magic, blob_magic, sizeof h.magic) != 0 || h.size != size || h.main_size < sizeof h ||
        h.main_size > size || h.checksum != compiled_checksum(body, h.main_size - sizeof h))
        return -EBADMSG;
    ret->guards = (struct bytes){ (const char *)data + h.main_size, (uint32_t)(size - h.main_size) };
    struct unpack u = unpack_start(body, h.main_size - sizeof h);
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

/* ---- sources ---- */

struct piece {
    const char *p;
    size_t size;
};

/* True when the file holds exactly the pieces, one behind the other. */
static bool file_is(int fd, const struct piece *pieces, size_t count)
{
    char chunk[16 * 1024];
    struct stat st;
    uint64_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += pieces[i].size;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size != left)
        return false;
    for (size_t i = 0, at = 0; left;) {
        ssize_t n = read(fd, chunk, MIN_OF(left, sizeof chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        left -= (uint64_t)n;
        for (size_t done = 0; done < (size_t)n;) {
            size_t part = MIN_OF((size_t)n - done, pieces[i].size - at);
            if (memcmp(chunk + done, pieces[i].p + at, part) != 0)
                return false;
            done += part;
            at += part;
            if (at == pieces[i].size) {
                i++;
                at = 0;
            }
        }
    }
    return true;
}

static bool source_is(const char *path, bool is_present, const struct piece *pieces, size_t count)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return !is_present && (errno == ENOENT || errno == ENOTDIR);
    return is_present && file_is(fd, pieces, count);
}

/* False: damaged, or one of them has changed. */
static bool check_sources(struct unpack *u, const struct check *c)
{
    uint64_t n = unpack_u64(u);
    if (n > COMPILED_SOURCES_MAX)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const char *path = unpack_str(u);
        uint64_t is_present = unpack_u64(u);
        struct bytes content = unpack_bytes(u);
        struct piece piece = { content.data, content.size };
        if (u->failed || !path || is_present > 1)
            return false;
        if (c->compares_sources && !source_is(path, is_present, &piece, 1))
            return false;
    }
    return true;
}

/* The finished text of one language, or NULL; false: damaged, or its source has changed. */
static bool check_guard(struct unpack *u, struct bytes guards, const struct check *c, enum language lang,
                        const char **ret)
{
    const char *path = unpack_str(u), *marker = unpack_str(u);
    uint64_t at = unpack_u64(u), size = unpack_u64(u), rules_at = unpack_u64(u), rules_size = unpack_u64(u);
    uint64_t sum = unpack_u64(u);
    if (u->failed)
        return false;
    if (size == 0 || (!c->is_for_all && c->lang != lang))
        return true;
    if (!path || !marker || at > guards.size || size > guards.size - at || rules_at >= size ||
        rules_size >= size - rules_at)
        return false;
    const char *text = (const char *)guards.data + at;
    if (compiled_checksum(text, size) != sum || memchr(text, '\0', size) != text + size - 1)
        return false;
    const char *rest = text + rules_at + rules_size;
    const struct piece pieces[] = { { text, rules_at }, { marker, strlen(marker) }, { rest, strlen(rest) } };
    if (c->compares_sources && !source_is(path, true, pieces, ARRAY_LEN(pieces)))
        return false;
    *ret = text;
    return true;
}

/* ---- the whole ---- */

static int unpack_policy(struct opened *o, const struct check *c, struct compiled *ret)
{
    struct unpack *u = &o->rest;
    if (!check_sources(u, c))
        return -EBADMSG;
    settings_unpack(config_settings, &ret->config, u);
    unpack_origins(u, ret->config.origin, config_settings.count);
    settings_unpack(profile_settings, &ret->profile, u);
    unpack_origins(u, ret->profile.origin, profile_settings.count);
    ret->filter = o->filter;
    ret->filter_counting = o->filter_counting;
    ret->filter_summary = unpack_str(u);
    ret->profile_file = unpack_str(u);
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        ret->config_file[f] = unpack_str(u);
    if (!ret->filter_summary || !ret->profile_file)
        return -EBADMSG;
    for (int l = 0; l < LANG_COUNT; l++)
        if (!check_guard(u, o->guards, c, (enum language)l, &ret->guard[l]))
            return -EBADMSG;
    return unpack_end(u);
}

int compiled_unpack(const void *data, size_t size, struct compiled *ret)
{
    struct check c = { .is_for_all = true };
    struct opened o;
    memset(ret, 0, sizeof *ret);
    int r = blob_open(data, size, &o);
    if (r == 0)
        r = unpack_policy(&o, &c, ret);
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
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return NULL;
    *ret_size = (size_t)st.st_size;
    return p;
}

static int lookup(const char *cache_dir, const struct compiled_key *key, const struct check *c,
                  struct compiled *ret)
{
    cleanup(buf_done) struct buf packed;
    cleanup(closep) int dir = -EBADF;
    struct opened o;
    char name[32];
    size_t size = 0;
    memset(ret, 0, sizeof *ret);
    if (key_pack(key, &packed) < 0 || (dir = open_cache_dir(cache_dir)) < 0)
        return 0;
    file_name(&packed, name);
    void *blob = map_blob(dir, name, &size);
    if (!blob)
        return 0;
    if (blob_open(blob, size, &o) == 0 && o.key.size == packed.size &&
        memcmp(o.key.data, packed.data, packed.size) == 0 && unpack_policy(&o, c, ret) == 0) {
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
    struct check c = { .compares_sources = true, .is_for_all = true };
    return lookup(cache_dir, key, &c, ret);
}

/* fast path: everything a run needs, without YAML */
int compiled_lookup_for(const char *cache_dir, const struct compiled_key *key, enum language lang,
                        struct compiled *ret)
{
    struct check c = { .compares_sources = true, .lang = lang };
    return lookup(cache_dir, key, &c, ret);
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
