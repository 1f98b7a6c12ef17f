/* beside.c - one run through the service beside the same run without it, in turns, by one process.
 *
 *   beside --port N [--runs N] [--level L] [--pause-ms N] --language L --code FILE --plain PROGRAM [ARG]...
 *   beside --clients N --seconds S [--level L] --language L --code FILE         only «sandbox», N at once, each with a
 * connection of its own
 *
 * The rows, from the inside out; each contains the one above it:
 *   plain    vfork, exec and wait of --plain: the program with no sandbox at all
 *   sandbox  exec_launch() over a resident launcher with a prepared slot: request, fence, watch, streams, outcome.
 * What the service adds to session  the whole session: judgement, audit (shared, as in the service), plan, run log,
 * result. What both ways of use do service  POST /execute over one kept connection, from the first byte sent to the
 * last byte of the answer command  vfork and exec of sandbox-agent --json, until it was waited for
 *
 * A round takes each once, in an order that turns, so all see the same minute of the machine. The service is another
 * process with its own launcher, which sleeps meanwhile as ours does while it works. Reads the user's configuration
 * (XDG_CONFIG_HOME). Prints «name p10 p50 p90 p99» lines in microseconds, and the middle of the differences of each
 * round.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "http.h"
#include "resident.h"
#include "stats.h"
#include "base/json.h"
#include "run/exec.h"

enum { PLAIN, SANDBOX, SESSION, SERVICE, COMMAND, WAYS };
static const char *const way_names[WAYS] = { "plain", "sandbox", "session", "service", "command" };

struct beside {
    struct paths paths;
    struct arena arena;
    struct client connection;
    struct policy_set *policies;
    struct trail_shared trail;
    uint64_t tag;
    const char *language, *code, *level, *request;
    size_t request_size;
    char **plain;
    const char *agent;
    struct target target;
    struct connection http;
    int null; /* where results go */
};

static _Noreturn void die(const char *what, const struct error *err)
{
    (void)fprintf(stderr, "beside: %s: %s%s%s\n", what, err ? err->step : "", err && err->step[0] ? ": " : "",
                  err ? err->text : "");
    exit(1);
}

static void spawn(char *const argv[], bool is_quiet)
{
    static char *const plain_env[] = { (char *)"PATH=/usr/local/bin:/usr/bin:/bin", (char *)"LANG=C.UTF-8", NULL };
    int status = -1;
    pid_t pid = vfork();
    if (pid == 0) {
        if (is_quiet)
            (void)dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        (void)execve(argv[0], argv, is_quiet ? environ : plain_env);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0)
        die(argv[0], NULL);
}

/* s->client is the connection; nothing is claimed, and nothing asks. */
static const struct exec_host host = { .serves_others = true };

static void begin_session(struct beside *b, struct exec *s, struct arena *a)
{
    exec_init(s, &b->paths, a);
    s->host = &host;
    s->client = b->connection;
    s->tag = b->tag;
    b->tag += 2;
    s->policies = b->policies;
    s->trail.shared = &b->trail;
    if (options_language(&s->options, b->language, &s->error) < 0)
        die("session", &s->error);
    s->options.code = b->code;
    s->options.has_level = true;
    s->options.risk_level = (enum risk_level)MAX_OF(risk_level_find(b->level), 0);
    s->options.json = true;
    if (exec_prepare(s, &s->error) < 0)
        die("session", &s->error);
}

static void end_session(struct beside *b, struct exec *s, int e)
{
    if (e < 0 || !s->has_outcome || s->outcome.reason != REASON_COMPLETED)
        die("a run did not complete", &s->error);
    b->connection = s->client; /* its buffer of messages is kept */
    exec_tidy(s);
    exec_done(s);
}

static double run_sandbox(struct beside *b)
{
    struct arena a = { 0 };
    struct exec s = { 0 };
    begin_session(b, &s, &a);
    s.log.fd = s.stream.log = -1;
    if (plan_build(&s.policy, &s.load.request, s.id, 0, &a, &s.plan, &s.error) < 0)
        die("plan", &s.error);
    s.plan.job.may_reuse = true;
    double begin = clock_now_us();
    int e = exec_launch(&s, -1, &s.error);
    double took = clock_now_us() - begin;
    end_session(b, &s, e);
    arena_done(&a);
    return took;
}

