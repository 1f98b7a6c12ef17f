/* what: an IPv6 datagram socket, by the raw call
 * network: none */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    syscall(SYS_socket, 10, 2, 0);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
