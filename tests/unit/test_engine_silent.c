/* A run whose engine falls silent at one step, and whose client wants the end: how long that takes, what it is called,
 * and that nothing stays which no sweep finds.
 *
 * The engine is a process that forks for each connection and knows just enough for one run. What it was asked while it
 * was silent it does when it wakes, as a frozen one would, though nobody waits for the answer any more. All cases run
 * at once: they mostly wait. */
#include "fake_engine.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "base/message.h"
#include "engine/control.h"
#include "engine/owner.h"
#include "engine/run.h"
#include "engine/sweep.h"

#define ID         "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ANSWER_MS  600000u /* what nobody is to wait for */
#define SOON_MS    60000u /* of a loaded machine; each takes 0.3 s, 2.5 s where sandbox-entry has time to tell the end */
#define GRACE_MS   150u
#define THINGS_MAX 8
#define ASKED_MAX  (192 * KIB)

/* --- the engine ---------------------------------------------------------------------------------------- */

struct thing { /* a container or a volume */
    atomic_bool is_there;
    bool is_volume;
    char name[80], labels[512];
};

struct world { /* shared by all processes of a case */
    atomic_bool is_silent, was_silent;
    atomic_uint held, done /* of those */, made;
    struct thing things[THINGS_MAX];
    char body[32 * KIB], name[128]; /* of the container */
};

struct step {
    const char *name;   /* what is said of it */
    const char *silent; /* the request at which the engine falls silent; NULL: at GO */
    unsigned nth;       /* of those, from 1; 0: the first */
    bool answers_others, wakes, leaves, ends /* the program, of its own */;
    uint32_t timeout_ms; /* the program's; nobody kills then */
    enum run_reason reason;
    const char *error_step; /* NULL: no error */
};

struct cell {
    const struct step *step;
    struct world *world;
    char directory[32], socket[48], entry[48];
    pid_t engine, connection;
    int client;
    uint64_t from_ms;
    uint32_t answers_ms; /* how long an engine that is silent for one request only may take for all others */
};

static struct thing *add_thing(struct world *w, bool is_volume, const char *name, const json_t *labels)
{
    cleanup(freep) char *text = json_dumps(labels, JSON_COMPACT);
    const unsigned i = atomic_fetch_add(&w->made, 1);
    assert(i < THINGS_MAX && text && strlen(text) < sizeof w->things[i].labels);
    struct thing *t = &w->things[i];
    t->is_volume = is_volume;
    (void)snprintf(t->labels, sizeof t->labels, "%s", text);
    if (is_volume)
        (void)snprintf(t->name, sizeof t->name, "%s", name);
    else
        (void)snprintf(t->name, sizeof t->name, "%x%s", i, &ID[1]);
    atomic_store(&t->is_there, true);
    return t;
}

static void answer(int fd, int status, json_t *json)
{
    cleanup(freep) char *text = json ? json_dumps(json, JSON_COMPACT) : NULL, *whole = NULL;
    const int n = asprintf(
        &whole, "HTTP/1.1 %d x\r\nApi-Version: 1.41\r\nServer: Docker/20.10.24\r\nContent-Length: %zu\r\n\r\n%s",
        status, text && status != 204 ? strlen(text) : 0, text && status != 204 ? text : "");
    assert(n > 0);
    (void)!send(fd, whole, (size_t)n, MSG_NOSIGNAL); /* to whoever is still there */
    json_decref(json);
}

static json_t *listed(struct world *w, bool is_volume)
{
    json_t *all = json_array();
    for (unsigned i = 0; i < atomic_load(&w->made); i++)
        if (atomic_load(&w->things[i].is_there) && w->things[i].is_volume == is_volume)
            (void)json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:o}", "Id", w->things[i].name, "Name",
                                                       w->things[i].name, "State", "running", "Labels",
                                                       json_loads(w->things[i].labels, 0, NULL)));
    return is_volume ? json_pack("{s:o}", "Volumes", all) : all;
}

static int remove_thing(struct world *w, const char *path)
{
    for (unsigned i = 0; i < atomic_load(&w->made); i++)
        if (strstr(path, w->things[i].name) && atomic_exchange(&w->things[i].is_there, false))
            return 204;
    return 404;
}

