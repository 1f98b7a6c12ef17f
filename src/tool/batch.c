/* batch.c - `sandbox-agent batch FILE`: many programs, a line of JSON each, without a service.
 *
 * Each line becomes a command line of `sandbox-agent run --json`, some at once, so that each program is judged, limited
 * and recorded as any other run; its result is printed as it ends, with the members that POST /executions:batch adds
 * (docs/batch.md). Code, input and files are handed over in memory, by descriptor: no word of a line is too long.
 */
#include "tool/tool.h"

#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/parse.h"
#include "base/strlist.h"
#include "plan/fault.h"

#define MAX_JOBS    64u
#define MAX_LINE    (32 * MIB)
#define MAX_RESULT  (256 * MIB)
#define PATIENCE_MS 60000u /* a limit may have been raised meanwhile */
#define FIRST_FD    10     /* of what a run reads: code, input, files */
#define MAX_FDS     18u

struct one {
    pid_t pid; /* 0: free */
    uint32_t number;
    int out;
    struct buf result;
    char *line; /* kept: it may have to be tried again */
};

struct batch {
    const char *exe_dir, *config;
    int in;
    struct buf input; /* read, and from input_at on not yet begun */
    size_t input_at;
    uint32_t jobs, number, failed;
    bool is_read, is_at_end; /* the input; and no line of it is left */
    uint64_t not_before_ms;
    struct one one[MAX_JOBS];
};

/* --- a line as a command line ------------------------------------------------------------------------------- */

struct words {
    struct strlist argv;
    int fds[MAX_FDS]; /* become FIRST_FD and on */
    unsigned fd_count;
    json_t *object;
};

static void words_done(struct words *w)
{
    for (unsigned i = 0; i < w->fd_count; i++)
        (void)close(w->fds[i]);
    strlist_done(&w->argv);
    json_decref(w->object);
}

static int add(struct words *w, const char *name, const char *value, struct error *err)
{
    if (strlist_add(&w->argv, name) < 0 || (value && strlist_add(&w->argv, value) < 0))
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%s: all words together exceed %u bytes", name,
                       STRLIST_MAX_BYTES);
    return 0;
}

/* Bytes in memory as a path that the run can open. */
static int add_memory(struct words *w, const char *name, const json_t *text, const char *suffix, struct error *err)
{
    char path[PATH_MAX];
    if (!json_is_string(text))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: expected a text", name);
    if (w->fd_count == MAX_FDS)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%s: too many files", name);
    int fd = memfd_create("batch", MFD_CLOEXEC);
    if (fd < 0 || write_all(fd, json_string_value(text), json_string_length(text)) < 0) {
        closep(&fd);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "%s: no memory", name);
    }
    w->fds[w->fd_count] = fd;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%u%s%s", FIRST_FD + w->fd_count++, suffix ? ":" : "",
                   suffix ? suffix : "");
    return add(w, name, path, err);
}

static int add_files(struct words *w, const json_t *files, struct error *err)
{
    size_t i;
    json_t *file;
    json_array_foreach(files, i, file)
    {
        const char *path = json_string_value(json_object_get(file, "path"));
        if (!path || json_object_size(file) != 2 || !json_object_get(file, "content"))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "files: expected objects with path and content");
        int e = add_memory(w, "--file", json_object_get(file, "content"), path, err);
        if (e < 0)
            return e;
    }
    return json_is_array(files) ? 0 : err_set(err, -EINVAL, BLAME_CALLER, NULL, "files: expected a list");
}

static int add_env(struct words *w, json_t *env, struct error *err)
{
    const char *name;
    json_t *value;
    if (!json_is_object(env))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "env: expected an object of texts");
    json_object_foreach(env, name, value)
    {
        if (!json_is_string(value))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "env: %s: expected a text", name);
        if (add(w, "--env", NULL, err) < 0 || strlist_addf(&w->argv, "%s=%s", name, json_string_value(value)) < 0)
            return err_set(err, -E2BIG, BLAME_CALLER, NULL, "env: too large");
    }
    return 0;
}

static int add_scalar(struct words *w, const char *option, const char *name, const json_t *v, struct error *err)
{
    char number[64];
    if (json_is_string(v))
        return add(w, option, json_string_value(v), err);
    if (!json_is_number(v))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: expected a text or a number", name);
    (void)snprintf(number, sizeof number, "%.15g", json_number_value(v));
    return add(w, option, number, err);
}

