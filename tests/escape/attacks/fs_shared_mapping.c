/* class: filesystem
 * what: turns a shared read-only mapping of a host file writable with mprotect, and writes to it through /proc/self/mem (the byte it has)
 */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    const char *files[] = { "/attack/params", "/usr/lib/x86_64-linux-gnu/libc.so.6", "/etc/passwd", argv[0] };
    for (size_t i = 0; i < 4; i++) {
        int fd = open(files[i], O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED) {
            if (mprotect(p, 4096, PROT_READ | PROT_WRITE) == 0)
                escaped("%s mapped shared and writable", files[i]);
            refused(files[i], errno);
            int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
            char byte = *p;
            if (mem >= 0 && pwrite(mem, &byte, 1, (off_t)p) == 1)
                escaped("/proc/self/mem wrote through a shared read-only mapping of %s", files[i]);
            refused("mem", errno);
        }
        p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED)
            escaped("%s mapped shared and writable at once", files[i]);
        close(fd);
    }
    verdict();
}
