#include "front/e2b_wire.h"

#include <strings.h>

#include "audit/chain.h"

#define KEY_PREFIX    "e2b_"
#define KEY_BYTES     32u
#define PART_HEAD_MAX (16 * 1024)
#define BOUNDARY_MAX  70u /* RFC 2046, 5.1.1 */

/* --- keys, paths, signatures ---------------------------------------------------------------------------------- */

const char *e2b_key(const char *text, struct arena *a)
{
    uint8_t bytes[KEY_BYTES];
    char token[ACCESS_TOKEN_LENGTH + 8] = ACCESS_TOKEN_PREFIX;
    if (!text || !str_starts(text, KEY_PREFIX) || strlen(text) != strlen(KEY_PREFIX) + 2 * KEY_BYTES)
        return text;
    const char *digits = text + strlen(KEY_PREFIX);
    if (!is_hex(digits, 2 * sizeof bytes))
        return text;
    (void)hex_read(digits, bytes, sizeof bytes);
    base64url_write(bytes, sizeof bytes, token + strlen(ACCESS_TOKEN_PREFIX),
                    sizeof token - strlen(ACCESS_TOKEN_PREFIX));
    const char *made = arena_copy(a, token);
    secret_wipe(bytes, sizeof bytes);
    secret_wipe(token, sizeof token);
    return made;
}

const char *e2b_path(const char *path)
{
    static const char *const tops[] = { "/home/user", "/workspace" };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(tops) && !n; i++)
        if (str_starts(path, tops[i]) && (!path[strlen(tops[i])] || path[strlen(tops[i])] == '/'))
            n = strlen(tops[i]);
    if (path[0] == '/' && !n)
        return NULL;
    path += n;
    while (path[0] == '/' || (path[0] == '.' && (path[1] == '/' || !path[1])))
        path++;
    return path;
}

bool e2b_sign(const struct e2b_signed *what, const char *token, char ret[static E2B_SIGNATURE_SIZE])
{
    uint8_t hash[32];
    struct buf text, coded;
    buf_init(&text, 64 * KIB);
    buf_init(&coded, 64);
    (void)buf_addf(&text, "%s:%s:%s:%s", what->path, what->operation, what->user ? what->user : "", token);
    if (what->expires)
        (void)buf_addf(&text, ":%s", what->expires);
    sha256(text.data ? text.data : "", text.size, hash);
    base64_write(&coded, hash, sizeof hash);
    const bool is_made = !text.failed && !coded.failed;
    (void)snprintf(ret, E2B_SIGNATURE_SIZE, "v1_%.43s", is_made ? coded.data : ""); /* without its «=» */
    if (text.data)
        secret_wipe(text.data, text.size);
    buf_done(&text);
    buf_done(&coded);
    return is_made;
}

uint32_t e2b_pid(const char *process_id)
{
    uint8_t hash[32];
    uint32_t n;
    sha256(process_id, strlen(process_id), hash);
    memcpy(&n, hash, sizeof n);
    n &= INT32_MAX;
    return n ? n : 1;
}

/* --- envelopes ------------------------------------------------------------------------------------------------ */

int e2b_envelope_read(const char *data, size_t size, const char **ret, size_t *ret_size)
{
    const uint8_t *p = (const uint8_t *)data;
    if (size < E2B_ENVELOPE_HEAD)
        return -EBADMSG;
    const size_t n = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4];
    if (n > E2B_ENVELOPE_MAX)
        return -EMSGSIZE;
    if (p[0] & E2B_ENVELOPE_COMPRESSED)
        return -ENOTSUP;
    if (p[0] || n != size - E2B_ENVELOPE_HEAD)
        return -EBADMSG;
    *ret = data + E2B_ENVELOPE_HEAD;
    *ret_size = n;
    return 0;
}

size_t e2b_envelope_begin(struct buf *out, uint8_t flags)
{
    const char head[E2B_ENVELOPE_HEAD] = { (char)flags };
    const size_t at = out->size;
    (void)buf_add(out, head, sizeof head);
    return at;
}

