/* run.c - the command `run`: a run in words and exit codes. */
#include <fcntl.h>
#include <stdio.h>
#include "base/io.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "cli/wrap.h"
#include "run/exec.h"
#include "run/output_dir.h"
#include "run/signals.h"

static void print_step(struct buf *out, const char *who, const char *name, uint64_t at_us, uint64_t last_us)
{
    (void)buf_addf(out, "sandbox-agent: debug: %-7s %-15s +%6llu us  at %7llu us\n", who, name,
                   (unsigned long long)(at_us - last_us), (unsigned long long)at_us);
}

static void print_debug(const struct exec *s, struct buf *out)
{
    uint64_t last = 0;
    for (size_t i = 0; i < s->mark_count; i++) {
        print_step(out, "command", s->marks[i].name, s->marks[i].at_us, last);
        last = s->marks[i].at_us;
    }
    last = 0;
    for (uint32_t i = 0; i < s->outcome.step_count; i++) {
        print_step(out, "launch", s->outcome.steps[i].name, s->outcome.steps[i].at_us, last);
        last = s->outcome.steps[i].at_us;
    }
    if (s->has_outcome)
        (void)buf_addf(out, "sandbox-agent: debug: run took %llu us, log %s\n",
                       (unsigned long long)s->outcome.duration_us, s->log.path ? s->log.path : "none");
}

/* In words on stderr, also with --json: what differs from the configuration's words. */
static void print_notices(const struct exec *s, struct buf *out)
{
    struct buf text;
    if (!s->has_policy || exec_log_level(s) > LOG_WARN)
        return;
    buf_init(&text, 8 * KIB);
    policy_notices(&s->policy, s->options.profile, &text);
    if (text.size)
        (void)buf_addf(out, "sandbox-agent: %s\n", text.data);
    buf_done(&text);
}

static int report(const struct exec *s)
{
    struct result r;
    struct buf words;
    int code = 0;
    exec_result(s, &r);
    buf_init(&words, 1 * MIB);
    print_notices(s, &words);
    if (exec_is_debug(s))
        print_debug(s, &words);
    errno = 0;
    if (!s->options.json)
        result_print_words(&r, &words);
    else if (!result_print_json(&r, STDOUT_FILENO))
        code = output_lost("the result", errno);
    if (s->stream.copy_failed)
        (void)buf_addf(&words, "sandbox-agent: --output-file %s could not take everything: disk full?\n",
                       s->options.output_file);
    (void)write_all(STDERR_FILENO, words.data, words.size); /* a user who closed it does not want it */
    buf_done(&words);
    return code ? code : result_exit_code(&r);
}

static int print_plan(struct exec *s)
{
    struct buf out;
    buf_init(&out, 4 * MIB);
    if (s->options.json)
        plan_print_json(&s->plan, &s->policy, true, &out);
    else
        plan_print(&s->plan, &s->policy, &out);
    int e = write_all(STDOUT_FILENO, out.data, out.size);
    buf_done(&out);
    if (e < 0)
        return output_lost("the plan", -e);
    buf_init(&out, 8 * KIB);
    print_notices(s, &out);
    (void)write_all(STDERR_FILENO, out.data, out.size);
    buf_done(&out);
    return 0;
}

static int dry_run(struct exec *s, struct wrap *w, char **ret_code)
{
    if (s->options.receipt || s->options.output_dir)
        (void)err_set(&s->error, -EINVAL, BLAME_CALLER, NULL, "%s: --dry-run runs nothing and writes nothing",
                      s->options.receipt ? "--receipt" : "--output-dir");
    if (s->error.code || wrap_begin(w, &s->options, &s->error) < 0 ||
        source_code(&s->options, -1, ret_code, &s->error) < 0 || exec_look(s, &s->error) < 0)
        return report(s);
    return print_plan(s);
}

