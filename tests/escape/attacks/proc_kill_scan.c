/* class: processes
 * what: sends signal 0 to every process number up to 100000 and finds processes that are not its own
 */
#include "attack.h"

int main(void)
{
    int seen = 0, first = 0;
    for (pid_t pid = 1; pid <= 100000; pid++) {
        if (pid == 1 || pid == getpid() || pid == getppid())
            continue;
        if (kill(pid, 0) == 0 || (errno == EPERM && !in_session())) {
            seen++;
            first = first ? first : pid;
        }
    }
    if (seen)
        escaped("%d other processes answer, the first is %d", seen, first);
    contained("nobody but init answers");
}