static double run_session(struct beside *b)
{
    struct arena a = { 0 };
    struct exec s = { 0 };
    struct result r;
    double begin = clock_now_us();
    begin_session(b, &s, &a);
    int e = exec_run(&s, &s.error);
    exec_result(&s, &r);
    (void)result_print_json(&r, b->null);
    double took = clock_now_us() - begin;
    end_session(b, &s, e);
    arena_done(&a);
    (void)audit_settle(&b->trail.audit);
    return took;
}

static double run_service(struct beside *b)
{
    struct reply r = { 0 };
    if (b->http.fd < 0 && connection_open(&b->http, &b->target, 60) < 0)
        die("connect", NULL);
    double begin = clock_now_us();
    if (!connection_send(&b->http, b->request, b->request_size) || !connection_receive(&b->http, &r))
        die("the service did not answer", NULL);
    double took = clock_now_us() - begin;
    if (r.status != 200 || !json_says(r.body, r.size, "reason", "completed"))
        die(r.body, NULL);
    if (r.closes)
        connection_close(&b->http);
    return took;
}

static double run_way(struct beside *b, int way)
{
    char *const command[] = { (char *)b->agent, (char *)"--json",     (char *)"--risk-level",
                              (char *)b->level, (char *)"--language", (char *)b->language,
                              (char *)"--code", (char *)b->code,      NULL };
    if (way == SANDBOX)
        return run_sandbox(b);
    if (way == SESSION)
        return run_session(b);
    if (way == SERVICE)
        return run_service(b);
    double begin = clock_now_us();
    spawn(way == PLAIN ? b->plain : command, way == COMMAND);
    return clock_now_us() - begin;
}

static void print_all(struct samples s[static WAYS], struct samples differences[static WAYS])
{
    for (int way = 0; way < WAYS; way++)
        (void)printf("%s %.0f %.0f %.0f %.0f\n", way_names[way], samples_percentile(&s[way], 10),
                     samples_percentile(&s[way], 50), samples_percentile(&s[way], 90), samples_percentile(&s[way], 99));
    for (int way = SESSION; way <= SERVICE; way++)
        (void)printf("%s-sandbox %.0f %.0f %.0f %.0f\n", way_names[way], samples_percentile(&differences[way], 10),
                     samples_percentile(&differences[way], 50), samples_percentile(&differences[way], 90),
                     samples_percentile(&differences[way], 99));
}

static void measure(struct beside *b, unsigned runs, double pause)
{
    struct samples s[WAYS] = { 0 }, differences[WAYS] = { 0 };
    for (unsigned i = 0; i < 3; i++)
        for (int way = 0; way < WAYS; way++)
            (void)run_way(b, way);
    for (unsigned i = 0; i < runs; i++) {
        double took[WAYS];
        for (int k = 0; k < WAYS; k++) {
            int way = (int)(i + (unsigned)k) % WAYS;
            pause_us(pause); /* whoever went before may clean up */
            took[way] = run_way(b, way);
            samples_add(&s[way], took[way]);
        }
        samples_add(&differences[SESSION], took[SESSION] - took[SANDBOX]);
        samples_add(&differences[SERVICE], took[SERVICE] - took[SANDBOX]);
    }
    print_all(s, differences);
}

/* --- many at once ----------------------------------------------------------------------------------------- */

struct worker {
    struct beside b;
    struct samples s;
    double until_us;
};

static void *work(void *context)
{
    struct worker *w = context;
    (void)run_sandbox(&w->b); /* its slot is prepared */
    while (clock_now_us() < w->until_us)
        samples_add(&w->s, run_sandbox(&w->b));
    return NULL;
}