static int add_limits(struct words *w, json_t *limits, struct error *err)
{
    static const char *const names[][2] = { { "timeout", "--timeout" }, { "memory", "--memory" }, { "cpu", "--cpu" } };
    const char *name;
    json_t *value;
    json_object_foreach(limits, name, value)
    {
        const char *option = NULL;
        for (size_t i = 0; i < ARRAY_LEN(names); i++)
            option = str_eq(name, names[i][0]) ? names[i][1] : option;
        if (!option)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "limits: unknown member %s", name);
        int e = add_scalar(w, option, name, value, err);
        if (e < 0)
            return e;
    }
    return json_is_object(limits) ? 0 : err_set(err, -EINVAL, BLAME_CALLER, NULL, "limits: expected an object");
}

static int add_member(struct words *w, const char *name, json_t *v, struct error *err)
{
    static const char *const plain[][2] = { { "language", "--language" },
                                            { "agent_id", "--agent-id" },
                                            { "risk_level", "--risk-level" },
                                            { "signature", "--signature" },
                                            { "backend", "--backend" } };
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (str_eq(name, plain[i][0]))
            return add_scalar(w, plain[i][1], name, v, err);
    if (str_eq(name, "code"))
        return add_memory(w, "--code", v, NULL, err);
    if (str_eq(name, "stdin"))
        return add_memory(w, "--stdin", v, NULL, err);
    if (str_eq(name, "files"))
        return add_files(w, v, err);
    if (str_eq(name, "env"))
        return add_env(w, v, err);
    if (str_eq(name, "limits"))
        return add_limits(w, v, err);
    if (str_eq(name, "args"))
        return 0; /* last */
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "unknown member %s", name);
    return err_remedy(err, "known are language, code, files, stdin, args, env, agent_id, risk_level, limits, signature "
                           "and backend; the service knows more (docs/batch.md)");
}

static int add_arguments(struct words *w, const json_t *args, struct error *err)
{
    size_t i;
    json_t *value;
    if (!args)
        return 0;
    if (!json_is_array(args) || !json_array_size(args))
        return json_is_array(args) ? 0 : err_set(err, -EINVAL, BLAME_CALLER, NULL, "args: expected a list of texts");
    int e = add(w, "--", NULL, err);
    json_array_foreach(args, i, value) if (e == 0)
        e = json_is_string(value) ? add(w, json_string_value(value), NULL, err)
                                  : err_set(err, -EINVAL, BLAME_CALLER, NULL, "args: expected a list of texts");
    return e;
}

static int make_words(const struct batch *b, const char *line, struct words *ret, struct error *err)
{
    json_error_t why;
    const char *name;
    json_t *value;
    *ret = (struct words){ .object = json_loads(line, JSON_REJECT_DUPLICATES, &why) };
    if (!json_is_object(ret->object))
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "no JSON object: %s",
                       ret->object ? "it is another value" : why.text);
    int e = add(ret, "sandbox-agent", "run", err);
    if (e == 0)
        e = add(ret, "--json", NULL, err);
    if (e == 0 && b->config)
        e = add(ret, "--config", b->config, err);
    json_object_foreach(ret->object, name, value) if (e == 0) e = add_member(ret, name, value, err);
    return e == 0 ? add_arguments(ret, json_object_get(ret->object, "args"), err) : e;
}

/* --- the runs ------------------------------------------------------------------------------------------------ */

static _Noreturn void become_run(const struct batch *b, struct words *w, int out)
{
    char program[PATH_MAX + 32];
    char **argv = strlist_argv(&w->argv);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)snprintf(program, sizeof program, "%s/../../bin/sandbox-agent", b->exe_dir);
    bool is_ready = argv && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
                    dup2(nothing, STDERR_FILENO) >= 0;     /* the result says it, too */
    for (unsigned i = 0; i < w->fd_count && is_ready; i++) /* none lies there: start() has lifted them */
        is_ready = dup2(w->fds[i], FIRST_FD + (int)i) >= 0;
    if (is_ready)
        (void)execv(program, argv);
    _exit(125);
}

/* Beyond the places that they will have. */
static bool lift(struct words *w)
{
    for (unsigned i = 0; i < w->fd_count; i++) {
        int fd = fcntl(w->fds[i], F_DUPFD_CLOEXEC, FIRST_FD + (int)MAX_FDS);
        if (fd < 0)
            return false;
        (void)close(w->fds[i]);
        w->fds[i] = fd;
    }
    return true;
}

