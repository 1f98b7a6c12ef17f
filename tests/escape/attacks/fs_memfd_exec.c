/* class: filesystem
 * what: runs a program from memory (memfd_create, execveat, /proc/self/fd) although the profile lets nothing written be executed
 * levels: high
 */
#include "attack.h"
extern char **environ;

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check"))
        _exit(42);
    static const unsigned flags[] = { 0, 1, 2 /* ALLOW_SEALING */, 0x10 /* EXEC */ };
    for (int i = 0; i < 4; i++) {
        int fd = (int)syscall(SYS_memfd_create, "escape", flags[i]);
        if (fd < 0) {
            refused("memfd_create", errno);
            continue;
        }
        int in = open(argv[0], O_RDONLY | O_CLOEXEC);
        char buf[16384];
        ssize_t n;
        while (in >= 0 && (n = read(in, buf, sizeof buf)) > 0)
            if (write(fd, buf, (size_t)n) != n)
                break;
        close(in);
        char *args[] = { "memfd", "check", NULL };
        pid_t pid = fork();
        if (pid == 0) {
            char path[64];
            syscall(SYS_execveat, fd, "", args, environ, AT_EMPTY_PATH);
            int err = errno;
            snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
            execve(path, args, environ);
            _exit(err);
        }
        int status = 0;
        (void)waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 42)
            escaped("ran a program from a memfd");
        refused("execveat", WIFEXITED(status) ? WEXITSTATUS(status) : 0);
        close(fd);
    }
    verdict();
}
