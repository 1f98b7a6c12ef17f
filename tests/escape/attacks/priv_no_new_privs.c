/* class: privilege
 * what: finds no_new_privs off, or switches it off
 */
#include "attack.h"

int main(void)
{
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
        escaped("no_new_privs is off");
    for (int value = 0; value < 3; value++)
        (void)prctl(PR_SET_NO_NEW_PRIVS, value == 2 ? -1 : value, 0, 0, 0);
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
        escaped("no_new_privs was switched off");
    contained("no_new_privs stays on (%s)", errname(errno));
}
