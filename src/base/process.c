#include "base/process.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/parse.h"

uint64_t process_start(uint64_t pid)
{
    char path[40], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, (ssize_t)0)] = '\0';
    char *p = strrchr(text, ')'), *fields[23] = { 0 }; /* the name may hold anything, also a bracket */
    for (int i = 3; p && i <= 22; i++) {
        p = strchr(p, ' ');
        fields[i] = p ? ++p : NULL;
    }
    if (!p)
        return 0;
    uint64_t start, threads;
    fields[20][strcspn(fields[20], " ")] = fields[22][strcspn(fields[22], " ")] = '\0';
    if (parse_u64(fields[22], &start) < 0 || parse_u64(fields[20], &threads) < 0)
        return 0;
    return fields[3][0] == 'Z' && threads <= 1 ? PROCESS_ENDED : start; /* one with threads has lost its first one */
}

uint64_t process_own_start(void)
{
    static _Atomic uint64_t kept_pid, kept_start; /* a fork has another pid */
    const uint64_t pid = (uint64_t)getpid();
    if (kept_pid != pid) {
        kept_start = process_start(pid);
        kept_pid = pid;
    }
    return kept_start;
}
