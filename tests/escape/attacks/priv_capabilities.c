/* class: privilege
 * what: finds or gains a capability: capset, ambient raise, inheritable set, keepcaps, secure bits
 */
#include "attack.h"
#include <linux/capability.h>

static struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };

static int set(uint32_t eff, uint32_t per, uint32_t inh)
{
    struct __user_cap_data_struct d[2] = { { eff, per, inh }, { eff & 0x1ff, per & 0x1ff, inh & 0x1ff } };
    return syscall(SYS_capset, &head, d) < 0 ? errno : 0;
}
static int all(void)
{
    return set(~0u, ~0u, 0);
}
static int admin(void)
{
    return set(1u << 21, 1u << 21, 0);
}
static int inheritable(void)
{
    return set(0, 0, ~0u);
}
static int ambient(void)
{
    for (int c = 0; c < 41; c++)
        if (prctl(47 /* PR_CAP_AMBIENT */, 2 /* RAISE */, c, 0, 0) == 0)
            return 0;
    return errno;
}
static int securebits(void)
{
    return prctl(PR_SET_SECUREBITS, 0x1, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    struct __user_cap_data_struct d[2] = { { 0 } };
    if (syscall(SYS_capget, &head, d) == 0 && (d[0].effective | d[1].effective | d[0].permitted | d[1].permitted))
        escaped("has capabilities %08x%08x", d[1].permitted, d[0].permitted);
    if (d[0].inheritable | d[1].inheritable)
        escaped("has inheritable capabilities %08x%08x", d[1].inheritable, d[0].inheritable);
    attempt("capset all", all);
    attempt("capset sys_admin", admin);
    attempt("capset inheritable", inheritable);
    attempt("ambient", ambient);
    attempt("securebits", securebits);
    (void)prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    attempt("capset after keepcaps", all);
    verdict();
}
