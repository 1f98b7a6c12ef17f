/* compiled.c - theory of operation.
 *
 *   header   magic, checksum of all that follows up to the guards, size of that and of the whole
 *   filters  first, so that their instructions are aligned in a mapped file
 *   build    id and struct sizes: another build's blob is no blob
 *   key      what was asked for, packed; the file name is only its hash
 *   sources  path, present or absent, every byte
 *   policy   configuration, profile, origins, names, where each part lies
 *   parts    source and finished file of each guard; apart from them, what is for containers: filter and guards. With
 *            checksums of their own: a run needs at most one guard, and a native one none of the last pages
 *
 * The checksums guard against rot and power cuts, not against an attacker: a user who may write the
 * file may write the policy, and compiled_cache.c looks at who that is.
 */
#include "config/compiled_blob.h"

#include <sys/mman.h>

#ifndef BUILD_ID
#define BUILD_ID "dev"
#endif

static const char blob_magic[8] = "SAPOLICY"; /* no NUL: exactly eight */
static const char error_magic[5] = "SAERR";

/* Four independent connections of multiply and fold: about a byte for every tenth of a nanosecond. */
uint64_t compiled_checksum(const void *data, size_t n)
{
    const char *p = data;
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t connection[4] = { n, n ^ k, ~n, n + k }, word;
    for (; n >= 32; p += 32, n -= 32)
        for (size_t i = 0; i < 4; i++) {
            memcpy(&word, p + 8 * i, 8);
            connection[i] = (connection[i] ^ word) * k;
            connection[i] ^= connection[i] >> 29;
        }
    for (; n; p++, n--) {
        connection[n & 3] = (connection[n & 3] ^ (unsigned char)*p) * k;
        connection[n & 3] ^= connection[n & 3] >> 29;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < 4; i++)
        sum = (sum ^ connection[i]) * k;
    return sum ^ sum >> 32;
}

/* ---- key ---- */

#define KEY_MAX_BYTES (32u * 1024u) /* six words, of which five are paths of at most PATH_MAX */

int blob_key(const struct compiled_key *key, struct buf *out)
{
    buf_init(out, KEY_MAX_BYTES);
    const char *const parts[] = { key->level,         key->profile_path, key->config_path,
                                  key->system_config, key->user_config,  key->data_dir };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        pack_str(out, parts[i]);
    return out->failed ? -EMSGSIZE : 0;
}

/* FNV-1a. Two keys with one hash share a file and take turns; the key inside tells them apart. */
void blob_file_name(const struct buf *key, char out[static 32])
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
    (void)blob_key(key, &packed); /* a key that is too long has a name too, it is just never stored */
    blob_file_name(&packed, out);
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

/* Where the parts will lie is known before they are written: one behind the other after main_size. */
static uint64_t pack_span(struct buf *out, struct bytes b, uint64_t at)
{
    pack_u64(out, at);
    pack_u64(out, b.size);
    pack_u64(out, compiled_checksum(b.data, b.size));
    return at + b.size;
}

static struct bytes string_bytes(const char *text)
{
    text = text ? text : "";
    return (struct bytes){ text, (uint32_t)strlen(text) + 1 }; /* it comes back as a string */
}

static void pack_span_table(const struct compiled_parts *p, struct buf *out)
{
    uint64_t at = 0, apart = 0;
    for (int l = 0; l < LANG_COUNT; l++)
        apart += (uint64_t)p->guard[l].source.size + p->guard[l].content.size;
    apart = pack_span(out, string_bytes(p->seccomp_json), apart);
    apart = pack_span(out, string_bytes(p->watched_json), apart);
    for (int l = 0; l < LANG_COUNT; l++) {
        const struct compiled_guard *g = &p->guard[l];
        pack_str(out, g->path);
        pack_str(out, g->stamp);
        at = pack_span(out, g->source, at);
        at = pack_span(out, g->content, at);
        apart = pack_span(out, g->container, apart);
        apart = pack_span(out, g->park, apart);
    }
}

