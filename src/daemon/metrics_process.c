#include "daemon/metrics_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/parse.h"

/* The n-th field from `text` on, between spaces; "" and such: 0. */
static uint64_t field(char *text, unsigned n)
{
    uint64_t v = 0;
    while (n-- && (text = strchr(text, ' ')))
        text++;
    if (!text)
        return 0;
    text[strcspn(text, " \n")] = '\0';
    return parse_u64(text, &v) == 0 ? v : 0;
}

static bool read_file(const char *path, char *to, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, to, size - 1);
    to[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* proc_pid_stat(5); each look takes a copy, since field() cuts. */
static uint64_t stat_field(const char *stat, unsigned number)
{
    char copy[1024];
    const char *rest = strrchr(stat, ')'); /* behind the name, which may hold anything: field 3 comes after ") " */
    if (!rest || strlen(rest) >= sizeof copy)
        return 0;
    memcpy(copy, rest, strlen(rest) + 1);
    return field(copy, number - 2);
}

static void read_stat(struct metrics_process *ret)
{
    char stat[1024];
    if (!read_file("/proc/self/stat", stat, sizeof stat))
        return;
    const uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    const uint64_t up_ms = clock_read_us(CLOCK_BOOTTIME) / 1000, start_ms = stat_field(stat, 22) * 1000 / ticks;
    ret->threads = stat_field(stat, 20);
    ret->start_ms = wall_clock_ms() - (up_ms > start_ms ? up_ms - start_ms : 0);
    ret->virtual_bytes = stat_field(stat, 23);
    ret->resident_bytes = stat_field(stat, 24) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t count_fds(void)
{
    uint64_t n = 0;
    DIR *d = opendir("/proc/self/fd");
    if (!d)
        return 0;
    for (const struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    (void)closedir(d);
    return n ? n - 1 : 0; /* the directory itself */
}

void metrics_process(struct metrics_process *ret)
{
    struct rlimit files;
    *ret = (struct metrics_process){ .cpu_us = clock_read_us(CLOCK_PROCESS_CPUTIME_ID), .open_fds = count_fds() };
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        ret->max_fds = files.rlim_cur;
    read_stat(ret);
}

void metrics_disk(const char *path, struct metrics_disk *ret)
{
    struct statvfs fs;
    if (!path || statvfs(path, &fs) < 0)
        return; /* is_known stays false: the family is absent, which its alert notices */
    *ret = (struct metrics_disk){ .is_known = true,
                                  .free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize,
                                  .size_bytes = (uint64_t)fs.f_blocks * fs.f_frsize };
}
