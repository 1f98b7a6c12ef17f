/* The Engine API against an engine that plays scripts: a child that listens, and answers each request with the next
 * bytes of its script. */
#include "fake_engine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "engine/answer.h"
#include "engine/api.h"
#include "engine/volume.h"

#define DOCKER                                                                                                      \
    "{\"Components\":[{\"Name\":\"Engine\",\"Version\":\"20.10.24\"}],\"Version\":\"20.10.24\",\"ApiVersion\":\"1." \
    "41\",\"MinAPIVersion\":\"1.12\"}"
#define PATIENCE_MS 60000 /* of a loaded machine: only for what does not come */
#define HEARD_MAX   (4 * MIB)

/* How long a test waits for what does not come; longer where what comes before it has not come within that time. */
static const struct {
    uint64_t ms;
    const char *text;
} waits[] = { { 150, "0.15 s" }, { 1500, "1.5 s" }, { 15000, "15 s" } };

/* --- the engine that plays scripts --------------------------------------------------------------------- */

enum then { KEEP, CLOSE, BYTEWISE /* and keep */ };
struct scene {
    const char *bytes;
    size_t size;
    enum then then;
};

struct heard {              /* shared with the child */
    atomic_size_t requests; /* those that are here whole */
    size_t connections, size;
    char last[HEARD_MAX]; /* the last request, whole */
};

static struct fake {
    struct arena arena;
    struct scene scenes[16];
    size_t count;
    char directory[32], path[48];
    pid_t pid;
    struct heard *heard;
    bool answers_ping; /* by the script */
} fake;

/* The size of the last one stays until the next is here. */
static bool hear(int fd, struct heard *h)
{
    const bool came = fake_hear(fd, h->last, HEARD_MAX, &h->size);
    h->requests += came;
    return came;
}

static void say(int fd, const struct scene *s)
{
    const size_t piece = s->then == BYTEWISE ? 1 : s->size;
    for (size_t at = 0; at < s->size;) {
        const ssize_t n = send(fd, s->bytes + at, MIN_OF(piece, s->size - at), MSG_NOSIGNAL);
        if (n <= 0)
            return;
        at += (size_t)n;
        if (s->then == BYTEWISE)
            (void)usleep(50);
    }
}

/* Where a script is about GET /version. */
static const struct scene no_ping = { "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n",
                                      sizeof "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n" - 1, CLOSE };

static _Noreturn void play(int listener)
{
    int fd = -1;
    bool is_new = false;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(2 * PATIENCE_MS / 1000);
    for (size_t i = 0; i < fake.count;) {
        if (fd < 0) {
            fd = accept(listener, NULL, NULL);
            is_new = true;
        }
        if (fd >= 0 && hear(fd, fake.heard)) {
            fake.heard->connections += is_new; /* those on which something is said */
            is_new = false;
            if (!fake.answers_ping && str_starts(fake.heard->last, "GET /_ping HTTP/1.1\r\n")) {
                say(fd, &no_ping);
                (void)close(fd); /* what is said to an old connection libcurl says again on a new one */
                fd = -1;
                continue;
            }
            const struct scene *s = &fake.scenes[i++];
            say(fd, s);
            if (s->then != CLOSE)
                continue;
        }
        (void)close(fd);
        fd = -1;
    }
    for (;;)
        (void)pause();
}

static void make_place(void)
{
    fake = (struct fake){ .pid = -1 };
    (void)snprintf(fake.directory, sizeof fake.directory, "/tmp/engine-api-XXXXXX");
    CHECK(mkdtemp(fake.directory));
    (void)snprintf(fake.path, sizeof fake.path, "%s/s", fake.directory);
}

static void add_bytes(const void *bytes, size_t size, enum then then)
{
    CHECK(fake.count < ARRAY_LEN(fake.scenes));
    fake.scenes[fake.count++] = (struct scene){ bytes, size, then };
}

static void add(enum then then, const char *text)
{
    add_bytes(text, strlen(text), then);
}

static void add_reply(const char *status, const char *body)
{
    add(KEEP,
        arena_printf(&fake.arena, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                     status, strlen(body), body));
}

static void begin(void)
{
    fake.heard = mmap(NULL, sizeof *fake.heard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(fake.heard != MAP_FAILED);
    const int listener = fake_listen(fake.path, SOCK_STREAM);
    fake.pid = fork();
    if (fake.pid == 0)
        play(listener);
    (void)close(listener);
    CHECK(fake.pid > 0);
}

/* Until the engine has read so many requests: that may take longer than whoever sent one waited for its answer. */
static void wait_heard(size_t requests)
{
    for (uint64_t until = clock_ms() + PATIENCE_MS; fake.heard->requests < requests && clock_ms() < until;)
        (void)usleep(1000);
    CHECK(fake.heard->requests >= requests);
}

static void end(void)
{
    if (fake.pid > 0) {
        (void)kill(fake.pid, SIGKILL);
        CHECK(waitpid(fake.pid, NULL, 0) == fake.pid);
        (void)munmap(fake.heard, sizeof *fake.heard);
    }
    (void)unlink(fake.path);
    CHECK(rmdir(fake.directory) == 0);
    arena_done(&fake.arena);
}

/* --- GET /version -------------------------------------------------------------------------------------- */

static int open_with(enum then then, const char *bytes, uint64_t patience_ms, struct engine *e, struct error *err)
{
    make_place();
    add(then, bytes);
    begin();
    const int r = engine_open(e, fake.path, patience_ms, err);
    end();
    return r;
}

static int open_version(const char *json, struct engine *e, struct error *err)
{
    char bytes[2048];
    (void)snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\nServer: Docker/x (linux)\r\nContent-Length: %zu\r\n\r\n%s",
                   strlen(json), json);
    return open_with(KEEP, bytes, PATIENCE_MS, e, err);
}