/* The filler's body is not kept: it has no limits. */
static void create(struct world *w, int fd, const char *asked, const char *text)
{
    json_t *body = json_loads(text, 0, NULL);
    const char *name = strstr(asked, "?name=");
    if (json_object_get(json_object_get(body, "HostConfig"), "Memory")) {
        (void)snprintf(w->body, sizeof w->body, "%s", text);
        (void)snprintf(w->name, sizeof w->name, "/%.*s", name ? (int)strcspn(name + 6, " ") : 0, name ? name + 6 : "");
    }
    const struct thing *t = add_thing(w, false, NULL, json_object_get(body, "Labels"));
    answer(fd, 201, json_pack("{s:s}", "Id", t->name));
    json_decref(body);
}

static void create_volume(struct world *w, int fd, const char *text)
{
    json_t *body = json_loads(text, 0, NULL);
    (void)add_thing(w, true, json_string_value(json_object_get(body, "Name")), json_object_get(body, "Labels"));
    answer(fd, 201, json_object());
    json_decref(body);
}

/* All as it was asked for. */
static json_t *inspected(const struct world *w)
{
    json_t *body = json_loads(w->body, 0, NULL);
    return json_pack("{s:s, s:s, s:s, s:[], s:O, s:o, s:[{s:s, s:b}]}", "Name", w->name, "Image", "sha256:" ID, "Path",
                     "/code/.entry", "Args", "HostConfig", json_object_get(body, "HostConfig"), "Config", body,
                     "Mounts", "Destination", "/code", "RW", 0);
}

static bool is_asked(const char *asked, const char *what)
{
    const char *at = what ? strstr(asked, what) : NULL;
    return at && at < strstr(asked, "\r\n");
}

/* The nth request of a kind: then, and from then on, nothing is answered until the engine is woken. */
static bool was_held(struct world *w, const struct step *s, const char *asked, unsigned *seen)
{
    if (is_asked(asked, s->silent) && ++*seen == MAX_OF(s->nth, 1u) && !atomic_exchange(&w->was_silent, true))
        atomic_store(&w->is_silent, true);
    else if (s->answers_others)
        return false;
    if (!atomic_load(&w->is_silent))
        return false;
    (void)atomic_fetch_add(&w->held, 1);
    while (atomic_load(&w->is_silent))
        (void)usleep(1000);
    return true;
}

static void send_frame(int fd, enum frame_type type, const struct field *table, size_t count, const void *base)
{
    struct buf b;
    uint8_t head[8] = { 1 };
    buf_init(&b, FRAME_MAX_UP);
    frame_put_fields(&b, type, table, count, base);
    head[6] = (uint8_t)(b.size >> 8), head[7] = (uint8_t)b.size;
    (void)!send(fd, head, sizeof head, MSG_NOSIGNAL);
    (void)!send(fd, b.data, b.size, MSG_NOSIGNAL);
    buf_done(&b);
}

static const struct entry_facts facts = { .pid = 1,
                                          .uid = 65534,
                                          .gid = 65534,
                                          .seccomp = 2,
                                          .no_new_privs = true,
                                          .is_root_readonly = true,
                                          .nofile_soft = 32,
                                          .nofile_hard = 32,
                                          .fsize = MIB,
                                          .kernel = "Linux x",
                                          .ns = { 1, 2, 3, 4, 5, 6, 7 },
                                          .probe_count = 4,
                                          .are_mounts_whole = true,
                                          .probes = { [1] = { .error = ENOENT } } };

struct attached {
    struct world *world;
    const struct step *step;
    int fd;
};

/* sandbox-entry, as far as anybody listens. */
static int on_frame(void *context, uint32_t type, const void *data, size_t size)
{
    const struct attached *a = context;
    static const struct entry_end end = { .has_exit = true };
    (void)data, (void)size;
    if (type == FRAME_PLAN)
        send_frame(a->fd, FRAME_FACTS, entry_facts_fields, entry_facts_field_count, &facts);
    if (type == FRAME_GO && a->step->ends)
        send_frame(a->fd, FRAME_END, entry_end_fields, entry_end_field_count, &end);
    if (type == FRAME_GO && !a->step->silent) {
        atomic_store(&a->world->is_silent, true);
        atomic_store(&a->world->was_silent, true);
    }
    return 0;
}

static void attach(struct world *w, const struct step *s, int fd)
{
    static char memory[FRAME_MAX_DOWN], data[4096];
    struct attached a = { w, s, fd };
    struct frame_reader reader;
    static const char head[] = "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
    frame_reader_init(&reader, memory, sizeof memory);
    (void)!send(fd, head, sizeof head - 1, MSG_NOSIGNAL);
    for (ssize_t n; (n = read(fd, data, sizeof data)) > 0;)
        (void)frame_feed(&reader, data, (size_t)n, on_frame, &a);
}

