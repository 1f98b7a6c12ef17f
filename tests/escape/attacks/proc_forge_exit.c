/* class: processes
 * what: gives init other children than the one it waits for (CLONE_PARENT), which end with any code and signal before and after it, to forge the exit
 */
#include "attack.h"

int main(void)
{
    static const int ends[] = { 0, 1, 42, 124, 125, 137, -SIGKILL, -SIGSEGV, -SIGXCPU };
    int made = 0, err = 0;
    if (!is_inside() && getppid() == 1)
        contained("runs only inside a sandbox");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        long pid = syscall(SYS_clone, 0x00008000 /* CLONE_PARENT */ | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) {
            struct {
                uint64_t a, b;
            } none = { 0, 0 };
            syscall(SYS_prlimit64, 0, 4 /* CORE */, &none, NULL);
            if (ends[i] < 0)
                kill(getpid(), -ends[i]);
            _exit(ends[i]);
        }
        made += pid > 0;
        err = pid < 0 ? errno : err;
        sleep_ms(20);
    }
    pid_t late = fork(); /* an orphan that outlives us by a moment and ends badly */
    if (late == 0) {
        setsid();
        sleep_ms(50);
        _exit(42);
    }
    contained("%d children given to init (%s), and this is still our exit", made, err ? errname(err) : "none refused");
}
