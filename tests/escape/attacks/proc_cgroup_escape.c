/* class: processes
 * what: moves itself to another control group, makes one, or rewrites limits through any cgroup file it can find (opens only)
 */
#include "attack.h"
#include <dirent.h>

static int tried;

static void walk(const char *dir, int depth)
{
    DIR *d = opendir(dir);
    if (!d)
        return;
    struct dirent *e;
    while ((e = readdir(d)) && tried < 20000) {
        char path[600];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (e->d_type == DT_DIR && depth < 4)
            walk(path, depth + 1);
        else if (e->d_type == DT_REG) {
            tried++;
            int fd = try_open(path, O_WRONLY);
            if (fd >= 0)
                escaped("%s is open for writing", path);
        }
    }
    closedir(d);
}

int main(void)
{
    static const char *const roots[] = { "/sys/fs/cgroup", "/cgroup", "/proc/1/cgroup" };
    for (int i = 0; i < 3; i++)
        walk(roots[i], 0);
    char path[64];
    snprintf(path, sizeof path, "/sys/fs/cgroup/" OURS "%d", (int)getpid());
    if (mkdir(path, 0700) == 0) {
        rmdir(path);
        escaped("made a control group");
    }
    /* clone3 into the group of an inherited directory descriptor */
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size,
            cgroup;
    } a = { .flags = 0x200000000ull, .exit_signal = SIGCHLD };
    for (int fd = 0; fd < 64; fd++) {
        a.cgroup = (uint64_t)fd;
        long pid = syscall(435, &a, sizeof a);
        if (pid == 0)
            _exit(0);
        if (pid > 0)
            escaped("clone3 into the cgroup of descriptor %d", fd);
    }
    contained("%d cgroup files refused, mkdir and clone3 refused (%s)", tried, errname(errno));
}
