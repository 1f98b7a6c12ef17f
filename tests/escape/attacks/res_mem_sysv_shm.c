/* class: resources
 * what: SysV shared memory segments that outlive their maker (each marked for removal at once, so that a host gets them back)
 * needs: cgroup
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    size_t target = memory_target(), step = 32 * MIB, got = 0;
    while (got < target) {
        int id = (int)syscall(SYS_shmget, 0, step, 01600);
        if (id < 0)
            contained("shmget %s after %zu MiB", errname(errno), got / MIB);
        char *p = (char *)syscall(SYS_shmat, id, NULL, 0);
        int err = errno;
        syscall(SYS_shmctl, id, 0 /* IPC_RMID */, NULL);
        if (p == (char *)-1)
            contained("shmat %s after %zu MiB", errname(err), got / MIB);
        for (size_t i = 0; i < step; i += 4096)
            p[i] = 1;
        got += step;
    }
    hold_and_boast("SysV shared memory", got);
}
