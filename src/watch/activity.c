#include "watch/activity.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include "base/json.h"
#include "filter/syscalls.h"

#define MAX_CALLS       64u
#define MAX_PROGRAMS    64u
#define MAX_FILES       64u
#define MAX_CONNECTIONS 256u
#define MAX_NAMES       64u
#define MAX_PROCESSES   64u
#define MAX_POINTS      64u /* of the curves of CPU and memory; even, since pairs become one */

struct call {
    uint32_t nr, error, count;
};
struct program {
    char path[256], argv[512];
    uint32_t count;
};
struct file {
    char path[256];
    uint32_t flags, count;
};
struct connection {
    uint64_t number, bytes_out, bytes_in, address[2];
    uint32_t count, error;
    uint16_t port;
    uint8_t family, protocol, verdict;
    char name[128], rule[128];
};
struct name {
    char name[254], rule[128];
    uint8_t verdict;
    uint32_t count;
};

#define NO_PROGRAM UINT32_MAX
struct process {
    uint64_t at_us;
    uint32_t pid, inside, parent; /* parent: as the supervisor sees it */
    uint32_t program;             /* in `programs`; NO_PROGRAM: it has executed none, or one that did not fit */
};
/* Some samples in a row: the last time and CPU, the most of the others. */
struct point {
    uint64_t at_us, cpu_us, memory_bytes;
    uint32_t pids, samples;
};

/* Lists are filled entry by entry: only what stands before them begins as zeros. */
struct activity {
    uint32_t call_count, program_count, file_count, connection_count, name_count, process_count, point_count, omitted;
    uint32_t per_point; /* samples; doubles when the points are used up. 0 is 1 */
    uint64_t lost, peak_memory_bytes, cpu_us;
    uint32_t peak_pids;
    struct call calls[MAX_CALLS];
    struct program programs[MAX_PROGRAMS];
    struct file files[MAX_FILES];
    struct connection connections[MAX_CONNECTIONS];
    struct name names[MAX_NAMES];
    struct process processes[MAX_PROCESSES];
    struct point points[MAX_POINTS];
};

struct activity *activity_new(void)
{
    struct activity *a = malloc(sizeof *a);
    if (a)
        memset(a, 0, offsetof(struct activity, calls));
    return a;
}

struct activity *activity_free(struct activity *a)
{
    free(a);
    return NULL;
}

static void copy(char *out, size_t size, const char *text)
{
    size_t n = text ? strnlen(text, size - 1) : 0;
    memcpy(out, text ? text : "", n);
    out[n] = '\0';
}

static bool is_cut_of(const char *kept, size_t size, const char *text)
{
    return strncmp(kept, text ? text : "", size - 1) == 0;
}

/* --- adding ------------------------------------------------------------------------------------------- */

static void add_call(struct activity *a, const struct watch_event *e)
{
    for (uint32_t i = 0; i < a->call_count; i++)
        if (a->calls[i].nr == e->nr && a->calls[i].error == e->error) {
            a->calls[i].count++;
            return;
        }
    if (a->call_count == MAX_CALLS)
        a->omitted++;
    else
        a->calls[a->call_count++] = (struct call){ e->nr, e->error, 1 };
}

/* Its place in the list; NO_PROGRAM: the list is full. */
static uint32_t add_program(struct activity *a, const struct watch_event *e)
{
    for (uint32_t i = 0; i < a->program_count; i++) {
        struct program *p = &a->programs[i];
        if (is_cut_of(p->path, sizeof p->path, e->text) && is_cut_of(p->argv, sizeof p->argv, e->argv)) {
            p->count++;
            return i;
        }
    }
    if (a->program_count == MAX_PROGRAMS) {
        a->omitted++;
        return NO_PROGRAM;
    }
    struct program *p = &a->programs[a->program_count];
    copy(p->path, sizeof p->path, e->text);
    copy(p->argv, sizeof p->argv, e->argv);
    p->count = 1;
    return a->program_count++;
}

/* The newest of that pid: a process that executes a second program has a second entry. */
static const struct process *find_process(const struct activity *a, uint32_t pid)
{
    for (uint32_t i = a->process_count; i-- > 0;)
        if (a->processes[i].pid == pid)
            return &a->processes[i];
    return NULL;
}

