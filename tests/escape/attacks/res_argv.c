/* class: resources
 * what: starts itself with arguments and environment as large as the kernel takes, raising the stack limit that bounds them
 */
#include "attack.h"
#include <sys/resource.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strlen(argv[1]) == 1)
        _exit(77);
    enum { COUNT = 200, LEN = 120000 };
    struct rlimit r;
    getrlimit(RLIMIT_STACK, &r);
    r.rlim_cur = r.rlim_max;
    (void)setrlimit(RLIMIT_STACK, &r);
    char *big = malloc(LEN + 1);
    memset(big, 'a', LEN);
    big[LEN] = 0;
    char *args[COUNT + 3] = { argv[0], "x" };
    int accepted = 0, err = 0;
    for (int n = 8; n <= COUNT; n += 8) {
        for (int i = 0; i < n; i++)
            args[i + 2] = big;
        args[n + 2] = NULL;
        pid_t pid = fork();
        if (pid == 0) {
            execve(argv[0], args, NULL);
            _exit(errno);
        }
        int status = 0;
        if (pid > 0)
            waitpid(pid, &status, 0);
        if (pid < 0 || WEXITSTATUS(status) != 77) {
            err = pid < 0 ? errno : WEXITSTATUS(status);
            break;
        }
        accepted = n;
    }
    if (accepted >= COUNT)
        escaped("arguments of %d MiB", accepted * LEN / 1048576);
    contained("%d KiB of arguments, then %s", accepted * LEN / 1024, errname(err));
}
