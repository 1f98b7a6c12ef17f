/* neighbours.c - two sandboxes of one launcher, the first of which is loud.
 *
 *   neighbours PROFILE "NETLOAD WORDS" PROFILE "NETLOAD WORDS" DIR
 *
 * DIR (with netload in it) is /bench in both. The loud one is started first; 0.4 s later the quiet one, whose output is
 * ours. When the quiet one has ended the loud one is killed. The plans are those of the command line, the launcher is
 * asked as the service will: one launcher for many runs. Exits 1 when a run ended otherwise than it should.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "resident.h"
#include "../bench/stats.h"
#include "run/client.h"
#include "run/load.h"
#include "run/observe.h"
#include "run/policy.h"
#include "plan/build.h"

enum { LOUD = 1, QUIET = 2 };

struct neighbour {
    struct observe observe; /* as the command line: detectors, summary */
    struct options options;
    struct load load;
    struct compiled policy;
    struct plan plan;
    char *words;
};

static _Noreturn void die(const struct error *err)
{
    (void)fprintf(stderr, "neighbours: %s%s%s\n", err->step, err->step[0] ? ": " : "", err->text);
    exit(1);
}

static void make_plan(struct neighbour *n, const struct paths *paths, struct arena *arena, const char *profile,
                      const char *words, const char *dir)
{
    struct error err = { 0 };
    n->options.profile = profile;
    n->options.volumes[n->options.volume_count++] = (struct request_volume){ .host = dir, .inside = "/bench" };
    n->words = strdup(words);
    char *rest = n->words;
    if (!rest || strlist_add(&n->options.command, "/bench/netload") < 0)
        abort();
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
        if (*word && strlist_add(&n->options.command, word) < 0)
            abort();
    if (load_request(&n->options, &n->load, &err) < 0 ||
        policy_load(&n->options, paths, NULL, NULL, LANG_COMMAND, &n->policy, &err) < 0 ||
        plan_build(&n->policy, &n->load.request, "exec-bench", 0, arena, &n->plan, &err) < 0)
        die(&err);
    n->plan.job.workspace = NULL; /* nobody here looks at what is left in it */
}

static void start(struct client *c, struct neighbour *n, uint64_t tag, int out)
{
    struct error err = { 0 };
    int fds[RUN_FD_MAX], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    fds[RUN_FD_STDIN] = null;
    fds[RUN_FD_STDOUT] = out >= 0 ? out : null;
    fds[RUN_FD_STDERR] = out >= 0 ? 2 : null;
    fds[RUN_FD_CODE] = memfd_create("code", MFD_CLOEXEC);
    n->observe = (struct observe){ .sock = -1, .record = -1 };
    if (n->plan.job.wants_events &&
        (fds[RUN_FD_EVENTS] = observe_open(&n->observe, &n->policy.profile, NULL, false, &err)) < 0)
        die(&err);
    if (client_run(c, tag, &n->plan.shape, &n->plan.job, fds, &err) < 0)
        die(&err);
    (void)close(fds[RUN_FD_CODE]);
    (void)close(null);
    if (fds[RUN_FD_EVENTS] >= 0)
        (void)close(fds[RUN_FD_EVENTS]);
}

/* Events are read while an outcome is waited for: where nobody reads, what asks inside waits. */
static void wait_for_outcome(struct client *c, struct neighbour *a, struct neighbour *b)
{
    struct pollfd f[3] = { { .fd = c->sock, .events = POLLIN } };
    do {
        f[1] = (struct pollfd){ .fd = a->observe.sock, .events = POLLIN };
        f[2] = (struct pollfd){ .fd = b->observe.sock, .events = POLLIN };
        if (poll(f, 3, -1) < 0 && errno != EINTR)
            return;
        if (f[1].revents)
            observe_read(&a->observe, c, LOUD);
        if (f[2].revents)
            observe_read(&b->observe, c, QUIET);
    } while (!f[0].revents);
}

/* Outcomes come in the order in which runs end. A loud one that ends before its time did so with an error, or was asked
 * for too little. */
static bool next_ended_as(struct client *c, enum run_reason expected)
{
    struct error err = { 0 };
    struct outcome o;
    if (client_read(c, &o, &err) < 0)
        die(&err);
    bool is_well = (enum run_reason)o.reason == expected && (expected != REASON_COMPLETED || o.exit_code == 0);
    if (!is_well)
        (void)fprintf(stderr, "neighbours: a run ended with %s, exit code %u, not with %s%s%s\n",
                      reason_name((enum run_reason)o.reason), o.exit_code, reason_name(expected),
                      o.error_text ? ": " : "", o.error_text ? o.error_text : "");
    strlist_done(&o.missing);
    return is_well;
}

int main(int argc, char **argv)
{
    static struct neighbour loud, quiet;
    static struct arena arena;
    struct paths paths;
    struct client client;
    if (argc != 6) {
        (void)fprintf(stderr, "usage: neighbours PROFILE \"NETLOAD WORDS\" PROFILE \"NETLOAD WORDS\" DIR\n");
        return 2;
    }
    if (paths_find(&arena, &paths) < 0)
        return 1;
    make_plan(&loud, &paths, &arena, argv[1], argv[2], argv[5]);
    make_plan(&quiet, &paths, &arena, argv[3], argv[4], argv[5]);
    resident_start(&client, paths.libexec);
    start(&client, &loud, LOUD, -1);
    pause_us(400e3); /* its first events have room */
    start(&client, &quiet, QUIET, 1);
    wait_for_outcome(&client, &loud, &quiet);
    bool is_well = next_ended_as(&client, REASON_COMPLETED);
    (void)client_kill(&client, LOUD, REASON_KILLED);
    wait_for_outcome(&client, &loud, &quiet);
    is_well = is_well && next_ended_as(&client, REASON_KILLED);
    observe_done(&loud.observe);
    observe_done(&quiet.observe);
    client_stop(&client);
    while (waitpid(client.pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return is_well ? 0 : 1;
}
