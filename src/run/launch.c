/* launch.c - a plan becomes an outcome: descriptors, the request to the launcher, the streams until the end. */
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "base/clock.h"
#include "base/io.h"
#include "base/message.h"
#include "run/backend.h"
#include "run/exec.h"

/* Connections of one run that ended before its plan was read. One death may cost three: an idle connection that is
 * gone, one that the dying launcher still takes, one that it takes and drops before the plan is sent. */
#define RECONNECTS_MAX     9
#define READER_PATIENCE_MS 10000u /* until a FIFO has a reader */

static int write_files(int fd, const struct run_request *r)
{
    for (uint32_t i = 0; i < r->file_count; i++)
        if (write_all(fd, r->files[i].data, r->files[i].size) < 0)
            return -EIO;
    return 0;
}

/* has_guard: the receiver has the guard already, and its place stays empty. */
static int deliver_code(const struct exec *s, int binary, bool has_guard)
{
    cleanup(closep) int fd = -1;
    if (binary >= 0)
        return fcntl(binary, F_DUPFD_CLOEXEC, 3);
    fd = memfd_create("code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    const struct bytes *guard = &s->plan.guard, *canary = &s->plan.canary;
    if (s->plan.is_remote)
        return write_all(fd, s->remote_body.data, s->remote_body.size) < 0 ? -EIO : TAKE_FD(fd);
    if ((has_guard ? lseek(fd, (off_t)guard->size, SEEK_SET) < 0
                   : guard->size && write(fd, guard->data, guard->size) != (ssize_t)guard->size) ||
        (s->load.request.code_size && write_all(fd, s->load.request.code, s->load.request.code_size) < 0) ||
        write_files(fd, &s->load.request) < 0 ||
        (canary->size && write(fd, canary->data, canary->size) != (ssize_t)canary->size))
        return -EIO;
    /* sealed: what was judged is what is delivered */
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    return TAKE_FD(fd);
}

/* From the first moment each end has an owner: the run's stream or `fds`. A later failure leaves nothing open. */
static int open_pipe(int *ret_read, int *ret_write)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    *ret_read = ends[0];
    *ret_write = ends[1];
    return 0;
}

static uint64_t max_output(const struct exec *s)
{
    return s->policy.profile.execution.max_output;
}

/* which: 0 or 1. pipe is its own now; -1: there is none yet. */
static void open_output(struct exec *s, size_t which, int pipe)
{
    static const int own[2] = { STDOUT_FILENO, STDERR_FILENO };
    const uint64_t max = max_output(s);
    const bool is_quiet = s->options.json;
    struct output *o = &s->stream.out[which];
    *o = (struct output){ .pipe = pipe, .to = is_quiet ? -1 : own[which], .max_bytes = max };
    buf_init(&o->kept, is_quiet ? max : MIN_OF(max, keep_max(&s->policy.config)));
}

static int open_outputs(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    static const size_t ends[2] = { RUN_FD_STDOUT, RUN_FD_STDERR };
    for (size_t i = 0; i < 2; i++) {
        open_output(s, i, -1);
        int e = open_pipe(&s->stream.out[i].pipe, &fds[ends[i]]);
        if (e < 0)
            return err_set(err, e, BLAME_HOST, "STREAM", "a pipe for the output: %s", strerror(-e));
    }
    return 0;
}

static int open_input(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    int e = 0;
    if (s->load.stdin_fd < 0 || s->plan.is_remote) { /* there it is part of the request */
        fds[RUN_FD_STDIN] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        e = fds[RUN_FD_STDIN] < 0 ? -errno : 0;
    } else if ((e = open_pipe(&fds[RUN_FD_STDIN], &s->stream.input_pipe)) == 0) {
        /* always through a pipe: the descriptor itself could be a terminal or a writable file */
        (void)fcntl(s->stream.input_pipe, F_SETFL, O_NONBLOCK);
        s->stream.input = s->load.stdin_fd;
    }
    return e < 0 ? err_set(err, e, BLAME_HOST, "STREAM", "standard input: %s", strerror(-e)) : 0;
}

