/* shells.c - reverse_shells: a process outside gives the commands.
 *
 * What counts is the state, whatever came first: a shell (or a program as good as one) whose input comes, by any chain,
 * from a network peer.
 *
 *  - a shell with a socket of the network as a standard stream: bash -i >& /dev/tcp/..., dup2 and exec in any language;
 *  - any program that reads its program from such a socket (python, perl ... without a script), or is interactive (-i)
 * there;
 *  - nc, ncat, socat that are told to execute something;
 *  - programs started again and again with input and output, or output and errors, on the same socket: while read l; do
 * $l; done <&3 >&3;
 *  - a shell between two programs that have connections: telnet | sh | telnet;
 *  - a shell that waits for commands and gets them (WATCH_FEED: through pipes, FIFOs, files, terminals, other programs)
 * from a process that has a connection, if that process writes exactly what it receives, or if no rule names its peer
 * and it writes after each answer of the peer's and gets the shell's. Where network.allow is empty no rule can name a
 * peer: there the messages have to be little longer than what is written, too;
 *  - a command after each message of a peer's that has the command's length, and a newline's; or, where the command
 * stands in memory at the end of a line or as a string, as many bytes more each time as a frame of IRC or Redis has;
 *  - a command that is the text of a TXT record (orders.c).
 *
 * The last two tell a relay from an agent: a client of a language model keeps a bash, too, and writes commands into it.
 * But its answers are HTTP and JSON, from which the commands are taken: what comes is longer than what is run.
 *
 * Left alone: shells with a script or -c behind pipes (subprocess.run(["bash", "script.sh"]), os.popen), and `curl |
 * sh`, whose answers go where the run's own go.
 */
#include "watch/detect.h"

#include "base/path.h"

#include <stdio.h>

/* ---- what a program is, by its name and arguments ---- */

static bool is_one_of(const char *word, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && memcmp(*words, word, n) == 0)
            return true;
    return false;
}

/* «python3.11» is python */
static size_t name_length(const char *name)
{
    size_t n = strlen(name);
    while (n > 1 && strchr("0123456789.-", name[n - 1]))
        n--;
    return n;
}