void e2b_envelope_end(struct buf *out, size_t begin)
{
    if (out->failed)
        return;
    const size_t n = out->size - begin - E2B_ENVELOPE_HEAD;
    for (unsigned i = 0; i < 4; i++)
        out->data[begin + 1 + i] = (char)(n >> (24 - 8 * i) & 0xff);
}

/* --- uploaded files ------------------------------------------------------------------------------------------- */

/* A parameter of a header line, with or without quotes: NULL, it is not there. */
static const char *parameter(const char *line, const char *name, size_t *ret_size)
{
    const size_t n = strlen(name);
    for (const char *p = strchr(line, ';'); p; p = strchr(p, ';')) {
        p += 1 + strspn(p + 1, " \t");
        if (strncasecmp(p, name, n) != 0 || p[n] != '=')
            continue;
        p += n + 1;
        const bool is_quoted = *p == '"';
        p += is_quoted;
        *ret_size = strcspn(p, is_quoted ? "\"" : "; \t\r");
        return p;
    }
    return NULL;
}

/* What browsers' way of writing names has in place of a quote and of line ends: %22, %0D, %0A (HTML,
 * multipart/form-data encoding algorithm). */
static const char *read_name(const char *text, size_t size, struct arena *a)
{
    char *out = arena_zero(a, size + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < size; i++) {
        static const char *const coded[] = { "%22", "%0D", "%0A" };
        static const char plain[] = "\"\r\n";
        size_t k = 0;
        while (k < ARRAY_LEN(coded) && (size - i < 3 || strncasecmp(text + i, coded[k], 3) != 0))
            k++;
        out[n++] = k < ARRAY_LEN(coded) ? plain[k] : text[i];
        i += k < ARRAY_LEN(coded) ? 2 : 0;
    }
    return out;
}

/* Its header lines end with an empty one: NULL, there is none. */
static const char *part_head(const char *data, size_t size, struct arena *a, struct e2b_part *ret)
{
    const char *end = memmem(data, size, "\r\n\r\n", 4);
    ret->name = "";
    if (!end || end - data > PART_HEAD_MAX)
        return NULL;
    const char *head = arena_copy_bytes(a, data, (size_t)(end - data)); /* ends with NUL */
    for (const char *line = head; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        static const char wanted[] = "Content-Disposition:";
        size_t n;
        if (strncasecmp(line, wanted, sizeof wanted - 1) != 0)
            continue;
        const char *rest = arena_copy_bytes(a, line, strcspn(line, "\r\n"));
        const char *name = parameter(rest, "name", &n);
        ret->name = name ? arena_copy_bytes(a, name, n) : "";
        const char *filename = parameter(rest, "filename", &n);
        ret->filename = filename ? read_name(filename, n, a) : NULL;
    }
    return end + 4;
}

static const char *read_boundary(const char *content_type, struct arena *a)
{
    size_t n = 0;
    const char *text = str_starts(content_type, "multipart/form-data") ? parameter(content_type, "boundary", &n) : NULL;
    return text && n && n <= BOUNDARY_MAX ? arena_printf(a, "\r\n--%.*s", (int)n, text) : NULL;
}

int e2b_parts_read(const char *content_type, const char *data, size_t size, struct arena *a,
                   bool (*take)(void *context, const struct e2b_part *part), void *context)
{
    const char *mark = read_boundary(content_type, a), *at = data, *end = data + size;
    const size_t n = mark ? strlen(mark) : 0;
    if (!mark || size < n - 2 || memcmp(data, mark + 2, n - 2) != 0)
        return -EBADMSG;
    at += n - 2;
    for (unsigned count = 0; !(end - at >= 2 && memcmp(at, "--", 2) == 0); count++) {
        struct e2b_part part = { 0 };
        const char *next = end - at >= 2 && memcmp(at, "\r\n", 2) == 0 ? memmem(at, (size_t)(end - at), mark, n) : NULL;
        /* one without header lines has its empty line at once */
        const char *from = next ? part_head(at, (size_t)(next - at), a, &part) : NULL;
        if (!from || a->failed)
            return -EBADMSG;
        if (count >= E2B_PARTS_MAX)
            return -EMFILE;
        part.data = from;
        part.size = (size_t)(next - from);
        at = next + n;
        if (!take(context, &part))
            return 0;
    }
    return 0;
}
