#include "daemon/port_head.h"

#include <strings.h>

#include "base/parse.h"

#define MAX_SKIPPED 8192u /* bytes of a chunk's extensions, and of the trailers */

static bool is_one_of(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcasecmp(*names, name) == 0)
            return true;
    return false;
}

static bool begins(const char *name, const char *with)
{
    return strncasecmp(name, with, strlen(with)) == 0;
}

/* Between two hops: RFC 9110 7.6.1, and what is there in practice. */
static const char *const hop[] = { "Connection",
                                   "Keep-Alive",
                                   "Proxy-Connection",
                                   "Proxy-Authenticate",
                                   "Proxy-Authorization",
                                   "Proxy-Authentication-Info",
                                   "TE",
                                   "Trailer",
                                   "Transfer-Encoding",
                                   "Upgrade",
                                   NULL };

bool port_header_goes_in(const char *name)
{
    static const char *const anew[] = { "Host", "Content-Length", "Expect", NULL };
    static const char *const keys[] = { "Authorization", "X-API-Key", "X-Access-Token", "Cookie", "Cookie2", NULL };
    static const char *const who[] = { "Forwarded", "X-Real-IP", "Via", "Origin", "Referer", NULL };
    return !is_one_of(hop, name) && !is_one_of(anew, name) && !is_one_of(keys, name) && !is_one_of(who, name) &&
           !begins(name, "X-Forwarded-") && !begins(name, "X-Sandbox-");
}

bool port_header_goes_to_node(const char *name)
{
    static const char *const left[] = { "Host", "Content-Length", "Expect", "Origin", "Cookie", "Cookie2", NULL };
    return !is_one_of(hop, name) && !is_one_of(left, name) && strcasecmp(name, PORT_NODE_HOP) != 0;
}

/* Another node has decided; what each answer has anew it has once. */
static bool goes_out_of_node(const char *name)
{
    static const char *const anew[] = { "Content-Length",         "Content-Type", "Server", "Cache-Control",
                                        "X-Content-Type-Options", "Date",         NULL };
    return !is_one_of(hop, name) && !is_one_of(anew, name);
}

/* A browser knows no other origin of this answer than the service's. */
static bool goes_out(const char *name)
{
    static const char *const anew[] = { "Content-Length", "Content-Type", "Location", NULL };
    static const char *const ours[] = { "Server",  "Cache-Control",          "Pragma",
                                        "Expires", "X-Content-Type-Options", "Referrer-Policy",
                                        NULL };
    static const char *const of_origin[] = { "Set-Cookie",
                                             "Set-Cookie2",
                                             "WWW-Authenticate",
                                             "Authentication-Info",
                                             "Set-Login",
                                             "Clear-Site-Data",
                                             "Service-Worker-Allowed",
                                             "Strict-Transport-Security",
                                             "Public-Key-Pins",
                                             "Public-Key-Pins-Report-Only",
                                             "Expect-CT",
                                             "Alt-Svc",
                                             "Origin-Agent-Cluster",
                                             "Origin-Trial",
                                             "Accept-CH",
                                             "Critical-CH",
                                             "NEL",
                                             "Report-To",
                                             "Reporting-Endpoints",
                                             "Cross-Origin-Opener-Policy",
                                             "Cross-Origin-Opener-Policy-Report-Only",
                                             "Activate-Storage-Access",
                                             "Use-As-Dictionary",
                                             NULL };
    return !is_one_of(hop, name) && !is_one_of(anew, name) && !is_one_of(ours, name) && !is_one_of(of_origin, name) &&
           !begins(name, "Access-Control-") && !begins(name, "X-Sandbox-");
}

bool port_list_has(const char *list, const char *token)
{
    const size_t n = strlen(token);
    for (const char *p = list; p && *p;) {
        p += strspn(p, " \t,");
        const size_t k = strcspn(p, " \t,");
        if (k == n && strncasecmp(p, token, n) == 0)
            return true;
        p += k;
    }
    return false;
}

/* --- the head ---------------------------------------------------------------------------------------------------- */

struct reading {
    struct arena *arena;
    const struct port_place *place;
    struct port_head *head;
    struct http_pair *out;
    size_t count, kept;
    const char *connection, *upgrade, *why;
};

/* A copy without blanks around it, with a blank for each tab (which libmicrohttpd does not send); NULL: it has others.
 */