static void do_asked(struct world *w, const struct step *s, int fd, char *asked)
{
    char *end = strstr(asked, "\r\n"), *body = strstr(asked, "\r\n\r\n") + 4;
    *end = '\0';
    if (str_starts(asked, "GET /_ping"))
        answer(fd, 200, NULL);
    else if (str_starts(asked, "GET /v1.41/images/"))
        answer(fd, 200, json_pack("{s:s}", "Id", "sha256:" ID));
    else if (str_starts(asked, "GET /v1.41/networks/"))
        answer(fd, 200, json_pack("{s:s}", "Driver", "bridge"));
    else if (str_starts(asked, "GET /v1.41/containers/json"))
        answer(fd, 200, listed(w, false));
    else if (str_starts(asked, "GET /v1.41/volumes"))
        answer(fd, 200, listed(w, true));
    else if (str_starts(asked, "GET /v1.41/containers/"))
        answer(fd, 200, inspected(w));
    else if (str_starts(asked, "POST /v1.41/volumes/create"))
        create_volume(w, fd, body);
    else if (str_starts(asked, "POST /v1.41/containers/create"))
        create(w, fd, asked, body);
    else if (strstr(asked, "/info "))
        answer(fd, 200, json_pack("{s:b, s:b, s:b}", "MemoryLimit", 1, "CpuCfsQuota", 1, "PidsLimit", 1));
    else if (str_starts(asked, "DELETE /"))
        answer(fd, remove_thing(w, asked), NULL);
    else if (strstr(asked, "/attach?"))
        attach(w, s, fd);
    else
        answer(fd, str_starts(asked, "PUT /") ? 200 : 204, NULL);
}

static _Noreturn void serve(struct world *w, const struct step *s, int fd)
{
    static char asked[ASKED_MAX];
    unsigned seen = 0; /* on this connection: all of a run's are on one, until one is cut off */
    size_t size;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (fake_hear(fd, asked, sizeof asked, &size)) {
        const bool is_held = was_held(w, s, asked, &seen);
        do_asked(w, s, fd, asked);
        (void)atomic_fetch_add(&w->done, is_held);
    }
    _exit(0);
}

/* Of other cases: an end that somebody else has open, too, is none. */
static void close_from(int first)
{
    for (int fd = first; fd < 200; fd++)
        (void)close(fd);
}

static _Noreturn void be_engine(struct world *w, const struct step *s, int listener)
{
    listener = dup2(listener, 3);
    close_from(4);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGCHLD, SIG_IGN);
    (void)alarm(4 * SOON_MS / 1000);
    for (;;) {
        const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0 && fork() == 0)
            serve(w, s, fd);
        (void)close(fd);
    }
}

/* --- the run ------------------------------------------------------------------------------------------- */

/* As sandbox-engine has a connection. */
static _Noreturn void be_connection(const struct cell *c, int sock)
{
    struct control *k = calloc(1, sizeof *k);
    const int high = fcntl(sock, F_DUPFD_CLOEXEC, 100),
              wishes = fcntl(open("/dev/null", O_WRONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 100); /* off the numbers below */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)alarm(4 * SOON_MS / 1000);
    if (!k || high < 0 || wishes < 0 || dup2(high, CONTROL_FD) < 0 || dup2(wishes, SWEEP_FD) < 0)
        _exit(125);
    close_from(SWEEP_FD + 1);
    k->entry = c->entry;
    k->call_grace_ms = c->step->wakes ? SOON_MS : c->step->answers_others ? c->answers_ms : GRACE_MS;
    k->cleanup_grace_ms = c->step->wakes ? SOON_MS : GRACE_MS;
    if (peer_open(k) < 0)
        _exit(125);
    peer_serve(k);
    _exit(k->has_left ? 1 : 0);
}

