#include "daemon/top.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/parse.h"
#include "daemon/running.h"

#define OUT_MAX    (4 * MIB)
#define HEAD_LINES 3u /* above the rows: title, what was done last, heads */
#define REASON_MAX 300u
#define ESCAPE_MS  50 /* the rest of an arrow key's bytes */

static const char help[] =
    "usage: sandbox-agent ps  [--json] [--sort ORDER] [--url URL] [--key-file FILE] [--ca FILE]\n"
    "       sandbox-agent top [--every SECONDS] and the same\n\n"
    "What runs: executions and sessions of the service, and runs that a command line of this machine does by itself\n"
    "(direct), with CPU, memory, processes and bytes. top goes on until q where its output is a terminal; elsewhere it "
    "is ps.\n"
    "  --sort ORDER      age (the newest first), cpu, memory, processes, network, agent\n"
    "  --url URL         of the service: http://HOST:PORT, https://HOST, unix:///PATH; also SANDBOX_AGENT_URL. "
    "Without:\n"
    "                    http://127.0.0.1:8080, if a service answers there\n"
    "  --key-file FILE   a key of the service; also SANDBOX_AGENT_API_KEY (the key itself). read sees, admin acts\n"
    "  --ca FILE         certificates that a https URL is checked with; also SANDBOX_AGENT_CA_FILE\n"
    "keys of top: arrows choose; t c m p n a sort by age, CPU, memory, processes, network, agent; e ends the run,\n"
    "Q quarantines its agent, each with a reason for the audit; q leaves\n"
    "exit: 0 done, 2 usage or refused, 125 the service of --url does not answer\n";

struct top {
    struct service_client service;
    const char *every, *sort;
    bool json, help, is_named; /* is_named: the service was asked for, so it has to answer */
    enum running_order order;
    uint64_t every_ms;
    struct running now;
    struct error missing; /* why the service's runs are not among them; code 0: they are */
    size_t chosen, from;
    char said[400]; /* what came of the last act */
    char chosen_id[64];
};

static int fail(const char *verb, const struct error *err)
{
    service_client_say(verb, err);
    return err->blame == BLAME_CALLER ? 2 : 125;
}

/* --- words ---------------------------------------------------------------------------------------- */

static int read_words(int argc, char **argv, struct top *t, struct error *err)
{
    const struct {
        const char *name, **value;
    } table[] = { { "--url", &t->service.url },
                  { "--key-file", &t->service.key_file },
                  { "--ca", &t->service.ca },
                  { "--sort", &t->sort },
                  { "--every", &t->every } };
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h") || str_eq(argv[i], "--json")) {
            *(str_eq(argv[i], "--json") ? &t->json : &t->help) = true;
            continue;
        }
        const size_t n = strcspn(argv[i], "=");
        while (k < ARRAY_LEN(table) && (strlen(table[k].name) != n || strncmp(table[k].name, argv[i], n) != 0))
            k++;
        if (k == ARRAY_LEN(table) || (str_eq(argv[0], "ps") && table[k].value == &t->every))
            return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "unexpected argument: %s", argv[i]), err),
                              "see sandbox-agent %s --help", argv[0]);
        if (argv[i][n])
            *table[k].value = argv[i] + n + 1;
        else if (++i < argc)
            *table[k].value = argv[i];
        else
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", table[k].name);
    }
    return 0;
}

static int find_settings(struct top *t, struct error *err)
{
    uint64_t seconds = 2;
    t->is_named = service_client_settle(&t->service);
    for (t->order = 0; t->sort && t->order < RUNNING_ORDERS && !str_eq(t->sort, running_order_names[t->order]);)
        t->order++;
    if (t->order == RUNNING_ORDERS)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "--sort %s: accepted are age, cpu, memory, processes, network, agent", t->sort);
    if (t->every && (parse_u64(t->every, &seconds) < 0 || !seconds || seconds > 3600))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--every %s: accepted are 1 to 3600 seconds", t->every);
    t->every_ms = seconds * 1000;
    return service_client_open(&t->service, err);
}

/* --- looking -------------------------------------------------------------------------------------- */

