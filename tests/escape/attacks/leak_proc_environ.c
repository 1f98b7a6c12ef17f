/* class: leaks
 * what: looks for the caller's secret in the environment and command line of init, its parent and every other process, and in its own memory
 */
#include "attack.h"
#include <dirent.h>

static char text[1 << 20];

static void look(const char *path, const char *secret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n > 0 && memmem(text, (size_t)n, secret, strlen(secret)))
        escaped("%s carries the secret", path);
}

int main(int argc, char **argv)
{
    (void)argc;
    char secret[200];
    snprintf(secret, sizeof secret, "%s=", param("secret_name", "SANDBOX_AGENT_TEST_SECRET"));
    DIR *d = opendir("/proc");
    struct dirent *e;
    int seen = 0;
    while (d && (e = readdir(d))) {
        if (e->d_name[0] < '0' || e->d_name[0] > '9')
            continue;
        static const char *const names[] = { "environ", "cmdline", "comm", "status", "task/self/environ" };
        for (int i = 0; i < 5; i++) {
            char path[300];
            snprintf(path, sizeof path, "/proc/%s/%s", e->d_name, names[i]);
            look(path, secret);
        }
        seen++;
    }
    for (pid_t pid = 1; pid < 20 && !d; pid++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
        look(path, secret);
    }
    /* the stack from our arguments upwards, to its end: what the kernel copied for us at exec */
    const char *at = (const char *)argv;
    size_t len = strlen(secret);
    unsigned char in_core;
    for (uintptr_t page = (uintptr_t)at & ~4095ul; syscall(SYS_mincore, page, 4096, &in_core) == 0; page += 4096)
        for (; (uintptr_t)at + len < page + 4096; at++)
            if (!memcmp(at, secret, len))
                escaped("its own stack carries the secret");
    contained("%d processes and its own stack carry no secret", seen);
}
