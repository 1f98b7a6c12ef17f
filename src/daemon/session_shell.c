/* session_shell.c - a process of a session on a terminal, and ours becomes it: what is typed goes there as it is, and
 * what it writes comes here. One thread follows its output to the end, another one feeds it. */
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/json.h"
#include "base/terminal.h"
#include "daemon/session_command.h"

struct shell {
    const struct session_command *command;
    char id[64];
    struct buf path; /* of the process */
    int sizes;       /* signalfd of SIGWINCH */
    int over;        /* eventfd: nothing more is to be fed */
};

struct typed {
    const char *data;
    size_t left;
};

/* --- asking ------------------------------------------------------------------------------------------------- */

static ssize_t give(void *context, char *to, size_t max)
{
    struct typed *t = context;
    const size_t n = MIN_OF(max, t->left);
    memcpy(to, t->data, n);
    t->data += n;
    t->left -= n;
    return (ssize_t)n;
}

/* What is not taken is lost, as with a terminal whose program does not read; that it is over its stream says. */
static void tell(const struct shell *s, const char *what, const char *body, struct typed *input)
{
    struct buf path, answer = { 0 };
    struct error ignored = { 0 };
    buf_init(&path, 4 * KIB);
    (void)buf_adds(&path, s->path.data);
    (void)buf_adds(&path, what);
    const struct service_request r = { .method = "POST",
                                       .path = path.data,
                                       .body = body,
                                       .give = input ? give : NULL,
                                       .context = input,
                                       .max_bytes = SESSION_ANSWER_MAX,
                                       .timeout_ms = SESSION_PATIENCE_MS };
    (void)service_client_expect(&s->command->service, &r, &answer, &ignored);
    buf_done(&answer);
    buf_done(&path);
}

static struct winsize size_of_ours(void)
{
    struct winsize size = { 0 };
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
        return (struct winsize){ .ws_row = 24, .ws_col = 80 };
    return (struct winsize){ .ws_row = MIN_OF(size.ws_row, 1000), .ws_col = MIN_OF(size.ws_col, 1000) };
}

static void put_size(struct buf *b)
{
    const struct winsize size = size_of_ours();
    json_open(b, '{');
    json_key(b, "rows"), json_uint(b, size.ws_row);
    json_key(b, "cols"), json_uint(b, size.ws_col);
    json_close(b, '}');
}

/* --- feeding ------------------------------------------------------------------------------------------------ */

/* False: our terminal has gone. */
static bool feed_input(const struct shell *s)
{
    char chunk[16 * 1024];
    const ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    struct typed input = { chunk, n > 0 ? (size_t)n : 0 };
    tell(s, n > 0 ? "/stdin" : "/stdin?eof", NULL, &input);
    return n > 0;
}

static void feed_size(const struct shell *s)
{
    struct signalfd_siginfo ignored;
    struct buf body;
    (void)!read(s->sizes, &ignored, sizeof ignored);
    buf_init(&body, 200);
    put_size(&body);
    tell(s, "/resize", body.data, NULL);
    buf_done(&body);
}

static void *feed(void *context)
{
    const struct shell *s = context;
    for (bool goes_on = true; goes_on;) {
        struct pollfd f[] = { { .fd = s->over, .events = POLLIN },
                              { .fd = STDIN_FILENO, .events = POLLIN },
                              { .fd = s->sizes, .events = POLLIN } };
        if (poll(f, ARRAY_LEN(f), -1) < 0)
            continue;
        if (f[0].revents)
            break;
        if (f[2].revents)
            feed_size(s);
        if (f[1].revents)
            goes_on = feed_input(s);
    }
    return NULL;
}

/* --- all of it ------------------------------------------------------------------------------------------------ */

static int open_signals(struct shell *s, struct error *err)
{
    s->sizes = terminal_sizes();
    s->over = eventfd(0, EFD_CLOEXEC);
    const int e = s->sizes < 0 ? s->sizes : s->over < 0 ? -errno : 0;
    return e < 0 ? err_set(err, e, BLAME_HOST, NULL, "a descriptor: %s", strerror(-e)) : 0;
}

static void write_body(const struct session_command *s, struct buf *b)
{
    static char bash[] = "bash";
    static char *preset[] = { bash, NULL };
    json_open(b, '{');
    session_command_words(b, "argv", s->rest && *s->rest ? s->rest : preset);
    if (s->timeout)
        json_key(b, "timeout"), json_put_string(b, s->timeout);
    if (s->cwd)
        json_key(b, "cwd"), json_put_string(b, s->cwd);
    session_command_pairs(b, "env", &s->env);
    json_key(b, "pty"), put_size(b);
    json_close(b, '}');
}

static int begin(struct shell *s, struct error *err)
{
    struct buf path, body, answer = { 0 };
    buf_init(&path, 4 * KIB);
    buf_init(&body, MIB);
    session_command_path(&path, strlist_first(&s->command->places));
    (void)buf_adds(&path, "/processes");
    write_body(s->command, &body);
    const struct service_request r = { "POST", path.data, .body = body.data, .max_bytes = SESSION_ANSWER_MAX };
    int e = service_client_expect(&s->command->service, &r, &answer, err);
    json_t *root = e == 0 ? json_loadb(answer.data ? answer.data : "", answer.size, 0, NULL) : NULL;
    const char *id = json_string_value(json_object_get(root, "process_id"));
    if (e == 0 && !id)
        e = err_set(err, -EBADMSG, BLAME_HOST, NULL, "the answer has no process_id");
    (void)snprintf(s->id, sizeof s->id, "%s", id ? id : "");
    (void)buf_addc(&path, '/');
    service_client_quote(&path, s->id, "");
    s->path = path;
    json_decref(root);
    buf_done(&answer);
    buf_done(&body);
    return e;
}

static int follow(struct shell *s, struct error *err)
{
    struct buf path;
    pthread_t feeder;
    buf_init(&path, 4 * KIB);
    (void)buf_adds(&path, s->path.data);
    (void)buf_adds(&path, "/events");
    int e = -pthread_create(&feeder, NULL, feed, s);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "a thread: %s", strerror(-e));
    e = session_command_follow(s->command, "session shell", (struct service_request){ "GET", path.data, .body = NULL },
                               s->id, err);
    (void)eventfd_write(s->over, 1);
    (void)pthread_join(feeder, NULL);
    buf_done(&path);
    return e;
}

int session_command_shell(struct session_command *c, struct error *err)
{
    struct shell s = { .command = c, .sizes = -1, .over = -1 };
    struct termios before, raw;
    if (tcgetattr(STDIN_FILENO, &before) < 0) {
        (void)err_set(err, -ENOTTY, BLAME_CALLER, NULL, "standard input is no terminal");
        return err_remedy(err, "session exec ID -- COMMAND takes any input");
    }
    int e = open_signals(&s, err);
    if (e == 0)
        e = begin(&s, err);
    raw = before;
    cfmakeraw(&raw);
    if (e == 0) {
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
        e = follow(&s, err);
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    }
    buf_done(&s.path);
    closep(&s.sizes);
    closep(&s.over);
    return e;
}