/* The i-th argument (0: the program's own word), its length in ret; NULL: there is none. */
static const char *argument(const struct watch_event *e, unsigned i, size_t *ret)
{
    const char *p = e->argv;
    for (; p && i > 0; i--) {
        p = strchr(p, WATCH_ARGV_SEPARATOR);
        p = p ? p + 1 : NULL;
    }
    if (p)
        *ret = strcspn(p, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
    return p;
}

static bool is_word(const struct watch_event *e, unsigned i, const char *const *words)
{
    size_t n = 0;
    const char *p = argument(e, i, &n);
    for (size_t at = n; p && at-- > 0;)
        if (p[at] == '/') { /* «/bin/sh» as an argument of busybox or env */
            p += at + 1;
            n -= at + 1;
            break;
        }
    return p && is_one_of(*p == '-' ? p + 1 : p, *p == '-' && n ? n - 1 : n, words);
}

static const char *const shells[] = { "sh",    "bash", "rbash",  "dash", "ash",   "zsh",  "rzsh", "ksh",
                                      "ksh93", "rksh", "mksh",   "lksh", "pdksh", "yash", "csh",  "tcsh",
                                      "fish",  "pwsh", "elvish", "nu",   "xonsh", "posh", "oksh", NULL };
static const char *const interpreters[] = { "python", "pypy", "perl",   "ruby",  "node",   "nodejs",
                                            "php",    "lua",  "luajit", "tclsh", "expect", "gawk",
                                            "awk",    "mawk", "irb",    "guile", NULL };
static const char *const connectors[] = { "nc",         "ncat",  "netcat", "nc.traditional",
                                          "nc.openbsd", "socat", "socat1", NULL };

/* By file or by what it is told to be: busybox, a link, a copy whose first argument still says sh. */
static bool is_shell(const struct watch_event *e)
{
    const char *name = path_last(e->text ? e->text : "");
    if (is_one_of(name, strlen(name), shells) || is_one_of(name, name_length(name), shells) || is_word(e, 0, shells))
        return true;
    return str_eq(name, "busybox") && is_word(e, 1, shells);
}

/* A shell or interpreter that was given nothing to run: it will read its standard input. `is_said`: it was told to be
 * interactive. */
static bool waits_for_commands(const struct watch_event *e, bool *is_said)
{
    size_t n;
    const char *p;
    unsigned i = str_eq(path_last(e->text ? e->text : ""), "busybox") && is_word(e, 1, shells) ? 2 : 1;
    *is_said = false;
    for (; (p = argument(e, i, &n)); i++) {
        if (n == 0 || (p[0] != '-' && p[0] != '+'))
            return n == 0; /* a script */
        if (n == 1 || (n == 2 && p[1] == '-'))
            continue; /* «-»: standard input; «--» */
        if (p[1] == '-') {
            if ((n == 6 && memcmp(p, "--init", 6) == 0) || (n >= 8 && (memcmp(p, "--rcfile", 8) == 0)))
                i++;
            continue; /* --noprofile, --login, --posix */
        }
        for (size_t k = 1; k < n; k++) {
            if (strchr("cem", p[k]) && p[0] == '-' && !(is_shell(e) && p[k] != 'c'))
                return false; /* sh -c, python -c and -m, perl and node -e */
            *is_said = *is_said || (p[k] == 'i' && p[0] == '-');
        }
        if (n == 2 && (p[1] == 'o' || p[1] == 'O') && is_shell(e))
            i++; /* set -o NAME */
    }
    return true;
}

static bool executes_something(const struct watch_event *e)
{
    const char *name = path_last(e->text ? e->text : "");
    size_t n;
    if (!is_one_of(name, strlen(name), connectors) && !is_word(e, 0, connectors) &&
        !(str_eq(name, "busybox") && is_word(e, 1, connectors)))
        return false;
    for (unsigned i = 1; argument(e, i, &n); i++) {
        const char *p = argument(e, i, &n);
        static const char *const options[] = { "-e", "-c", "--exec", "--sh-exec", "--lua-exec", NULL };
        if (is_one_of(p, n, options) || (n > 2 && p[0] == '-' && p[1] != '-' && p[n - 1] == 'e') ||
            memmem(p, n, "EXEC:", 5) || memmem(p, n, "SYSTEM:", 7) || memmem(p, n, "exec:", 5) ||
            memmem(p, n, "system:", 7) || memmem(p, n, "SHELL:", 6) || (n > 7 && memcmp(p, "--exec=", 7) == 0) ||
            (n > 10 && memcmp(p, "--sh-exec=", 10) == 0))
            return true;
    }
    return false;
}

/* ---- connections, pipes ---- */

static const struct talk *any_talk(const struct shells *s, bool has_to_be_open)
{
    for (uint32_t i = MIN_OF(s->talk_count, (uint32_t)ARRAY_LEN(s->talk)); i-- > 0;)
        if (s->talk[i].is_open || !has_to_be_open)
            return &s->talk[i];
    return NULL;
}

static const struct talk *talk_of(const struct shells *s, uint32_t pid)
{
    for (uint32_t i = 0; pid && i < MIN_OF(s->talk_count, (uint32_t)ARRAY_LEN(s->talk)); i++)
        if (s->talk[i].pid == pid)
            return &s->talk[i];
    return NULL;
}

static bool is_channel(uint8_t kind)
{
    return kind == WATCH_FD_PIPE || kind == WATCH_FD_UNIX ||
           kind == WATCH_FD_TTY; /* node's pipes are sockets; pty.spawn() brings a terminal */
}

static bool is_own(const struct shells *s, uint64_t id)
{
    return id && (id == s->own[0] || id == s->own[1] || id == s->own[2]);
}

/* A pipe both of whose sides are held by programs with connections has a shell between them. */
static bool find_pipeline(const struct shells *s, struct evidence *ret, uint64_t at_us)
{
    const uint32_t n = MIN_OF(s->process_count, (uint32_t)ARRAY_LEN(s->process));
    for (uint32_t i = 0; i < n; i++) {
        const struct process *shell = &s->process[i];
        const struct talk *from = NULL, *to = NULL;
        if (!shell->is_shell || !shell->in || !shell->out)
            continue;
        for (uint32_t j = 0; j < n; j++) {
            if (s->process[j].out == shell->in && !from)
                from = talk_of(s, s->process[j].pid);
            if (s->process[j].in == shell->out && !to)
                to = talk_of(s, s->process[j].pid);
        }
        if (from && to)
            return decided(ret,
                           "%s takes its commands from a program connected to %s, and its output goes to one connected "
                           "to %s, at %s",
                           shell->name.text, from->peer.text, to->peer.text, shown_time(at_us).text);
    }
    return false;
}

static void remember_process(struct shells *s, const struct watch_event *e, bool waits)
{
    struct process p = { .pid = e->pid, .is_shell = waits && is_shell(e), .name = shown(e->argv ? e->argv : e->text) };
    if (is_channel(e->stdio0) && !is_own(s, e->stdio_id0))
        p.in = e->stdio_id0;
    if (is_channel(e->stdio1) && !is_own(s, e->stdio_id1))
        p.out = e->stdio_id1;
    for (uint32_t i = 0; i < MIN_OF(s->process_count, (uint32_t)ARRAY_LEN(s->process)); i++)
        if (s->process[i].pid == e->pid) { /* one program became another */
            s->process[i] = p;
            return;
        }
    s->process[s->process_count++ % ARRAY_LEN(s->process)] = p;
}

/* ---- what a program is started on ---- */

static bool started_on_socket(struct shells *s, const struct watch_event *e, bool waits, bool is_said,
                              struct evidence *ret)
{
    const bool in = e->stdio0 == WATCH_FD_INET, out = e->stdio1 == WATCH_FD_INET, errors = e->stdio2 == WATCH_FD_INET;
    const char *name = path_last(e->text ? e->text : "");
    const struct talk *t = any_talk(s, false);
    if (!in && !out && !errors)
        return false;
    if (is_shell(e) || (in && waits && is_one_of(name, name_length(name), interpreters)) ||
        (in && out && (is_said || e->flags & WATCH_WRITABLE_PLACE)))
        return decided(ret,
                       "process %u started %s with a network socket as %s%s%s, at %s; the last connection is to %s",
                       e->pid, shown(e->argv ? e->argv : e->text).text,
                       in    ? "standard input"
                       : out ? "standard output"
                             : "standard error",
                       in && out ? " and output" : "", errors && (in || out) ? " and error" : "",
                       shown_time(e->at_us).text, t ? t->peer.text : "a peer that connected to it");
    if (!out || !(in || errors))
        return false; /* `cat answer >&3` of a small HTTP client */
    struct fed *f = NULL;
    for (size_t i = 0; i < ARRAY_LEN(s->fed) && !f; i++)
        if (s->fed[i].count && s->fed[i].id == e->stdio_id1)
            f = &s->fed[i];
    if (!f) {
        f = &s->fed[s->next_fed++ % ARRAY_LEN(s->fed)];
        *f = (struct fed){ e->stdio_id1, 0, 0 };
    }
    if (!f->count || f->pid != e->pid)
        f->count++;
    f->pid = e->pid;
    if (f->count < 2)
        return false;
    return decided(ret,
                   "%u programs were started with %s on the same network socket, the last, %s, by process %u at %s; "
                   "the last connection is to %s",
                   f->count, in ? "input and output" : "output and errors", shown(e->argv ? e->argv : e->text).text,
                   e->pid, shown_time(e->at_us).text, t ? t->peer.text : "a peer that connected to it");
}

/* ---- relays: what came is what is run ---- */

struct frame {
    int64_t least, most, slack;
};

/* A command of `size` bytes was run after `came` had come, which were from `least` to `most` more, and as many each
 * time (but for `slack`: a length that is written has one digit more). True: as many such commands as make a relay, of
 * two lengths at least. */
static bool is_relay(struct commands *c, uint64_t came, uint64_t size, struct frame frame, uint32_t enough)
{
    const int64_t more = (int64_t)MIN_OF(came, (uint64_t)INT32_MAX) - (int64_t)MIN_OF(size, (uint64_t)INT32_MAX);
    const int64_t off = more > c->more ? more - c->more : c->more - more;
    if (!size || more < frame.least || more > frame.most)
        return false;
    if (!c->count || off > frame.slack)
        *c = (struct commands){ .more = more, .first = (uint32_t)size };
    c->count++;
    c->has_two |= c->first != (uint32_t)size;
    return c->count >= enough && c->has_two;
}

/* A program that puts what came into a command of its own adds to it, too, and as much each time: so only a newline's
 * worth. */
static const struct frame bare = { 0, 2, 0 };
/* A runtime's own byte between two looks. */
static const struct frame fed = { -2, 2, 0 };
/* Where the command stands in memory as the end of a line: that of IRC, of Redis, of an event stream. An answer of a
 * web server's has more around it. So has a model's answer in JSON: where the command stands there as a string, as much
 * more each time is a channel's, and a peer that a rule names may have one. */
static const struct frame line = { 0, WATCH_FRAME_MAX, 1 };

/* The text of sh -c, or all arguments; its length. A program that a shell starts for a command is not looked at twice:
 * nothing came in between. */
static uint64_t command_size(const struct watch_event *e, bool *ret_is_shells)
{
    static const char both[] = " 2>&1"; /* what Perl's backticks and the like are told beside the command */
    size_t n = 0;
    *ret_is_shells = false;
    for (unsigned i = 1; is_shell(e) && argument(e, i, &n); i++) {
        const char *p = argument(e, i, &n);
        if (n < 2 || p[0] != '-' || p[1] == '-' || !memchr(p, 'c', n))
            continue;
        *ret_is_shells = true;
        p = argument(e, i + 1, &n);
        n = p ? strlen(p) : 0; /* a separator within is as long as the blank that it may be */
        return n > strlen(both) && str_eq(p + n - strlen(both), both) ? n - strlen(both) : n;
    }
    return e->argv ? strlen(e->argv) : 0;
}

static const struct as_came *as_came_of(const struct shells *s, uint32_t pid)
{
    for (size_t i = 0; pid && i < ARRAY_LEN(s->as_came); i++)
        if (s->as_came[i].pid == pid)
            return &s->as_came[i];
    return NULL;
}

#define AT_ONCE_US 20000u /* another process of the run may start its own program between a message and its command */

static uint64_t came_for(struct talk *t, uint64_t at_us)
{
    uint64_t came = t->in - MIN_OF(t->taken, t->in);
    if (!came && elapsed_us(at_us, t->spare_us) < AT_ONCE_US)
        came = t->spare;
    else
        t->spare_us = at_us;
    t->taken = t->in;
    t->spare = came;
    return came;
}

static bool started_for_a_peer(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    bool is_shells;
    const uint64_t size = command_size(e, &is_shells);
    for (uint32_t i = 0; !e->error && i < MIN_OF(s->talk_count, (uint32_t)ARRAY_LEN(s->talk)); i++) {
        struct talk *t = &s->talk[i];
        const uint64_t came = t->is_open ? came_for(t, e->at_us) : 0;
        if (!came)
            continue;
        const struct as_came *as = is_shells ? as_came_of(s, e->pid) : NULL;
        bool is_one = is_relay(is_shells ? &t->shell : &t->direct, came, size, bare, is_shells ? 2 : 3);
        if (as && !as->is_string)
            is_one |= is_relay(&t->line, came, size, line, 3);
        else if (as && !t->is_named)
            is_one |= is_relay(&t->string, came, size, line, 3);
        if (is_one)
            return decided(ret,
                           "%s is what had come from %s, as the commands before it were, started at %s by process %u",
                           shown(e->argv).text, t->peer.text, shown_time(e->at_us).text, e->pid);
    }
    return false;
}

static struct feed *feed_of(struct shells *s, const struct watch_event *e)
{
    for (size_t i = 0; i < ARRAY_LEN(s->feed); i++)
        if (s->feed[i].pid == e->pid && s->feed[i].connection == e->connection)
            return &s->feed[i];
    struct feed *new = &s->feed[s->next_feed++ % ARRAY_LEN(s->feed)];
    *new = (struct feed){ .pid = e->pid, .connection = e->connection };
    return new;
}

/* The holder may write to the peer by write(2), which counts, or by send(2), which does not. */
static uint64_t written_to_shell(uint64_t written, uint64_t out, int way)
{
    return way == 0 ? written : written - MIN_OF(out, written);
}

/* So many bytes that are the same from the first one on are no chance; nor are twice as many beside one or two of a
 * runtime's own: node wakes its threads by a byte. */
static bool is_whole(uint64_t came, uint64_t written)
{
    const uint64_t off = MAX_OF(came, written) - MIN_OF(came, written);
    return (came >= 8 && off == 0) || (came >= 16 && off <= 2);
}

/* Is what came hardly longer than what was written? The frames of IRC, Redis, event streams, WebSocket and TLS are;
 * the head of an HTTP answer alone, with its date and its length, is not. An agent writes a mark of its own beside the
 * command, so the answers of its model seem shorter than they are, by less than this leaves. */
#define NEARLY_RAW_BYTES 128u
static bool is_nearly_raw(const struct feed *f, const struct watch_event *e, uint64_t came)
{
    uint64_t least = 0; /* either way: what is sent to the model is not to count as written to the shell */
    for (int way = 0; way < 2; way++) {
        const uint64_t all = written_to_shell(e->args[1], e->bytes_out, way),
                       before = written_to_shell(f->written, f->out, way), more = all - MIN_OF(before, all);
        least = more && (!least || more < least) ? more : least;
    }
    return least && came <= least + NEARLY_RAW_BYTES;
}

static bool look_at_feed(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    if (e->flags & (WATCH_AS_CAME | WATCH_AS_STRING)) {
        s->as_came[s->next_as_came++ % ARRAY_LEN(s->as_came)] = (struct as_came){ e->pid, e->flags & WATCH_AS_STRING };
        return false;
    }
    bool is_said, is_same = false;
    const struct talk *t = NULL;
    for (size_t i = 0; i < ARRAY_LEN(s->talk) && !t; i++)
        t = e->connection && s->talk[i].id == e->connection ? &s->talk[i] : NULL;
    if (!t || !is_shell(e) || !waits_for_commands(e, &is_said))
        return false;
    struct feed *f = feed_of(s, e);
    const uint64_t written = e->args[1], came = e->bytes_in - MIN_OF(f->in, e->bytes_in);
    for (int way = 0; way < 2; way++) {
        const uint64_t all = written_to_shell(written, e->bytes_out, way),
                       before = written_to_shell(f->written, f->out, way);
        is_same |= is_whole(e->bytes_in, all);
        is_same |= came && f->in && is_relay(&f->way[way], came, all - MIN_OF(before, all), fed, 2);
    }
    const bool is_turn = came && f->in && written > f->written && (e->flags & WATCH_ANSWERS);
    f->turns += is_turn && (!t->is_unlisted || is_nearly_raw(f, e, came));
    f->in = e->bytes_in, f->out = e->bytes_out, f->written = written;
    const char *fact = is_same ? "writes to it as many bytes as come from"
                               : "writes to it after each message from a peer that no rule names,";
    if (!is_same && (t->is_named || f->turns < 2))
        return false;
    return decided(ret, "%s (process %u) gets its commands from process %u, which %s %s, at %s",
                   shown(e->argv ? e->argv : e->text).text, e->pid, (unsigned)MIN_OF(e->args[0], (uint64_t)UINT32_MAX),
                   fact, t->peer.text, shown_time(e->at_us).text);
}

static bool look_at_program(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    bool is_said, waits = waits_for_commands(e, &is_said);
    if (!s->has_run_begun) {
        s->has_run_begun = true;
        s->own[0] = e->stdio_id0, s->own[1] = e->stdio_id1, s->own[2] = e->stdio_id2;
    }
    if (executes_something(e))
        return decided(ret, "process %u started %s, which connects a program to the network, at %s", e->pid,
                       shown(e->argv).text, shown_time(e->at_us).text);
    if (started_on_socket(s, e, waits, is_said, ret) || started_for_a_peer(s, e, ret))
        return true;
    remember_process(s, e, waits);
    return find_pipeline(s, ret, e->at_us);
}

static bool look_at_connection(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    if (!e->connection || !is_outward(e))
        return false; /* nothing came of it */
    struct talk *free_one = &s->talk[s->talk_count % ARRAY_LEN(s->talk)];
    for (size_t i = 0; i < ARRAY_LEN(s->talk) && s->talk_count >= ARRAY_LEN(s->talk) && free_one->is_open; i++)
        free_one = s->talk[i].is_open ? free_one : &s->talk[i];
    s->talk_count++;
    *free_one = (struct talk){ .id = e->connection,
                               .pid = e->pid,
                               .is_open = true,
                               .is_named = rule_names_peer(e->text),
                               .is_unlisted = rule_is_open(e->text),
                               .peer = shown_peer(e) };
    return e->protocol == IPPROTO_UDP ? false : find_pipeline(s, ret, e->at_us);
}

static void look_at_traffic(struct shells *s, const struct watch_event *e)
{
    for (size_t i = 0; i < ARRAY_LEN(s->talk); i++)
        if (e->connection && s->talk[i].id == e->connection) {
            s->talk[i].in = e->bytes_in;
            s->talk[i].is_open &= e->kind != WATCH_CLOSED;
        }
}

bool detect_shells(struct shells *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    (void)p;
    if (orders_feed(s, e, ret))
        return true;
    switch (e->kind) {
    case WATCH_EXEC:
        return look_at_program(s, e, ret);
    case WATCH_CONNECT:
        return look_at_connection(s, e, ret);
    case WATCH_FEED:
        return look_at_feed(s, e, ret);
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        look_at_traffic(s, e);
        return false;
    default:
        return false;
    }
}