TEST(the_version_agreed_upon_is_the_engines_newest_of_our_major_version)
{
    static const struct {
        const char *json, *version, *name;
    } cases[] = {
        { DOCKER, "1.41", "Docker 20.10.24" },
        { "{\"Version\":\"29.0.1\",\"ApiVersion\":\"1.52\",\"MinAPIVersion\":\"1.44\"}", "1.52", "Docker 29.0.1" },
        { "{\"Version\":\"31.0\",\"ApiVersion\":\"1.60\",\"MinAPIVersion\":\"1.50\"}", "1.60", "Docker 31.0" },
        { "{\"Version\":\"50.0\",\"ApiVersion\":\"2.3\",\"MinAPIVersion\":\"1.50\"}", "1.50", "Docker 50.0" },
        { "{\"Version\":\"25.0\",\"ApiVersion\":\"1.44\",\"MinAPIVersion\":\"1.24\"}", "1.44", "Docker 25.0" },
        { "{\"ApiVersion\":\"1.43\"}", "1.43", "Docker of an unknown version" },
        { "{\"Components\":[{\"Name\":\"Podman "
          "Engine\"}],\"Version\":\"4.3.1\",\"ApiVersion\":\"1.41\",\"MinAPIVersion\":\"1.24\"}",
          "1.41", "Podman 4.3.1" },
        { "{\"Components\":[{\"Name\":\"Podman Engine\"}],\"Version\":\"3.0\",\"ApiVersion\":\"1.40\"}", "1.40",
          "Podman 3.0" },
        { "{\"Version\":\"a\\u001b[2Jb\",\"ApiVersion\":\"2.0\",\"MinAPIVersion\":\"1.24\"}", "1.41", "Docker a [2Jb" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct engine e;
        struct error err = { 0 };
        CHECK_EQ(open_version(cases[i].json, &e, &err), 0);
        CHECK_STR(e.version, cases[i].version);
        CHECK_STR(e.name, cases[i].name);
        CHECK_EQ(e.is_podman, str_starts(e.name, "Podman"));
        CHECK_EQ(e.status, 200);
        engine_close(&e);
    }
}

TEST(podman_is_known_by_its_server_line_too)
{
    struct engine e;
    struct error err = { 0 };
    CHECK_EQ(
        open_with(
            KEEP,
            "HTTP/1.1 200 OK\r\nServer: Libpod/5.9.9 (linux)\r\nContent-Length: 21\r\n\r\n{\"ApiVersion\":\"1.41\"}",
            PATIENCE_MS, &e, &err),
        0);
    CHECK(e.is_podman);
    engine_close(&e);
}

static void check_ping(const char *fields, size_t requests, const char *version, const char *name)
{
    struct engine e;
    struct error err = { 0 };
    make_place();
    fake.answers_ping = true;
    add(KEEP, arena_printf(&fake.arena, "HTTP/1.1 200 OK\r\n%sContent-Length: 2\r\n\r\nOK", fields));
    add_reply("200 OK", "{\"Version\":\"asked\",\"ApiVersion\":\"1.52\",\"MinAPIVersion\":\"1.44\"}");
    begin();
    CHECK_EQ(engine_open(&e, fake.path, PATIENCE_MS, &err), 0);
    CHECK_EQ(fake.heard->requests, requests);
    CHECK_STR(e.version, version);
    CHECK_STR(e.name, name);
    CHECK_EQ(e.is_podman, str_starts(name, "Podman"));
    engine_close(&e);
    end();
}

TEST(a_ping_suffices_for_engines_of_our_time)
{
    check_ping("Api-Version: 1.41\r\nServer: Docker/20.10.24+dfsg1 (linux)\r\n", 1, "1.41", "Docker 20.10.24+dfsg1");
    check_ping("Server: Libpod/4.3.1 (linux)\r\napi-version: 1.40\r\n", 1, "1.40", "Podman 4.3.1");
    check_ping("Api-Version: 1.52\r\nServer: Docker/29.0.1 (linux)\r\n", 1, "1.52", "Docker 29.0.1");
    check_ping("Api-Version: 2.0\r\nServer: Docker/50.0 (linux)\r\n", 2, "1.52", "Docker asked");
    check_ping("Api-Version: 1.24\r\nServer: Docker/1.12 (linux)\r\n", 2, "1.52", "Docker asked");
    check_ping("Api-Version: x\r\nServer: Docker/25\r\n", 2, "1.52", "Docker asked");
    check_ping("Api-Version: 1.41\r\nServer: nginx\r\n", 2, "1.52", "Docker asked");
}

TEST(an_engine_that_is_too_old_or_too_new_is_refused_with_both_versions)
{
    struct engine e;
    struct error err = { 0 };
    CHECK_EQ(open_version("{\"Version\":\"1.12.6\",\"ApiVersion\":\"1.24\",\"MinAPIVersion\":\"1.12\"}", &e, &err),
             -EPROTONOSUPPORT);
    CHECK(strstr(err.text, "Docker 1.12.6") && strstr(err.text, "1.24") && strstr(err.text, ENGINE_VERSION_MIN) &&
          strstr(err.remedy, "20.10"));
    CHECK(e.curl == NULL);
    CHECK_EQ(open_version("{\"Version\":\"40\",\"ApiVersion\":\"2.20\",\"MinAPIVersion\":\"2.1\"}", &e, &err),
             -EPROTONOSUPPORT);
    CHECK(strstr(err.text, "Docker 40") && strstr(err.text, "2.1") && strstr(err.text, ENGINE_VERSION_MIN) &&
          strstr(err.remedy, "a newer sandbox-agent"));
    CHECK_EQ(err.blame, BLAME_HOST);
    engine_close(&e); /* once more does no harm */
}

TEST(what_no_engine_answers_is_told_apart)
{
    static const struct {
        const char *bytes;
        enum then then;
        int code;
        const char *text;
    } cases[] = {
        { "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", KEEP, -EBADMSG, "names no API version" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n{\"ApiVersion\":\"1.41.2.3\"}", KEEP, -EBADMSG, "" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"ApiVersion\":\"abc\"}", KEEP, -EBADMSG,
          "names no API version" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull", KEEP, -EBADMSG, "names no API version" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", KEEP, -EBADMSG, "names no API version" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 33\r\n\r\n<html>\n<h1>It works!\x1b[2J</h1>\n</html>", KEEP, -EBADMSG,
          "«<html> <h1>It works! [2J" },
        { "HTTP/1.1 404 Not Found\r\nContent-Length: 13\r\n\r\n<p>nginx</p>\n", KEEP, -EREMOTEIO,
          "engine: GET /version: 404 <p>nginx</p>" },
        { "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", KEEP, -EREMOTEIO, "301" },
        { "SSH-2.0-OpenSSH_9.2\r\n", CLOSE, -EBADMSG, "does not speak HTTP" },
        { "\0\0\0\0", CLOSE, -ECONNRESET, "closed the connection" },
        { "", CLOSE, -ECONNRESET, "closed the connection" },
        { "HTTP/1.1 200 OK\r\nContent-Le", CLOSE, -ECONNRESET, "closed the connection" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"ApiVersion\"", CLOSE, -ECONNRESET,
          "closed the connection" },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"Api", CLOSE, -ECONNRESET,
          "closed the connection" },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{\"Api", CLOSE, -ECONNRESET, "" },
        { "HTTP/1.1 200 OK\r\n", CLOSE, -ECONNRESET, "closed the connection" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct engine e;
        struct error err = { 0 };
        const int r = open_with(cases[i].then, cases[i].bytes, PATIENCE_MS, &e, &err);
        if (r != cases[i].code || !strstr(err.text, cases[i].text))
            (void)fprintf(stderr, "# case %zu: %s\n", i, err.text);
        CHECK(r == cases[i].code && err.code == r);
        CHECK(strstr(err.text, cases[i].text) && str_starts(err.text, "engine: ") && err.remedy[0]);
        CHECK(!strchr(err.text, '\x1b') && !strchr(err.text, '\n'));
    }
}

TEST(an_engine_that_hangs_costs_as_long_as_it_may_take_and_no_longer)
{
    static const char *const cases[] = { "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{" };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct engine e;
        struct error err = { 0 };
        size_t k = 0;
        uint64_t from;
        do {
            from = clock_ms();
            CHECK_EQ(open_with(KEEP, cases[i], waits[k].ms, &e, &err), -ETIMEDOUT);
        } while (!strstr(err.text, "GET /version") && ++k < ARRAY_LEN(waits)); /* the ping before it */
        CHECK(k < ARRAY_LEN(waits) && clock_ms() - from >= waits[k].ms - 10 && clock_ms() - from < PATIENCE_MS);
        CHECK(strstr(err.text, waits[k].text) && strstr(err.remedy, "docker.daemon.timeout"));
    }
}

TEST(an_engine_that_takes_no_connection_costs_no_longer_either)
{
    struct engine e;
    struct error err = { 0 };
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    int queued[4], listener;
    make_place();
    (void)snprintf(to.sun_path, sizeof to.sun_path, "%s", fake.path);
    listener = fake_listen(fake.path, SOCK_STREAM);
    CHECK(listen(listener, 0) == 0);
    for (size_t i = 0; i < ARRAY_LEN(queued); i++) {
        queued[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        (void)connect(queued[i], (const void *)&to, sizeof to);
    }
    const uint64_t from = clock_ms();
    CHECK_EQ(engine_open(&e, fake.path, 150, &err), -ETIMEDOUT);
    CHECK(clock_ms() - from < PATIENCE_MS && strstr(err.text, fake.path));
    for (size_t i = 0; i < ARRAY_LEN(queued); i++)
        (void)close(queued[i]);
    (void)close(listener);
    end();
}

TEST(an_answer_without_end_is_cut_off)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n";
    const size_t size = ENGINE_ANSWER_MAX + MIB;
    struct engine e;
    struct error err = { 0 };
    char *bytes = malloc(size);
    CHECK(bytes);
    memset(bytes, ' ', size);
    memcpy(bytes, head, sizeof head - 1);
    make_place();
    add_bytes(bytes, size, KEEP);
    begin();
    CHECK_EQ(engine_open(&e, fake.path, PATIENCE_MS, &err), -EMSGSIZE);
    CHECK(strstr(err.text, "larger than 8 MiB"));
    end();
    memset(bytes, 'a', size);
    memcpy(bytes, "HTTP/1.1 200 OK\r\nb: ", 20);
    for (size_t i = 80; i < size; i += 80)
        memcpy(bytes + i, "\r\na: ", 5);
    make_place();
    add_bytes(bytes, size, KEEP);
    begin();
    CHECK_EQ(engine_open(&e, fake.path, PATIENCE_MS, &err), -EMSGSIZE);
    CHECK(strstr(err.text, "head of its answer"));
    end();
    free(bytes);
}

/* --- no engine ----------------------------------------------------------------------------------------- */

TEST(a_socket_that_cannot_be_used_says_what_to_do)
{
    struct engine e;
    struct error err = { 0 };
    char path[200];
    make_place();
    CHECK_EQ(engine_open(&e, fake.path, 100, &err), -ENOENT);
    CHECK(strstr(err.text, fake.path) && strstr(err.remedy, "systemctl start docker") &&
          strstr(err.remedy, "docker.daemon.socket"));
    (void)close(open(fake.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    CHECK_EQ(engine_open(&e, fake.path, 100, &err), -ENOTSOCK);
    CHECK(strstr(err.text, "is no socket"));
    (void)unlink(fake.path);
    (void)close(fake_listen(fake.path, SOCK_STREAM));
    CHECK_EQ(engine_open(&e, fake.path, 100, &err), -ECONNREFUSED);
    CHECK(strstr(err.text, "no process listens"));
    (void)unlink(fake.path);
    const int datagrams = fake_listen(fake.path, SOCK_DGRAM);
    CHECK_EQ(engine_open(&e, fake.path, 100, &err), -EPROTOTYPE);
    (void)close(datagrams);
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    CHECK_EQ(engine_open(&e, path, 100, &err), -ENAMETOOLONG);
    CHECK(err.blame == BLAME_CALLER && strstr(err.text, "107 bytes"));
    end();
}

/* Its exit status: 0 if everything is as it should be. */
static int look_forbidden(void)
{
    struct engine e;
    struct error err = { 0 };
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
        return 2;
    return engine_open(&e, fake.path, 100, &err) == -EACCES && strstr(err.text, "may not use") &&
                   strstr(err.remedy, "group")
               ? 0
               : 1;
}

TEST(a_socket_of_others_is_told_from_one_that_is_not_there)
{
    int status = -1;
    make_place();
    const int listener = fake_listen(fake.path, SOCK_STREAM);
    CHECK(chmod(fake.directory, 0755) == 0 && chmod(fake.path, 0) == 0);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(look_forbidden());
    CHECK(waitpid(pid, &status, 0) == pid);
    (void)close(listener);
    end();
    CHECK_EQ(status, 0);
}

/* --- calls --------------------------------------------------------------------------------------------- */

static const long expect_created[] = { 201, 204, 0 };

static void open_scripted(struct engine *e)
{
    struct error err = { 0 };
    begin();
    CHECK_EQ(engine_open(e, fake.path, PATIENCE_MS, &err), 0);
}

static void make_docker(void)
{
    make_place();
    add_reply("200 OK", DOCKER);
}

static bool was_said(const char *what)
{
    return memmem(fake.heard->last, fake.heard->size, what, strlen(what)) != NULL;
}

TEST(calls_share_a_connection_and_say_what_they_mean)
{
    struct engine e;
    struct error err = { 0 };
    json_t *answer = NULL, *body = json_pack("{ss}", "Image", "x");
    (void)setenv("http_proxy", "http://127.0.0.1:1", 1);
    (void)setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    make_docker();
    add_reply("201 Created", "{\"Id\":\"abc\"}");
    add(KEEP, "HTTP/1.1 204 No Content\r\n\r\n");
    open_scripted(&e);
    CHECK_EQ(engine_call(&e, "POST", "/containers/create?name=a", body, expect_created, &answer, &err), 0);
    CHECK_EQ(e.status, 201);
    CHECK_STR(json_string_value(json_object_get(answer, "Id")), "abc");
    CHECK(str_starts(fake.heard->last, "POST /v1.41/containers/create?name=a HTTP/1.1\r\n") &&
          was_said("Content-Type: application/json\r\n"));
    CHECK(was_said("\r\n\r\n{\"Image\":\"x\"}") && was_said("Content-Length: 13\r\n"));
    json_decref(answer);
    CHECK_EQ(engine_call(&e, "POST", "/containers/../x/start", NULL, expect_created, &answer, &err), 0);
    CHECK(answer == NULL && e.status == 204);
    CHECK(str_starts(fake.heard->last, "POST /v1.41/containers/../x/start HTTP/1.1\r\n") &&
          was_said("Content-Length: 0\r\n"));
    CHECK(!was_said("Content-Type") && !was_said("Expect"));
    CHECK(fake.heard->connections == 2 && fake.heard->requests == 4 /* the first is the ping's */);
    engine_close(&e);
    end();
    json_decref(body);
    (void)unsetenv("http_proxy");
    (void)unsetenv("ALL_PROXY");
}

TEST(a_refusal_brings_the_engines_own_words_cleaned_and_bounded)
{
    struct engine e;
    struct error err = { 0 };
    json_t *answer = (json_t *)&err; /* untouched by failures */
    make_docker();
    add_reply("404 Not Found", "{\"message\":\"No such image: x\"}\n");
    add_reply("500 Internal Server Error",
              "{\"cause\":\"c\",\"message\":\"crun:\\u001b]0;x\\u0007 no\\n\\u0085such\",\"response\":500}");
    add_reply("500 Internal Server Error",
              arena_printf(&fake.arena, "{\"message\":\"runc %0*d\xc3\xa9: not permitted\"}", 5000, 0));
    add_reply("500 Internal Server Error", "");
    add_reply("400 Bad Request", "{\"message\":7}\xff\xfe");
    add_reply("201 Created", "OK");
    open_scripted(&e);
    CHECK_EQ(engine_call(&e, "POST", "/containers/create?name=secret", NULL, expect_created, &answer, &err),
             -EREMOTEIO);
    CHECK_STR(err.text, "engine: POST /containers/create: 404 No such image: x");
    CHECK(err.blame == BLAME_HOST && e.status == 404);
    CHECK_EQ(engine_call(&e, "DELETE", "/x", NULL, expect_created, &answer, &err), -EREMOTEIO);
    CHECK_STR(err.text, "engine: DELETE /x: 500 crun: ]0;x no such");
    CHECK(str_starts(fake.heard->last, "DELETE /v1.41/x HTTP/1.1\r\n"));
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expect_created, &answer, &err), -EREMOTEIO);
    CHECK(strlen(err.text) < 300 && strstr(err.text, "500 runc 000") && strstr(err.text, "000...000") &&
          strstr(err.text, "\xc3\xa9: not permitted"));
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expect_created, &answer, &err), -EREMOTEIO);
    CHECK_STR(err.text, "engine: GET /x: 500 (without a word)");
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expect_created, &answer, &err), -EREMOTEIO);
    CHECK_STR(err.text, "engine: GET /x: 400 {\"message\":7}??");
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expect_created, &answer, &err), -EBADMSG);
    CHECK_STR(err.text, "engine: GET /x: its answer is no JSON: «OK»");
    CHECK(answer == (json_t *)&err);
    engine_close(&e);
    end();
}

