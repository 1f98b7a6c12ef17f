/* http.h - one connection of an HTTP client that measures: to 127.0.0.1 or to a UNIX socket, kept alive. Shared by
 * http.c, engine.c and beside.c; no library behind it.
 *
 * It trusts the length that the server told and nothing else: an answer is whole when its last byte is there. Blocking;
 * a receive timeout makes a server that hangs an error instead of a benchmark that never ends.
 */
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define HTTP_MAX_ANSWER (64u << 20)

struct target {
    const char *socket; /* path, or NULL: 127.0.0.1 */
    uint16_t port;
};

struct connection {
    int fd; /* -1: closed */
    char *data;
    size_t have, cap;
};

struct reply {
    unsigned status;
    const char *body; /* in the connection's memory until its next receive; NUL behind it */
    size_t size;
    bool closes;
};

static inline void connection_close(struct connection *c)
{
    if (c->fd >= 0)
        (void)close(c->fd);
    c->fd = -1;
    c->have = 0;
}

static inline void connection_done(struct connection *c)
{
    connection_close(c);
    free(c->data);
    *c = (struct connection){ .fd = -1 };
}

/* -1 and errno */
static inline int connection_open(struct connection *c, const struct target *t, unsigned patience_s)
{
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    struct sockaddr_in in = { .sin_family = AF_INET,
                              .sin_port = htons(t->port),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    const struct timeval patience = { patience_s, 0 };
    const int one = 1;
    connection_close(c);
    c->fd = socket(t->socket ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0)
        return -1;
    if (t->socket)
        (void)snprintf(un.sun_path, sizeof un.sun_path, "%s", t->socket);
    else
        (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(c->fd, t->socket ? (struct sockaddr *)&un : (struct sockaddr *)&in,
                t->socket ? sizeof un : sizeof in) == 0)
        return 0;
    int e = errno;
    connection_close(c);
    errno = e;
    return -1;
}

static inline bool connection_send(struct connection *c, const char *data, size_t size)
{
    while (size) {
        ssize_t n = send(c->fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* More bytes behind what is there. */
static inline bool connection_more(struct connection *c)
{
    if (c->cap - c->have < 65536 + 1) {
        c->cap = c->cap ? 2 * c->cap : 262144;
        c->data = c->cap > 2 * HTTP_MAX_ANSWER ? NULL : realloc(c->data, c->cap);
        if (!c->data)
            abort();
    }
    ssize_t n;
    while ((n = recv(c->fd, c->data + c->have, c->cap - c->have - 1, 0)) < 0 && errno == EINTR)
        ;
    if (n <= 0)
        return false;
    c->have += (size_t)n;
    c->data[c->have] = '\0';
    return true;
}

/* Digits as a number, up to the first that is none. */
static inline size_t number_at(const char *p, unsigned base)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    size_t v = 0;
    for (const char *d; *p && (d = strchr(digits, *p)) && v < HTTP_MAX_ANSWER * 2ul; p++) {
        unsigned digit = (unsigned)(d - digits);
        digit -= digit > 15 ? 6 : 0;
        if (digit >= base)
            break;
        v = v * base + digit;
    }
    return v;
}

/* The value of a header in head[0..size), or NULL; ends with its line. */
static inline const char *header_value(const char *head, size_t size, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = head, *end = head + size; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if (strncasecmp(line, name, length) == 0 && line[length] == ':')
            return line + length + 1 + strspn(line + length + 1, " ");
        line = next ? next + 1 : end;
    }
    return NULL;
}

/* Chunks become a plain body where they lie, behind `at`. -> its size, or -1 */
static inline ssize_t take_chunks(struct connection *c, size_t at)
{
    size_t from = at, to = at;
    for (;;) {
        char *line_end;
        while (!(line_end = c->have > from ? memmem(c->data + from, c->have - from, "\r\n", 2) : NULL))
            if (!connection_more(c))
                return -1;
        size_t size = number_at(c->data + from, 16), begin = (size_t)(line_end - c->data) + 2;
        if (size > HTTP_MAX_ANSWER)
            return -1;
        while (c->have < begin + size + 2)
            if (!connection_more(c))
                return -1;
        memmove(c->data + to, c->data + begin, size);
        to += size;
        from = begin + size + 2;
        if (!size)
            break;
    }
    c->data[to] = '\0';
    return (ssize_t)(to - at);
}

/* One whole answer. Nothing may follow it: requests are not pipelined. */
static inline bool connection_receive(struct connection *c, struct reply *ret)
{
    char *head_end = NULL;
    c->have = 0;
    while (!head_end) {
        if (!connection_more(c))
            return false;
        head_end = memmem(c->data, c->have, "\r\n\r\n", 4);
    }
    size_t head = (size_t)(head_end - c->data) + 4;
    if (c->have < 12 || memcmp(c->data, "HTTP/1.1 ", 9) != 0)
        return false;
    ret->status = (unsigned)number_at(c->data + 9, 10);
    const char *length = header_value(c->data, head, "Content-Length"),
               *coding = header_value(c->data, head, "Transfer-Encoding");
    const char *then = header_value(c->data, head, "Connection");
    ret->closes = then && strncasecmp(then, "close", 5) == 0;
    ssize_t size = length ? (ssize_t)number_at(length, 10) : 0;
    if (coding)
        size = take_chunks(c, head);
    if (size < 0 || size > HTTP_MAX_ANSWER)
        return false;
    while (!coding && c->have < head + (size_t)size)
        if (!connection_more(c))
            return false;
    ret->body = c->data + head;
    ret->size = (size_t)size;
    return true;
}

/* --- a look into JSON, enough to say «whole» and to read one text ------------------------------------- */

static inline const char *json_skip(const char *p, unsigned depth);

static inline const char *json_blank(const char *p)
{
    return p ? p + strspn(p, " \t\r\n") : NULL;
}

static inline const char *json_skip_text(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if ((unsigned char)*p < 0x20 || (*p == '\\' && !*++p))
            return NULL;
    return *p ? p + 1 : NULL;
}

/* Members of an object, or elements of a list. */
static inline const char *json_skip_all(const char *p, unsigned depth)
{
    bool is_object = *p == '{';
    char end = is_object ? '}' : ']';
    p = json_blank(p + 1);
    if (p && *p == end)
        return p + 1;
    while (p) {
        if (is_object) {
            p = *p == '"' ? json_blank(json_skip_text(p)) : NULL;
            if (!p || *p != ':')
                return NULL;
            p = json_blank(p + 1);
        }
        p = json_blank(json_skip(p, depth + 1));
        if (!p || (*p != ',' && *p != end))
            return NULL;
        if (*p == end)
            return p + 1;
        p = json_blank(p + 1);
    }
    return NULL;
}

/* Behind one value, or NULL when it is none. */
static inline const char *json_skip(const char *p, unsigned depth)
{
    static const char *const words[] = { "true", "false", "null" };
    if (!p || depth > 64)
        return NULL;
    if (*p == '"')
        return json_skip_text(p);
    if (*p == '{' || *p == '[')
        return json_skip_all(p, depth);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    size_t digits = strspn(p, "-+.eE0123456789");
    return digits ? p + digits : NULL;
}

/* Whether body is one whole JSON object with "name": "value" among its own members. */
static inline bool json_says(const char *body, size_t size, const char *name, const char *value)
{
    const char *p = json_blank(body), *end = p && *p == '{' ? json_skip(p, 0) : NULL;
    if (!end || json_blank(end) != body + size)
        return false;
    for (p = json_blank(p + 1); *p == '"'; p = *p == ',' ? json_blank(p + 1) : p) {
        const char *key = p + 1, *key_end = json_skip_text(p), *at = json_blank(json_blank(key_end) + 1);
        p = json_blank(json_skip(at, 0));
        if ((size_t)(key_end - 1 - key) == strlen(name) && strncmp(key, name, strlen(name)) == 0)
            return *at == '"' && strncmp(at + 1, value, strlen(value)) == 0 && at[1 + strlen(value)] == '"';
    }
    return false;
}

/* A whole POST request: head and body in one piece. Caller frees. */
static inline char *request_make(const char *path, const char *key, const char *body, size_t *ret_size)
{
    size_t room = strlen(path) + (key ? strlen(key) : 0) + strlen(body) + 256;
    char *r = malloc(room);
    if (!r)
        abort();
    *ret_size = (size_t)snprintf(
        r, room,
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s%s%s\r\n%s",
        path, strlen(body), key ? "Authorization: Bearer " : "", key ? key : "", key ? "\r\n" : "", body);
    return r;
}
