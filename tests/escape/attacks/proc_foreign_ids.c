/* class: processes
 * what: finds that its parent, process group, session or terminal belong to the outside
 */
#include "attack.h"

int main(void)
{
    /* a number of 0 stands for a process outside the pid namespace */
    if (getppid() > 8 && !in_session())
        escaped("its parent is process %d: no pid namespace of its own", (int)getppid());
    if (getpid() > 32 && !in_session())
        escaped("its own number is %d: no pid namespace of its own", (int)getpid());
    if (getpgrp() == 0)
        escaped("its process group is outside");
    if (getsid(0) == 0)
        escaped("its session is outside");
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        escaped("has a controlling terminal");
    contained("pid %d, parent %d, session %d, no terminal (%s)", (int)getpid(), (int)getppid(), (int)getsid(0),
              errname(errno));
}