static const char *copy_value(struct arena *a, const char *s, size_t n)
{
    for (; n && (*s == ' ' || *s == '\t'); s++)
        n--;
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    char *copy = arena_zero(a, n + 1);
    for (size_t i = 0; copy && i < n; i++) {
        const unsigned char c = (unsigned char)s[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return NULL;
        copy[i] = (char)(c == '\t' ? ' ' : c);
    }
    return copy ? copy : "";
}

/* --- Location: where a client goes with its key --------------------------------------------------------------------
 */

/* One character of a path, as the most lenient reader has it: it decodes, and a backslash is a slash. */
static char next_character(const char **p)
{
    const char c = *(*p)++;
    if (c == '%' && (strncasecmp(*p, "2e", 2) == 0 || strncasecmp(*p, "2f", 2) == 0 || strncasecmp(*p, "5c", 2) == 0)) {
        const bool is_dot = ((*p)[1] | 0x20) == 'e';
        *p += 2;
        return is_dot ? '.' : '/';
    }
    return c == '\\' ? '/' : c;
}

/* How far this segment leads down (1), or up (negative). Of what readers may see there, that which leads up most. */
static int depth_of(const char *segment, const char *end)
{
    unsigned dots = 0, others = 0, up = 0;
    bool is_named = false;
    while (segment < end) {
        const char c = next_character(&segment);
        dots += c == '.';
        others += c != '.' && c != '/';
        is_named |= others || dots > 2;
        if (c == '/' || segment >= end) {
            up += dots == 2 && !others;
            dots = others = 0;
        }
    }
    return up ? -(int)up : is_named;
}

/* From `depth` directories below the prefix along this path: how many it is then; -1: it has led above. */
static int walk_down(int depth, const char *path, const char *end)
{
    while (path < end && depth >= 0) {
        const char *slash = memchr(path, '/', (size_t)(end - path)), *next = slash ? slash : end;
        depth = MAX_OF(depth + depth_of(path, next), -1);
        path = next + (slash != NULL);
    }
    return depth;
}

static const char *end_of_path(const char *path)
{
    return path + strcspn(path, "?#");
}

/* Of the directory that the request's path lies in. */
static int own_depth(const char *path)
{
    const char *end = end_of_path(path);
    while (end > path && end[-1] != '/')
        end--;
    return walk_down(0, path, end);
}

static bool is_name(const char *s, size_t n, const char *name)
{
    return n == strlen(name) && strncasecmp(s, name, n) == 0;
}

/* The name of an authority, without user and port; 0 bytes: of none that all readers read as one. */
static size_t name_of(const char **ret, const char *authority, size_t n)
{
    const char *at = memrchr(authority, '@', n);
    const char *s = at ? at + 1 : authority;
    size_t k = 0;
    n -= (size_t)(s - authority);
    while (k < n && (s[0] == '[' ? k == 0 || s[k - 1] != ']' : s[k] != ':'))
        k++;
    for (size_t i = 0; i < k; i++)
        if (!http_is_token(s + i, 1) && !strchr("[:]", s[i]))
            return 0;
    if (memchr(s, '%', k))
        return 0;
    while (k && s[k - 1] == '.')
        k--;
    *ret = s;
    return k;
}

/* This service's, by any name that is known: the client's for it, or this machine's for itself. */
static bool is_ours(const struct reading *r, const char *authority)
{
    const char *name = "", *host = "", *of = r->place->host ? r->place->host : "";
    const size_t size = strcspn(authority, "/?#");
    const size_t n = memchr(authority, '\\', size) ? 0 : name_of(&name, authority, size);
    const size_t k = name_of(&host, of, strlen(of));
    return !n || (n == k && strncasecmp(name, host, n) == 0) || is_name(name, n, "localhost") ||
           is_name(name, n, "[::1]") || is_name(name, n, "0.0.0.0") || strncmp(name, "127.", 4) == 0;
}

/* What stands behind «scheme:»; NULL: there is none. */
static const char *behind_scheme(const char *value)
{
    const char *p = value;
    while (((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || (p > value && *p && strchr("0123456789+-.", *p)))
        p++;
    return p > value && *p == ':' ? p + 1 : NULL;
}

/* What the server calls its own root is below the prefix for the client. */
static const char *own_path(const struct reading *r, const char *value)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    if (value[0] == '/' && value[1] != '/')
        return value;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *own = arena_printf(r->arena, "http://%s:%u", names[i], r->place->port);
        const size_t n = strlen(own);
        if (strncasecmp(value, own, n) == 0 && (!value[n] || strchr("/?#", value[n])))
            return arena_printf(r->arena, "%s%s", value[n] == '/' ? "" : "/", value + n);
    }
    return NULL;
}

/* "": it is left away. */
static const char *location(const struct reading *r, const char *value)
{
    const char *own = own_path(r, value);
    if (own)
        return walk_down(0, own, end_of_path(own)) < 0 ? "" : arena_printf(r->arena, "%s%s", r->place->prefix, own);
    const char *behind = behind_scheme(value), *rest = behind ? behind : value;
    const bool is_web = begins(value, "http:") || begins(value, "https:");
    if (strncmp(rest, "//", 2) == 0)
        return is_ours(r, rest + 2) ? "" : value;
    if (behind)
        return is_web ? "" : value; /* some read «http:x» as x */
    return value[0] == '\\' || walk_down(own_depth(r->place->path), value, end_of_path(value)) < 0 ? "" : value;
}

static void keep(struct reading *r, const char *name, const char *value)
{
    if (*value) /* of an empty one libmicrohttpd does not know how it is sent */
        r->out[r->kept++] = (struct http_pair){ name, value };
}

static void read_framing(struct reading *r, const char *name, const char *value)
{
    struct port_head *h = r->head;
    if (strcasecmp(name, "Content-Length") == 0) {
        if (h->has_length || strlen(value) > 18 || parse_u64(value, &h->length) < 0)
            r->why = "its Content-Length is no number, or there twice";
        h->has_length = true;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        if (h->is_chunked || strcasecmp(value, "chunked") != 0)
            r->why = "its Transfer-Encoding is not chunked, or there twice";
        h->is_chunked = true;
    } else if (strcasecmp(name, "Connection") == 0) {
        r->connection = value;
    } else if (strcasecmp(name, "Upgrade") == 0) {
        r->upgrade = value;
    }
}

static void read_field(struct reading *r, const char *line, size_t size)
{
    const char *colon = memchr(line, ':', size);
    const size_t n = colon ? (size_t)(colon - line) : 0;
    if (!http_is_token(line, n) || ++r->count > PORT_HEADERS_MAX) {
        r->why = r->count > PORT_HEADERS_MAX ? "it has more than 100 header lines" : "a line of its head is no header";
        return;
    }
    const char *name = arena_copy_bytes(r->arena, line, n), *value = copy_value(r->arena, colon + 1, size - n - 1);
    if (!value) {
        r->why = "one of its headers has control characters";
        return;
    }
    read_framing(r, name, value);
    if (strcasecmp(name, "Content-Type") == 0 && *value)
        r->head->type = value;
    else if (r->place->is_node && goes_out_of_node(name))
        keep(r, name, value);
    else if (r->place->is_node)
        return;
    else if (strcasecmp(name, "Location") == 0)
        keep(r, name, location(r, value));
    else if (goes_out(name))
        keep(r, name, value);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* «HTTP/1.1 200 OK»; the words are free. */
static void read_status(struct reading *r, const char *line, size_t size)
{
    if (size < 12 || memcmp(line, "HTTP/1.", 7) != 0 || (line[7] != '0' && line[7] != '1') || line[8] != ' ' ||
        !is_digit(line[9]) || !is_digit(line[10]) || !is_digit(line[11]) || (size > 12 && line[12] != ' ')) {
        r->why = "it does not begin with «HTTP/1.1» and a status";
        return;
    }
    r->head->status = (unsigned)((line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0'));
    if (r->head->status < 100 || r->head->status > 599)
        r->why = "its status is none of 100 to 599";
}

/* What the last line said: nothing of Connection's goes on. */
static void finish(struct reading *r)
{
    struct port_head *h = r->head;
    size_t kept = 0;
    if (h->is_chunked && h->has_length)
        r->why = "it has Content-Length and Transfer-Encoding";
    h->is_upgrade = h->status == 101 && port_list_has(r->connection, "upgrade") && r->upgrade &&
                    strcasecmp(r->upgrade, "websocket") == 0;
    for (size_t i = 0; i < r->kept; i++)
        if (!port_list_has(r->connection, r->out[i].name))
            r->out[kept++] = r->out[i];
    r->out[kept] = (struct http_pair){ 0 };
    h->headers = r->out;
}

/* The bytes of a line without its end, and where the next one begins; false: it is not whole. */
static bool next_line(const char *data, size_t size, size_t *at, const char **ret, size_t *ret_size)
{
    const char *begin = data + *at, *end = memchr(begin, '\n', size - *at);
    if (!end)
        return false;
    *ret = begin;
    *ret_size = (size_t)(end - begin);
    *at += *ret_size + 1;
    if (*ret_size && begin[*ret_size - 1] == '\r')
        --*ret_size;
    return true;
}

/* Where the head ends; 0: not yet. */
static size_t head_size(const char *data, size_t size)
{
    const char *line;
    size_t n = 1, at = 0;
    while (n && next_line(data, size, &at, &line, &n))
        ;
    return n ? 0 : at;
}

ssize_t port_head_read(const char *data, size_t size, struct arena *a, const struct port_place *place,
                       struct port_head *ret, const char **ret_why)
{
    struct reading r = { .arena = a, .place = place, .head = ret };
    const char *line;
    size_t n, at = 0, whole = head_size(data, MIN_OF(size, (size_t)PORT_HEAD_MAX));
    *ret = (struct port_head){ .type = "application/octet-stream" };
    if (size >= 7 && memcmp(data, "HTTP/1.", 7) != 0)
        r.why = "it does not begin with «HTTP/1.1» and a status";
    else if (!whole && size >= PORT_HEAD_MAX)
        r.why = "its head has more than 16 KiB";
    if (!whole && !r.why)
        return 0;
    r.out = arena_zero(a, (PORT_HEADERS_MAX + 1) * sizeof *r.out);
    if (!r.why && r.out && next_line(data, whole, &at, &line, &n))
        read_status(&r, line, n);
    while (!r.why && r.out && next_line(data, whole, &at, &line, &n) && n)
        read_field(&r, line, n);
    if (!r.why && r.out)
        finish(&r);
    *ret_why = r.why;
    return r.why ? -EBADMSG : a->failed || !r.out ? -ENOMEM : (ssize_t)whole;
}

/* --- chunks --------------------------------------------------------------------------------------------------------
 */

static int hex_value(char c)
{
    return is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* One byte that is no content. False: it may not stand here. */
static bool take_mark(struct port_chunks *c, char byte)
{
    const int digit = hex_value(byte);
    switch (c->state) {
    case PORT_CHUNK_SIZE:
        if (digit >= 0) {
            c->left = c->left << 4 | (uint64_t)digit;
            return ++c->digits <= 15;
        }
        c->state = PORT_CHUNK_REST;
        if (!c->digits || !strchr(" \t;\r\n", byte) || !byte)
            return false;
        return take_mark(c, byte);
    case PORT_CHUNK_REST:
        if (byte == '\n') {
            c->state = c->left ? PORT_CHUNK_DATA : PORT_CHUNK_TRAILER;
            c->digits = c->skipped = 0;
            c->line_has_bytes = false;
            return true;
        }
        return ++c->skipped <= MAX_SKIPPED;
    case PORT_CHUNK_AFTER:
        if (byte == '\n')
            c->state = PORT_CHUNK_SIZE;
        return byte == '\n' || (byte == '\r' && !c->skipped++);
    case PORT_CHUNK_TRAILER:
        if (byte == '\n') {
            c->state = c->line_has_bytes ? PORT_CHUNK_TRAILER : PORT_CHUNK_END;
            c->line_has_bytes = false;
        } else if (byte != '\r') {
            c->line_has_bytes = true;
        }
        return ++c->skipped <= MAX_SKIPPED;
    default:
        return false;
    }
}

ssize_t port_chunks_read(struct port_chunks *c, const char *data, size_t size, size_t *at, char *to, size_t max)
{
    while (*at < size && c->state != PORT_CHUNK_END) {
        if (c->state != PORT_CHUNK_DATA) {
            if (!take_mark(c, data[(*at)++]))
                return -EBADMSG;
            continue;
        }
        const size_t n = (size_t)MIN_OF((uint64_t)MIN_OF(size - *at, max), c->left);
        memcpy(to, data + *at, n);
        *at += n;
        c->left -= n;
        if (!c->left)
            c->state = PORT_CHUNK_AFTER;
        return (ssize_t)n;
    }
    return 0;
}
