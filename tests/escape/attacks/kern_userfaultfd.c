/* class: kernel
 * what: userfaultfd(), with all flags, user mode only, by /dev/userfaultfd and by i386, the favourite tool to win kernel races
 */
#include "attack.h"

static int flags;
static int plain(void)
{
    return syscall(SYS_userfaultfd, flags) < 0 ? errno : 0;
}
static int by_device(void)
{
    int fd = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    return fd < 0 ? (errno == ENOENT ? EACCES : errno) : ioctl(fd, 0xaa00, 0) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(374, flags, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const int kinds[] = { 0, O_CLOEXEC | O_NONBLOCK, 1 /* USER_MODE_ONLY */, 0xff };
    for (int i = 0; i < 4; i++) {
        flags = kinds[i];
        attempt_gate("userfaultfd", plain);
        attempt_gate("i386 userfaultfd", in32);
    }
    attempt_gate("/dev/userfaultfd", by_device);
    verdict();
}
