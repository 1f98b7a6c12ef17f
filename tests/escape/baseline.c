/* baseline.c - no attack: shows that the harness reaches a sandbox, its volume and its parameters. */
#include "attack.h"

int main(void)
{
    const char *marker = param("marker", "");
    if (!*marker)
        contained("no parameters");
    contained("baseline %s", marker);
}
