/* class: filesystem
 * what: loosens the fence with a landlock rule set of its own that allows everything, then tries again
 */
#include "attack.h"

struct ruleset {
    uint64_t fs, net, scoped;
};
struct beneath {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

int main(void)
{
    const char *files[] = { param("canary", "/etc/hostname"), "/usr/lib/x86_64-linux-gnu/libc.so.6", "/etc/passwd",
                            "/attack/params" };
    struct ruleset r = { .fs = 0x1fff };
    int rules = (int)syscall(444, &r, sizeof r, 0);
    if (rules < 0)
        refused("create", errno);
    struct beneath b = { .allowed = 0x1fff, .fd = open("/", O_PATH | O_CLOEXEC) };
    if (rules >= 0 && syscall(445, rules, 1, &b, 0) < 0)
        refused("add", errno);
    if (rules >= 0 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(446, rules, 0) < 0))
        refused("restrict", errno);
    for (int i = 0; i < 4; i++) {
        int fd = try_open(files[i], O_WRONLY);
        if (fd >= 0)
            escaped("%s is open for writing", files[i]);
        refused(files[i], errno);
    }
    verdict();
}