static int start(const struct batch *b, struct one *o, struct words *w, struct error *err)
{
    int ends[2];
    if (!lift(w) || pipe2(ends, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "descriptors for a run: %m");
    o->pid = fork();
    if (o->pid == 0)
        become_run(b, w, ends[1]);
    (void)close(ends[1]);
    o->out = ends[0];
    buf_init(&o->result, MAX_RESULT);
    if (o->pid > 0)
        return 0;
    o->pid = 0;
    closep(&o->out);
    return err_set(err, -EAGAIN, BLAME_HOST, NULL, "fork: %m");
}

/* --- what came of it ----------------------------------------------------------------------------------------- */

static enum fault fault_of(const char *reason, bool has_switch, int code)
{
    if (code == 2)
        return FAULT_PROGRAM; /* the line asked for what cannot be meant */
    for (enum run_reason r = 0; r < REASON_COUNT; r++)
        if (str_eq(reason, reason_name(r)))
            return fault_of_reason(r, !has_switch);
    return FAULT_INFRASTRUCTURE;
}

/* object: JSON that begins with «{» and ends with a newline; its brace is opened here. */
static void print_answer(struct batch *b, uint32_t number, enum fault fault, const char *object, size_t size)
{
    b->failed += fault != FAULT_NONE;
    (void)printf("{\"line\":%u,\"fault\":\"%s\",\"retryable\":%s,", number, fault_names[fault],
                 fault == FAULT_INFRASTRUCTURE ? "true" : "false");
    (void)fwrite(object + 1, 1, size - 1, stdout);
    (void)fflush(stdout);
}

static void print_refusal(struct batch *b, uint32_t number, enum fault fault, const struct error *err)
{
    json_t *o = json_pack("{s:{s:s,s:s*}}", "error", "message", err->text, "remedy",
                          err->remedy[0] ? err->remedy : NULL);
    char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
    struct buf line;
    buf_init(&line, 16 * KIB);
    (void)buf_addf(&line, "%s\n", text ? text : "{\"error\":null}");
    print_answer(b, number, fault, line.data, line.size);
    buf_done(&line);
    free(text);
    json_decref(o);
}

/* True: it was refused only for now. */
static bool must_wait(struct batch *b, const json_t *result)
{
    json_int_t seconds = json_integer_value(json_object_get(json_object_get(result, "error"), "retry_after_seconds"));
    if (!seconds)
        seconds = json_integer_value(json_object_get(result, "retry_after_seconds"));
    if (seconds <= 0)
        return false;
    uint64_t wait_ms = MIN_OF((uint64_t)seconds * 1000, PATIENCE_MS);
    b->not_before_ms = MAX_OF(b->not_before_ms, clock_ms() + wait_ms);
    return true;
}

/* It has ended. False: its line is to be tried again. */
static bool settle(struct batch *b, struct one *o)
{
    int status = 0;
    while (waitpid(o->pid, &status, 0) < 0 && errno == EINTR)
        ;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    json_t *result = o->result.failed ? NULL
                                      : json_loadb(o->result.data ? o->result.data : "", o->result.size, 0, NULL);
    bool is_later = result && must_wait(b, result);
    if (json_is_object(result) && !is_later) {
        const char *reason = json_string_value(json_object_get(result, "reason"));
        enum fault fault = fault_of(reason, json_is_string(json_object_get(result, "kill_switch")), code);
        print_answer(b, o->number, fault, o->result.data, o->result.size);
    } else if (!is_later) {
        struct error err = { 0 };
        (void)err_set(&err, -EIO, BLAME_HOST, NULL, "the run ended with %d and told no result", code);
        print_refusal(b, o->number, FAULT_INFRASTRUCTURE, &err);
    }
    json_decref(result);
    buf_done(&o->result);
    closep(&o->out);
    o->pid = 0;
    return !is_later;
}

/* --- all of them --------------------------------------------------------------------------------------------- */

/* False: it was answered without a run. */
static bool begin(struct batch *b, struct one *o)
{
    struct words w;
    struct error err = { 0 };
    int e = make_words(b, o->line, &w, &err);
    if (e == 0)
        e = start(b, o, &w, &err);
    words_done(&w);
    if (e < 0)
        print_refusal(b, o->number, err.blame == BLAME_CALLER ? FAULT_PROGRAM : FAULT_INFRASTRUCTURE, &err);
    return e == 0;
}

/* A whole line of what was read, or at the end what is left. NULL: there is none yet. The caller's to free. */
static char *cut_line(struct batch *b, size_t *ret_size)
{
    const char *at = b->input.data + b->input_at;
    const size_t left = b->input.size - b->input_at;
    const char *end = left ? memchr(at, '\n', left) : NULL;
    if (!left || (!end && !b->is_read))
        return NULL;
    *ret_size = end ? (size_t)(end - at) + 1 : left;
    char *line = strndup(at, *ret_size);
    b->input_at += *ret_size;
    return line;
}

/* The next line with something in it. NULL: none yet, or none any more. */
static char *read_line(struct batch *b)
{
    char *line;
    size_t size = 0;
    while ((line = cut_line(b, &size))) {
        b->number++;
        if (size != strspn(line, " \t\r\n"))
            return line;
        free(line);
    }
    b->is_at_end = b->is_read;
    return NULL;
}

/* What stands before input_at is done with. */
static void drop_used(struct batch *b)
{
    if (!b->input_at)
        return;
    b->input.size -= b->input_at;
    memmove(b->input.data, b->input.data + b->input_at, b->input.size);
    b->input_at = 0;
}

static void read_more(struct batch *b)
{
    char chunk[64 * 1024];
    ssize_t n = read(b->in, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    drop_used(b);
    if (n > 0 && buf_add(&b->input, chunk, (size_t)n) == 0)
        return;
    if (n) {
        struct error err = { 0 };
        if (n < 0)
            (void)err_set(&err, -errno, BLAME_CALLER, NULL, "read: %m");
        else
            (void)err_set(&err, -EFBIG, BLAME_CALLER, NULL, "no end of the line in %u MiB", (unsigned)(MAX_LINE / MIB));
        print_refusal(b, b->number + 1, FAULT_PROGRAM, &err);
        b->input.size = 0;
    }
    b->is_read = true;
}

/* Free places get lines, those first that wait for a limit. */
static void fill(struct batch *b)
{
    for (uint32_t i = 0; i < b->jobs && clock_ms() >= b->not_before_ms; i++) {
        struct one *o = &b->one[i];
        if (o->pid)
            continue;
        if (!o->line && !b->is_at_end && (o->line = read_line(b)))
            o->number = b->number;
        if (o->line && !begin(b, o)) {
            free(o->line);
            o->line = NULL;
            i--; /* its place is free */
        }
    }
}

static void take(struct batch *b, struct one *o)
{
    char chunk[64 * 1024];
    ssize_t n = read(o->out, chunk, sizeof chunk);
    if (n > 0) {
        (void)buf_add(&o->result, chunk, (size_t)n);
    } else if (n == 0 || errno != EINTR) {
        if (settle(b, o)) {
            free(o->line);
            o->line = NULL;
        }
    }
}

/* False: nothing runs, no line waits, and none will come. */
static bool wait_for_one(struct batch *b)
{
    struct pollfd f[MAX_JOBS + 1];
    bool has_waiting = false, has_running = false, has_room = false;
    for (uint32_t i = 0; i < b->jobs; i++) {
        f[i] = (struct pollfd){ .fd = b->one[i].pid ? b->one[i].out : -1, .events = POLLIN };
        has_running |= b->one[i].pid != 0;
        has_waiting |= !b->one[i].pid && b->one[i].line;
        has_room |= !b->one[i].pid && !b->one[i].line;
    }
    if (!has_running && !has_waiting && b->is_at_end)
        return false;
    uint64_t now_ms = clock_ms();
    bool reads = has_room && !b->is_read;
    int patience = b->not_before_ms > now_ms ? (int)(b->not_before_ms - now_ms) : has_waiting ? 0 : -1;
    f[b->jobs] = (struct pollfd){ .fd = reads ? b->in : -1, .events = POLLIN };
    if (poll(f, b->jobs + 1, patience) <= 0)
        return true;
    if (f[b->jobs].revents)
        read_more(b);
    for (uint32_t i = 0; i < b->jobs; i++)
        if (f[i].revents)
            take(b, &b->one[i]);
    return true;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: sandbox-agent batch FILE|- [--jobs N] [--config FILE]\n");
    return 2;
}

static int read_options(struct batch *b, int argc, char **argv, const char **ret_file)
{
    static const struct option options[] = { { "jobs", required_argument, NULL, 'j' },
                                             { "config", required_argument, NULL, 'c' },
                                             { 0 } };
    uint64_t jobs = 2 * (uint64_t)MAX_OF(sysconf(_SC_NPROCESSORS_ONLN), 1L);
    int o;
    while ((o = getopt_long(argc, argv, "", options, NULL)) >= 0) {
        if (o == 'c')
            b->config = optarg;
        else if (o != 'j' || parse_u64(optarg, &jobs) < 0 || !jobs)
            return usage();
    }
    b->jobs = (uint32_t)MIN_OF(jobs, MAX_JOBS);
    *ret_file = argv[optind];
    return optind + 1 == argc ? 0 : usage();
}

int cmd_batch(struct tool *t, int argc, char **argv)
{
    static struct batch b;
    const char *file;
    int e = read_options(&b, argc, argv, &file);
    if (e)
        return e;
    b.exe_dir = t->exe_dir;
    b.in = str_eq(file, "-") ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    if (b.in < 0) {
        (void)fprintf(stderr, "sandbox-agent: batch: %s: %s\n", file, strerror(errno));
        return 2;
    }
    buf_init(&b.input, MAX_LINE);
    do
        fill(&b);
    while (wait_for_one(&b));
    buf_done(&b.input);
    closep(&b.in);
    return b.failed ? 1 : 0;
}