/* Ten answers: an engine on a slow machine needs more than a second to let go of the container. */
TEST(a_volume_that_is_still_in_use_is_removed_when_it_is_free)
{
    struct engine e;
    struct error err = { 0 };
    struct arena a = { 0 };
    make_docker();
    for (int i = 0; i < 10; i++)
        add_reply("409 Conflict", "{\"message\":\"volume is in use\"}");
    add(KEEP, "HTTP/1.1 204 No Content\r\n\r\n");
    open_scripted(&e);
    CHECK_EQ(volume_remove(&e, &a, "code", &err), 0);
    CHECK_EQ(e.status, 204);
    CHECK(str_starts(fake.heard->last, "DELETE /v1.41/volumes/code?force=0 "));
    engine_close(&e);
    end();
    make_docker();
    for (int i = 0; i < 3; i++)
        add_reply("409 Conflict", "{\"message\":\"volume is in use\"}");
    open_scripted(&e);
    e.answer_ms = 15; /* two tries and the last word; of a slow machine only that */
    CHECK(volume_remove(&e, &a, "code", &err) < 0);
    CHECK(strstr(err.text, "409") || e.status != 409); /* or the answer came later than that */
    engine_close(&e);
    end();
    arena_done(&a);
}

TEST(a_connection_that_the_engine_closed_between_calls_is_made_anew)
{
    static const long expected[] = { 200, 0 };
    struct engine e;
    struct error err = { 0 };
    make_place();
    add(CLOSE, "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{\"ApiVersion\":\"1.41\"}");
    add_reply("200 OK", "[]");
    open_scripted(&e);
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expected, NULL, &err), 0);
    CHECK_EQ(fake.heard->connections, 3);
    engine_close(&e);
    end();
}

