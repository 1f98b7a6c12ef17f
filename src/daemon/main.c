/* sandboxd: the service. See service.h for what lives in it, ARCHITECTURE.md for how a request becomes a run. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/parse.h"
#include "daemon/claims.h"
#include "daemon/cosigner.h"
#include "daemon/fleet_audit.h"
#include "daemon/fleet_command.h"
#include "daemon/housekeeping.h"
#include "daemon/verifier.h"
#include "daemon/notify.h"
#include "daemon/packages_command.h"
#include "daemon/parent.h"
#include "daemon/routes.h"
#include "daemon/service.h"
#include "daemon/session_command.h"
#include "daemon/store_command.h"
#include "daemon/top.h"
#include "daemon/witness.h"
#include "front/mcp_private.h"
#include "front/mcp_stdio.h"
#include "postgres/postgres.h"

#define DRAIN_MS         30000u
#define PRIVATE_FIRST_MS 30000u /* until then a private one's first client has come, or it died meanwhile */

static const char help[] =
    "usage: sandboxd [OPTION]...\n"
    "Runs code of AI agents in sandboxes, for clients that speak HTTP. Started with nothing it "
    "listens on 127.0.0.1:8080.\n\n"
    "  --config FILE        configuration, on top of the system's and yours\n"
    "  --listen HOST:PORT   instead of endpoints.api.host and port; port 0: any free one\n"
    "  --socket PATH        a UNIX socket as well\n"
    "  --launcher SOCKET    a launcher that another program starts (systemd)\n"
    "  --user NAME          started by root: whom the service becomes (default: sandbox-agent)\n"
    "  --private            for this user's `sandbox-agent mcp`, which starts it: a UNIX socket in\n"
    "                       the state directory and nothing else; ends when it is not used\n"
    "  --routes             print the routes and who may use them, and end\n"
    "  --test-alerts        one message to each e-mail address and chat of\n"
    "                       monitoring.alerts.channels, and end\n"
    "  --help, --version\n\n"
    "SIGTERM and SIGINT: ends when running executions have ended, after 30 s at the latest, "
    "at once with a second one. SIGHUP: configuration and profiles anew.\n"
    "API: docs/openapi.yaml. Keys: sandbox-agent keys.\n";

struct words {
    struct service_options options;
    bool help, version, routes, tests_alerts;
};

static int read_listen(const char *value, struct service_options *o, struct arena *a, struct error *err)
{
    const char *colon = strrchr(value, ':');
    uint64_t port;
    if (!colon || colon == value || parse_u64(colon + 1, &port) < 0 || port > 65535)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "--listen %s: accepted is HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080", value);
    size_t n = (size_t)(colon - value);
    bool has_brackets = value[0] == '[' && value[n - 1] == ']';
    o->host = arena_copy_bytes(a, value + has_brackets, n - 2 * (size_t)has_brackets);
    o->port = (uint16_t)port;
    o->has_port = true;
    return 0;
}

static int read_words(int argc, char **argv, struct arena *a, struct words *w, struct error *err)
{
    const char *listen = NULL;
    const struct {
        const char *name;
        const char **value;
        bool *flag;
    } table[] = { { "--config", &w->options.config, NULL },
                  { "--listen", &listen, NULL },
                  { "--socket", &w->options.socket, NULL },
                  { "--launcher", &w->options.launcher, NULL },
                  { "--user", &w->options.user, NULL },
                  { "--help", NULL, &w->help },
                  { "-h", NULL, &w->help },
                  { "--version", NULL, &w->version },
                  { "--private", NULL, &w->options.is_private },
                  { "--routes", NULL, &w->routes },
                  { "--test-alerts", NULL, &w->tests_alerts } };
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        size_t n = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]), k = 0;
        while (k < ARRAY_LEN(table) && (strlen(table[k].name) != n || strncmp(table[k].name, argv[i], n) != 0))
            k++;
        if (k == ARRAY_LEN(table) || (table[k].flag && equals))
            return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "unknown option %s", argv[i]), err),
                              "see sandboxd --help");
        if (table[k].flag) {
            *table[k].flag = true;
            continue;
        }
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", table[k].name);
        *table[k].value = value;
    }
    return listen ? read_listen(listen, &w->options, a, err) : 0;
}

static int fail(const struct error *err)
{
    char prefix[sizeof err->step + 20];
    (void)snprintf(prefix, sizeof prefix, "sandboxd%s%s", err->step[0] ? ": step " : "", err->step);
    err_say(prefix, err);
    if (err->code == -EALREADY)
        return MCP_PRIVATE_SECOND;
    return err->blame == BLAME_CALLER || err->blame == BLAME_POLICY ? 2 : 125;
}

