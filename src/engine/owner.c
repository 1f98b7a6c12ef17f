#include "engine/owner.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/parse.h"
#include "base/process.h"

static void read_line(const char *path, char *out, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, out, size - 1);
    out[MAX_OF(n, 0)] = '\0';
    out[strspn(out, "0123456789abcdef-")] = '\0';
}

void owner_of_self(struct owner *ret)
{
    struct stat st;
    *ret = (struct owner){ .pid = (uint64_t)getpid() };
    read_line("/proc/sys/kernel/random/boot_id", ret->boot, sizeof ret->boot);
    read_line("/etc/machine-id", ret->machine, sizeof ret->machine);
    ret->pid_ns = stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
    ret->start = process_start(ret->pid);
}

json_t *owner_labels(const struct owner *o, const char *execution, bool is_kept)
{
    char text[160];
    (void)snprintf(text, sizeof text, "%s:%llu:%llu:%llu", o->boot, (unsigned long long)o->pid_ns,
                   (unsigned long long)o->pid, (unsigned long long)o->start);
    json_t *labels = json_pack("{s:s, s:s, s:s}", LABEL_OWNER, text, LABEL_EXECUTION, execution, LABEL_MACHINE,
                               o->machine);
    if (labels && is_kept)
        (void)json_object_set_new(labels, LABEL_KEPT, json_string("true"));
    return labels;
}

/* Dead, and its parent has not looked: it holds nothing, and a first process that does not reap keeps it for ever. */
static bool is_zombie(uint64_t pid)
{
    char path[48], text[600];
    (void)snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, 0)] = '\0';
    const char *after = strrchr(text, ')'); /* the name may hold anything: proc_pid_stat(5) */
    return after && str_starts(after, ") Z");
}

/* A /proc that hides others' processes shows no start time: then who answers a signal lives. */
enum process_state process_look(uint64_t pid, uint64_t start)
{
    if (kill((pid_t)pid, 0) < 0 && errno == ESRCH)
        return PROCESS_GONE;
    uint64_t now = process_start(pid);
    return now == 0 || (now == start && !is_zombie(pid)) ? PROCESS_LIVES : PROCESS_GONE;
}

/* «a:b:c:d» -> the text before the first «:» in part, the numbers behind it */
static bool split(const char *text, char part[static 40], uint64_t numbers[static 3])
{
    const char *end = strchr(text, ':');
    if (!end || end == text || end - text >= 40)
        return false;
    memcpy(part, text, (size_t)(end - text));
    part[end - text] = '\0';
    for (size_t i = 0; i < 3; i++) {
        char number[24];
        const char *from = end + 1;
        size_t n = strcspn(from, ":");
        if (n == 0 || n >= sizeof number || (i < 2) != (from[n] == ':'))
            return false;
        memcpy(number, from, n);
        number[n] = '\0';
        if (parse_u64(number, &numbers[i]) < 0)
            return false;
        end = from + n;
    }
    return true;
}

bool owner_is_dead(const struct owner *self, const char *owner, const char *machine,
                   enum process_state (*look)(uint64_t pid, uint64_t start))
{
    char boot[40];
    uint64_t numbers[3]; /* pid namespace, pid, start time */
    if (!owner || !split(owner, boot, numbers) || !self->boot[0])
        return false;
    if (!str_eq(boot, self->boot))
        return machine && self->machine[0] && str_eq(machine, self->machine);
    if (numbers[0] != self->pid_ns || numbers[0] == 0 || numbers[1] == 0 || numbers[1] > INT32_MAX || numbers[2] == 0)
        return false;
    return look(numbers[1], numbers[2]) == PROCESS_GONE;
}
