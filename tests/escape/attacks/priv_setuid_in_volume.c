/* class: privilege
 * what: runs a setuid root program that lies in a shared directory of the host
 */
#include "attack.h"

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check")) /* this very file, with the bits set: suid-root */
        _exit(geteuid() != getuid() || getegid() != getgid() ? 42 : 7);
    const char *path = param("setuid_program", "/attack/suid-root");
    struct stat st;
    if (stat(path, &st) < 0)
        contained("%s=%s", path, errname(errno));
    if (getuid() == 0) {
        (void)!setgid(65534);
        (void)!setuid(65534);
    }
    pid_t pid = fork();
    if (pid == 0) {
        execl(path, path, "check", NULL);
        _exit(8);
    }
    int status = 0;
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 42)
        escaped("%s gave another identity", path);
    contained("%s of mode %o ran %s", path, (unsigned)st.st_mode & 07777,
              WIFEXITED(status) && WEXITSTATUS(status) == 7 ? "without effect" : "not at all");
}
