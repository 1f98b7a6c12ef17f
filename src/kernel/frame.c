#include "kernel/frame.h"

#include <stdio.h>
#include "audit/hmac.h"
#include "base/json.h"

#define MAX_SMALL 16u /* of the frames that say no more than a word */

void kernel_reply_begin(struct kernel_reply *r, uint32_t id)
{
    *r = (struct kernel_reply){ .id = id };
    buf_init(&r->name, KERNEL_MAX_ERROR);
    buf_init(&r->value, KERNEL_MAX_ERROR);
    buf_init(&r->traceback, KERNEL_MAX_ERROR);
}

void kernel_reply_done(struct kernel_reply *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        for (uint32_t k = 0; k < r->results[i]->count; k++)
            buf_done(&r->results[i]->forms[k].data);
        free(r->results[i]);
    }
    r->count = 0;
    buf_done(&r->name);
    buf_done(&r->value);
    buf_done(&r->traceback);
    buf_done(&r->frame);
}

void kernel_request(struct buf *out, uint32_t id, const char *source, size_t size)
{
    (void)buf_addf(out, "x %u %zu\n", id, size);
    (void)buf_add(out, source, size);
}

void kernel_wish(struct buf *out, uint32_t id, enum kernel_wish wish, uint64_t checkpoint)
{
    char number[24];
    const int n = snprintf(number, sizeof number, "%llu", (unsigned long long)checkpoint);
    (void)buf_addf(out, "%c %u %d\n%s", (char)wish, id, n, number);
}

/* --- frames ---------------------------------------------------------------------------------------------- */

/* Digits, at most nine, without a zero in front; to the character `end`. */
static bool read_number(const char **p, char end, uint32_t *ret)
{
    uint32_t n = 0;
    unsigned count = 0;
    for (; **p >= '0' && **p <= '9' && count < 9; (*p)++, count++)
        n = n * 10 + (uint32_t)(**p - '0');
    if (!count || (count > 1 && (*p)[-(int)count] == '0') || *(*p)++ != end)
        return false;
    *ret = n;
    return true;
}

static uint64_t max_size(char kind)
{
    switch (kind) {
    case 'm':
        return KERNEL_MAX_FORM + KERNEL_MAX_MIME + 1;
    case 'e':
        return KERNEL_MAX_ERROR;
    default:
        return MAX_SMALL;
    }
}

/* The head is complete, with its newline: what may come next, and how much of it. */
static int on_head(struct kernel_reply *r)
{
    const char *p = r->head + 2;
    uint32_t id, size;
    const char kind = r->head[0];
    if (r->head[1] != ' ' || !read_number(&p, ' ', &id) || !read_number(&p, '\n', &size) || id != r->id ||
        !strchr(id ? "rmed" : "i", kind))
        return -EBADMSG;
    if ((kind == 'm' && !r->count) || (r->has_error && kind != 'd'))
        return -EBADMSG;
    if (size > max_size(kind))
        return -EFBIG;
    r->kept += size;
    if (r->kept > KERNEL_MAX_CELL)
        return -EFBIG;
    r->kind = kind;
    r->left = size;
    buf_done(&r->frame);
    buf_init(&r->frame, size + 1);
    return 0;
}

static int on_result(struct kernel_reply *r)
{
    const bool is_value = r->frame.size == 5 && memcmp(r->frame.data, "value", 5) == 0;
    if (!is_value && !(r->frame.size == 7 && memcmp(r->frame.data, "display", 7) == 0))
        return -EBADMSG;
    if (r->count == KERNEL_MAX_RESULTS)
        return -EFBIG;
    struct kernel_result *result = calloc(1, sizeof *result);
    if (!result)
        return -ENOMEM;
    result->is_value = is_value;
    r->results[r->count++] = result;
    return 0;
}

/* type/subtype of letters, digits and what such names have in use (RFC 6838), in lower case: nothing that a header, a
 * page or a log could be confused by. */
static bool is_mime(const char *p, size_t size)
{
    const char *slash = memchr(p, '/', size);
    if (!slash || slash == p || slash == p + size - 1 || size > KERNEL_MAX_MIME)
        return false;
    for (const char *c = p; c < p + size; c++)
        if (c != slash && !((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || (*c && strchr("+-._", *c))))
            return false;
    return true;
}

static int on_form(struct kernel_reply *r)
{
    struct kernel_result *result = r->results[r->count - 1];
    const char *nul = r->frame.size ? memchr(r->frame.data, '\0', r->frame.size) : NULL;
    if (!nul || !is_mime(r->frame.data, (size_t)(nul - r->frame.data)))
        return -EBADMSG;
    if (result->count == KERNEL_MAX_FORMS)
        return -EFBIG;
    for (uint32_t i = 0; i < result->count; i++)
        if (str_eq(result->forms[i].mime, r->frame.data))
            return -EBADMSG; /* twice: one member of an object */
    const size_t size = r->frame.size - (size_t)(nul + 1 - r->frame.data);
    if (size > KERNEL_MAX_FORM)
        return -EFBIG;
    struct kernel_form *f = &result->forms[result->count];
    buf_init(&f->data, size);
    if (buf_add(&f->data, nul + 1, size) < 0)
        return -ENOMEM;
    memcpy(f->mime, r->frame.data, (size_t)(nul + 1 - r->frame.data));
    result->count++;
    return 0;
}

static int on_error(struct kernel_reply *r)
{
    struct buf *const parts[] = { &r->name, &r->value, &r->traceback };
    const char *p = r->frame.data, *end = p + r->frame.size;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
        if ((nul != NULL) != (i + 1 < ARRAY_LEN(parts)))
            return -EBADMSG;
        const size_t size = (size_t)((nul ? nul : end) - p);
        if (buf_add(parts[i], p, size) < 0)
            return -ENOMEM;
        p += size + 1;
    }
    r->has_error = true;
    return 0;
}

