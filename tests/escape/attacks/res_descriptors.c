/* class: resources
 * what: opens descriptors until the limit, raising the soft limit first
 */
#include "attack.h"
#include <sys/resource.h>

int main(void)
{
    struct rlimit r = { 0 };
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = r.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &r);
    long limit = param_num("limit_nofile", 4096), n = 0;
    while (n < 70000 && dup(1) >= 0)
        n++;
    int err = errno;
    if (n > limit)
        escaped("%ld descriptors, the limit is %ld", n, limit);
    contained("%ld descriptors, then %s", n, errname(err));
}