/* A process that only asks for something is listed, too: its children name it as their parent. */
static void add_process(struct activity *a, const struct watch_event *e, uint32_t program)
{
    const struct process *known = find_process(a, e->pid);
    if (!e->pid || (known && program == NO_PROGRAM))
        return;
    if (known && known->program == NO_PROGRAM) {
        a->processes[known - a->processes].program = program;
    } else if (a->process_count < MAX_PROCESSES) {
        a->processes[a->process_count++] = (struct process){ e->at_us, e->pid, e->inside, e->parent, program };
    } else if (program != NO_PROGRAM) {
        a->omitted++;
    }
}

static void add_file(struct activity *a, const struct watch_event *e)
{
    for (uint32_t i = 0; i < a->file_count; i++)
        if (a->files[i].flags == e->flags && is_cut_of(a->files[i].path, sizeof a->files[i].path, e->text)) {
            a->files[i].count++;
            return;
        }
    if (a->file_count == MAX_FILES) {
        a->omitted++;
        return;
    }
    struct file *f = &a->files[a->file_count++];
    copy(f->path, sizeof f->path, e->text);
    f->flags = e->flags;
    f->count = 1;
}

/* The same target under the same verdict is one line, whose bytes add up as its connections end. */
static struct connection *find_connection(struct activity *a, const struct watch_event *e)
{
    for (uint32_t i = 0; i < a->connection_count; i++) {
        struct connection *c = &a->connections[i];
        if (c->port == e->port && c->family == e->family && c->protocol == e->protocol && c->verdict == e->verdict &&
            c->address[0] == e->address[0] && c->address[1] == e->address[1])
            return c;
    }
    return NULL;
}

static void add_connection(struct activity *a, const struct watch_event *e)
{
    struct connection *c = find_connection(a, e);
    if (!c && a->connection_count == MAX_CONNECTIONS) {
        a->omitted++;
        return;
    }
    if (!c) {
        c = &a->connections[a->connection_count++];
        *c = (struct connection){ .port = e->port,
                                  .family = e->family,
                                  .protocol = e->protocol,
                                  .verdict = e->verdict,
                                  .address = { e->address[0], e->address[1] },
                                  .error = e->error };
        copy(c->name, sizeof c->name, e->name);
        copy(c->rule, sizeof c->rule, e->text);
    }
    c->count++;
}

static void add_bytes(struct activity *a, const struct watch_event *e)
{
    struct connection *c = find_connection(a, e);
    if (!c || e->kind != WATCH_CLOSED)
        return;
    c->bytes_out += e->bytes_out;
    c->bytes_in += e->bytes_in;
}

static void add_name(struct activity *a, const struct watch_event *e)
{
    for (uint32_t i = 0; i < a->name_count; i++)
        if (a->names[i].verdict == e->verdict && is_cut_of(a->names[i].name, sizeof a->names[i].name, e->name)) {
            a->names[i].count++;
            return;
        }
    if (a->name_count == MAX_NAMES) {
        a->omitted++;
        return;
    }
    struct name *n = &a->names[a->name_count++];
    copy(n->name, sizeof n->name, e->name);
    copy(n->rule, sizeof n->rule, e->text);
    n->verdict = e->verdict;
    n->count = 1;
}

static struct point merged(struct point a, const struct point *b)
{
    return (struct point){ .at_us = b->at_us,
                           .cpu_us = MAX_OF(a.cpu_us, b->cpu_us),
                           .memory_bytes = MAX_OF(a.memory_bytes, b->memory_bytes),
                           .pids = MAX_OF(a.pids, b->pids),
                           .samples = a.samples + b->samples };
}

/* The curves have at most MAX_POINTS points, however long the run is: twice as long, half as fine. */
static void add_point(struct activity *a, const struct point *now)
{
    struct point *last = a->point_count ? &a->points[a->point_count - 1] : NULL;
    if (last && last->samples < MAX_OF(a->per_point, 1U)) {
        *last = merged(*last, now);
        return;
    }
    if (a->point_count == MAX_POINTS) {
        for (uint32_t i = 0; i < MAX_POINTS / 2; i++)
            a->points[i] = merged(a->points[2 * i], &a->points[2 * i + 1]);
        a->point_count = MAX_POINTS / 2;
        a->per_point = 2 * MAX_OF(a->per_point, 1U);
    }
    a->points[a->point_count++] = *now;
}

