/* feeds.c - a picture of all processes of the sandbox and what they hold, in which chains are followed.
 *
 * Everything is read without stopping any process: an end that was passed on meanwhile is missed, and found at the next
 * look.
 */
#include "broker/broker.h"

#include "base/parse.h"
#include "filter/syscalls.h"
#include "notify/caller.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define PROCESSES_MAX 128u
#define HELD_MAX      24u
#define HOPS_MAX      3u
#define STEPS_MAX     4096u /* of one chain: who makes a maze of pipes hides in it */
#define AT_LEAST_MS   100u
#define EXEC_MS       20u /* between looks before programs are started */
#define SHARE         50u /* of the time: one in so many */
#define SEARCHES_MAX  64u
#define COMMAND_MAX   512u /* longer ones are not looked for */
#define BESIDE_MAX    512u /* bytes that came and are no command: frames, and answers to what was sent meanwhile */
#define AFTERWARDS    4u   /* looks after something happened: a program takes its time to start, bytes to arrive */

enum kind { IS_PIPE = 1, IS_SOCKET, IS_TERMINAL, IS_MASTER, IS_FILE };
struct held {
    uint64_t id;
    uint8_t kind, fd; /* fd 255: any above */
    bool reads, writes;
};
struct process {
    uint32_t pid, parent;
    uint32_t count;
    struct held held[HELD_MAX];
};
struct picture {
    struct process processes[PROCESSES_MAX];
    uint32_t count, budget;
    struct talk talks[FEEDS_TALKS];
    size_t talk_count;
};
static struct picture picture; /* scratch: one thread, no recursion */

/* --- reading /proc ------------------------------------------------------------------------------------------------ */

static size_t read_of(uint32_t pid, const char *file, char *out, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%u/%s", pid, file);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

static uint64_t number_after(const char *text, const char *word)
{
    const char *p = strstr(text, word);
    uint64_t v = 0;
    for (p = p ? p + strlen(word) : ""; *p == ' ' || *p == '\t'; p++)
        ;
    for (; *p >= '0' && *p <= '9' && v < UINT64_MAX / 16; p++)
        v = v * 10 + (uint64_t)(*p - '0');
    return v;
}

static uint64_t written_by(uint32_t pid)
{
    char text[512];
    return read_of(pid, "io", text, sizeof text) ? number_after(text, "wchar:") : 0;
}

/* Up to the process that is 1 in its own namespace. */
static void find_init(struct feeds *f, uint32_t pid)
{
    char text[2048];
    for (unsigned up = 0; !f->init && pid > 1 && up < 64; up++) {
        if (!read_of(pid, "status", text, sizeof text))
            return;
        const char *ids = strstr(text, "\nNSpid:"), *end = ids ? strchr(ids + 1, '\n') : NULL;
        if (end && end - ids > 2 && end[-1] == '1' && (end[-2] == '\t' || end[-2] == ' '))
            f->init = pid;
        pid = (uint32_t)number_after(text, "\nPPid:");
    }
}

void feeds_note(struct feeds *f, uint32_t pid)
{
    pid_t leader = caller_leader(pid);
    f->process = leader > 0 ? (uint32_t)leader : pid;
    f->before = written_by(f->process);
    f->due = AFTERWARDS;
    find_init(f, f->process);
}

static void add_children(struct picture *p, uint32_t parent, const char *thread)
{
    char file[64], text[4096];
    (void)snprintf(file, sizeof file, "task/%.20s/children", thread);
    (void)read_of(parent, file, text, sizeof text);
    for (char *at = text; *at >= '0' && *at <= '9' && p->count < PROCESSES_MAX;) {
        uint64_t pid = 0;
        for (; *at >= '0' && *at <= '9' && pid < UINT32_MAX; at++)
            pid = pid * 10 + (uint64_t)(*at - '0');
        p->processes[p->count++] = (struct process){ .pid = (uint32_t)pid, .parent = parent };
        at += *at == ' ';
    }
}

static void each_name(uint32_t pid, const char *directory, void (*fn)(void *context, uint32_t pid, const char *name),
                      void *context)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%u/%s", pid, directory);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            fn(context, pid, e->d_name);
    if (d)
        (void)closedir(d);
}

