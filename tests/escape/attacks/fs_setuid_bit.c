/* class: filesystem
 * what: gives its own copies the setuid and setgid bits, hands them to another identity and runs them
 */
#include "attack.h"

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check"))
        _exit(geteuid() != getuid() || getegid() != getgid() ? 42 : 7);
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        char *path = scratch_path(scratch_dirs[d], "suid");
        if (!copy_file(argv[0], path, 0755)) {
            refused(scratch_dirs[d], errno);
            unlink(path);
            continue;
        }
        (void)!chown(path, 0, 0);
        (void)fchmodat(AT_FDCWD, path, 06755, 0);
        pid_t pid = fork();
        if (pid == 0) {
            if (getuid() == 0) { /* on a host, as root: any other identity, to see the bit at work */
                (void)!setgid(1234);
                (void)!setuid(1234);
            }
            execl(path, path, "check", NULL);
            _exit(errno == EACCES || errno == EPERM ? 8 : 9);
        }
        int status = 0;
        (void)waitpid(pid, &status, 0);
        struct stat st = { 0 };
        (void)stat(path, &st);
        unlink(path);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 42)
            escaped("a setuid copy in %s gave another identity", scratch_dirs[d]);
        note(scratch_dirs[d], WEXITSTATUS(status) == 7 ? (st.st_mode & 06000 ? "bit kept, no effect" : "bit dropped")
                                                       : "not executable");
    }
    verdict();
}
