/* class: kernel
 * what: moves memory of init and of host processes between nodes (move_pages, migrate_pages, set_mempolicy_home_node)
 */
#include "attack.h"

static pid_t target;
static int move(void)
{
    int status = 0;
    void *page = (void *)0x10000;
    return syscall(SYS_move_pages, target, 1, &page, NULL, &status, 0) < 0 ? errno : 0;
}
static int migrate(void)
{
    unsigned long mask = 1;
    return syscall(SYS_migrate_pages, target, 2, &mask, &mask) < 0 ? errno : 0;
}

int main(void)
{
    pid_t pids[] = { 1, getppid(), param_pid("victim_pid") };
    for (int i = 0; i < 3; i++) {
        target = pids[i];
        if (target < 1)
            continue;
        attempt("move_pages", move);
        attempt("migrate_pages", migrate);
    }
    verdict();
}