static int look(struct top *t, struct error *err)
{
    struct running fresh = { 0 };
    t->missing = (struct error){ 0 };
    int e = running_add_service(&fresh, &t->service, &t->missing);
    if (e < 0 && t->is_named) {
        *err = t->missing;
        running_done(&fresh);
        return e;
    }
    running_add_direct(&fresh, "/proc");
    running_sort(&fresh, &t->now, t->order);
    running_done(&t->now);
    t->now = fresh;
    return 0;
}

static int print(const struct buf *out)
{
    return out->failed || write_all(STDOUT_FILENO, out->data ? out->data : "", out->size) < 0 ? 125 : 0;
}

static int once(struct top *t, const char *verb)
{
    struct error err = { 0 };
    struct buf out;
    if (look(t, &err) < 0)
        return fail(verb, &err);
    buf_init(&out, OUT_MAX);
    if (t->json)
        running_json(&t->now, &out);
    else
        running_print(&t->now, SIZE_MAX, 0, 0, SIZE_MAX, &out);
    if (t->missing.code)
        (void)fprintf(stderr, "sandbox-agent: %s: only runs of the command line are shown: %s\n", verb,
                      t->missing.text);
    int code = print(&out);
    buf_done(&out);
    return code;
}

/* --- the terminal --------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_over;
static void on_signal(int signal)
{
    (void)signal;
    is_over = 1;
}

static struct winsize window(void)
{
    struct winsize w = { 0 };
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0 || !w.ws_row || !w.ws_col)
        w = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    return w;
}

/* The row that was chosen stays so, wherever it is sorted to. */
static void find_chosen(struct top *t, size_t lines)
{
    for (size_t i = 0; t->chosen_id[0] && i < t->now.count; i++)
        if (str_eq(t->now.rows[i].id, t->chosen_id))
            t->chosen = i;
    t->chosen = t->now.count ? MIN_OF(t->chosen, t->now.count - 1) : 0;
    t->from = MIN_OF(t->from, t->chosen);
    if (t->chosen >= t->from + lines)
        t->from = t->chosen - lines + 1;
}

static void draw(struct top *t)
{
    const struct winsize w = window();
    const size_t lines = w.ws_row > HEAD_LINES + 1 ? w.ws_row - HEAD_LINES - 1u : 1;
    struct buf out;
    char title[200];
    buf_init(&out, OUT_MAX);
    find_chosen(t, lines);
    (void)snprintf(title, sizeof title, "%zu running or queued, by %s; e end  Q quarantine  t c m p n a sort  q leave",
                   t->now.count, running_order_names[t->order]);
    (void)buf_addf(&out, "\033[H\033[2J%.*s\n", (int)w.ws_col, title);
    struct buf said;
    buf_init(&said, 4 * KIB);
    (void)buf_adds_clean(&said, t->said[0] ? t->said : t->missing.text);
    (void)buf_addf(&out, "%.*s\n", (int)w.ws_col, said.data ? said.data : "");
    buf_done(&said);
    running_print(&t->now, t->chosen, w.ws_col, t->from, lines, &out);
    (void)print(&out); /* a terminal that has gone is seen when it is read */
    buf_done(&out);
}

/* 0: none came in that time; negative: the terminal has gone, or a signal came. */
static int read_key(int patience_ms)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
    unsigned char c;
    int n = poll(&p, 1, patience_ms);
    if (n <= 0)
        return n;
    return read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
}

enum { KEY_UP = 256, KEY_DOWN };
static int read_arrow(void)
{
    if (read_key(ESCAPE_MS) != '[')
        return 0;
    const int c = read_key(ESCAPE_MS);
    return c == 'A' ? KEY_UP : c == 'B' ? KEY_DOWN : 0;
}

/* A line at the top, typed without the terminal's own editing. False: given up, or empty. */
static bool ask_reason(const char *what, const char *about, char *to, size_t size)
{
    size_t n = 0;
    struct buf line;
    *to = '\0';
    while (!is_over) {
        buf_init(&line, 8 * KIB);
        (void)buf_addf(&line, "\033[2;1H\033[K%s ", what);
        (void)buf_adds_clean(&line, about);
        (void)buf_adds(&line, "; reason (Enter does it, Esc leaves): ");
        (void)buf_adds_clean(&line, to);
        (void)print(&line);
        buf_done(&line);
        const int c = read_key(-1);
        if (c < 0 || c == 27)
            return false;
        if (c == '\r' || c == '\n')
            return n > 0;
        if ((c == 127 || c == 8) && n)
            to[--n] = '\0';
        else if (c >= ' ' && c != 127 && n + 1 < size)
            to[n++] = (char)c, to[n] = '\0';
    }
    return false;
}

