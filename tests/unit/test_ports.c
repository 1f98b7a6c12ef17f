/* What a server inside a session says (daemon/port_head.h), and how long is waited for it (daemon/port_proxy.h). */
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "daemon/port_proxy.h"
#include "daemon/ports_api.h"
#include "http/server.h"
#include "test.h"

static struct arena arena;
static struct port_head head;
static const char *why;

static ssize_t read_text(const char *text, size_t size)
{
    arena_done(&arena);
    static const struct port_place place = { "/p", "/d/page?a/b", "Our.example:8080", 80, false };
    return port_head_read(text, size, &arena, &place, &head, &why);
}

#define READ(text) read_text(text, sizeof text - 1)

static const char *header(const char *name)
{
    for (const struct http_pair *p = head.headers; p->name; p++)
        if (str_eq(p->name, name))
            return p->value;
    return NULL;
}

TEST(a_head_is_read_when_it_is_whole_and_not_before)
{
    static const char text[] =
        "HTTP/1.1 404 Not here\r\nContent-Length: 3\r\nContent-Type:\ttext/html \r\nX-A: b\tc\r\n\r\nabc";
    const size_t whole = sizeof text - 1 - 3;
    for (size_t n = 0; n < whole; n++)
        CHECK_EQ(read_text(text, n), 0);
    CHECK_EQ(READ(text), (ssize_t)whole);
    CHECK(head.status == 404 && head.has_length && head.length == 3 && !head.is_chunked);
    CHECK_STR(head.type, "text/html");
    CHECK_STR(header("X-A"), "b c");
    CHECK_EQ(READ("HTTP/1.0 200\n\nx"), 14);
    CHECK(head.status == 200 && !head.has_length);
    CHECK_STR(head.type, "application/octet-stream");
}

TEST(a_head_that_says_two_things_or_none_is_refused)
{
    static const char *const bad[] = {
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 600 High\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rSet-Cookie: c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        CHECK_EQ(read_text(bad[i], strlen(bad[i])), -EBADMSG);
        CHECK(why);
    }
    CHECK_EQ(READ("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n"), -EBADMSG);
    CHECK_EQ(READ("SSH-2.0-x"), -EBADMSG);
}

TEST(a_head_without_an_end_is_refused)
{
    static char text[2 * PORT_HEAD_MAX];
    (void)snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nA: ");
    memset(text + 20, 'x', sizeof text - 20);
    CHECK_EQ(read_text(text, PORT_HEAD_MAX - 1), 0);
    CHECK_EQ(read_text(text, PORT_HEAD_MAX), -EBADMSG);
    char *p = text + 17;
    for (unsigned i = 0; i <= PORT_HEADERS_MAX; i++)
        p += snprintf(p, 8, "A: b\r\n");
    (void)snprintf(p, 3, "\r\n");
    CHECK_EQ(read_text(text, strlen(text)), -EBADMSG);
}

TEST(what_would_speak_for_the_services_origin_is_left_away)
{
    CHECK(READ("HTTP/1.1 101 S\r\nSET-COOKIE: a\r\nAccess-Control-Allow-Origin: *\r\nconnection: keep-alive, x-hop, "
               "Upgrade\r\n"
               "X-Hop: 1\r\nUpgrade: WebSocket\r\nX-Sandbox-A: 1\r\nEmpty:\r\nServer: x\r\nX-B: 2\r\n\r\n") > 0);
    CHECK(head.is_upgrade && str_eq(head.headers[0].name, "X-B") && !head.headers[1].name);
    CHECK(READ("HTTP/1.1 200 OK\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n") > 0);
    CHECK(!head.is_upgrade && !head.headers[0].name);
    CHECK(port_header_goes_in("X-Mine") && port_header_goes_in("Sec-WebSocket-Key") && port_header_goes_in("Range"));
    static const char *const kept[] = { "authorization",   "COOKIE", "X-API-Key", "Host",
                                        "X-Forwarded-For", "Origin", "TE" };
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        CHECK(!port_header_goes_in(kept[i]));
}

static const char *moved_to(const char *location)
{
    char text[256];
    (void)snprintf(text, sizeof text, "HTTP/1.1 302 F\r\nLocation: %s\r\n\r\n", location);
    CHECK(read_text(text, strlen(text)) > 0);
    return header("Location");
}

TEST(what_the_server_calls_its_root_is_below_its_port)
{
    CHECK_STR(moved_to("/a?b"), "/p/a?b");
    CHECK_STR(moved_to("http://localhost:80/a"), "/p/a");
    CHECK_STR(moved_to("http://127.0.0.1:80"), "/p/");
    CHECK_STR(moved_to("http://[::1]:80?x"), "/p/?x");
    CHECK_STR(moved_to("/a/b/../c%2Fd/"), "/p/a/b/../c%2Fd/");
    CHECK_STR(moved_to("/?next=/../../x"), "/p/?next=/../../x");
}