static void ask(const struct cell *c)
{
    struct container k = { .socket = c->socket,
                           .answer_ms = ANSWER_MS,
                           .network = "n",
                           .image = "x",
                           .removes = true,
                           .sweeps = true,
                           .sweep_ms = 1000 };
    struct job j = { .id = "x-1",
                     .program = "true",
                     .cwd = "/",
                     .timeout_ms = c->step->timeout_ms ? c->step->timeout_ms : ANSWER_MS,
                     .grace_ms = 50 };
    struct shape *s = calloc(1, sizeof *s);
    CHECK(s && strlist_add(&j.argv, "true") == 0);
    *s = (struct shape){ .uid = 65534,
                         .gid = 65534,
                         .memory_bytes = 64 * MIB,
                         .cpu_milli = 500,
                         .pids = 10,
                         .nofile_soft = 32,
                         .nofile_hard = 32,
                         .fsize_bytes = MIB,
                         .readonly_root = true,
                         .no_new_privs = true,
                         .hostname = "sandbox" };
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC), code = memfd_create("code", MFD_CLOEXEC),
              fds[] = { null, null, null, code };
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_container_run(&b, 1, &k, s, &j);
    CHECK(!b.failed && send_message(c->client, b.data, b.size, fds, ARRAY_LEN(fds)) == 0);
    buf_done(&b);
    (void)close(null), (void)close(code);
    strlist_done(&j.argv);
    free(s);
}