typedef int act_on(const struct running_row *row, const struct service_client *c, const char *reason,
                   struct error *err);
static void do_to_chosen(struct top *t, const char *what, act_on *act, const char *about)
{
    struct error err = { 0 };
    char reason[REASON_MAX];
    const struct running_row row = t->now.rows[t->chosen];
    t->said[0] = '\0';
    if (!ask_reason(what, about, reason, sizeof reason))
        return;
    const int e = act(&row, &t->service, reason, &err);
    (void)snprintf(t->said, sizeof t->said, "%s %s: %s", what, about, e < 0 ? err.text : "done");
}

/* False: that was all. */
static bool obey(struct top *t, int key)
{
    static const char sorts[] = "tcmpna"; /* as enum running_order */
    const char *sort = key > 0 && key < 128 ? strchr(sorts, key) : NULL;
    const struct running_row *row = t->now.count ? &t->now.rows[t->chosen] : NULL;
    if (key == 27)
        key = read_arrow();
    if (key == 'q' || key == 3)
        return false;
    if (sort)
        t->order = (enum running_order)(sort - sorts), running_sort(&t->now, NULL, t->order);
    if (key == KEY_UP || key == KEY_DOWN) {
        t->chosen = key == KEY_DOWN ? t->chosen + 1 : t->chosen - (t->chosen > 0);
        t->chosen = MIN_OF(t->chosen, t->now.count ? t->now.count - 1 : 0);
        row = t->now.count ? &t->now.rows[t->chosen] : NULL;
        (void)snprintf(t->chosen_id, sizeof t->chosen_id, "%s", row ? row->id : "");
    }
    if (row && key == 'e')
        do_to_chosen(t, "end", running_end, row->id);
    if (row && key == 'Q')
        do_to_chosen(t, "quarantine", running_quarantine, row->agent);
    return true;
}

static int watch(struct top *t, const char *verb)
{
    struct error err = { 0 };
    int e = 0;
    for (bool goes_on = true; goes_on && !is_over;) {
        if ((e = look(t, &err)) < 0)
            break;
        const uint64_t until = clock_ms() + t->every_ms;
        for (uint64_t now = 0; goes_on && !is_over && (now = clock_ms()) < until;) {
            draw(t);
            const int key = read_key((int)(until - now));
            goes_on = key >= 0 && (!key || obey(t, key));
        }
    }
    (void)!write(STDOUT_FILENO, "\033[?25h\033[?1049l", 14); /* nothing can be done about it here */
    return e < 0 ? fail(verb, &err) : 0;
}

static int on_terminal(struct top *t, const char *verb)
{
    struct termios before, raw;
    const struct sigaction act = { .sa_handler = on_signal };
    if (tcgetattr(STDIN_FILENO, &before) < 0)
        return once(t, verb);
    (void)sigaction(SIGINT, &act, NULL);
    (void)sigaction(SIGTERM, &act, NULL);
    (void)sigaction(SIGHUP, &act, NULL);
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    (void)!write(STDOUT_FILENO, "\033[?1049h\033[?25l", 14); /* another screen, no cursor */
    const int code = watch(t, verb);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    return code;
}

int top_main(int argc, char **argv)
{
    struct top t = { 0 };
    struct error err = { 0 };
    int code, e = read_words(argc, argv, &t, &err);
    if (e == 0 && t.help)
        return fputs(help, stdout) == EOF ? 125 : 0;
    if (e == 0)
        e = find_settings(&t, &err);
    if (e < 0)
        code = fail(argv[0], &err);
    else if (str_eq(argv[0], "top") && !t.json && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO))
        code = on_terminal(&t, argv[0]);
    else
        code = once(&t, argv[0]);
    service_client_done(&t.service);
    running_done(&t.now);
    return code;
}
