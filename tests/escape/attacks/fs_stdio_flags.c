/* class: filesystem
 * what: changes flags, offset and size of the streams it shares with the caller (O_NONBLOCK, O_APPEND, O_ASYNC, lseek, pipe size)
 * stdin: file
 * outside: stdin_unchanged stdio_flags_unchanged
 */
#include "attack.h"

int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        int flags = fcntl(fd, F_GETFL);
        (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK | O_ASYNC);
        (void)fcntl(fd, 1031 /* F_SETPIPE_SZ */, 4096);
        (void)fcntl(fd, F_SETOWN, 1);
    }
    (void)fcntl(1, F_SETFL, fcntl(1, F_GETFL) & ~O_NONBLOCK);
    contained("flags and sizes changed where possible; judged from outside");
}