TEST(elsewhere_and_below_the_port_a_client_may_be_sent)
{
    static const char *const good[] = {
        "//elsewhere.example/",
        "http://elsewhere.example/../x",
        "https://u@our.example.evil.example:1/",
        "http://[2001:db8::1]/",
        "next",
        "../next",
        "a/../../x",
        "?../..",
        "#..",
        "..a/...",
        "mailto:a@b",
        "a:b",
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        CHECK_STR(moved_to(good[i]), good[i]);
}

/* A client would go there with its key. */
TEST(no_server_sends_a_client_to_the_service_itself)
{
    static const char *const bad[] = {
        "/../../../../sessions/OTHER",
        "/%2e%2E/x",
        "/.%2e/x",
        "/a/../../x",
        "/a//../../x",
        "/a%2fb/../../x",
        "/..%2f",
        "/..%5Cx",
        "/\\..\\x",
        "/..",
        "/..?x",
        "http://localhost:80/../x",
        "../../x",
        "../a/../../x",
        "%2e%2e/../x",
        "a\\..\\..\\..",
        "\\x",
        "http://our.example:8080/sessions/OTHER",
        "HTTPS://OUR.EXAMPLE/",
        "http://u:p@our.example.:8080/",
        "http://our.example\\@elsewhere.example/",
        "http://elsewhere.example\\@our.example/",
        "wss://our.example:8080/x",
        "1:/../../../x",
        "http://%6Fur.example:8080/",
        "http:///our.example/",
        "http:/x",
        "http:../../x",
        "http:x",
        "https:",
        "http://",
        "//our.example:8080/x",
        "///our.example/x",
        "//",
        "http://localhost:8000/",
        "http://127.0.0.2:8000/",
        "http://[::1]:8000/",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!moved_to(bad[i]));
}

/* In pieces of this size. -> the content; *ret: 0, or an error. */
static const char *unchunk(const char *text, size_t size, size_t piece, ssize_t *ret, bool *ret_ended)
{
    static char out[256];
    struct port_chunks c = { 0 };
    size_t n = 0;
    *ret = 0;
    for (size_t at = 0; at < size && *ret >= 0; at += piece) {
        const size_t there = MIN_OF(piece, size - at);
        size_t used = 0;
        do {
            *ret = port_chunks_read(&c, text + at, there, &used, out + n, 3);
            n += (size_t)MAX_OF(*ret, 0);
        } while (*ret > 0);
    }
    out[n] = '\0';
    *ret_ended = c.state == PORT_CHUNK_END;
    return out;
}

TEST(chunks_are_read_in_any_pieces)
{
    static const char text[] = "3\r\nabc\r\n0A;x=\"y\"\r\n0123456789\r\n1 \nd\n000\r\nTrailer: x\r\n\r\n";
    ssize_t r;
    bool has_ended;
    for (size_t piece = 1; piece < sizeof text; piece++) {
        CHECK_STR(unchunk(text, sizeof text - 1, piece, &r, &has_ended), "abc0123456789d");
        CHECK(r == 0 && has_ended);
    }
    static const char *const bad[] = {
        "x", "\r\n", ";", "-1\r\n", "1\r\nab", "1000000000000000\r\n", "0x1\r\n", "1\r\na0\r\n\r\n", "1\r\na\r\r\n"
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        (void)unchunk(bad[i], strlen(bad[i]), 64, &r, &has_ended);
        CHECK(r == -EBADMSG && !has_ended);
    }
    (void)unchunk("0\r\n", 3, 1, &r, &has_ended);
    CHECK(!has_ended);
}

/* --- time ----------------------------------------------------------------------------------------------------------
 */

struct place {
    int server, client, client_end; /* the server's side of the connection; the client's socket, and its other end */
    struct http_inner inner;
    struct http_request request;
    struct port_proxy *proxy;
};

static struct place p;

static void place_open(const struct port_patience *patience, const char *method)
{
    p = (struct place){ .inner = { .headers = { { "Authorization", "Bearer x" }, { "X-Mine", "1" } } } };
    int inside[2], outside[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, inside) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, outside) == 0);
    p.server = inside[1];
    p.client = outside[0];
    p.client_end = outside[1];
    p.request = (struct http_request){ .method = method,
                                       .fd = p.client,
                                       .arena = &arena,
                                       .inner = &p.inner,
                                       .has_body = str_eq(method, "POST"),
                                       .body_length = UINT64_MAX };
    arena_done(&arena);
    const struct port_request q = { .client = &p.request, .path = "/x", .prefix = "/p", .port = 80 };
    p.proxy = port_proxy_new(inside[0], &q, patience);
    CHECK(p.proxy);
}

static void place_close(void)
{
    (void)port_proxy_free(p.proxy);
    (void)close(p.server);
    (void)close(p.client);
    (void)close(p.client_end);
}