/* What is typed, for the command line; what goes in for the service it writes itself (daemon/processes.h). */
static void take_typed(struct exec *s)
{
    struct stream *t = &s->stream;
    if (s->load.stdin_fd < 0)
        return;
    t->input = s->load.stdin_fd;
    t->input_pipe = fcntl(s->options.terminal, F_DUPFD_CLOEXEC, 3);
}

/* All three are the terminal. */
static int open_terminal(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    static const size_t ends[3] = { RUN_FD_STDIN, RUN_FD_STDOUT, RUN_FD_STDERR };
    struct output *o = s->stream.out;
    const int ours = s->options.terminal;
    o[0] = (struct output){ .pipe = fcntl(ours, F_DUPFD_CLOEXEC, 3),
                            .to = s->options.json ? -1 : STDOUT_FILENO,
                            .max_bytes = max_output(s) };
    o[1] = (struct output){ .pipe = -1, .to = -1, .max_bytes = max_output(s) };
    for (size_t i = 0; i < 2; i++)
        buf_init(&o[i].kept, s->options.json ? max_output(s) : MIN_OF(max_output(s), keep_max(&s->policy.config)));
    take_typed(s);
    bool is_open = o[0].pipe >= 0;
    for (size_t i = 0; i < ARRAY_LEN(ends) && is_open; i++)
        is_open = (fds[ends[i]] = ioctl(ours, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0;
    return is_open ? 0 : err_set(err, -errno, BLAME_HOST, "STREAM", "the terminal: %m");
}

static int open_streams(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    if (s->options.has_terminal)
        return open_terminal(s, fds, err);
    int e = open_outputs(s, fds, err);
    return e < 0 ? e : open_input(s, fds, err);
}

/* Only where a guard is delivered that has something to tell. */
static int open_reports(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    if (s->plan.job.report_fd && (fds[RUN_FD_REPORT] = reports_open(&s->stream.reports)) < 0)
        return err_set(err, fds[RUN_FD_REPORT], BLAME_HOST, "STREAM", "pipe: %s", strerror(-fds[RUN_FD_REPORT]));
    return 0;
}

/* Only where the program may write into /workspace, and what it leaves there is kept. */
static int open_workspace(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    if (s->plan.job.workspace && (fds[RUN_FD_WORKSPACE] = workspace_open(&s->workspace)) < 0)
        return err_set(err, fds[RUN_FD_WORKSPACE], BLAME_HOST, "STREAM", "socket: %s",
                       strerror(-fds[RUN_FD_WORKSPACE]));
    return 0;
}

/* Only where a guard will say that it is over. */
static void tell_start(struct exec *s)
{
    if (s->plan.job.report_fd && !s->load.request.is_cell) /* a kernel has said it long ago */
        observe_starting(&s->stream.observe);
}

/* Only where something is watched. */
static int open_events(struct exec *s, int fds[static RUN_FD_MAX], struct error *err)
{
    const struct options *o = &s->options;
    if (!s->plan.job.wants_events)
        return 0;
    decoy_open(&s->stream.decoy, &s->policy.profile, &s->load.request, s->plan.canary.size ? &s->workspace : NULL,
               s->arena);
    fds[RUN_FD_EVENTS] = observe_open(&s->stream.observe, &s->policy.profile, o->record_events, o->network_learn, err);
    if (fds[RUN_FD_EVENTS] >= 0)
        tell_start(s);
    return MIN_OF(fds[RUN_FD_EVENTS], 0);
}

static int open_copy(struct exec *s, struct error *err)
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

void exec_close_streams(struct exec *s)
{
    struct stream *t = &s->stream;
    for (size_t i = 0; i < 2; i++) {
        closep(&t->out[i].pipe);
        buf_done(&t->out[i].kept);
    }
    closep(&t->input_pipe); /* input that the program has not read */
    t->input_rest.start = t->input_rest.end;
    reports_done(&t->reports);
    observe_done(&t->observe);
    decoy_done(&t->decoy);
    workspace_done(&s->workspace);
}

static int open_all(struct exec *s, int binary, int fds[static RUN_FD_MAX], struct error *err)
{
    int e = open_streams(s, fds, err);
    if (e == 0)
        e = open_reports(s, fds, err);
    if (e == 0)
        e = open_workspace(s, fds, err);
    if (s->plan.job.steward_fd)
        fds[RUN_FD_STEWARD] = TAKE_FD(s->steward);
    if (e == 0)
        e = open_events(s, fds, err);
    if (e == 0 && (fds[RUN_FD_CODE] = deliver_code(s, binary, false)) < 0)
        e = err_set(err, fds[RUN_FD_CODE], BLAME_HOST, "STREAM", "memory for the code: %s",
                    strerror(-fds[RUN_FD_CODE]));
    return e;
}

/* The plan and its descriptors are with the launcher, or nothing is. */
static int hand_over(struct exec *s, int binary, struct error *err)
{
    int fds[RUN_FD_MAX];
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    int e = open_all(s, binary, fds, err);
    s->timing.sent_us = clock_us();
    if (e == 0)
        e = backend_run(&s->client, s->tag, &s->plan, fds, err);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
    return e;
}

bool exec_reconnect(struct exec *s, int e, struct error *err)
{
    if (e >= 0 || !s->client.is_unread || !s->host->reconnect || s->reconnects >= RECONNECTS_MAX ||
        s->stream.lost_reader)
        return false;
    s->reconnects++;
    *err = (struct error){ 0 };
    return s->host->reconnect(s, err) == 0;
}

/* A launcher that died before it read the plan has started nothing: the next one gets it. */
static int hand_over_again(struct exec *s, int binary, struct error *err)
{
    exec_close_streams(s);
    if (s->load.stdin_fd >= 0 && !s->plan.is_remote && !stream_rewind_input(&s->stream))
        return err_set(err, -errno, BLAME_HOST, "STREAM", "standard input cannot be read once more: %m");
    return hand_over(s, binary, err);
}

/* --- beside it ---------------------------------------------------------------------------------------------- */

void exec_keep(struct exec *s)
{
    if (!s->has_kept)
        keep_begin(&s->keep, &s->trail, &s->policy, &s->load.request, &s->plan, s->id, s->arena);
    s->has_kept = true;
}

static uint32_t tick(void *context)
{
    struct exec *s = context;
    exec_keep(s);
    if (s->host->lasting && !s->is_lasting)
        s->host->lasting(s);
    s->is_lasting = true;
    return trail_tick(&s->trail);
}

/* --- an instance that was opened before ----------------------------------------------------------------- */

/* Its streams become the run's. */
static int adopt(struct exec *s, struct instance *i, struct error *err)
{
    struct stream *t = &s->stream;
    for (size_t k = 0; k < 2; k++) {
        const int pipe = TAKE_FD(i->out[k]);
        open_output(s, k, pipe);
    }
    t->input = s->load.stdin_fd;
    t->input_pipe = s->load.stdin_fd < 0 ? -1 : TAKE_FD(i->input); /* without input it is closed: end of file */
    if (t->input_pipe >= 0)
        (void)fcntl(t->input_pipe, F_SETFL, O_NONBLOCK);
    t->reports.pipe = TAKE_FD(i->reports);
    t->reports.start_ms = clock_ms();
    s->workspace.sock = TAKE_FD(i->workspace);
    t->observe.sock = TAKE_FD(i->events);
    if (t->observe.sock < 0)
        return 0;
    decoy_open(&t->decoy, &s->policy.profile, &s->load.request, s->plan.canary.size ? &s->workspace : NULL, s->arena);
    int e = observe_start(&t->observe, &s->policy.profile, s->options.record_events, s->options.network_learn, err);
    if (e == 0)
        tell_start(s);
    return e;
}

static int send_work(struct exec *s, struct error *err)
{
    struct buf note, message;
    struct work *w = arena_zero(s->arena, sizeof *w);
    cleanup(closep) int code = deliver_code(s, -1, true);
    if (!w || code < 0)
        return err_set(err, w ? code : -ENOMEM, BLAME_HOST, "STREAM", "memory for the code");
    buf_init(&note, PLAN_MAX_MESSAGE);
    buf_init(&message, PLAN_MAX_MESSAGE);
    int e = plan_work(&s->load.request, &s->plan, &note, w);
    pack_work(&message, s->tag, w);
    if (e < 0 || message.failed)
        e = err_set(err, -E2BIG, BLAME_CALLER, "PLAN", "arguments and environment exceed %u bytes", PLAN_MAX_MESSAGE);
    else if ((e = send_message(s->client.sock, message.data, message.size, &code, 1)) < 0)
        (void)err_set(err, e, BLAME_HOST, "LAUNCHER", "hand over the work: %s", strerror(-e));
    buf_done(&note);
    buf_done(&message);
    return e;
}

bool exec_park(struct exec *s, struct plan *ret)
{
    struct error ignored = { 0 };
    return s->load.request.backend == BACKEND_NATIVE && !s->options.record_events && !s->options.network_learn &&
           plan_park(&s->policy, &s->load.request, &s->plan, s->arena, ret, &ignored) == 1;
}

/* False: there is none, or it went away before it was told anything, and all is as before. */
static bool hand_to_instance(struct exec *s, struct error *err)
{
    struct instance early;
    const uint64_t tag = s->tag;
    if (!s->host->claim || !s->host->claim(s, &early))
        return false;
    s->tag = early.tag;
    early.client.sock = -1; /* the run's now */
    int e = adopt(s, &early, err);
    s->timing.sent_us = clock_us();
    if (e == 0)
        e = send_work(s, err);
    instance_close(&early);
    s->is_parked = e == 0;
    if (e == 0)
        return true;
    exec_close_streams(s);
    s->tag = tag;
    *err = (struct error){ 0 };
    return s->host->reconnect(s, err) < 0; /* no launcher: told by err */
}

static int run_once(struct exec *s, struct error *err)
{
    stream_set_limit(&s->stream, &s->plan);
    return stream_run(&s->stream, &s->client, s->tag, &s->outcome, err);
}

int exec_follow(struct exec *s, int binary, struct error *err)
{
    int e = run_once(s, err);
    if (e == 0 && s->is_parked && s->outcome.is_unused && !s->stream.lost_reader) {
        s->is_parked = false;
        exec_keep(s);
        e = s->host->reconnect(s, err);
        if (e == 0)
            e = hand_over_again(s, binary, err);
        if (e == 0)
            e = run_once(s, err);
    }
    /* The next connection may end before the plan is sent, or before it is read. */
    while (exec_reconnect(s, e, err)) {
        e = hand_over_again(s, binary, err);
        if (e == 0)
            e = run_once(s, err);
    }
    return e;
}

int exec_launch(struct exec *s, int binary, struct error *err)
{
    if (s->host->is_interactive && stream_is_stopped(&s->stream)) { /* ^C came first: nothing is started any more */
        s->outcome = (struct outcome){ .reason = REASON_KILLED };
        s->has_outcome = true;
        return 0;
    }
    int e = open_copy(s, err);
    if (e == 0)
        e = binary < 0 && hand_to_instance(s, err) ? err->code : hand_over(s, binary, err);
    while (exec_reconnect(s, e, err))
        e = hand_over_again(s, binary, err);
    exec_mark(s, "SENT");
    if (e == 0 && s->log.fd < 0 && (e = exec_open_log(s, err)) < 0)
        (void)client_kill(&s->client, s->tag,
                          REASON_KILLED); /* nothing runs that cannot be logged; the connection is not used again */
    if (e == 0 && s->host->sent)
        s->host->sent(s, (enum risk_level)s->policy.profile.risk_level);
    if (!s->keeps_late && !s->is_parked)
        exec_keep(s); /* while it starts */
    compiled_rest(&s->policy);
    stream_set_tick(&s->stream, TRAIL_TICK_MS, tick, s);
    if (e == 0)
        e = exec_follow(s, binary, err);
    s->has_outcome = e == 0;
    return e;
}
