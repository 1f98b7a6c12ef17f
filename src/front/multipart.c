#include "front/multipart.h"

#include <strings.h>

#include "audit/chain.h"
#include "audit/hmac.h"

#define PART_HEAD_MAX (16 * 1024)
#define BOUNDARY_MAX  70u /* RFC 2046, 5.1.1 */

/* --- reading -------------------------------------------------------------------------------------------------- */

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
static const char *part_head(const char *data, size_t size, struct arena *a, struct multipart_part *ret)
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

int multipart_read(const char *content_type, const char *data, size_t size, struct arena *a,
                   bool (*take)(void *context, const struct multipart_part *part), void *context)
{
    const char *mark = read_boundary(content_type, a), *at = data, *end = data + size;
    const size_t n = mark ? strlen(mark) : 0;
    if (!mark || size < n - 2 || memcmp(data, mark + 2, n - 2) != 0)
        return -EBADMSG;
    at += n - 2;
    for (unsigned count = 0; !(end - at >= 2 && memcmp(at, "--", 2) == 0); count++) {
        struct multipart_part part = { 0 };
        const char *next = end - at >= 2 && memcmp(at, "\r\n", 2) == 0 ? memmem(at, (size_t)(end - at), mark, n) : NULL;
        /* one without header lines has its empty line at once */
        const char *from = next ? part_head(at, (size_t)(next - at), a, &part) : NULL;
        if (!from || a->failed)
            return -EBADMSG;
        if (count >= MULTIPART_MAX)
            return -EMFILE;
        part.data = from;
        part.size = (size_t)(next - from);
        at = next + n;
        if (!take(context, &part))
            return 0;
    }
    return 0;
}

/* --- writing -------------------------------------------------------------------------------------------------- */

void multipart_make_boundary(char ret[static MULTIPART_BOUNDARY_SIZE])
{
    uint8_t bytes[(MULTIPART_BOUNDARY_SIZE - 1) / 2];
    if (random_bytes(bytes, sizeof bytes) < 0)
        abort(); /* a kernel without random numbers */
    hex_write(bytes, sizeof bytes, ret);
}

/* A name that is not plain is told as RFC 5987 has it, which readers of all kinds take alike. */
void multipart_put_head(struct buf *b, const char *boundary, const char *name, const char *filename, const char *type)
{
    static const char plain_path[] = "/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
                      *const plain = plain_path + 1;
    const bool is_plain = strspn(filename, plain_path) == strlen(filename);
    (void)buf_addf(b, "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename%s", boundary, name,
                   is_plain ? "=\"" : "*=utf-8''");
    for (const char *p = filename; *p; p++)
        (void)buf_addf(b, is_plain || strchr(plain, *p) ? "%c" : "%%%02X", (unsigned char)*p);
    (void)buf_addf(b, "%s\r\nContent-Type: %s\r\n\r\n", is_plain ? "\"" : "", type);
}
