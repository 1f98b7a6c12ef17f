/* measure.c - memory and CPU limits by looking, for machines where no cgroup is ours to use.
 *
 * Weaker than a cgroup and said so in `isolation`: between two samples a process can overshoot, and shared pages count
 * once per process. Memory has to be asked for before it can be used: while more is asked for than the limit, we look
 * every two milliseconds. CPU is held by stopping everything inside
 * whenever it is ahead of its share.
 */
#include "launch/run.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include "base/parse.h"

#define MAX_PIDS    4096
#define WAITING_MAX 64 /* processes whose waiting is summed: the oldest */

static pid_t list[MAX_PIDS]; /* scratch: one thread, no recursion */

static ssize_t read_proc(pid_t pid, const char *file, char *out, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    return n;
}

/* The n-th blank-separated number (from 0) of text; 0 if there is none. */
static uint64_t field(const char *text, unsigned n)
{
    uint64_t v = 0;
    while (n--) {
        text = strchr(text, ' ');
        if (!text)
            return 0;
        text++;
    }
    char number[24];
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits >= sizeof number)
        return 0;
    memcpy(number, text, digits);
    number[digits] = '\0';
    return parse_u64(number, &v) == 0 ? v : 0;
}

static size_t add_thread_children(pid_t pid, const char *thread, pid_t *into, size_t count)
{
    char path[64], text[8192];
    (void)snprintf(path, sizeof path, "task/%s/children", thread);
    if (read_proc(pid, path, text, sizeof text) <= 0)
        return count;
    for (const char *p = text; *p && count < MAX_PIDS;) {
        uint64_t child = field(p, 0);
        if (child)
            into[count++] = (pid_t)child;
        p = strchr(p, ' ');
        if (!p)
            break;
        p++;
    }
    return count;
}

/* A child hangs below the thread that forked it. */
static size_t add_children(pid_t pid, pid_t *into, size_t count)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            count = add_thread_children(pid, e->d_name, into, count);
    if (d)
        (void)closedir(d);
    return count;
}

/* Everything inside descends from init. */
static size_t list_inside(pid_t init, pid_t *into)
{
    size_t count = add_children(init, into, 0);
    for (size_t i = 0; i < count; i++)
        count = add_children(into[i], into, count);
    return count;
}