static void add_sample(struct activity *a, const struct watch_event *e)
{
    a->cpu_us = MAX_OF(a->cpu_us, e->cpu_us);
    a->peak_memory_bytes = MAX_OF(a->peak_memory_bytes, e->memory_bytes);
    a->peak_pids = MAX_OF(a->peak_pids, e->pids);
    add_point(a, &(struct point){ e->at_us, e->cpu_us, e->memory_bytes, e->pids, 1 });
}

void activity_add(struct activity *a, const struct watch_event *e)
{
    const bool is_program = e->kind == WATCH_EXEC && !e->error;
    add_process(a, e, is_program ? add_program(a, e) : NO_PROGRAM);
    switch ((enum watch_kind)e->kind) {
    case WATCH_EXEC:
        if (is_program)
            add_call(a, e);
        break;
    case WATCH_CALL:
    case WATCH_SOCKET:
    case WATCH_BIND:
    case WATCH_LISTEN:
        add_call(a, e);
        break;
    case WATCH_CONNECT:
        add_connection(a, e), add_call(a, e);
        break;
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        add_bytes(a, e);
        break;
    case WATCH_NAME:
        add_name(a, e);
        break;
    case WATCH_FILE:
        add_file(a, e);
        break;
    case WATCH_SAMPLE:
        add_sample(a, e);
        break;
    case WATCH_LOST:
        a->lost += e->args[0];
        break;
    case WATCH_LIMIT:
    case WATCH_WORDS:
    case WATCH_FEED:
    case WATCH_END:
    case WATCH_BEGUN:
    case WATCH_STARTING:
    case WATCH_KIND_COUNT:
        break;
    }
}

/* --- printing ------------------------------------------------------------------------------------------ */

