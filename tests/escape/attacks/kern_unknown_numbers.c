/* class: kernel
 * what: calls every number above the newest call that matters (470 to 1100, and some far away): future calls must not be open by accident
 */
#include "attack.h"

int main(void)
{
    int status = 0, open_count = 0;
    pid_t pid = fork();
    if (pid == 0) {
        for (long nr = 470; nr < 1100; nr++) {
            if (nr >= 512 && nr <= 547) /* x32's own range */
                continue;
            long r = syscall(nr, -1, -1, -1, -1, -1, -1);
            if (r >= 0 || !is_refusal(errno))
                open_count++;
        }
        static const long far[] = { 4096, 65535, 0x3fffffff, 0x7fffffff };
        for (int i = 0; i < 4; i++)
            if (syscall(far[i], -1, -1, -1, -1, -1, -1) >= 0 || !is_refusal(errno))
                open_count++;
        _exit(open_count > 200 ? 200 : open_count);
    }
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        contained("signal %d at the first", WTERMSIG(status));
    if (WEXITSTATUS(status))
        escaped("%d unknown calls are answered by the kernel", WEXITSTATUS(status));
    contained("all refused");
}