static int on_frame(struct kernel_reply *r)
{
    r->head_size = 0;
    switch (r->kind) {
    case 'r':
        return on_result(r);
    case 'm':
        return on_form(r);
    case 'e':
        return r->frame.size ? on_error(r) : -EBADMSG;
    default:
        r->is_done = true;
        return r->frame.size ? -EBADMSG : 0;
    }
}

/* --- bytes ----------------------------------------------------------------------------------------------- */

static bool is_in_head(const struct kernel_reply *r)
{
    return !r->head_size || r->head[r->head_size - 1] != '\n';
}

static int take_head(struct kernel_reply *r, char c)
{
    if (r->head_size == sizeof r->head)
        return -EBADMSG;
    r->head[r->head_size++] = c;
    int e = c == '\n' ? on_head(r) : 0;
    return e == 0 && c == '\n' && !r->left ? on_frame(r) : e;
}

static int take_content(struct kernel_reply *r, const char *p, size_t n)
{
    if (buf_add(&r->frame, p, n) < 0)
        return -ENOMEM;
    r->left -= (uint32_t)n;
    return r->left ? 0 : on_frame(r);
}

int kernel_reply_feed(struct kernel_reply *r, const void *data, size_t size)
{
    const char *p = data;
    while (!r->failure && size) {
        size_t n = 1;
        if (r->is_done) {
            r->failure = -EBADMSG; /* it goes on after its end */
        } else if (is_in_head(r)) {
            r->failure = take_head(r, *p);
        } else {
            n = MIN_OF(size, (size_t)r->left);
            r->failure = take_content(r, p, n);
        }
        p += n;
        size -= n;
    }
    return r->failure;
}

/* --- for clients ------------------------------------------------------------------------------------------- */

static bool is_json(const char *mime)
{
    return str_eq(mime, "application/json") || str_ends(mime, "+json");
}

static bool is_text(const char *mime)
{
    return str_starts(mime, "text/") || str_ends(mime, "+xml") || str_ends(mime, "/xml") ||
           str_eq(mime, "application/javascript");
}

/* Sound JSON, without the space between its parts: a newline there would end a line of a stream of lines, and the
 * JSON writer looks at the last byte to know whether a comma is due. */
static void put_json(struct buf *out, const char *p, size_t size)
{
    bool is_in_text = false;
    for (size_t i = 0; i < size; i++) {
        if (is_in_text && p[i] == '\\')
            (void)buf_addc(out, p[i++]);
        else if (p[i] == '"')
            is_in_text = !is_in_text;
        if (is_in_text || !strchr(" \t\r\n", p[i]))
            (void)buf_addc(out, p[i]);
    }
}

static void put_form(struct buf *out, const struct kernel_form *f)
{
    const char *data = f->data.data ? f->data.data : "";
    json_key(out, f->mime);
    if (is_json(f->mime) && kernel_is_json(data, f->data.size)) {
        put_json(out, data, f->data.size);
    } else if (is_json(f->mime) || is_text(f->mime)) {
        json_bytes(out, data, f->data.size);
    } else {
        (void)buf_addc(out, '"');
        base64_write(out, data, f->data.size);
        (void)buf_addc(out, '"');
    }
}

void kernel_results_json(struct buf *out, const struct kernel_reply *r)
{
    json_open(out, '[');
    for (uint32_t i = 0; i < r->count; i++) {
        json_open(out, '{');
        json_key(out, "kind"), json_put_string(out, r->results[i]->is_value ? "value" : "display");
        for (uint32_t k = 0; k < r->results[i]->count; k++)
            put_form(out, &r->results[i]->forms[k]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void kernel_error_json(struct buf *out, const struct kernel_reply *r)
{
    if (!r->has_error) {
        json_put_null(out);
        return;
    }
    json_open(out, '{');
    json_key(out, "name"), json_bytes(out, r->name.data ? r->name.data : "", r->name.size);
    json_key(out, "value"), json_bytes(out, r->value.data ? r->value.data : "", r->value.size);
    json_key(out, "traceback");
    json_open(out, '[');
    const char *p = r->traceback.data, *end = p ? p + r->traceback.size : NULL;
    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const size_t n = (size_t)((newline ? newline : end) - p);
        json_bytes(out, p, n);
        p += n + 1;
    }
    json_close(out, ']');
    json_close(out, '}');
}