static void put_calls(const struct activity *a, uint32_t max, struct buf *b)
{
    json_key(b, "calls"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->call_count, max); i++) {
        const struct call *c = &a->calls[i];
        const char *name = syscall_name((int)c->nr);
        json_open(b, '{');
        json_key(b, "call"), json_put_string(b, name ? name : "?");
        json_key(b, "refused"), json_bool(b, c->error != 0);
        json_key(b, "count"), json_uint(b, c->count);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_arguments(const char *argv, struct buf *b)
{
    json_key(b, "arguments"), json_open(b, '[');
    for (const char *p = argv; *p;) {
        size_t n = strcspn(p, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
        json_bytes(b, p, n);
        p += n + (p[n] != '\0');
    }
    json_close(b, ']');
}

static void put_programs(const struct activity *a, uint32_t max, struct buf *b)
{
    json_key(b, "programs"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->program_count, max); i++) {
        json_open(b, '{');
        json_key(b, "path"), json_put_string(b, a->programs[i].path);
        put_arguments(a->programs[i].argv, b);
        json_key(b, "count"), json_uint(b, a->programs[i].count);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_files(const struct activity *a, uint32_t max, struct buf *b)
{
    json_key(b, "files"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->file_count, max); i++) {
        const struct file *f = &a->files[i];
        json_open(b, '{');
        json_key(b, "path"), json_put_string(b, f->path);
        json_key(b, "how"), json_put_string(b, f->flags & WATCH_CANARY        ? "canary"
                                               : f->flags & WATCH_FOR_WRITING ? "write"
                                                                              : "read");
        json_key(b, "sensitive"), json_bool(b, f->flags & (WATCH_SENSITIVE | WATCH_CANARY));
        json_key(b, "count"), json_uint(b, f->count);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_connection(const struct connection *c, struct buf *b)
{
    char address[INET6_ADDRSTRLEN] = "?";
    (void)inet_ntop(c->family == AF_INET6 ? AF_INET6 : AF_INET, c->address, address, sizeof address);
    json_open(b, '{');
    json_key(b, "name"), json_put_string(b, c->name[0] ? c->name : NULL);
    json_key(b, "address"), json_put_string(b, address);
    json_key(b, "port"), json_uint(b, c->port);
    json_key(b, "protocol"), json_put_string(b, c->protocol == 17 ? "udp" : "tcp");
    json_key(b, "verdict"), json_put_string(b, c->verdict == WATCH_ALLOWED ? "allowed" : "refused");
    json_key(b, "rule"), json_put_string(b, c->rule[0] ? c->rule : NULL);
    json_key(b, "count"), json_uint(b, c->count);
    json_key(b, "bytes_out"), json_uint(b, c->bytes_out);
    json_key(b, "bytes_in"), json_uint(b, c->bytes_in);
    json_close(b, '}');
}

static void put_names(const struct activity *a, uint32_t max, struct buf *b)
{
    json_key(b, "names"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->name_count, max); i++) {
        const struct name *n = &a->names[i];
        json_open(b, '{');
        json_key(b, "name"), json_put_string(b, n->name);
        json_key(b, "verdict"), json_put_string(b, n->verdict == WATCH_ALLOWED ? "allowed" : "refused");
        json_key(b, "rule"), json_put_string(b, n->rule[0] ? n->rule : NULL);
        json_key(b, "count"), json_uint(b, n->count);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_processes(const struct activity *a, uint32_t max, struct buf *b)
{
    json_key(b, "processes"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->process_count, max); i++) {
        const struct process *p = &a->processes[i], *parent = p->parent ? find_process(a, p->parent) : NULL;
        json_open(b, '{');
        json_key(b, "pid"), json_uint(b, p->inside ? p->inside : p->pid);
        json_key(b, "parent");
        if (parent)
            json_uint(b, parent->inside ? parent->inside : parent->pid);
        else
            json_put_null(b);
        json_key(b, "program");
        if (p->program < MIN_OF(a->program_count, max))
            json_uint(b, p->program);
        else
            json_put_null(b);
        json_key(b, "at_ms"), json_milli(b, p->at_us);
        json_close(b, '}');
    }
    json_close(b, ']');
}

/* Parallel lists: a quarter of the bytes of objects. Points in between go into the next one that is told. */
static void put_points(const struct activity *a, uint32_t max, struct buf *b)
{
    const uint32_t group = (uint32_t)(((uint64_t)a->point_count + max - 1) / max);
    struct point told[MAX_POINTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->point_count; i++) {
        if (count && i % group)
            told[count - 1] = merged(told[count - 1], &a->points[i]);
        else
            told[count++] = a->points[i];
    }
    json_key(b, "samples"), json_open(b, '{');
    json_key(b, "at_ms"), json_open(b, '[');
    for (uint32_t i = 0; i < count; i++)
        json_uint(b, told[i].at_us / 1000);
    json_close(b, ']'), json_key(b, "cpu_ms"), json_open(b, '[');
    for (uint32_t i = 0; i < count; i++)
        json_uint(b, told[i].cpu_us / 1000);
    json_close(b, ']'), json_key(b, "memory_bytes"), json_open(b, '[');
    for (uint32_t i = 0; i < count; i++)
        json_uint(b, told[i].memory_bytes);
    json_close(b, ']'), json_key(b, "pids"), json_open(b, '[');
    for (uint32_t i = 0; i < count; i++)
        json_uint(b, told[i].pids);
    json_close(b, ']'), json_close(b, '}');
}

static uint32_t beyond(uint32_t count, uint32_t max)
{
    return count > max ? count - max : 0;
}

void activity_print(const struct activity *a, uint32_t max, struct buf *b)
{
    uint32_t omitted = a->omitted + beyond(a->call_count, max) + beyond(a->program_count, max) +
                       beyond(a->file_count, max) + beyond(a->connection_count, max) + beyond(a->name_count, max) +
                       beyond(a->process_count, max);
    json_open(b, '{');
    put_calls(a, max, b);
    put_programs(a, max, b);
    put_processes(a, max, b);
    put_files(a, max, b);
    json_key(b, "connections"), json_open(b, '[');
    for (uint32_t i = 0; i < MIN_OF(a->connection_count, max); i++)
        put_connection(&a->connections[i], b);
    json_close(b, ']');
    put_names(a, max, b);
    json_key(b, "peak"), json_open(b, '{');
    json_key(b, "memory_bytes"), json_uint(b, a->peak_memory_bytes);
    json_key(b, "pids"), json_uint(b, a->peak_pids);
    json_key(b, "cpu_ms"), json_milli(b, a->cpu_us);
    json_close(b, '}');
    put_points(a, max, b);
    json_key(b, "omitted"), json_uint(b, omitted);
    json_key(b, "events_lost"), json_uint(b, a->lost);
    json_close(b, '}');
}
