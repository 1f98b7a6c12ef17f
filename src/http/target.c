#include "http/server.h"

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* NULL: an escape that is none, or a NUL. */
static const char *decode(struct arena *arena, const char *from, size_t size, bool plus_is_blank)
{
    char *to = arena_zero(arena, size + 1), *p = to;
    if (!to)
        return NULL;
    for (size_t i = 0; i < size; i++) {
        if (from[i] != '%') {
            *p++ = plus_is_blank && from[i] == '+' ? ' ' : from[i];
            continue;
        }
        int high = i + 2 < size ? hex(from[i + 1]) : -1, low = i + 2 < size ? hex(from[i + 2]) : -1;
        if (high < 0 || low < 0 || (high == 0 && low == 0))
            return NULL;
        *p++ = (char)(high << 4 | low);
        i += 2;
    }
    return to;
}

static bool parse_query(struct request *q, const char *s)
{
    q->query = arena_zero(&q->arena, HTTP_MAX_QUERY * sizeof *q->query);
    if (!q->query)
        return false;
    while (*s) {
        size_t size = strcspn(s, "&"), name_size = strcspn(s, "=&");
        if (size) {
            if (q->query_count == HTTP_MAX_QUERY)
                return false;
            struct query_item *item = &q->query[q->query_count++];
            item->name = decode(&q->arena, s, name_size, true);
            item->value = name_size < size ? decode(&q->arena, s + name_size + 1, size - name_size - 1, true) : "";
            if (!item->name || !item->value)
                return false;
        }
        s += size + (s[size] == '&');
    }
    return true;
}

static size_t scheme_size(const char *target)
{
    static const char *const schemes[] = { "http://", "https://" };
    for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
        if (strncasecmp(target, schemes[i], strlen(schemes[i])) == 0)
            return strlen(schemes[i]);
    return 0;
}

/* «http://host:port/path», as a client sends it that takes us for a proxy: NULL, or what is a path from here on. What
 * is left out of such a path is «/». */
static const char *take_authority(struct request *q, const char *target)
{
    const char *host = target + scheme_size(target);
    size_t size = strcspn(host, "/?");
    if (!size || memchr(host, '@', size))
        return NULL;
    q->authority = arena_copy_bytes(&q->arena, host, size);
    return host[size] == '/' ? host + size : arena_printf(&q->arena, "/%s", host + size);
}

bool target_parse(struct request *q, const char *target, const char **ret_why)
{
    for (const char *p = target; *p; p++)
        if ((unsigned char)*p <= 0x20 || (unsigned char)*p >= 0x7F || *p == '#') {
            *ret_why = "the target of the request has characters that must be escaped";
            return false;
        }
    if (scheme_size(target))
        target = take_authority(q, target);
    if (!target || target[0] != '/') {
        *ret_why = "the target of the request is neither a path nor http://, a host and a path";
        return false;
    }
    size_t path_size = strcspn(target, "?");
    q->public.target = target;
    q->public.path = decode(&q->arena, target, path_size, false);
    if (q->public.path && (!target[path_size] || parse_query(q, target + path_size + 1)))
        return true;
    *ret_why = "the path or the query of the request is malformed, or has too many parameters";
    return false;
}

const char *http_header(const struct http_request *q, const char *name)
{
    for (const struct http_pair *p = q->inner ? q->inner->headers : NULL; p && p->name; p++)
        if (strcasecmp(p->name, name) == 0)
            return p->value;
    if (q->inner)
        return NULL;
    return MHD_lookup_connection_value(q->connection->mhd, MHD_HEADER_KIND, name);
}

struct each {
    bool (*call)(void *ctx, const char *name, const char *value);
    void *ctx;
};

static enum MHD_Result call_each(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    const struct each *e = context;
    (void)kind;
    return e->call(e->ctx, name, value ? value : "") ? MHD_YES : MHD_NO;
}

void http_header_each(const struct http_request *q, bool (*each)(void *ctx, const char *name, const char *value),
                      void *ctx)
{
    for (const struct http_pair *p = q->inner ? q->inner->headers : NULL; p && p->name; p++)
        if (!each(ctx, p->name, p->value))
            return;
    if (!q->inner)
        (void)MHD_get_connection_values(q->connection->mhd, MHD_HEADER_KIND, call_each, &(struct each){ each, ctx });
}

static const struct request *request_of(const struct http_request *q)
{
    return (const struct request *)(const void *)((const char *)q - offsetof(struct request, public));
}

const char *http_query(const struct http_request *q, const char *name)
{
    for (const struct http_pair *p = q->inner ? q->inner->query : NULL; p && p->name; p++)
        if (str_eq(p->name, name))
            return p->value;
    if (q->inner)
        return NULL;
    const struct request *r = request_of(q);
    for (size_t i = 0; i < r->query_count; i++)
        if (str_eq(r->query[i].name, name))
            return r->query[i].value;
    return NULL;
}

void http_query_each(const struct http_request *q, bool (*each)(void *ctx, const char *name, const char *value),
                     void *ctx)
{
    for (const struct http_pair *p = q->inner ? q->inner->query : NULL; p && p->name; p++)
        if (!each(ctx, p->name, p->value))
            return;
    if (q->inner)
        return;
    const struct request *r = request_of(q);
    for (size_t i = 0; i < r->query_count; i++)
        if (!each(ctx, r->query[i].name, r->query[i].value))
            return;
}
