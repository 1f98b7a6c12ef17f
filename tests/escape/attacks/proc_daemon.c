/* class: processes
 * what: leaves a daemon behind (double fork, setsid, all signals ignored, descriptors closed) that beats in a file and on an abstract socket
 * outside: no_process_left
 */
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>

static void beat(void)
{
    char *file = scratch_path("/tmp", "heartbeat");
    for (int s = 1; s < 65; s++)
        signal(s, SIG_IGN);
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    snprintf(a.sun_path + 1, sizeof a.sun_path - 1, OURS "heartbeat-%s", param("marker", "none"));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)bind(s, (struct sockaddr *)&a, (socklen_t)(sizeof a.sun_family + 1 + strlen(a.sun_path + 1)));
    (void)listen(s, 1);
    for (int i = 0; i < 80; i++) { /* 8 s at most */
        int fd = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)!write(fd, ".", 1);
        close(fd);
        sleep_ms(100);
        if (i == 79)
            unlink(file);
    }
    _exit(0);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid < 0)
            contained("no second process: %s", errname(errno));
        if (pid == 0) {
            setsid();
            prctl(PR_SET_PDEATHSIG, 0);
            prctl(PR_SET_NAME, "kworker/0:1");
            if (fork() == 0)
                beat();
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    contained("two daemons left behind; judged from outside");
}