TEST(an_engine_that_is_gone_between_calls_says_so)
{
    static const long expected[] = { 200, 0 };
    struct engine e;
    struct error err = { 0 };
    make_docker();
    open_scripted(&e);
    (void)kill(fake.pid, SIGKILL);
    CHECK(waitid(P_PID, (id_t)fake.pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT) ==
          0); /* its descriptors are closed now */
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expected, NULL, &err), -ECONNREFUSED);
    CHECK(strstr(err.text, "no process listens") && e.status == 0);
    CHECK_EQ(engine_call(&e, "GET", "/x", NULL, expected, NULL, NULL), -ECONNREFUSED);
    engine_close(&e);
    end();
}

TEST(an_archive_arrives_whole_and_without_asking_first)
{
    const size_t size = 2 * MIB;
    struct engine e;
    struct error err = { 0 };
    char *tar = malloc(size);
    CHECK(tar);
    for (size_t i = 0; i < size; i++)
        tar[i] = (char)(i * 31 + i / 257);
    make_docker();
    add_reply("200 OK", "");
    add_reply("404 Not Found", "{\"message\":\"no such container\"}");
    open_scripted(&e);
    CHECK_EQ(engine_put_archive(&e, "a b", "/code&x", tar, size, &err), 0);
    CHECK(!was_said("Expect:")); /* libcurl waits 1 s for the answer to it */
    CHECK(str_starts(fake.heard->last, "PUT /v1.41/containers/a%20b/archive?path=%2Fcode%26x HTTP/1.1\r\n") &&
          was_said("Content-Type: application/x-tar\r\n"));
    CHECK(fake.heard->size > size && memcmp(fake.heard->last + fake.heard->size - size, tar, size) == 0);
    CHECK_EQ(engine_put_archive(&e, "a", "/", tar, 0, &err), -EREMOTEIO);
    CHECK_STR(err.text, "engine: PUT /containers/a/archive: 404 no such container");
    engine_close(&e);
    end();
    free(tar);
}