TEST(a_server_that_does_not_answer_in_time_is_a_timeout)
{
    static const struct port_patience short_one = { 1000, 1000, 20 };
    place_open(&short_one, "GET");
    const struct port_head *h;
    struct error err = { 0 };
    char text[512];
    CHECK_EQ(port_proxy_begin(p.proxy, &err), 0);
    ssize_t n = recv(p.server, text, sizeof text - 1, 0);
    CHECK(n > 0);
    text[n] = '\0';
    CHECK_STR(
        text,
        "GET /x HTTP/1.1\r\nHost: localhost:80\r\nConnection: close\r\nX-Forwarded-Prefix: /p\r\nX-Mine: 1\r\n\r\n");
    CHECK(send(p.server, "HTTP/1.1 200 OK\r\n", 17, 0) == 17);
    CHECK_EQ(port_proxy_answer(p.proxy, &h, &err), -ETIMEDOUT);
    CHECK(err.blame == BLAME_GUEST && strstr(err.text, "does not answer"));
    place_close();
}

TEST(a_server_that_takes_no_body_is_a_timeout_unless_it_has_answered)
{
    static const struct port_patience short_one = { 1000, 20, 60000 };
    static char piece[64 * 1024];
    for (int answers = 0; answers < 2; answers++) {
        place_open(&short_one, "POST");
        const struct port_head *h;
        struct error err = { 0 };
        CHECK_EQ(port_proxy_begin(p.proxy, &err), 0);
        CHECK(!answers || send(p.server, "HTTP/1.1 413 No\r\n\r\nmuch", 23, 0) == 23);
        for (int i = 0; i < 64; i++)
            port_proxy_feed(p.proxy, piece, sizeof piece);
        port_proxy_feed(p.proxy, "", 0);
        if (answers) {
            CHECK_EQ(port_proxy_answer(p.proxy, &h, &err), 0);
            CHECK_EQ(h->status, 413);
        } else {
            CHECK_EQ(port_proxy_answer(p.proxy, &h, &err), -ETIMEDOUT);
            CHECK(strstr(err.text, "does not take the request"));
        }
        place_close();
    }
}

TEST(a_client_that_has_left_ends_the_wait)
{
    static const struct port_patience long_one = { 60000, 60000, 60000 };
    place_open(&long_one, "GET");
    const struct port_head *h;
    struct error err = { 0 };
    char byte;
    CHECK_EQ(port_proxy_begin(p.proxy, &err), 0);
    CHECK(shutdown(p.client_end, SHUT_RDWR) == 0);
    CHECK_EQ(port_proxy_answer(p.proxy, &h, &err), -ECANCELED);
    CHECK_EQ(port_proxy_read(p.proxy, &byte, 1), -2);
    place_close();
}

/* --- an upgraded connection (http/tunnel.c) ---------------------------------------------------------------------- */

struct passing {
    struct tunnel_side client, server;
};

static void *pass(void *passing)
{
    const struct passing *t = passing;
    tunnel_pass(&t->client, &t->server, 1);
    return NULL;
}

TEST(a_client_that_leaves_ends_its_tunnel_also_where_the_server_reads_nothing)
{
    static char piece[64 * 1024];
    pthread_t thread;
    int outside[2], inside[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, outside) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, inside) == 0);
    while (send(inside[0], piece, sizeof piece, 0) > 0) /* the server takes no more */
        ;
    struct passing t = { { outside[0], NULL }, { inside[0], NULL } };
    CHECK(send(outside[1], piece, 100, 0) == 100);
    CHECK(pthread_create(&thread, NULL, pass, &t) == 0);
    int waiting = 1;
    while (waiting) /* until the tunnel has the bytes, which it cannot pass on */
        CHECK(ioctl(outside[0], FIONREAD, &waiting) == 0);
    CHECK(close(outside[1]) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    (void)close(outside[0]);
    (void)close(inside[0]);
    (void)close(inside[1]);
}

TEST(only_what_the_server_inside_fails_to_do_is_a_gateways_error)
{
    const struct error of_server = { .code = -ETIMEDOUT, .blame = BLAME_GUEST }, refused = { .code = -ECONNREFUSED },
                       of_launcher = { .code = -ETIMEDOUT, .blame = BLAME_HOST },
                       of_memory = { .code = -ENOMEM, .blame = BLAME_HOST };
    CHECK_EQ(ports_answer_code(&of_server), ANSWER_GATEWAY_TIMEOUT);
    CHECK_EQ(ports_answer_code(&refused), ANSWER_BAD_GATEWAY);
    CHECK_EQ(ports_answer_code(&of_launcher), ANSWER_UNAVAILABLE);
    CHECK_EQ(ports_answer_code(&of_memory), ANSWER_UNAVAILABLE);
}