static void start_cell(struct cell *c, const struct step *s, uint32_t answers_ms)
{
    int pair[2];
    *c = (struct cell){ .step = s, .directory = "/tmp/engine-silent-XXXXXX", .answers_ms = answers_ms };
    c->world = mmap(NULL, sizeof *c->world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(c->world != MAP_FAILED && mkdtemp(c->directory));
    (void)snprintf(c->socket, sizeof c->socket, "%s/s", c->directory);
    (void)snprintf(c->entry, sizeof c->entry, "%s/entry", c->directory);
    (void)close(open(c->entry, O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
    const int listener = fake_listen(c->socket, SOCK_STREAM);
    if ((c->engine = fork()) == 0)
        be_engine(c->world, s, listener);
    (void)close(listener);
    CHECK(c->engine > 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    if ((c->connection = fork()) == 0)
        be_connection(c, pair[1]);
    (void)close(pair[1]);
    c->client = pair[0];
    CHECK(c->connection > 0);
    ask(c);
}

static bool wait_until(bool (*is_so)(const struct cell *), const struct cell *c)
{
    for (uint64_t until = clock_ms() + SOON_MS; !is_so(c);) {
        if (clock_ms() >= until)
            return false;
        (void)usleep(1000);
    }
    return true;
}

static bool was_silent(const struct cell *c)
{
    return atomic_load(&c->world->was_silent);
}

static bool is_through(const struct cell *c)
{
    return atomic_load(&c->world->held) == atomic_load(&c->world->done);
}

static bool has_line(const struct strlist *lines, const char *start)
{
    STRLIST_FOREACH(line, lines)
    if (str_starts(line, start))
        return true;
    return false;
}

static void check_outcome(const struct cell *c)
{
    static char message[PLAN_MAX_MESSAGE];
    struct pollfd p = { .fd = c->client, .events = POLLIN };
    struct outcome o = { 0 };
    CHECK_EQ(poll(&p, 1, SOON_MS), 1);
    const ssize_t n = recv(c->client, message, sizeof message, 0);
    CHECK(n > 0 && clock_ms() - c->from_ms < SOON_MS);
    struct unpack u = unpack_start(message, (size_t)n);
    CHECK(unpack_u64(&u) == MESSAGE_OUTCOME && unpack_u64(&u) == 1 && unpack_outcome(&u, &o) == 0);
    if (o.reason != c->step->reason || (c->step->error_step == NULL) != (o.error_step == NULL))
        (void)fprintf(stderr, "# %s: %s: %s: %s\n", c->step->name, reason_name(o.reason),
                      o.error_step ? o.error_step : "", o.error_text ? o.error_text : "");
    CHECK_EQ(o.reason, c->step->reason);
    if (c->step->error_step) {
        CHECK_STR(o.error_step, c->step->error_step);
        CHECK(strstr(o.error_text, "and the run was to end") && strstr(o.error_remedy, "the engine hangs"));
    } else {
        CHECK(!o.error_code);
        CHECK_EQ(has_line(&o.missing, "cleanup: containers "), !c->step->wakes);
        CHECK_EQ(has_line(&o.missing, "cleanup: it is unknown whether the program has ended"),
                 !c->step->wakes && !c->step->ends);
    }
    strlist_done(&o.missing);
}

static void want_end(struct cell *c)
{
    const uint64_t words[] = { MESSAGE_KILL, 1, REASON_KILLED };
    if (!wait_until(was_silent, c)) {
        (void)fprintf(stderr, "# %s: never silent\n", c->step->name);
        c->from_ms = clock_ms();
        check_outcome(c);
        CHECK(false);
    }
    c->from_ms = clock_ms();
    if (c->step->leaves)
        closep(&c->client);
    else if (!c->step->timeout_ms)
        CHECK(send(c->client, words, sizeof words, MSG_NOSIGNAL) == sizeof words);
    if (c->step->wakes)
        atomic_store(&c->world->is_silent, false);
}

static unsigned count_things(const struct world *w)
{
    unsigned count = 0;
    for (unsigned i = 0; i < atomic_load(&w->made); i++)
        count += atomic_load(&w->things[i].is_there);
    return count;
}

/* What an engine that wakes has, or makes, belongs to somebody who is dead, and so is swept. False: of what an engine
 * that answers was asked to remove some was left, since it took longer than it may. */
static bool check_place(struct cell *c)
{
    struct engine e;
    struct error err = { 0 };
    int status = -1;
    closep(&c->client);
    CHECK(waitpid(c->connection, &status, 0) == c->connection && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status),
             c->step->wakes || str_eq(c->step->name, "ENGINE") ? 0 : 1); /* asked for nothing yet */
    atomic_store(&c->world->is_silent, false);
    CHECK(wait_until(is_through, c));
    const bool has_left = count_things(c->world) > 0;
    CHECK(!has_left || !c->step->wakes);
    CHECK_EQ(engine_open(&e, c->socket, SOON_MS, &err), 0);
    (void)sweep(&e);
    engine_close(&e);
    CHECK_EQ(count_things(c->world), 0);
    return !has_left || !c->step->answers_others;
}

static void finish(struct cell *c)
{
    (void)kill(c->engine, SIGKILL);
    CHECK(waitpid(c->engine, NULL, 0) == c->engine);
    closep(&c->client);
    (void)munmap(c->world, sizeof *c->world);
    (void)unlink(c->socket);
    (void)unlink(c->entry);
    CHECK(rmdir(c->directory) == 0);
}

/* Once more, with more time for an engine that is slow, as on a loaded machine. */
static void try_again(struct cell *c)
{
    const struct step *s = c->step;
    const uint32_t answers_ms = 4 * c->answers_ms;
    CHECK(answers_ms < SOON_MS);
    start_cell(c, s, answers_ms);
    want_end(c);
    check_outcome(c);
}

#define FAILED .reason = REASON_SANDBOX_ERROR, .error_step
#define CREATE "POST /v1.41/containers/create"

TEST(nobody_who_wants_the_end_waits_for_a_silent_engine)
{
    static const struct step steps[] = {
        { "ENGINE", "GET /_ping", FAILED = "ENGINE" },
        { "IMAGE", "GET /v1.41/images/", FAILED = "IMAGE" },
        { "NETWORK", "GET /v1.41/networks/", FAILED = "NETWORK" },
        { "CODE", "POST /v1.41/volumes/create", FAILED = "CODE" },
        { "CODE, archive", "PUT /", FAILED = "CODE" },
        { "CODE, nothing but the archive", "PUT /", .answers_others = true, FAILED = "CODE" },
        { "CREATE", CREATE, .nth = 2, FAILED = "CREATE" },
        { "CREATE, but slow", CREATE, .nth = 2, .wakes = true, .reason = REASON_KILLED },
        { "CREATE, and the client is gone", CREATE, .nth = 2, .leaves = true },
        { "START, attach", "/attach?", FAILED = "START" },
        { "START", "/start ", FAILED = "START" },
        { "FACTS", "GET /v1.41/containers/", .nth = 2, FAILED = "FACTS" },
        { "RUN", NULL, .reason = REASON_KILLED },
        { "RUN, deadline", NULL, .timeout_ms = 50, .reason = REASON_TIMEOUT },
        { "REMOVE", "DELETE /v1.41/containers/", .nth = 2, .ends = true, .reason = REASON_COMPLETED },
    };
    struct cell cells[ARRAY_LEN(steps)];
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        start_cell(&cells[i], &steps[i], 10 * GRACE_MS);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        want_end(&cells[i]);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (!steps[i].leaves)
            check_outcome(&cells[i]);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        for (; !check_place(&cells[i]); try_again(&cells[i]))
            finish(&cells[i]);
        finish(&cells[i]);
    }
}
