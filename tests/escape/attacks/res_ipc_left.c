/* class: resources
 * what: leaves SysV segments, semaphores, queues and POSIX queues behind that would outlive it
 * outside: no_ipc_left
 */
#include "attack.h"

int main(void)
{
    if (param_num("limit_memory", 0) == 0)
        contained("runs only inside a sandbox: on a host the objects would stay");
    int made = 0;
    for (int i = 0; i < 8; i++) {
        made += syscall(SYS_shmget, 0x5afe1000 + i, 4096, 01666) >= 0;
        made += syscall(SYS_semget, 0x5afe1000 + i, 4, 01666) >= 0;
        made += syscall(SYS_msgget, 0x5afe1000 + i, 01666) >= 0;
    }
    struct {
        long flags, max, size, now;
    } attr = { 0, 4, 64, 0 };
    made += syscall(SYS_mq_open, OURS "left", O_RDWR | O_CREAT, 0666, &attr) >= 0;
    contained("%d objects made; judged from outside", made);
}