static uint64_t cpu_us_of(pid_t pid, bool with_children)
{
    char text[1024];
    if (read_proc(pid, "stat", text, sizeof text) <= 0)
        return 0;
    const char *after_name = strrchr(text, ')'); /* the name may hold anything: proc_pid_stat(5) */
    if (!after_name || after_name[1] != ' ')
        return 0;
    /* fields 14, 15 (own) and 16, 17 (waited-for children), counted from field 3 behind the name */
    const char *f = after_name + 2;
    uint64_t ticks = field(f, 11) + field(f, 12);
    if (with_children)
        ticks += field(f, 13) + field(f, 14);
    return ticks * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

static void hold_cpu(struct run *r, size_t count, uint64_t now)
{
    uint64_t allowed = (now - r->start_us) * r->shape.cpu_milli / 1000 + 500 * 1000;
    bool is_ahead = r->measure.cpu_us > allowed;
    if (!is_ahead && !r->measure.is_stopped)
        return;
    /* ahead: at each look anew, for processes that were born between our look and the signal, or went on by another
     * process's
     */
    for (size_t i = 0; i < count; i++)
        (void)kill(list[i], is_ahead ? SIGSTOP : SIGCONT);
    r->measure.is_stopped = is_ahead;
}

/* file: its stat, or a thread's. ret_threads: of the process, or NULL; fields 3 and 20 of proc_pid_stat(5). */
static bool may_go_on(pid_t pid, const char *file, uint64_t *ret_threads)
{
    char text[1024];
    const char *after_name = read_proc(pid, file, text, sizeof text) > 0 ? strrchr(text, ')') : NULL;
    const bool is_known = after_name && after_name[1] == ' ';
    if (ret_threads)
        *ret_threads = is_known ? field(after_name + 2, 17) : 0;
    return is_known && !strchr("TtZX", after_name[2]);
}

/* A process is as its first thread says, which may have ended (Z) while others run. */
static bool runs(pid_t pid)
{
    char path[64];
    uint64_t threads;
    bool is_running = may_go_on(pid, "stat", &threads);
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = is_running || threads < 2 ? NULL : opendir(path);
    for (struct dirent *e; d && !is_running && (e = readdir(d));) {
        (void)snprintf(path, sizeof path, "task/%.20s/stat", e->d_name);
        is_running = e->d_name[0] != '.' && may_go_on(pid, path, NULL);
    }
    if (d)
        (void)closedir(d);
    return is_running;
}

bool measure_stop(const struct run *r)
{
    const size_t count = list_inside(r->pid, list);
    bool had_to = false;
    for (size_t i = 0; i < count; i++)
        if (runs(list[i])) {
            had_to = true;
            (void)kill(list[i], SIGSTOP);
        }
    return !had_to;
}

void measure_continue(const struct run *r)
{
    const size_t count = list_inside(r->pid, list);
    for (size_t i = 0; i < count; i++)
        (void)kill(list[i], SIGCONT);
}

uint32_t measure_processes(const struct run *r)
{
    return (uint32_t)list_inside(r->pid, list);
}

uint64_t measure_cpu_us(const struct run *r)
{
    uint64_t cpu = r->pid ? cpu_us_of(r->pid, true) : 0;
    size_t count = r->pid ? list_inside(r->pid, list) : 0;
    for (size_t i = 0; i < count; i++)
        cpu += cpu_us_of(list[i], true);
    return cpu;
}

/* schedstat: time on a processor, time waited for one (ns), slices; sched-stats(7) of the kernel's documents. That of a
 * process is its first thread's. */
static uint64_t wait_us_of(pid_t pid)
{
    char path[64], text[96];
    uint64_t ns = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        (void)snprintf(path, sizeof path, "task/%.20s/schedstat", e->d_name);
        if (e->d_name[0] != '.' && read_proc(pid, path, text, sizeof text) > 0)
            ns += field(text, 1);
    }
    if (d)
        (void)closedir(d);
    return ns / 1000;
}

uint64_t measure_wait_us(const struct run *r)
{
    uint64_t wait = 0;
    size_t count = r->pid ? MIN_OF(list_inside(r->pid, list), (size_t)WAITING_MAX) : 0;
    for (size_t i = 0; i < count; i++)
        wait += wait_us_of(list[i]);
    return wait;
}

void measure_tick(struct run *r, uint64_t now)
{
    uint64_t bytes = 0, asked = 0, cpu = cpu_us_of(r->pid, true);
    size_t count = list_inside(r->pid, list);
    for (size_t i = 0; i < count; i++) {
        char text[128];
        if (read_proc(list[i], "statm", text, sizeof text) > 0)
            bytes += field(text, 1) * (uint64_t)sysconf(_SC_PAGESIZE),
                asked += field(text, 5) * (uint64_t)sysconf(_SC_PAGESIZE);
        cpu += cpu_us_of(list[i], true);
    }
    r->measure.cpu_us = MAX_OF(r->measure.cpu_us, cpu);
    r->measure.peak_bytes = MAX_OF(r->measure.peak_bytes, bytes);
    r->measure.bytes = bytes;
    r->measure.pids = (uint32_t)count;
    r->measure.is_close = r->shape.memory_bytes && asked > r->shape.memory_bytes;
    if (r->shape.memory_bytes && bytes > r->shape.memory_bytes)
        run_kill(r, REASON_OOM);
    else if (r->freeze.is_wanted)
        (void)measure_stop(r); /* it may not be continued before it is resumed */
    else if (r->shape.cpu_milli)
        hold_cpu(r, count, now);
}