static void on_thread(void *context, uint32_t pid, const char *name)
{
    add_children(context, pid, name);
}

/* Of a terminal's master: its number. */
static uint64_t terminal_of(uint32_t pid, const char *fd)
{
    char file[64], text[512];
    (void)snprintf(file, sizeof file, "fdinfo/%.20s", fd);
    (void)read_of(pid, file, text, sizeof text);
    return number_after(text, "tty-index:");
}

static void on_descriptor(void *context, uint32_t pid, const char *name)
{
    struct process *p = context;
    char path[64];
    struct stat file, link;
    uint64_t fd = 255;
    (void)snprintf(path, sizeof path, "/proc/%u/fd/%.20s", pid, name);
    if (p->count == HELD_MAX || stat(path, &file) < 0 || lstat(path, &link) < 0)
        return;
    (void)parse_u64(name, &fd);
    struct held h = { .id = file.st_ino,
                      .fd = (uint8_t)MIN_OF(fd, UINT64_C(255)),
                      .reads = link.st_mode & S_IRUSR,
                      .writes = link.st_mode & S_IWUSR };
    if (S_ISFIFO(file.st_mode)) {
        h.kind = IS_PIPE;
    } else if (S_ISSOCK(file.st_mode)) {
        h.kind = IS_SOCKET;
    } else if (S_ISREG(file.st_mode)) {
        h.kind = IS_FILE;
    } else if (S_ISCHR(file.st_mode) && major(file.st_rdev) == 5 && minor(file.st_rdev) == 2) {
        h.kind = IS_MASTER;
        h.id = terminal_of(pid, name);
    } else if (S_ISCHR(file.st_mode) && major(file.st_rdev) >= 136 && major(file.st_rdev) < 144) {
        h.kind = IS_TERMINAL;
        h.id = (major(file.st_rdev) - 136) * 256u + minor(file.st_rdev);
    } else {
        return;
    }
    p->held[p->count++] = h;
}

static void take_picture(struct broker *b, struct picture *p, uint32_t init)
{
    p->count = 0;
    p->talk_count = traffic_talks(b, p->talks, FEEDS_TALKS);
    p->talk_count += udp_talks(b, p->talks + p->talk_count, FEEDS_TALKS - p->talk_count);
    each_name(init, "task", on_thread, p);
    for (uint32_t i = 0; i < p->count; i++) {
        each_name(p->processes[i].pid, "task", on_thread, p);
        each_name(p->processes[i].pid, "fd", on_descriptor, &p->processes[i]);
    }
}

/* --- chains ------------------------------------------------------------------------------------------------------- */

static const struct process *find(const struct picture *p, uint32_t pid)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->processes[i].pid == pid)
            return &p->processes[i];
    return NULL;
}

static bool is_below(const struct picture *p, const struct process *child, uint32_t pid)
{
    for (unsigned up = 0; child && up < PROCESSES_MAX; up++, child = find(p, child->parent))
        if (child->parent == pid)
            return true;
    return false;
}

static const struct held *held_at(const struct process *p, uint8_t fd)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->held[i].fd == fd)
            return &p->held[i];
    return NULL;
}

/* Is this the other end? writes: the end that what is read at `h` was written to; else the one that gets what is
 * written there. Two unix sockets made by socketpair(2) have neighbouring numbers; the kernel's book of them is of the
 * sandbox's own network, and ours of the host's. */
static bool is_other_end(const struct held *h, const struct held *g, bool writes)
{
    switch (h->kind) {
    case IS_PIPE:
    case IS_FILE:
        return g->kind == h->kind && g->id == h->id && (writes ? g->writes : g->reads);
    case IS_SOCKET:
        return g->kind == IS_SOCKET && (g->id == h->id + 1 || g->id + 1 == h->id);
    case IS_TERMINAL:
        return g->kind == IS_MASTER && g->id == h->id;
    default:
        return false;
    }
}

