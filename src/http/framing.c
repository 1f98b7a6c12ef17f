#include "http/framing.h"

#include "base/parse.h"

struct head {
    const struct request *request;
    const char *method, *expected; /* where the next header's name begins, if all before was as it should be */
    size_t count;
    unsigned seen; /* bits of `single` */
    bool is_bad, is_too_large;
    struct framing *framing;
};

enum {
    SINGLE_HOST,
    SINGLE_LENGTH,
    SINGLE_ENCODING,
    SINGLE_AUTHORIZATION,
    SINGLE_IDEMPOTENCY,
    SINGLE_TRACE,
    SINGLE_ORIGIN,
    SINGLES
};
static const char *const single[SINGLES] = { "Host",          "Content-Length",  "Transfer-Encoding",
                                             "Authorization", "Idempotency-Key", "traceparent",
                                             "Origin" };

bool http_is_token(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && !(c >= '0' && c <= '9') &&
            !(c && strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return n > 0;
}

static bool is_field_value(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7F)
            return false;
    return true;
}

/* Name, NUL for the colon, blanks, value, two NUL for CR LF. */
static bool is_laid_out(const char *expected, const char *name, size_t name_size, const char *value, size_t value_size)
{
    if (name != expected || name[name_size] != '\0' || value <= name + name_size)
        return false;
    for (const char *p = name + name_size + 1; p < value; p++)
        if (*p != ' ' && *p != '\t')
            return false;
    return value[value_size] == '\0' && value[value_size + 1] == '\0';
}

static void note_single(struct head *h, const char *name, const char *value)
{
    for (size_t i = 0; i < SINGLES; i++) {
        if (strcasecmp(name, single[i]) != 0)
            continue;
        if (h->seen & (1u << i))
            h->framing->why = "a header that must be there once only is there twice";
        h->seen |= 1u << i;
        if (i == SINGLE_LENGTH) {
            h->framing->has_length = true;
            if (strlen(value) > 19 || parse_u64(value, &h->framing->length) < 0)
                h->framing->why = "Content-Length is no number";
        } else if (i == SINGLE_ENCODING) {
            h->framing->is_chunked = true;
            if (strcasecmp(value, "chunked") != 0)
                h->framing->why = "Transfer-Encoding is not chunked";
        }
    }
}

static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                      const char *value, size_t value_size)
{
    struct head *h = context;
    (void)kind;
    if (!value) {
        h->is_bad = true;
        return MHD_NO;
    }
    if (++h->count > HTTP_MAX_HEADER_COUNT)
        h->is_too_large = true;
    if (!http_is_token(name, name_size) || !is_field_value(value, value_size))
        h->is_bad = true;
    if (!is_laid_out(h->expected, name, name_size, value, value_size))
        h->is_bad = true;
    h->expected = value + value_size + 2;
    note_single(h, name, value);
    return h->is_bad ? MHD_NO : MHD_YES;
}

/* «METHOD SP target SP HTTP/1.x CR LF», the blanks and line ends being NUL by now. */
static bool line_is_laid_out(const struct request *q, const char *method, const char *version)
{
    return q->raw_target == method + strlen(method) + 1 && version == q->raw_target + q->raw_target_size + 1 &&
           version[8] == '\0' && version[9] == '\0';
}

/* The empty line is CR LF, and the library has taken no other line for it: one that begins with NUL looks empty to it.
 */
static bool ends_well(const struct head *h)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(h->request->connection->mhd,
                                                                   MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return h->expected[0] == '\0' && h->expected[1] == '\0' && info &&
           info->header_size == (size_t)(h->expected + 2 - h->method);
}

static void check_fields(struct head *h, const char *version)
{
    struct framing *f = h->framing;
    bool is_old = str_eq(version, "HTTP/1.0");
    if (f->is_chunked && f->has_length)
        f->why = "Content-Length and Transfer-Encoding exclude each other";
    if (f->is_chunked && is_old)
        f->why = "HTTP/1.0 knows no Transfer-Encoding";
    if (!(h->seen & (1u << SINGLE_HOST)) && !(is_old && h->request->connection->is_unix))
        f->why = "there is no Host";
}

void framing_check(const struct request *q, const char *method, const char *version, struct framing *ret)
{
    struct head h = { .request = q, .method = method, .expected = version + 10, .framing = ret };
    *ret = (struct framing){ 0 };
    if (!str_eq(version, "HTTP/1.1") && !str_eq(version, "HTTP/1.0"))
        ret->why = "the version of HTTP is neither 1.1 nor 1.0";
    else if (!http_is_token(method, strlen(method)) || !line_is_laid_out(q, method, version))
        ret->why = "the request line is malformed";
    if (ret->why) {
        ret->status = 400;
        return;
    }
    (void)MHD_get_connection_values_n(q->connection->mhd, MHD_HEADER_KIND, look_at_header, &h);
    if (h.is_bad || !ends_well(&h))
        ret->why = "a header line is malformed";
    else
        check_fields(&h, version);
    if (!ret->why && (h.is_too_large || h.expected + 2 - method > (ptrdiff_t)HTTP_MAX_HEAD_BYTES)) {
        ret->status = 431;
        ret->why = "the head of the request is too large";
    }
    if (ret->why && !ret->status)
        ret->status = 400;
}