/* --- pulling ------------------------------------------------------------------------------------------- */

static int pull_of(const char *bytes, enum then then, uint64_t answer_ms, uint64_t max_ms, struct error *err)
{
    struct engine e;
    make_docker();
    add(then, bytes);
    open_scripted(&e);
    e.answer_ms = answer_ms;
    const int r = engine_pull(&e, "reg.example:5000/a/b", max_ms, err);
    wait_heard(3);
    CHECK(str_starts(fake.heard->last,
                     "POST /v1.41/images/create?fromImage=reg.example%3A5000%2Fa%2Fb&tag=latest HTTP/1.1\r\n"));
    engine_close(&e);
    end();
    return r;
}

#define STREAM "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"

TEST(a_pull_is_as_good_as_its_last_word)
{
    struct error err = { 0 };
    CHECK_EQ(pull_of(STREAM "{\"status\":\"Pulling\"}\r\n{\"status\":\"x\",\"progressDetail\":{}}\r\n", CLOSE,
                     PATIENCE_MS, PATIENCE_MS, &err),
             0);
    CHECK_EQ(pull_of(STREAM "{\"status\":\"Pulling\"}{\"id\":\"x\"}\n\n{\"status\":\"x\"}", CLOSE, PATIENCE_MS,
                     PATIENCE_MS, &err),
             0);
    CHECK_EQ(pull_of(STREAM
                     "{\"status\":\"P\"}\n{\"errorDetail\":{\"message\":\"m\"},\"error\":\"dial tcp:\\nno route\"}\r\n",
                     CLOSE, PATIENCE_MS, PATIENCE_MS, &err),
             -EREMOTEIO);
    CHECK_STR(err.text, "engine: POST /images/create: pulling reg.example:5000/a/b: dial tcp: no route");
    CHECK_EQ(pull_of(STREAM "{\"errorDetail\":{\"message\":\"only there\"}}", CLOSE, PATIENCE_MS, PATIENCE_MS, &err),
             -EREMOTEIO);
    CHECK(strstr(err.text, "only there"));
    CHECK_EQ(pull_of("HTTP/1.1 404 Not Found\r\nContent-Length: 32\r\n\r\n{\"message\":\"pull access denied\"}", KEEP,
                     PATIENCE_MS, PATIENCE_MS, &err),
             -EREMOTEIO);
    CHECK(strstr(err.text, "pulling reg.example:5000/a/b: 404 pull access denied"));
    CHECK_EQ(pull_of(STREAM "{\"status\":\"Pul", CLOSE, PATIENCE_MS, PATIENCE_MS, &err), -EBADMSG);
    CHECK_EQ(pull_of(STREAM "<html>\n", CLOSE, PATIENCE_MS, PATIENCE_MS, &err), -EBADMSG);
    CHECK_EQ(pull_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n", CLOSE, PATIENCE_MS,
                     PATIENCE_MS, &err),
             -ECONNRESET);
}

