/* what: asks to be root
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    (void)!setuid(0);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
