#include "daemon/capabilities.h"

#include <sys/prctl.h>

void capabilities_bound(uint64_t keep)
{
    for (int cap = 0; cap < 64; cap++)
        if (!(keep >> cap & 1))
            (void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}
