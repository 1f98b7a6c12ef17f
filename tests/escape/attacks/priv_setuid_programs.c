/* class: privilege
 * what: runs the host's setuid programs (su, sudo, passwd, mount, newgrp, ...) and sees whether one becomes root
 */
#include "attack.h"

int main(void)
{
    static const char *const programs[] = {"/usr/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/chsh", "/usr/bin/chfn",
                                           "/usr/bin/gpasswd", "/usr/bin/mount", "/usr/bin/umount", "/usr/bin/pkexec", "/usr/bin/fusermount3",
                                           "/usr/bin/newuidmap", "/usr/bin/ping", "/bin/su", "/bin/mount", "/usr/lib/openssh/ssh-keysign",
                                           "/usr/lib/dbus-1.0/dbus-daemon-launch-helper", "/usr/lib/polkit-1/polkit-agent-helper-1"};
    if (getuid() == 0) { /* on a host, as root: look from an ordinary user's place */
        (void)!setgid(65534);
        (void)!setuid(65534);
    }
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct stat st;
        if (stat(programs[i], &st) < 0)
            continue;
        int in[2], out[2];
        if (pipe(in) < 0 || pipe(out) < 0)
            break;
        pid_t pid = fork();
        if (pid == 0) {
            dup2(in[0], 0); /* nothing ever comes: it waits for a password */
            dup2(out[1], 1);
            dup2(out[1], 2);
            execl(programs[i], programs[i], (char *)NULL);
            _exit(0);
        }
        if (pid < 0)
            break;
        bool is_root = false;
        for (int t = 0; t < 20 && !is_root; t++) {
            sleep_ms(2);
            /* prlimit of a process of the same user is permitted until that process becomes somebody else */
            struct { uint64_t a, b; } r;
            is_root = syscall(SYS_prlimit64, pid, 7, NULL, &r) < 0 && errno == EPERM;
            if (waitpid(pid, NULL, WNOHANG) == pid) {
                pid = 0;
                break;
            }
        }
        if (pid) {
            kill(pid, SIGKILL);
            close(in[1]);
            close(out[0]);
            waitpid(pid, NULL, 0);
            close(in[0]);
            close(out[1]);
        } else
            close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        if (is_root)
            escaped("%s became root", programs[i]);
        note(programs[i], st.st_mode & S_ISUID ? "setuid without effect" : "not setuid");
    }
    verdict();
}