TEST(a_pull_without_news_is_given_up_and_so_is_one_that_takes_too_long)
{
    struct error err = { 0 };
    size_t k = 0;
    uint64_t from;
    do {
        from = clock_ms();
        CHECK_EQ(pull_of(STREAM "{\"status\":\"Pulling\"}\n", KEEP, waits[k].ms, 10 * PATIENCE_MS, &err), -ETIMEDOUT);
    } while (!strstr(err.text, "nothing more came within") && ++k < ARRAY_LEN(waits)); /* no news at all */
    CHECK(k < ARRAY_LEN(waits) && clock_ms() - from < PATIENCE_MS && strstr(err.text, waits[k].text));
    from = clock_ms();
    CHECK_EQ(pull_of(STREAM "{\"status\":\"Pulling\"}\n", KEEP, 10 * PATIENCE_MS, 500, &err), -ETIMEDOUT);
    CHECK(clock_ms() - from < PATIENCE_MS && strstr(err.text, "0.5 s"));
}

TEST(news_of_a_pull_that_are_too_long_end_it)
{
    struct error err = { 0 };
    struct arena a = { 0 };
    CHECK_EQ(pull_of(arena_printf(&a, STREAM "{\"status\":\"%0*d", 300000, 0), CLOSE, PATIENCE_MS, PATIENCE_MS, &err),
             -EBADMSG);
    arena_done(&a);
}

/* --- attaching ----------------------------------------------------------------------------------------- */

#define UPGRADED                                                                                                   \
    "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: " \
    "tcp\r\n\r\n"

static int attach_to(const char *bytes, enum then then, uint64_t answer_ms, struct engine *e, struct buf *begun,
                     struct error *err)
{
    make_docker();
    fake.scenes[0].then =
        CLOSE; /* libcurl's connection would stay open, and the fake engine has eyes for one at a time */
    add(then, bytes);
    open_scripted(e);
    e->answer_ms = answer_ms;
    const int fd = engine_attach(e, "c 1", begun, err);
    wait_heard(3);
    CHECK(str_starts(fake.heard->last,
                     "POST /v1.41/containers/c%201/attach?stream=1&stdin=1&stdout=1&stderr=1 HTTP/1.1\r\n"));
    CHECK(was_said("Connection: Upgrade\r\nUpgrade: tcp\r\n"));
    return fd;
}

static void leave(struct engine *e)
{
    engine_close(e);
    end();
}