/* As the service would: with its user's rights, where root asks. */
static int test_alerts(struct paths *p, const struct service_options *o)
{
    struct error err = { 0 };
    struct compiled policy;
    const struct options words = { .config = o->config, .dry_run = true };
    int e = policy_load(&words, p, NULL, NULL, LANG_BASH, &policy, &err);
    if (e < 0)
        return fail(&err);
    e = geteuid() == 0 ? parent_become(o->user, &err) : 0;
    if (e == 0 && !policy.config.monitoring.alerts.enabled)
        (void)printf("monitoring.alerts.enabled is false: the service sends none of these\n");
    int code = e < 0 ? fail(&err) : messenger_test(&policy.config) ? 1 : 0;
    compiled_done(&policy);
    return fflush(stdout) == 0 ? code : 125;
}

/* As root: what the configuration says of places, to make them the service's; then two processes. */
static int become_service(struct paths *p, struct arena *a, struct service_options *o, struct error *err)
{
    struct locations places;
    struct compiled policy;
    const struct options words = { .config = o->config, .dry_run = true }; /* stores nothing */
    const char *cache = p->cache;
    if (geteuid() != 0)
        return 0;
    int e = policy_load(&words, p, NULL, NULL, LANG_BASH, &policy, err);
    if (e < 0)
        return e;
    locations_find(p, &policy.config, a, &places);
    const char *launcher = o->launcher ? o->launcher : policy.config.endpoints.api.launcher;
    const struct parent_options parent = {
        .user = o->user,
        .launcher = launcher ? NULL : arena_printf(a, "%s/sandbox-launcher", p->libexec),
        .dirs = { { places.state_dir ? arena_copy(a, places.state_dir) : NULL, 0700 },
                  { arena_copy(a, places.log_dirs[0]), 0750 },
                  { cache, 0700 } },
    };
    e = pem_load(&policy.config, a, &o->pem, err);
    compiled_done(&policy);
    return e < 0 ? e : parent_split(&parent, &o->parent_fd, err);
}

/* What root may read, the service may not. */
static void explain_denied(struct error *err)
{
    if (err->code == -EACCES && !err->remedy[0] && err->blame != BLAME_POLICY)
        (void)err_remedy(err,
                         "the service runs as uid %u, gid %u, also where root has started it: let it read the file "
                         "(chgrp %u and chmod 640) and enter the directories above it",
                         (unsigned)geteuid(), (unsigned)getegid(), (unsigned)getegid());
}

static void say_ready(struct service *v)
{
    bool has_tls = v->first_policies->level[0].config.endpoints.api.tls.certificate,
         is_v6 = v->listens_on && strchr(v->listens_on, ':');
    const char *key = auth_first_key(v->auth);
    if (key && (printf("sandboxd: first key (admin), shown only now: %s\n", key) < 0 || fflush(stdout) != 0))
        service_log(v, LOG_WARN,
                    "the first key could not be printed and is lost: sandbox-agent keys create --role admin"
                    " makes another one");
    if (v->listens_on)
        (void)printf("sandboxd: listening on %s://%s%s%s:%u%s\n", has_tls ? "https" : "http", is_v6 ? "[" : "",
                     v->listens_on, is_v6 ? "]" : "", http_port(v->http), v->routes->base_path);
    else
        (void)printf("sandboxd: listening\n");
    (void)fflush(stdout);
    notify_ready();
}

static void reload(struct service *v)
{
    struct error err = { 0 };
    notify_reloading();
    int e = service_reload(v, &err);
    if (e < 0)
        explain_denied(&err);
    if (e < 0)
        service_log(v, LOG_ERROR, "reload: the old configuration stays: %s%s%s", err.text, err.remedy[0] ? "; " : "",
                    err.remedy);
    else
        service_log(v, LOG_INFO, "configuration and profiles are loaded anew");
    notify_ready();
}

/* SIGTERM and SIGINT, by who sent them. A signal to the whole group comes twice where root's parent hands it down, too:
 * that is one. */
struct ending {
    const sigset_t *signals;
    pid_t parent; /* 0: none hands signals down */
    unsigned from_parent, from_others;
};

/* False: there was none within the time. timeout NULL: waits. */
static bool hear(struct ending *e, const struct timespec *timeout, int *ret_number)
{
    siginfo_t info = { 0 };
    int number = timeout ? sigtimedwait(e->signals, &info, timeout) : sigwaitinfo(e->signals, &info);
    if (number < 0)
        return false;
    if (number != SIGHUP) {
        if (e->parent && info.si_pid == e->parent)
            e->from_parent++;
        else
            e->from_others++;
    }
    *ret_number = number;
    return true;
}

/* A private one is there as long as it has clients, who have the lock before they connect. */
static bool is_unused(const struct service *v, uint64_t begin_ms)
{
    if (v->private_lock < 0 || (!http_counters(v->http)->connections && clock_ms() - begin_ms < PRIVATE_FIRST_MS))
        return false;
    return mcp_private_is_unused(v->private_lock);
}

