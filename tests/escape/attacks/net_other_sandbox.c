/* class: network
 * what: two sandboxes at once look for each other: abstract sockets, loopback ports, SysV shared memory, POSIX message queues, files in /tmp and /dev/shm
 * twice: listen connect
 */
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { KEY = 0x5afe0001 };
static const char *const files[] = { "/tmp/" OURS "meeting", "/workspace/" OURS "meeting", "/dev/shm/" OURS "meeting",
                                     "/var/tmp/" OURS "meeting" };

int main(int argc, char **argv)
{
    bool is_listener = argc > 1 && !strcmp(argv[1], "listen");
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    strcpy(un.sun_path + 1, OURS "meeting");
    socklen_t un_len = (socklen_t)(sizeof un.sun_family + 1 + strlen(un.sun_path + 1));
    struct sockaddr_in in = { .sin_family = AF_INET,
                              .sin_port = htons(47113),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int u = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), t = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct {
        long flags, max, size, now;
    } attr = { 0, 4, 64, 0 };
    if (is_listener) {
        (void)setsockopt(t, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        int made = bind(u, (struct sockaddr *)&un, un_len) == 0 && listen(u, 1) == 0;
        made += bind(t, (struct sockaddr *)&in, sizeof in) == 0 && listen(t, 1) == 0;
        int shm = (int)syscall(SYS_shmget, KEY, 4096, 01666);
        made += shm >= 0;
        made += syscall(SYS_mq_open, OURS "meeting", O_RDWR | O_CREAT, 0666, &attr) >= 0;
        for (int i = 0; i < 4; i++) {
            int fd = open(files[i], O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            made += fd >= 0;
        }
        hold();
        for (int i = 0; i < 4; i++)
            unlink(files[i]);
        if (shm >= 0)
            syscall(SYS_shmctl, shm, 0 /* IPC_RMID */, NULL);
        syscall(SYS_mq_unlink, OURS "meeting");
        contained("waited with %d meeting points", made);
    }
    if (connect(u, (struct sockaddr *)&un, un_len) == 0)
        escaped("met on an abstract socket");
    refused("abstract", errno);
    if (connect(t, (struct sockaddr *)&in, sizeof in) == 0)
        escaped("met on a loopback port");
    refused("loopback", errno);
    worked("SysV shared memory", syscall(SYS_shmget, KEY, 4096, 0666));
    worked("message queue", syscall(SYS_mq_open, OURS "meeting", O_RDWR, 0, NULL));
    for (int i = 0; i < 4; i++)
        worked(files[i], open(files[i], O_RDWR | O_CLOEXEC));
    verdict();
}
