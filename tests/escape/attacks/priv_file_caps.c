/* class: privilege
 * what: gives its own copy file capabilities (security.capability, version 2 and 3) and runs it
 */
#include "attack.h"
#include <linux/capability.h>

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check")) {
        struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
        struct __user_cap_data_struct d[2] = { { 0 } };
        syscall(SYS_capget, &head, d);
        _exit(d[0].effective ? 42 : 7);
    }
    for (size_t i = 0; i < SCRATCH_COUNT; i++) {
        char *path = scratch_path(scratch_dirs[i], "cap");
        if (!copy_file(argv[0], path, 0755)) {
            unlink(path);
            continue;
        }
        struct {
            uint32_t magic, permitted, inheritable, permitted2, inheritable2, root;
        } caps = { 0x02000001, ~0u, 0, 0x1ff, 0, 0 };
        int ret = (int)syscall(SYS_setxattr, path, "security.capability", &caps, 20, 0), err = errno;
        if (ret < 0) {
            caps.magic = 0x03000001;
            ret = (int)syscall(SYS_setxattr, path, "security.capability", &caps, 24, 0), err = errno;
        }
        int trusted = (int)syscall(SYS_setxattr, path, "trusted.escape", "x", 1, 0);
        int status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            if (getuid() == 0) {
                (void)!setgid(65534);
                (void)!setuid(65534);
            }
            execl(path, path, "check", NULL);
            _exit(9);
        }
        if (pid > 0)
            waitpid(pid, &status, 0);
        unlink(path);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 42)
            escaped("a copy in %s runs with file capabilities", scratch_dirs[i]);
        if (ret == 0 || trusted == 0)
            escaped("may write security attributes in %s", scratch_dirs[i]);
        refused(scratch_dirs[i], err);
    }
    verdict();
}
