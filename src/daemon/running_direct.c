/* running_direct.c - runs that a sandbox-agent of this machine does by itself, as /proc shows them: its child is a
 * sandbox-launcher, whose descendants are the sandbox. Their names and arguments are their users' own words. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/parse.h"
#include "daemon/running_rows.h"

#define LAUNCHER_COMM "sandbox-launche" /* the kernel keeps 15 bytes */
#define PROCESS_MAX   65536u

struct process {
    pid_t pid, parent;
    char comm[16];
    uint64_t ticks, start_ticks, rss_pages, threads; /* ticks: with those of its dead children */
};
struct table {
    struct process *list;
    size_t count;
};

static ssize_t read_file(const char *proc, pid_t pid, const char *name, char *to, size_t size)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%d/%s", proc, (int)pid, name);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, to, size - 1);
    to[n > 0 ? n : 0] = '\0';
    return n;
}

/* The n-th word from 1, as a number; 0: none. */
static uint64_t word(const char *text, unsigned n)
{
    char digits[24] = "";
    uint64_t v;
    while (n-- > 1 && (text = strchr(text, ' ')))
        text++;
    if (!text)
        return 0;
    const size_t size = strcspn(text, " \n");
    if (size >= sizeof digits)
        return 0;
    memcpy(digits, text, size);
    return parse_u64(digits, &v) < 0 ? 0 : v;
}

/* «PID (COMM) S PPID …»: COMM may have blanks and brackets, so fields are counted from its last bracket. */
static bool read_process(const char *proc, pid_t pid, struct process *ret)
{
    char text[1024];
    if (read_file(proc, pid, "stat", text, sizeof text) <= 0)
        return false;
    char *open_ = strchr(text, '('), *close_ = strrchr(text, ')');
    if (!open_ || !close_ || close_ < open_ || close_[1] != ' ')
        return false;
    *close_ = '\0';
    const char *rest = close_ + 2; /* field 3, the state */
    *ret = (struct process){ .pid = pid,
                             .parent = (pid_t)word(rest, 2),
                             .ticks = word(rest, 12) + word(rest, 13) + word(rest, 14) + word(rest, 15),
                             .threads = word(rest, 18),
                             .start_ticks = word(rest, 20),
                             .rss_pages = word(rest, 22) };
    (void)snprintf(ret->comm, sizeof ret->comm, "%s", open_ + 1);
    return true;
}

static void read_table(const char *proc, struct table *t)
{
    DIR *d = opendir(proc);
    for (struct dirent *entry; d && t->count < PROCESS_MAX && (entry = readdir(d));) {
        uint64_t pid;
        if (parse_u64(entry->d_name, &pid) < 0 || !pid || pid > INT32_MAX)
            continue;
        if (t->count % 256 == 0) {
            struct process *more = realloc(t->list, (t->count + 256) * sizeof *more);
            if (!more)
                break;
            t->list = more;
        }
        t->count += read_process(proc, (pid_t)pid, &t->list[t->count]);
    }
    if (d)
        (void)closedir(d);
}

static const struct process *find(const struct table *t, pid_t pid)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].pid == pid)
            return &t->list[i];
    return NULL;
}

#define DEPTH_MAX 64u
static bool is_below(const struct table *t, const struct process *p, pid_t over)
{
    for (unsigned i = 0; p && i < DEPTH_MAX; i++, p = find(t, p->parent))
        if (p->parent == over)
            return true;
    return false;
}

/* --option VALUE or --option=VALUE of a command line, whose words end with a NUL each. */
static void take_option(const char *words, size_t size, const char *option, char *to, size_t to_size)
{
    const size_t n = strlen(option);
    for (const char *w = words; w < words + size && !str_eq(w, "--"); w += strlen(w) + 1) {
        const char *next = w + strlen(w) + 1;
        if (strncmp(w, option, n) != 0 || (w[n] && w[n] != '='))
            continue;
        (void)snprintf(to, to_size, "%s", w[n] ? w + n + 1 : next < words + size ? next : "");
    }
}

static void add_use(const struct table *t, pid_t launcher, struct live_usage *u)
{
    const uint64_t tick_us = 1000000 / (uint64_t)MAX_OF(sysconf(_SC_CLK_TCK), 1L);
    const uint64_t page = (uint64_t)MAX_OF(sysconf(_SC_PAGESIZE), 1L);
    for (size_t i = 0; i < t->count; i++) {
        const struct process *p = &t->list[i];
        if (!is_below(t, p, launcher))
            continue;
        u->cpu_us += p->ticks * tick_us;
        u->memory_bytes += p->rss_pages * page;
        u->pids += (uint32_t)p->threads;
    }
}

static uint64_t uptime_ms(const char *proc)
{
    char path[300], text[64] = "";
    (void)snprintf(path, sizeof path, "%s/uptime", proc);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    uint64_t s = 0, hundredths = 0;
    if (n <= 0)
        return 0;
    char *dot = strchr(text, '.');
    if (dot)
        *dot = '\0', dot[1 + strspn(dot + 1, "0123456789")] = '\0';
    (void)parse_u64(text, &s); /* 0 where it cannot be read */
    if (dot)
        (void)parse_u64(dot + 1, &hundredths);
    return s * 1000 + hundredths * 10;
}

static void add_run(struct running *r, const char *proc, const struct table *t, const struct process *agent,
                    const struct process *launcher, uint64_t up_ms)
{
    char words[8192];
    const uint64_t began_ms = agent->start_ticks * 1000 / (uint64_t)MAX_OF(sysconf(_SC_CLK_TCK), 1L);
    struct running_row *to = running_add(r);
    if (!to)
        return;
    *to = (struct running_row){ .kind = RUNNING_DIRECT, .pid = agent->pid, .has_usage = true };
    (void)snprintf(to->id, sizeof to->id, "%d", (int)agent->pid);
    (void)snprintf(to->state, sizeof to->state, "running");
    const ssize_t size = read_file(proc, agent->pid, "cmdline", words, sizeof words);
    if (size > 0) {
        take_option(words, (size_t)size, "--agent-id", to->agent, sizeof to->agent);
        take_option(words, (size_t)size, "--language", to->language, sizeof to->language);
        take_option(words, (size_t)size, "--risk-level", to->level, sizeof to->level);
    }
    to->age_ms = up_ms > began_ms ? up_ms - began_ms : 0;
    to->usage.at_us = MAX_OF(to->age_ms, UINT64_C(1)) * 1000;
    add_use(t, launcher->pid, &to->usage);
}

void running_add_direct(struct running *r, const char *proc)
{
    struct table t = { 0 };
    const uint64_t up_ms = uptime_ms(proc);
    read_table(proc, &t);
    for (size_t i = 0; i < t.count; i++) {
        const struct process *launcher = &t.list[i], *agent = find(&t, launcher->parent);
        if (str_eq(launcher->comm, LAUNCHER_COMM) && agent && str_eq(agent->comm, RUNNING_AGENT_COMM))
            add_run(r, proc, &t, agent, launcher, up_ms);
    }
    free(t.list);
}
