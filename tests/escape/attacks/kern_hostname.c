/* class: kernel
 * what: sets host and domain name (to what they are), 64-bit and i386
 */
#include "attack.h"
#include <sys/utsname.h>

static struct utsname u;
static int host(void)
{
    return syscall(SYS_sethostname, u.nodename, strlen(u.nodename)) < 0 ? errno : 0;
}
static int domain(void)
{
    return syscall(SYS_setdomainname, u.domainname, strlen(u.domainname)) < 0 ? errno : 0;
}
static int host32(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, u.nodename);
    return int80(74, (long)p, (long)strlen(p), 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    uname(&u);
    attempt("sethostname", host);
    attempt("setdomainname", domain);
    attempt("i386 sethostname", host32);
    verdict();
}