static void add_parts(const struct compiled_parts *p, struct buf *out)
{
    const struct bytes json[] = { string_bytes(p->seccomp_json), string_bytes(p->watched_json) };
    for (int l = 0; l < LANG_COUNT; l++) {
        (void)buf_add(out, p->guard[l].source.data, p->guard[l].source.size);
        (void)buf_add(out, p->guard[l].content.data, p->guard[l].content.size);
    }
    for (size_t i = 0; i < ARRAY_LEN(json); i++)
        (void)buf_add(out, json[i].data, json[i].size);
    for (int l = 0; l < LANG_COUNT; l++) {
        (void)buf_add(out, p->guard[l].container.data, p->guard[l].container.size);
        (void)buf_add(out, p->guard[l].park.data, p->guard[l].park.size);
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
    pack_span_table(p, out);
}

int compiled_pack(const struct compiled_key *key, const struct compiled_parts *p, struct buf *out)
{
    struct blob_header h = { 0 };
    struct buf packed_key;
    assert(p->source_count <= COMPILED_SOURCES_MAX);
    int r = blob_key(key, &packed_key);
    buf_init(out, COMPILED_MAX_BYTES);
    (void)buf_add(out, &h, sizeof h);
    pack_bytes(out, p->filter);
    pack_bytes(out, p->filter_asking);
    pack_bytes(out, p->filter_volumes);
    pack_str(out, BUILD_ID);
    pack_u64(out, sizeof(struct config) << 32 | sizeof(struct profile));
    pack_bytes(out, (struct bytes){ packed_key.data, (uint32_t)packed_key.size });
    pack_sources(p, out);
    pack_policy(p, out);
    buf_done(&packed_key);
    h.main_size = out->size;
    add_parts(p, out);
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

int blob_open(const void *data, size_t size, struct blob *ret)
{
    struct blob_header h;
    if (size < sizeof h || size > COMPILED_MAX_BYTES)
        return -EBADMSG;
    memcpy(&h, data, sizeof h);
    const char *body = (const char *)data + sizeof h;
    if (memcmp(h.magic, blob_magic, sizeof h.magic) != 0 || h.size != size || h.main_size < sizeof h ||
        h.main_size > size || h.checksum != compiled_checksum(body, h.main_size - sizeof h))
        return -EBADMSG;
    ret->parts = (struct bytes){ (const char *)data + h.main_size, (uint32_t)(size - h.main_size) };
    struct unpack u = unpack_start(body, h.main_size - sizeof h);
    ret->filter = unpack_bytes(&u);
    ret->filter_asking = unpack_bytes(&u);
    ret->filter_volumes = unpack_bytes(&u);
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

/* ---- sources and guards ---- */

/* False: damaged, or one of them has changed. */
static bool check_sources(struct unpack *u, const struct blob_check *c)
{
    uint64_t n = unpack_u64(u);
    if (n > COMPILED_SOURCES_MAX)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const char *path = unpack_str(u);
        uint64_t is_present = unpack_u64(u);
        struct bytes content = unpack_bytes(u);
        if (u->failed || !path || is_present > 1)
            return false;
        if (c->source_is && !c->source_is(path, is_present, content))
            return false;
    }
    return true;
}

struct span {
    uint64_t at, size, sum;
};

static struct span unpack_span(struct unpack *u)
{
    struct span s = { .at = unpack_u64(u) };
    s.size = unpack_u64(u);
    s.sum = unpack_u64(u);
    return s;
}

/* Where it lies, unread. */
static bool span_part(const struct span *s, struct bytes parts, struct compiled_part *ret)
{
    if (s->at > parts.size || s->size > parts.size - s->at)
        return false;
    *ret = (struct compiled_part){ { (const char *)parts.data + s->at, (uint32_t)s->size }, s->sum };
    return true;
}

static bool part_is_whole(const struct compiled_part *p)
{
    return compiled_checksum(p->bytes.data, p->bytes.size) == p->sum;
}

static bool span_bytes(const struct span *s, struct bytes parts, struct bytes *ret)
{
    struct compiled_part p;
    if (!span_part(s, parts, &p) || !part_is_whole(&p))
        return false;
    *ret = p.bytes;
    return true;
}

/* What is for containers only is read by those who want it, and when the whole blob is. */
static bool check_container_part(const struct span *s, struct bytes parts, const struct blob_check *c,
                                 struct compiled_part *ret)
{
    return span_part(s, parts, ret) && (!c->is_for_all || part_is_whole(ret));
}

/* The finished files of one language, or nothing; false: damaged, or what they were made from or for has changed. */
static bool check_guard(struct unpack *u, struct bytes parts, const struct blob_check *c, enum language lang,
                        struct compiled *ret)
{
    const char *path = unpack_str(u), *stamp = unpack_str(u);
    struct span in = unpack_span(u), out = unpack_span(u), container = unpack_span(u), park = unpack_span(u);
    struct bytes source, content;
    if (u->failed || !check_container_part(&park, parts, c, &ret->park[lang]))
        return false;
    if (out.size == 0 || (!c->is_for_all && c->lang != lang))
        return true;
    if (!path || !span_bytes(&in, parts, &source) || !span_bytes(&out, parts, &content) ||
        !check_container_part(&container, parts, c, &ret->container_guard[lang]))
        return false;
    if (c->source_is && !c->source_is(path, true, source))
        return false;
    if (c->python_is && stamp && !c->python_is(stamp))
        return false;
    ret->guard[lang] = content;
    return true;
}

/* ---- the whole ---- */

int blob_read(struct blob *o, const struct blob_check *c, struct compiled *ret)
{
    struct unpack *u = &o->rest;
    if (!check_sources(u, c))
        return -EBADMSG;
    settings_unpack(config_settings, &ret->config, u);
    unpack_origins(u, ret->config.origin, config_settings.count);
    settings_unpack(profile_settings, &ret->profile, u);
    unpack_origins(u, ret->profile.origin, profile_settings.count);
    ret->filter = o->filter;
    ret->filter_asking = o->filter_asking;
    ret->filter_volumes = o->filter_volumes;
    ret->filter_summary = unpack_str(u);
    ret->profile_file = unpack_str(u);
    for (int f = 0; f < CONFIG_FILE_COUNT; f++)
        ret->config_file[f] = unpack_str(u);
    if (!ret->filter_summary || !ret->profile_file)
        return -EBADMSG;
    struct span json = unpack_span(u), watched = unpack_span(u);
    if (u->failed || !check_container_part(&json, o->parts, c, &ret->container_filter) ||
        !check_container_part(&watched, o->parts, c, &ret->container_watched))
        return -EBADMSG;
    for (int l = 0; l < LANG_COUNT; l++)
        if (!check_guard(u, o->parts, c, (enum language)l, ret))
            return -EBADMSG;
    return unpack_end(u);
}

static bool is_string(const struct compiled_part *p)
{
    const char *text = p->bytes.data;
    return p->bytes.size && part_is_whole(p) && memchr(text, '\0', p->bytes.size) == text + p->bytes.size - 1;
}

int compiled_park(const struct compiled *c, enum language lang, struct bytes *ret)
{
    *ret = lang < LANG_COUNT ? c->guard[lang] : (struct bytes){ 0 };
    if (lang >= LANG_COUNT || ret->size || !c->park[lang].bytes.size)
        return 0;
    if (!part_is_whole(&c->park[lang]))
        return -EBADMSG;
    *ret = c->park[lang].bytes;
    return 0;
}

int compiled_container(const struct compiled *c, enum language lang, struct compiled_container *ret)
{
    static const struct compiled_part none;
    const struct compiled_part *guard = lang < LANG_COUNT ? &c->container_guard[lang]
                                                          : &none; /* LANG_COMMAND is behind them */
    *ret = (struct compiled_container){ 0 };
    if (!is_string(&c->container_filter) || !is_string(&c->container_watched))
        return -EBADMSG;
    if (guard->bytes.size && !part_is_whole(guard))
        return -EBADMSG;
    *ret = (struct compiled_container){ c->container_filter.bytes.data, c->container_watched.bytes.data, guard->bytes };
    return 0;
}

int compiled_unpack(const void *data, size_t size, struct compiled *ret)
{
    struct blob_check c = { .is_for_all = true };
    struct blob o;
    memset(ret, 0, sizeof *ret);
    int r = blob_open(data, size, &o);
    if (r == 0)
        r = blob_read(&o, &c, ret);
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

void compiled_rest(const struct compiled *c)
{
    if (c->is_mapped)
        (void)madvise(c->blob, c->blob_size, MADV_DONTNEED); /* a file's pages: they come back from it */
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

void compiled_origin(const struct compiled *c, struct origin o, struct buf *out)
{
    const char *file = o.source == ORIGIN_PROFILE                                ? c->profile_file
                       : o.source == ORIGIN_CONFIG && o.file < CONFIG_FILE_COUNT ? c->config_file[o.file]
                                                                                 : NULL;
    if (file)
        (void)buf_addf(out, "%s:%u", file, o.line);
    else
        (void)buf_adds(out, o.source == ORIGIN_OPTION ? "option" : "default");
}
