/* what: asks to be root
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    (void)!setuid(0);
    usleep(600000);
    dprintf(1, "done\n");
}
