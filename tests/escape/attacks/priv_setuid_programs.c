/* class: privilege
 * what: runs the host's setuid programs (su, sudo, passwd, mount, newgrp, ...) and sees whether one becomes root
 *
 * Two ways to see it. prlimit() of a process of the same user is permitted until that process becomes somebody
 * else. Where a filter refuses any other process, the loader tells: LD_SHOW_AUXV is heard only by programs that
 * gained nothing.
 */
#include "attack.h"

static bool may_ask(pid_t pid)
{
    struct {
        uint64_t a, b;
    } r;
    return syscall(SYS_prlimit64, pid, 7, NULL, &r) == 0 || errno != EPERM;
}

static bool is_plain_child_open(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        sleep_ms(1000);
        _exit(0);
    }
    bool yes = pid > 0 && may_ask(pid);
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    return yes;
}

int main(void)
{
    static const char *const programs[] = { "/usr/bin/su",
                                            "/usr/bin/sudo",
                                            "/usr/bin/passwd",
                                            "/usr/bin/newgrp",
                                            "/usr/bin/chsh",
                                            "/usr/bin/chfn",
                                            "/usr/bin/gpasswd",
                                            "/usr/bin/mount",
                                            "/usr/bin/umount",
                                            "/usr/bin/pkexec",
                                            "/usr/bin/fusermount3",
                                            "/usr/bin/newuidmap",
                                            "/usr/bin/ping",
                                            "/bin/su",
                                            "/bin/mount",
                                            "/usr/lib/openssh/ssh-keysign",
                                            "/usr/lib/dbus-1.0/dbus-daemon-launch-helper",
                                            "/usr/lib/polkit-1/polkit-agent-helper-1" };
    if (getuid() == 0) { /* on a host, as root: look from an ordinary user's place */
        (void)!setgid(65534);
        (void)!setuid(65534);
    }
    bool by_prlimit = is_plain_child_open();
    note("seen by", by_prlimit ? "prlimit" : "loader");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct stat st;
        int in[2], out[2], status = 0;
        if (stat(programs[i], &st) < 0)
            continue;
        if (pipe(in) < 0 || pipe(out) < 0)
            break;
        pid_t pid = fork();
        if (pid == 0) {
            char *args[] = { (char *)programs[i], NULL }, *env[] = { by_prlimit ? NULL : "LD_SHOW_AUXV=1", NULL };
            dup2(in[0], 0); /* nothing ever comes: it waits for a password */
            dup2(out[1], 1);
            dup2(out[1], 2);
            for (int fd = 3; fd < 64; fd++)
                close(fd);
            execve(programs[i], args, env);
            _exit(99);
        }
        if (pid < 0)
            break;
        close(in[0]);
        close(out[1]);
        char text[4096] = "";
        size_t len = 0;
        bool is_over = false, is_root = false;
        (void)fcntl(out[0], F_SETFL, O_NONBLOCK);
        for (int t = 0; t < (by_prlimit ? 25 : 750) && !is_over && !is_root; t++) { /* a busy machine is no proof */
            sleep_ms(2);
            is_root = by_prlimit && !may_ask(pid);
            is_over = waitpid(pid, &status, WNOHANG) == pid;
            ssize_t n = read(out[0], text + len, sizeof text - 1 - len);
            len += n > 0 ? (size_t)n : 0;
            if (!by_prlimit && strstr(text, "AT_SECURE"))
                break;
        }
        if (!is_over) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
        }
        close(in[1]);
        close(out[0]);
        bool did_run = !(is_over && WIFEXITED(status) && WEXITSTATUS(status) == 99);
        if (!by_prlimit && did_run && (st.st_mode & S_ISUID)) {
            const char *secure = strstr(text, "AT_SECURE:");
            is_root = !secure || strtol(secure + 10, NULL, 10) != 0;
        }
        if (is_root)
            escaped("%s became root", programs[i]);
        note(strrchr(programs[i], '/') + 1, !did_run               ? "not executable"
                                            : st.st_mode & S_ISUID ? "setuid without effect"
                                                                   : "not setuid");
    }
    verdict();
}