/* Before anything runs: a receipt that could not be written would be missed only afterwards. */
static int open_receipt(struct exec *s)
{
    const char *file = s->options.receipt;
    if (file && (s->receipt = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666)) < 0)
        return err_set(&s->error, -errno, BLAME_CALLER, NULL, "--receipt %s: %m", file);
    return 0;
}

static int open_output_dir(struct exec *s)
{
    const char *path = s->options.output_dir;
    if (path && (s->keep.copy_dir = output_dir_open(path, &s->error)) < 0)
        return s->keep.copy_dir;
    return 0;
}

/* The run stands, and what was asked for beside it is missing. */
static int tell_missing(const struct error *why, int code)
{
    struct buf words;
    if (!why->code)
        return code;
    buf_init(&words, 8 * KIB);
    error_print(why, &words);
    (void)write_all(STDERR_FILENO, words.data, words.size);
    buf_done(&words);
    return 125;
}

static int run(struct exec *s, struct wrap *w, char **ret_code)
{
    s->stream.stop = signals_catch();
    bool is_ready = wrap_begin(w, &s->options, &s->error) == 0 && open_receipt(s) == 0 && open_output_dir(s) == 0 &&
                    exec_start_launcher(s, &s->error) == 0 &&
                    source_code(&s->options, s->stream.stop, ret_code, &s->error) == 0;
    exec_mark(s, "LAUNCHER");
    is_ready = is_ready && exec_prepare(s, &s->error) == 0;
    if (is_ready && s->policy.config.development.dry_run)
        return exec_look(s, &s->error) < 0 ? report(s) : print_plan(s);
    if (is_ready && terminal_open(s, &s->error) == 0)
        (void)exec_run(s, &s->error);
    terminal_restore(s);
    int code = report(s);
    if (is_ready)
        exec_tidy(s);
    int copied = tell_missing(&s->keep.copy_error, code);
    code = s->keep.copy_error.code == -ENODATA ? code : copied;
    return s->receipt < 0 ? code : tell_missing(&s->receipt_error, code);
}

/* What is asked for, before anything is started. */
static int read_words(struct exec *s, int argc, char **argv, bool is_wrap, struct wrap **ret)
{
    int e = options_parse(argc, argv, is_wrap, &s->options, &s->error);
    if (e == 0)
        e = wrap_translate(&s->options, s->paths, s->arena, argc, argv, &s->error);
    if (e == 0)
        e = wrap_words(&s->options, s->arena, ret, &s->error);
    if (e == 0)
        e = source_files(&s->options, s->arena, &s->error);
    if (e == 0)
        e = source_volumes(&s->options, &s->error);
    if (e == 0)
        source_input(&s->options);
    if (e == 0)
        e = terminal_check(&s->options, &s->error);
    return e;
}

static int start(const struct paths *p, struct arena *a, int argc, char **argv, bool is_wrap)
{
    static struct exec run_of_this; /* zero; 115 KiB, of which most runs touch a quarter: not on the stack */
    struct exec *s = &run_of_this;
    struct wrap *w = NULL;
    int code = 0, stop = -1, caught = 0;
    char *text = NULL;
    exec_init(s, p, a);
    if (read_words(s, argc - 1, argv + 1, is_wrap, &w) < 0) {
        code = report(s);
    } else if (s->options.version) {
        version_print();
    } else if (s->options.help) {
        help_print(stdout, is_wrap);
    } else {
        code = s->options.dry_run ? dry_run(s, w, &text) : run(s, w, &text);
        stop = s->stream.stop;
        caught = s->stream.caught;
        s->stream.stop = -1;
    }
    if (!wrap_end(w, s->has_outcome && !caught))
        code = 125;
    exec_done(s);
    free(text);
    signals_end(stop, caught);
    closep(&stop);
    return code;
}

int cmd_run(const struct paths *p, struct arena *a, int argc, char **argv)
{
    return start(p, a, argc, argv, false);
}

int cmd_wrap(const struct paths *p, struct arena *a, int argc, char **argv)
{
    return start(p, a, argc, argv, true);
}