static void measure_rate(struct beside *b, unsigned clients, double seconds)
{
    static struct worker all[256];
    pthread_t threads[256];
    struct samples s = { 0 };
    struct error err = { 0 };
    pthread_attr_t roomy; /* musl gives a thread 128 KiB, a session wants more */
    (void)pthread_attr_init(&roomy);
    (void)pthread_attr_setstacksize(&roomy, 1024 * 1024);
    double begin = clock_now_us();
    for (unsigned i = 0; i < clients; i++) {
        all[i] = (struct worker){ .b = *b, .until_us = begin + seconds * 1e6 };
        if (client_connection(&b->connection, &all[i].b.connection, &err) < 0 ||
            pthread_create(&threads[i], &roomy, work, &all[i]) != 0)
            die("connection", &err);
    }
    for (unsigned i = 0; i < clients; i++) {
        (void)pthread_join(threads[i], NULL);
        for (size_t k = 0; k < all[i].s.count; k++)
            samples_add(&s, all[i].s.us[k]);
        client_stop(&all[i].b.connection);
    }
    (void)printf("clients %u\ngood %zu\nbad 0\nrate %.1f\np50 %.0f\np99 %.0f\n", clients, s.count,
                 (double)s.count * 1e6 / (clock_now_us() - begin), samples_percentile(&s, 50),
                 samples_percentile(&s, 99));
}

static void prepare(struct beside *b)
{
    struct error err = { 0 };
    if (paths_find(&b->arena, &b->paths) < 0)
        die("paths", NULL);
    b->agent = arena_printf(&b->arena, "%s/../../bin/sandbox-agent", b->paths.libexec);
    if (policy_set_load(&b->paths, NULL, &b->policies, &err) < 0)
        die("policies", &err);
    if (trail_open_audit(&b->trail.audit, &b->paths, &b->policies->level[b->policies->default_level].config, &b->arena,
                         &err) < 0)
        die("audit", &err);
    (void)pthread_mutex_init(&b->trail.lock, NULL);
    b->null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    resident_start(&b->connection, b->paths.libexec);
    b->tag = 1;
}

static char *make_body(struct beside *b)
{
    static char code[65536];
    struct buf body;
    int fd = open(b->code, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, code, sizeof code - 1);
    if (n < 0)
        die(b->code, NULL);
    (void)close(fd);
    buf_init(&body, 1 * MIB);
    json_open(&body, '{');
    json_key(&body, "language"), json_put_string(&body, b->language);
    json_key(&body, "risk_level"), json_put_string(&body, b->level);
    json_key(&body, "code"), json_put_string(&body, code);
    json_close(&body, '}');
    (void)buf_add(&body, "", 1);
    return body.data;
}

int main(int argc, char **argv)
{
    static struct beside b = { .level = "medium", .http = { .fd = -1 } };
    unsigned runs = 100, clients = 0;
    double pause = 1000, seconds = 2;
    for (int i = 1; i + 1 < argc && !b.plain; i += 2) {
        const char *value = argv[i + 1];
        if (str_eq(argv[i], "--port"))
            b.target.port = (uint16_t)strtod(value, NULL);
        else if (str_eq(argv[i], "--runs"))
            runs = (unsigned)strtod(value, NULL);
        else if (str_eq(argv[i], "--pause-ms"))
            pause = 1000 * strtod(value, NULL);
        else if (str_eq(argv[i], "--clients"))
            clients = (unsigned)strtod(value, NULL);
        else if (str_eq(argv[i], "--seconds"))
            seconds = strtod(value, NULL);
        else if (str_eq(argv[i], "--level"))
            b.level = value;
        else if (str_eq(argv[i], "--language"))
            b.language = value;
        else if (str_eq(argv[i], "--code"))
            b.code = value;
        else if (str_eq(argv[i], "--plain"))
            b.plain = argv + i + 1;
    }
    if (!b.language || !b.code || clients > 256 || (!clients && (!b.plain || !b.target.port))) {
        (void)fprintf(stderr, "beside: --language, --code and either --clients or --port and --plain are needed\n");
        return 2;
    }
    prepare(&b);
    if (clients) {
        measure_rate(&b, clients, seconds);
    } else {
        b.request = request_make("/api/v1/sandbox/execute", getenv("SANDBOX_AGENT_API_KEY"), make_body(&b),
                                 &b.request_size);
        measure(&b, runs, pause);
    }
    connection_done(&b.http);
    client_stop(&b.connection);
    audit_close(&b.trail.audit);
    b.policies = policy_set_unref(b.policies);
    arena_done(&b.arena);
    return 0;
}
