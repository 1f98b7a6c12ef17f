/* shells.c - reverse_shells: somebody outside gives the commands.
 *
 * What is looked at is how programs are started: what their standard streams are, and what is known of connections
 * then.
 *
 *  - a shell with a socket of the network as a standard stream: bash -i >& /dev/tcp/..., dup2 and exec in any language;
 *  - any program that reads its program from such a socket (python, perl ... without a script), or is interactive (-i)
 * there;
 *  - nc, ncat, socat that are told to execute something;
 *  - programs started again and again with input and output, or output and errors, on the same socket: while read l; do
 * $l; done <&3 >&3;
 *  - a shell that takes commands from a pipe and answers into another, neither of them the run's own: if it says -i,
 * beside any connection before or after; if it says nothing at all («sh»), beside one that is open; if its pipes lead
 * to programs that have connections, whenever these come (telnet | sh | telnet).
 *
 * Left alone: shells with a script or -c behind pipes (subprocess.run(["bash", "script.sh"]), os.popen), and `curl |
 * sh`, whose answers go where the run's own go.
 */
#include "watch/detect.h"

#include <stdio.h>

/* ---- what a program is, by its name and arguments ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

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
    const char *name = base_name(e->text ? e->text : "");
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
    unsigned i = str_eq(base_name(e->text ? e->text : ""), "busybox") && is_word(e, 1, shells) ? 2 : 1;
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
    const char *name = base_name(e->text ? e->text : "");
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
    const char *name = base_name(e->text ? e->text : "");
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
                       shown_time(e->at_us).text, t ? t->peer.text : "somebody who connected to it");
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
                   e->pid, shown_time(e->at_us).text, t ? t->peer.text : "somebody who connected to it");
}

static bool started_behind_pipes(struct shells *s, const struct watch_event *e, bool waits, bool is_said,
                                 struct evidence *ret)
{
    if (!waits || !is_shell(e) || !is_channel(e->stdio0) || !is_channel(e->stdio1) || is_own(s, e->stdio_id0) ||
        is_own(s, e->stdio_id1))
        return false;
    const struct talk *t = any_talk(s, !is_said);
    if (t)
        return decided(ret,
                       "process %u started %s between two pipes, with nothing to run but what it is told, at %s, "
                       "beside a connection to %s",
                       e->pid, shown(e->argv ? e->argv : e->text).text, shown_time(e->at_us).text, t->peer.text);
    if (is_said && !s->waiting.is_there)
        s->waiting = (struct waiting){ true, e->at_us, shown(e->argv ? e->argv : e->text) };
    return false;
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
    if (started_on_socket(s, e, waits, is_said, ret) || started_behind_pipes(s, e, waits, is_said, ret))
        return true;
    remember_process(s, e, waits);
    return find_pipeline(s, ret, e->at_us);
}

static bool look_at_connection(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    if (!e->connection || !is_outward(e) || e->protocol == IPPROTO_UDP)
        return false; /* nothing came of it */
    s->talk[s->talk_count++ % ARRAY_LEN(s->talk)] = (struct talk){ e->connection, e->pid, true, shown_peer(e) };
    if (s->waiting.is_there)
        return decided(ret, "%s was started between two pipes at %s, and at %s a connection to %s came",
                       s->waiting.name.text, shown_time(s->waiting.at_us).text, shown_time(e->at_us).text,
                       shown_peer(e).text);
    return find_pipeline(s, ret, e->at_us);
}

bool detect_shells(struct shells *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    (void)p;
    switch (e->kind) {
    case WATCH_EXEC:
        return look_at_program(s, e, ret);
    case WATCH_CONNECT:
        return look_at_connection(s, e, ret);
    case WATCH_CLOSED:
        for (size_t i = 0; i < ARRAY_LEN(s->talk); i++)
            if (e->connection && s->talk[i].id == e->connection)
                s->talk[i].is_open = false;
        return false;
    default:
        return false;
    }
}