TEST(an_attached_connection_is_ours_with_what_came_behind_the_head)
{
    static const char *const heads[] = { UPGRADED,
                                         "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n" };
    for (size_t i = 0; i < 4; i++) {
        char bytes[512], more[64];
        struct engine e;
        struct buf begun = { 0 };
        struct error err = { 0 };
        (void)snprintf(bytes, sizeof bytes, "%s%s", heads[i % 2], "behind");
        const int fd = attach_to(bytes, i < 2 ? KEEP : BYTEWISE, PATIENCE_MS, &e, &begun, &err);
        CHECK(fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) && (fcntl(fd, F_GETFD) & FD_CLOEXEC));
        CHECK_EQ(e.status, i % 2 ? 200 : 101);
        (void)fcntl(fd, F_SETFL, 0);
        for (ssize_t n; begun.size < 6 && (n = read(fd, more, sizeof more)) > 0;)
            CHECK(buf_add(&begun, more, (size_t)n) == 0);
        CHECK(begun.size == 6 && memcmp(begun.data, "behind", 6) == 0);
        buf_done(&begun);
        (void)close(fd);
        leave(&e);
    }
}

TEST(an_attach_that_is_refused_says_why_at_once)
{
    static const struct {
        const char *bytes;
        enum then then;
        int code;
        const char *text;
    } cases[] = {
        { "HTTP/1.1 409 Conflict\r\nContent-Length: 26\r\n\r\n{\"message\":\"runc: no {x}\"}", KEEP, -EREMOTEIO,
          "attach: 409 runc: no {x}" },
        { "HTTP/1.1 409 Conflict\r\nContent-Length: 26\r\n\r\n{\"message\":\"runc: no {x}\"}", BYTEWISE, -EREMOTEIO,
          "attach: 409 runc: no {x}" },
        { "HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n{\"message\":\"runc: no {x}\"}\r\n", KEEP,
          -EREMOTEIO, "attach: 409 runc: no {x}" },
        { "HTTP/1.1 404 Not Found\r\n\r\n<html>what", CLOSE, -EREMOTEIO, "attach: 404 <html>what" },
        { "HTTP/1.1 500 Oh\r\n\r\n", CLOSE, -EREMOTEIO, "(without a word)" },
        { "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull", KEEP, -EBADMSG, "with a body" },
        { "HTTP/1.1 101 UPGRADED\r\nContent-Type: x", CLOSE, -ECONNRESET, "closed the connection" },
        { "", CLOSE, -ECONNRESET, "closed the connection" },
        { "SSH-2.0-OpenSSH\r\n", KEEP, -EBADMSG, "«SSH-2.0-OpenSSH»" },
        { "HTTP/1.1 101 UPGRADED\nUpgrade: tcp\n\n", KEEP, -EBADMSG, "does not speak HTTP" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct engine e;
        struct buf begun = { 0 };
        struct error err = { 0 };
        const uint64_t from = clock_ms();
        CHECK_EQ(attach_to(cases[i].bytes, cases[i].then, 2 * PATIENCE_MS, &e, &begun, &err), cases[i].code);
        if (!strstr(err.text, cases[i].text))
            (void)fprintf(stderr, "# case %zu: %s\n", i, err.text);
        CHECK(strstr(err.text, cases[i].text) && begun.data == NULL);
        CHECK(clock_ms() - from < PATIENCE_MS); /* half of what it would wait for more */
        leave(&e);
    }
}

TEST(an_attach_that_nobody_answers_ends)
{
    static const char *const cases[] = { "", "HTTP/1.1 101 UPG", "HTTP/1.1 500 Oh\r\n\r\n{\"mess" };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct engine e;
        struct buf begun = { 0 };
        struct error err = { 0 };
        size_t k = 0;
        int r;
        uint64_t from;
        do {
            from = clock_ms();
            r = attach_to(cases[i], KEEP, waits[k].ms, &e, &begun, &err);
            leave(&e);
        } while (i == 2 && r == -ETIMEDOUT && ++k < ARRAY_LEN(waits)); /* the refusal itself */
        CHECK_EQ(r, i < 2 ? -ETIMEDOUT : -EREMOTEIO);
        CHECK(clock_ms() - from < PATIENCE_MS);
        CHECK(i == 2 || strstr(err.text, "no answer within 0.15 s"));
    }
}