static bool holds_other_end(const struct process *p, const struct held *h, bool writes)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (is_other_end(h, &p->held[i], writes))
            return true;
    return false;
}

static bool talks_over(const struct process *p, const struct talk *t)
{
    if (!t->socket)
        return p->pid == t->pid;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->held[i].kind == IS_SOCKET && p->held[i].id == t->socket)
            return true;
    return false;
}

/* The process that has the connection t, and writes, perhaps by way of others, what is read at h of `reader` (or, with
 * !writes, gets what is written there). Others pass on what they read at any descriptor: cat FIFO, tail -f FILE. NULL:
 * there is none. */
static const struct process *follow(struct picture *p, const struct process *reader, const struct held *h,
                                    const struct talk *t, bool writes, unsigned hops)
{
    for (uint32_t i = 0; h && i < p->count && p->budget; i++) {
        const struct process *x = &p->processes[i];
        p->budget--;
        if (x == reader || !holds_other_end(x, h, writes) || is_below(p, x, reader->pid))
            continue;
        if (talks_over(x, t))
            return x;
        for (uint32_t k = 0; hops && k < x->count; k++) {
            const struct held *g = &x->held[k];
            const struct process *further = NULL;
            if (g->id != h->id && (writes ? g->reads : g->writes))
                further = follow(p, x, g, t, writes, hops - 1);
            if (further)
                return further;
        }
    }
    return NULL;
}

static const struct process *chain(const struct process *shell, const struct held *h, const struct talk *t, bool writes)
{
    picture.budget = STEPS_MAX;
    return follow(&picture, shell, h, t, writes, HOPS_MAX);
}

/* --- telling ------------------------------------------------------------------------------------------------------ */

static struct fed *fed_of(struct feeds *f, uint32_t pid, uint64_t connection)
{
    for (size_t i = 0; i < ARRAY_LEN(f->fed); i++)
        if (f->fed[i].pid == pid && f->fed[i].connection == connection)
            return &f->fed[i];
    struct fed *new = &f->fed[f->next_fed++ % ARRAY_LEN(f->fed)];
    *new = (struct fed){ .pid = pid, .connection = connection };
    return new;
}

static size_t arguments_of(uint32_t pid, char out[static WATCH_ARGV_MAX])
{
    size_t n = read_of(pid, "cmdline", out, WATCH_ARGV_MAX);
    while (n && !out[n - 1])
        n--;
    for (size_t i = 0; i < n; i++)
        if (!out[i])
            out[i] = WATCH_ARGV_SEPARATOR;
    return n;
}

/* A shell's own child that has executed nothing is that shell: $(...), a loop behind a pipe. */
static bool is_itself_a_program(const struct process *p, const char *argv)
{
    char parents[WATCH_ARGV_MAX];
    return !arguments_of(p->parent, parents) || !str_eq(parents, argv);
}

