/* class: filesystem
 * what: runs a program that it wrote itself to any writable place, where the profile says noexec
 * levels: high
 */
#include "attack.h"
extern char **environ;

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check"))
        _exit(42);
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        char *path = scratch_path(scratch_dirs[d], "prog");
        if (!copy_file(argv[0], path, 0755)) {
            unlink(path);
            continue;
        }
        char *args[] = { path, "check", NULL };
        pid_t pid = fork();
        if (pid == 0) {
            execve(path, args, environ);
            int fd = open(path, O_PATH);
            syscall(SYS_execveat, fd, "", args, environ, AT_EMPTY_PATH);
            int err = errno;
            void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(path, O_RDONLY), 0);
            _exit(p != MAP_FAILED ? 43 : err);
        }
        int status = 0;
        (void)waitpid(pid, &status, 0);
        unlink(path);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 42)
            escaped("ran a program written to %s", scratch_dirs[d]);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 43)
            escaped("mapped a file of %s executable", scratch_dirs[d]);
        refused(scratch_dirs[d], WEXITSTATUS(status));
    }
    verdict();
}