TEST(the_head_of_an_answer_may_be_cut_anywhere_and_be_nothing_else)
{
    static const char *const wrong[] = { "x",
                                         "HTTP/2",
                                         "HTTP/1.2",
                                         "HTTP/1.1  101",
                                         "HTTP/1.1 1x",
                                         "HTTP/1.1 1011\r\n",
                                         "HTTP/1.1 101\n",
                                         "HTTP/1.1 101 \x01\r\n",
                                         "HTTP/1.1 099 x\r\n",
                                         "HTTP/1.1 101 x\r\n a: b\r\n",
                                         "HTTP/1.1 101 x\r\n: b\r\n",
                                         "HTTP/1.1 101 x\r\nab\r\n",
                                         "HTTP/1.1 101 x\r\na b: c\r\n",
                                         "HTTP/1.1 101 x\r\na: \x1b\r\n",
                                         "\r\nHTTP/1.1 101 x\r\n" };
    struct answer_head h = { .status = 7 };
    char large[ANSWER_HEAD_MAX + 10];
    for (size_t n = 0; n < sizeof UPGRADED - 1; n++)
        CHECK_EQ(answer_head_read(UPGRADED, n, &h), -EAGAIN);
    CHECK_EQ(h.status, 7);
    CHECK_EQ(answer_head_read(UPGRADED "\0\0", sizeof UPGRADED + 1, &h), 0);
    CHECK(h.status == 101 && h.size == sizeof UPGRADED - 1 && !h.has_body);
    CHECK(answer_head_read("HTTP/1.0 200\r\nCONTENT-length:3\r\n\r\n", 34, &h) == 0 && h.status == 200 && h.has_body);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        if (answer_head_read(wrong[i], strlen(wrong[i]), &h) != -EBADMSG)
            (void)fprintf(stderr, "# «%s»\n", wrong[i]);
        CHECK_EQ(answer_head_read(wrong[i], strlen(wrong[i]), &h), -EBADMSG);
    }
    memset(large, 'a', sizeof large);
    memcpy(large, "HTTP/1.1 101 x\r\na: ", 19);
    CHECK_EQ(answer_head_read(large, ANSWER_HEAD_MAX - 1, &h), -EAGAIN);
    CHECK_EQ(answer_head_read(large, ANSWER_HEAD_MAX, &h), -EBADMSG);
    memcpy(large + sizeof large - 4, "\r\n\r\n", 4);
    CHECK_EQ(answer_head_read(large, sizeof large, &h), -EBADMSG);
}

/* --- frames -------------------------------------------------------------------------------------------- */

struct streams {
    struct buf of[3];
    int refuse;
};

static int take_stream(void *context, unsigned stream, const void *data, size_t size)
{
    struct streams *s = context;
    assert((stream == 1 || stream == 2) && size);
    return s->refuse ? s->refuse : buf_add(&s->of[stream], data, size);
}

static const uint8_t framed[] = "\1\0\0\0\0\0\0\5hello\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\3err\1\0\0\0\0\0\0\1!";

static void check_streams(struct streams *s)
{
    CHECK_STR(s->of[1].data, "hello!");
    CHECK_STR(s->of[2].data, "err");
    for (size_t i = 0; i < 3; i++)
        buf_done(&s->of[i]);
}

static struct streams new_streams(void)
{
    struct streams s = { 0 };
    for (size_t i = 0; i < 3; i++)
        buf_init(&s.of[i], 100);
    return s;
}

TEST(frames_may_be_cut_anywhere)
{
    const size_t size = sizeof framed - 1;
    for (size_t cut = 0; cut <= size; cut++) {
        struct streams s = new_streams();
        struct demux d = { 0 };
        CHECK_EQ(demux_feed(&d, framed, cut, take_stream, &s), 0);
        CHECK_EQ(demux_feed(&d, framed + cut, size - cut, take_stream, &s), 0);
        check_streams(&s);
    }
    struct streams s = new_streams();
    struct demux d = { 0 };
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(demux_feed(&d, framed + i, 1, take_stream, &s), 0);
    check_streams(&s);
}

TEST(what_is_no_frame_is_refused_for_good)
{
    static const char *const wrong[] = { "\0\0\0\0\0\0\0\1", "\3\0\0\0\0\0\0\1", "\1\1\0\0\0\0\0\1", "\1\0\0\1\0\0\0\1",
                                         "HTTP/1.1" };
    struct streams s = new_streams();
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct demux d = { 0 };
        CHECK_EQ(demux_feed(&d, wrong[i], 8, take_stream, &s), -EBADMSG);
        CHECK_EQ(demux_feed(&d, framed, sizeof framed - 1, take_stream, &s), -EBADMSG);
    }
    CHECK(s.of[1].data == NULL && s.of[2].data == NULL);
    struct demux d = { 0 };
    CHECK_EQ(demux_feed(&d,
                        "\1\0\0\0\xff\xff\xff\xff"
                        "ab",
                        10, take_stream, &s),
             0);
    CHECK_EQ(d.left, UINT32_MAX - 2);
    buf_done(&s.of[1]);
    s.refuse = -ECANCELED;
    d = (struct demux){ 0 };
    CHECK_EQ(demux_feed(&d, framed, sizeof framed - 1, take_stream, &s), -ECANCELED);
}

/* --- words --------------------------------------------------------------------------------------------- */

TEST(an_engines_words_become_one_clean_line)
{
    char out[16];
    CHECK_STR(answer_clean("", 0, out, sizeof out), "");
    CHECK_STR(answer_clean(" \n a\0b \t", 9, out, sizeof out), "a b");
    CHECK_STR(answer_clean("\xc3\xa9\xff\xed\xa0\x80", 6, out, sizeof out), "\xc3\xa9????");
    CHECK_STR(answer_clean("123456789012345", 15, out, sizeof out), "123456789012345");
    CHECK_STR(answer_clean("1234567890123456", 16, out, sizeof out), "123456789012...");
    CHECK_STR(answer_clean("12345678901\xc3\xa9\xc3\xa9\xc3\xa9", 17, out, sizeof out), "12345678901...");
}

TEST(a_value_in_a_path_cannot_leave_its_place)
{
    struct arena a = { 0 };
    CHECK_STR(engine_escape(&a, ""), "");
    CHECK_STR(engine_escape(&a, "aZ0-._~"), "aZ0-._~");
    CHECK_STR(engine_escape(&a, "a/b?c&d=e%f g\r\n\xff#"), "a%2Fb%3Fc%26d%3De%25f%20g%0D%0A%FF%23");
    arena_done(&a);
}