static void wait_for_end(struct service *v, struct ending *e)
{
    const struct timespec look = { .tv_sec = 1 };
    const uint64_t begin_ms = clock_ms();
    int number;
    while (!e->from_parent && !e->from_others && !is_unused(v, begin_ms))
        if (hear(e, v->private_lock >= 0 ? &look : NULL, &number) && number == SIGHUP)
            reload(v);
    notify_stopping();
    service_log(v, LOG_INFO, "ending: running executions have %u s; a second signal ends them at once",
                DRAIN_MS / 1000);
}

/* service_drain() asks now and then. */
static bool is_in_a_hurry(void *context)
{
    struct ending *e = context;
    const struct timespec now = { 0 };
    int number;
    while (hear(e, &now, &number))
        ;
    return e->from_parent > 1 || e->from_others > 1;
}

static int serve(struct service *v, const struct service_options *o, const sigset_t *signals)
{
    struct error err = { 0 };
    struct housekeeping *h = NULL;
    struct claims *claims = NULL;
    struct ending ending = { .signals = signals, .parent = o->parent_fd >= 0 ? getppid() : 0 };
    int e = service_open(v, o, &err);
    if (e == 0)
        e = housekeeping_start(v, &h, &err);
    if (e == 0 && !o->is_private)
        e = claims_start(v, &claims, &err);
    if (e == 0 && !o->is_private)
        e = cosigner_start(v, &v->cosigner, &err);
    if (e == 0)
        e = verifier_start(v, &v->verifier, &err);
    if (e == 0 && !o->is_private)
        e = auth_make_first(v->auth, &err);
    if (e == 0) {
        say_ready(v);
        wait_for_end(v, &ending);
        service_drain(v, DRAIN_MS, is_in_a_hurry, &ending);
    }
    if (e < 0)
        explain_denied(&err);
    int code = e < 0 ? fail(&err) : 0;
    v->verifier = verifier_stop(v->verifier);
    v->cosigner = cosigner_stop(v->cosigner);
    claims = claims_stop(claims);
    h = housekeeping_stop(h);
    service_close(v);
    return code;
}

/* Large buffers go back to the kernel when they are freed, and threads do not hoard: a hundred slow clients are not a
 * hundred heaps. */
static void use_memory(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    (void)mallopt(M_ARENA_MAX, 4);
}

/* Blocked in all threads, so that the main one alone hears of them; and before anything else is done, so that one which
 * comes meanwhile waits. */
static void take_signals(sigset_t *ret)
{
    (void)sigemptyset(ret);
    (void)sigaddset(ret, SIGTERM);
    (void)sigaddset(ret, SIGINT);
    (void)sigaddset(ret, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, ret, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    static struct service service;
    struct words w = { .options = { .parent_fd = -1 } };
    struct arena arena = { 0 };
    struct paths paths;
    struct error err = { 0 };
    sigset_t signals;
    postgres_forget_environment();
    if (argc == 2 && str_eq(argv[0], "sandbox-ledger"))
        return shared_ledger_main(argv[1]);
    if (argc > 1 && str_eq(argv[1], "store"))
        return store_command_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "fleet"))
        return fleet_command_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "audit"))
        return fleet_audit_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "witness"))
        return witness_main(argc - 1, argv + 1);
    if (argc > 1 && (str_eq(argv[1], "ps") || str_eq(argv[1], "top")))
        return top_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "mcp"))
        return mcp_stdio_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "session"))
        return session_command_main(argc - 1, argv + 1);
    if (argc > 1 && str_eq(argv[1], "packages"))
        return packages_command_main(argc - 1, argv + 1);
    int e = read_words(argc, argv, &arena, &w, &err);
    if (e == 0 && (w.help || w.version)) {
        (void)printf("%s", w.help ? help : "sandboxd " VERSION "\n");
        return 0;
    }
    if (e == 0 && w.routes) {
        struct buf b;
        buf_init(&b, 64 * KIB);
        routes_print("/api/v1/sandbox", &b);
        (void)fwrite(b.data, 1, b.size, stdout);
        buf_done(&b);
        return 0;
    }
    take_signals(&signals);
    if (e == 0) {
        w.options.fd_count = notify_sockets(w.options.fds);
        e = parent_paths(&arena, &paths);
        if (e < 0)
            (void)err_set(&err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    }
    if (e == 0 && w.tests_alerts)
        return test_alerts(&paths, &w.options);
    if (e == 0)
        e = become_service(&paths, &arena, &w.options, &err);
    if (e < 0)
        return fail(&err);
    use_memory();
    (void)umask(077);
    service_init(&service, &paths);
    int code = serve(&service, &w.options, &signals);
    arena_done(&arena);
    return code;
}
