/* class: filesystem
 * what: opens system files, libraries, interpreters, its own program and the code for writing (never writes, never truncates)
 */
#include "attack.h"
#include <sys/statvfs.h>

int main(int argc, char **argv)
{
    (void)argc;
    const char *files[] = { "/usr/bin/python3.11",
                            "/usr/bin/bash",
                            "/bin/sh",
                            "/usr/bin/env",
                            "/usr/lib/x86_64-linux-gnu/libc.so.6",
                            "/lib64/ld-linux-x86-64.so.2",
                            "/etc/passwd",
                            "/etc/group",
                            "/etc/shadow",
                            "/etc/hosts",
                            "/etc/resolv.conf",
                            "/etc/ld.so.cache",
                            "/etc/ld.so.preload",
                            "/etc/nsswitch.conf",
                            "/attack/params",
                            argv[0],
                            "/code/main.py",
                            "/code/main",
                            "/usr/lib/python3.11/os.py",
                            "/usr/lib/os-release",
                            param("canary", "/etc/hostname") };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct statvfs st;
        if (is_own_file(files[i]))
            continue;
        int fd = try_open(files[i], O_WRONLY);
        int err = errno;
        if (fd >= 0)
            escaped("%s is open for writing", files[i]);
        /* a running program answers ETXTBSY before the kernel looks at a read-only mount */
        if (err == ETXTBSY && statvfs(files[i], &st) == 0 && !(st.f_flag & ST_RDONLY))
            escaped("%s could be written as soon as it stops running", files[i]);
        if (err != ENOENT)
            refused(files[i], err);
    }
    verdict();
}
