/* execute.c - a plan becomes an outcome: descriptors, the request to the launcher, the streams until the end. */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include "base/clock.h"
#include "base/io.h"
#include "run/backend.h"
#include "run/session.h"

#define READER_PATIENCE_MS 10000u /* until a FIFO has a reader */

static int write_files(int fd, const struct run_request *r)
{
    for (uint32_t i = 0; i < r->file_count; i++)
        if (write_all(fd, r->files[i].data, r->files[i].size) < 0)
            return -EIO;
    return 0;
}

static int deliver_code(const struct session *s, int binary)
{
    cleanup(closep) int fd = -1;
    if (binary >= 0)
        return fcntl(binary, F_DUPFD_CLOEXEC, 3);
    fd = memfd_create("code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    const struct bytes *guard = &s->plan.guard, *canary = &s->plan.canary;
    if ((guard->size && write(fd, guard->data, guard->size) != (ssize_t)guard->size) ||
        (s->load.request.code_size && write_all(fd, s->load.request.code, s->load.request.code_size) < 0) ||
        write_files(fd, &s->load.request) < 0 ||
        (canary->size && write(fd, canary->data, canary->size) != (ssize_t)canary->size))
        return -EIO;
    /* sealed: what was judged is what is delivered */
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    return TAKE_FD(fd);
}

static int open_streams(struct session *s, int fds[static RUN_FD_MAX], struct error *err)
{
    int out[2], errs[2], in[2] = { -1, -1 };
    const struct options *o = &s->options;
    uint64_t max = s->policy.profile.execution.max_output;
    if (pipe2(out, O_CLOEXEC) < 0 || pipe2(errs, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, "STREAM", "pipe: %m");
    s->stream.out[0] = (struct output){ .pipe = out[0], .to = o->json ? -1 : STDOUT_FILENO, .max_bytes = max };
    s->stream.out[1] = (struct output){ .pipe = errs[0], .to = o->json ? -1 : STDERR_FILENO, .max_bytes = max };
    for (size_t i = 0; i < 2; i++)
        buf_init(&s->stream.out[i].kept, o->json ? max : MIN_OF(max, keep_max(&s->policy.config)));
    if (s->load.stdin_fd < 0) {
        in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    } else if (pipe2(in, O_CLOEXEC) == 0) {
        /* always through a pipe: the descriptor itself could be a terminal or a writable file */
        (void)fcntl(in[1], F_SETFL, O_NONBLOCK);
        s->stream.input = s->load.stdin_fd;
    }
    if (in[0] < 0)
        return err_set(err, -errno, BLAME_HOST, "STREAM", "standard input: %m");
    s->stream.input_pipe = in[1];
    fds[RUN_FD_STDIN] = in[0];
    fds[RUN_FD_STDOUT] = out[1];
    fds[RUN_FD_STDERR] = errs[1];
    return 0;
}

/* Only where a guard is delivered that has something to tell. */
static int open_reports(struct session *s, int fds[static RUN_FD_MAX], struct error *err)
{
    if (s->plan.job.report_fd && (fds[RUN_FD_REPORT] = reports_open(&s->stream.reports)) < 0)
        return err_set(err, fds[RUN_FD_REPORT], BLAME_HOST, "STREAM", "pipe: %s", strerror(-fds[RUN_FD_REPORT]));
    return 0;
}

/* Only where the program may write into /workspace, and what it leaves there is kept. */
static int open_workspace(struct session *s, int fds[static RUN_FD_MAX], struct error *err)
{
    if (s->plan.job.workspace && (fds[RUN_FD_WORKSPACE] = workspace_open(&s->workspace)) < 0)
        return err_set(err, fds[RUN_FD_WORKSPACE], BLAME_HOST, "STREAM", "socket: %s",
                       strerror(-fds[RUN_FD_WORKSPACE]));
    return 0;
}

/* Only where something is watched. */
static int open_events(struct session *s, int fds[static RUN_FD_MAX], struct error *err)
{
    const struct options *o = &s->options;
    if (!s->plan.job.wants_events)
        return 0;
    decoy_open(&s->stream.decoy, &s->policy.profile, &s->load.request, s->plan.canary.size ? &s->workspace : NULL,
               s->arena);
    fds[RUN_FD_EVENTS] = observe_open(&s->stream.observe, &s->policy.profile, o->record_events, o->network_learn, err);
    return MIN_OF(fds[RUN_FD_EVENTS], 0);
}

static int open_copy(struct session *s, struct error *err)
{
    s->stream.copy = -1;
    if (!s->options.output_file)
        return 0;
    /* O_NONBLOCK: a FIFO that no program reads yet must not hang us (ENXIO) */
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    struct pollfd stop = { .fd = s->stream.stop, .events = POLLIN };
    for (uint64_t until_ms = clock_ms() + READER_PATIENCE_MS;;) {
        s->stream.copy = open(s->options.output_file, flags | O_NONBLOCK, 0666);
        if (s->stream.copy >= 0 || errno != ENXIO || clock_ms() >= until_ms || poll(&stop, 1, 20) == 1)
            break;
    }
    if (s->stream.copy < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--output-file %s: %s", s->options.output_file,
                       errno == ENXIO ? "no program reads from it" : strerror(errno));
    (void)fcntl(s->stream.copy, F_SETFL, 0);
    return 0;
}

int session_execute(struct session *s, int binary, struct error *err)
{
    int fds[RUN_FD_MAX];
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    if (!s->has_connection && stream_is_stopped(&s->stream)) { /* ^C came first: nothing is started any more */
        s->outcome = (struct outcome){ .reason = REASON_KILLED };
        s->has_outcome = true;
        return 0;
    }
    int e = open_copy(s, err);
    if (e == 0)
        e = open_streams(s, fds, err);
    if (e == 0)
        e = open_reports(s, fds, err);
    if (e == 0)
        e = open_workspace(s, fds, err);
    if (e == 0)
        e = open_events(s, fds, err);
    if (e == 0 && (fds[RUN_FD_CODE] = deliver_code(s, binary)) < 0)
        e = err_set(err, fds[RUN_FD_CODE], BLAME_HOST, "STREAM", "memory for the code: %s",
                    strerror(-fds[RUN_FD_CODE]));
    if (e == 0)
        e = backend_run(&s->client, s->tag, &s->plan, fds, err);
    session_mark(s, "SENT");
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
    if (e == 0 && s->has_connection && (e = session_open_log(s, err)) < 0)
        (void)client_kill(&s->client, s->tag,
                          REASON_KILLED); /* nothing runs that cannot be logged; the connection is not used again */
    if (e == 0 && s->on_sent)
        s->on_sent(s->hook_context, (enum risk_level)s->policy.profile.risk_level);
    keep_begin(&s->keep, &s->trail, &s->policy, &s->load.request, &s->plan, s->id, s->arena); /* while it starts */
    compiled_rest(&s->policy);
    stream_set_tick(&s->stream, TRAIL_TICK_MS, trail_tick, &s->trail);
    stream_set_limit(&s->stream, &s->plan);
    if (e == 0)
        e = stream_run(&s->stream, &s->client, s->tag, &s->outcome, err);
    s->has_outcome = e == 0;
    return e;
}
