/* class: resources
 * what: the real fork bomb: every child forks as well, with clone, vfork and raw clone3 in turn (8 generations at most)
 * reason: pids_limit killed timeout
 * timeout: 4
 * outside: no_process_left
 */
#include "attack.h"

int main(void)
{
    int *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long limit = param_num("limit_pids", 200);
    pid_t first = getpid();
    int failed = 0;
    for (int generation = 0; generation < 8; generation++) {
        uint64_t a[8] = { 0, 0, 0, 0, SIGCHLD };
        long pid = generation % 3 == 0   ? fork()
                   : generation % 3 == 1 ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)
                                         : syscall(435, a, sizeof a);
        if (pid < 0 && errno == ENOSYS)
            pid = fork();
        if (pid < 0)
            failed = errno;
        if (pid == 0 && getpid() != first)
            __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    }
    if (getpid() != first) {
        alarm(5);
        for (;;)
            pause();
    }
    sleep_ms(1000);
    if (*count > limit)
        escaped("%d processes at once, the limit is %ld", *count, limit);
    contained("%d processes, then %s", *count, errname(failed));
}
