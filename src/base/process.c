#include "base/process.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/parse.h"

uint64_t process_start(uint64_t pid)
{
    char path[40], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, (ssize_t)0)] = '\0';
    char *p = strrchr(text, ')'); /* the name may hold anything, also a bracket */
    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    if (!p)
        return 0;
    uint64_t start;
    p[1 + strcspn(p + 1, " ")] = '\0';
    return parse_u64(p + 1, &start) == 0 ? start : 0;
}