static void tell(struct broker *b, const struct process *shell, const struct process *from, const struct talk *t,
                 uint64_t written, const char *argv)
{
    char path[64], name[WATCH_TEXT_MAX];
    struct watch_event e = t->event;
    (void)snprintf(path, sizeof path, "/proc/%u/exe", shell->pid);
    ssize_t n = readlink(path, name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    e.at_us = notify_event(&b->notify, &(struct seccomp_notif){ 0 }, WATCH_FEED).at_us;
    e.kind = WATCH_FEED;
    e.nr = e.error = 0;
    e.pid = shell->pid;
    e.args[0] = from->pid;
    e.args[1] = written;
    e.text = name;
    e.argv = argv;
    if (chain(shell, held_at(shell, 1), t, false) == from)
        e.flags |= WATCH_ANSWERS;
    notify_tell(&b->notify, &e);
}

/* True: it has not come to rest. */
static bool look_at(struct broker *b, struct feeds *f, const struct process *shell, const struct talk *t, bool at_once)
{
    char argv[WATCH_ARGV_MAX];
    const struct held *in = held_at(shell, 0);
    const struct process *from = in ? chain(shell, in, t, true) : NULL;
    if (!from || !arguments_of(shell->pid, argv) || !is_itself_a_program(shell, argv))
        return false;
    struct fed *fed = fed_of(f, shell->pid, t->event.connection);
    uint64_t written = written_by(from->pid);
    if (from->pid == t->pid)
        written -= MIN_OF(written, t->before);
    const bool is_told = fed->in == t->event.bytes_in && fed->out == t->event.bytes_out && fed->written == written;
    const bool rests = fed->seen_in == t->event.bytes_in && fed->seen_out == t->event.bytes_out &&
                       fed->seen_written == written;
    fed->seen_in = t->event.bytes_in, fed->seen_out = t->event.bytes_out, fed->seen_written = written;
    if (is_told || (!rests && !at_once))
        return !is_told;
    fed->in = t->event.bytes_in, fed->out = t->event.bytes_out, fed->written = written;
    tell(b, shell, from, t, written, argv);
    return false;
}

static void look(struct broker *b, struct feeds *f, bool at_once)
{
    uint64_t begin = clock_us();
    take_picture(b, &picture, f->init);
    f->due -= f->due > 0;
    f->bytes = traffic_received(b);
    for (size_t k = 0; k < picture.talk_count; k++)
        for (uint32_t i = 0; i < picture.count; i++)
            if (look_at(b, f, &picture.processes[i], &picture.talks[k], at_once))
                f->due = MAX_OF(f->due, 1u);
    uint64_t now = clock_us();
    f->next_ms = now / 1000 + MAX_OF((now - begin) * SHARE / 1000, (uint64_t)AT_LEAST_MS);
}

/* The text of sh -c; NULL: it is no such call. */
static char *command_of(char *argv, size_t *ret_size)
{
    static const char option[] = { WATCH_ARGV_SEPARATOR, '-', 'c', WATCH_ARGV_SEPARATOR, '\0' };
    char *p = strstr(argv, option);
    size_t n = p ? strlen(p + 4) : 0;
    if (n > 5 && str_eq(p + 4 + n - 5, " 2>&1")) /* what Perl's backticks are told beside the command */
        n -= 5;
    *ret_size = n;
    return n ? p + 4 : NULL;
}

static void look_for_command(struct broker *b, struct feeds *f, const struct seccomp_notif *ask)
{
    char argv[WATCH_ARGV_MAX];
    size_t size = 0;
    const uint64_t received = traffic_received(b), came = received - MIN_OF(f->at_exec, received);
    f->at_exec = received;
    if (!came || f->searches >= SEARCHES_MAX)
        return;
    notify_read_argv(ask->pid, ask->data.args[ask->data.nr == NR_execveat ? 2 : 1], argv);
    const char *command = command_of(argv, &size);
    if (!command || size < 2 || size > COMMAND_MAX || came > size + BESIDE_MAX)
        return;
    f->searches++;
    const enum words_place place = words_find_text(ask->pid, command, size);
    if (place == WORDS_NOWHERE)
        return;
    struct watch_event e = notify_event(&b->notify, ask, WATCH_FEED);
    e.flags = place == WORDS_LINE ? WATCH_AS_CAME : WATCH_AS_STRING;
    notify_tell(&b->notify, &e);
}

void feeds_before_exec(struct broker *b, struct feeds *f, const struct seccomp_notif *ask, uint64_t now_ms)
{
    if (!b->live_connections)
        return;
    traffic_tell(b);
    udp_tick(b, now_ms);
    look_for_command(b, f, ask);
    if (f->init && now_ms + AT_LEAST_MS - EXEC_MS >= f->next_ms)
        look(b, f, true);
    f->due = AFTERWARDS;
}

void feeds_tick(struct broker *b, struct feeds *f, uint64_t now_ms)
{
    if (!f->init || !b->live_connections || now_ms < f->next_ms)
        return;
    if (traffic_received(b) != f->bytes)
        f->due = AFTERWARDS;
    if (f->due)
        look(b, f, false);
}
