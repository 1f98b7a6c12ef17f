/* class: resources
 * what: raises the core limit, makes itself dumpable and crashes in every place it can write to
 * outside: no_file_left
 */
#include "attack.h"
#include <sys/resource.h>

int main(void)
{
    struct rlimit r;
    getrlimit(RLIMIT_CORE, &r);
    r.rlim_cur = r.rlim_max;
    (void)setrlimit(RLIMIT_CORE, &r);
    r.rlim_cur = r.rlim_max = RLIM_INFINITY;
    (void)setrlimit(RLIMIT_CORE, &r);
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    for (size_t d = 0; d < SCRATCH_COUNT - 1; d++) {
        char dir[300];
        snprintf(dir, sizeof dir, "%s", scratch_path(scratch_dirs[d], "core"));
        if (mkdir(dir, 0700) < 0)
            continue;
        pid_t pid = fork();
        if (pid == 0) {
            (void)!chdir(dir);
            signal(SIGABRT, SIG_DFL);
            raise(SIGQUIT);
            abort();
        }
        int status = 0;
        if (pid > 0)
            waitpid(pid, &status, 0);
        char core[320];
        snprintf(core, sizeof core, "%s/core", dir);
        bool have = access(core, F_OK) == 0;
        unlink(core);
        snprintf(core, sizeof core, "%s/core.%d", dir, (int)pid);
        have |= access(core, F_OK) == 0;
        unlink(core);
        rmdir(dir);
        if (have || (WIFSIGNALED(status) && WCOREDUMP(status)))
            escaped("dumped core in %s", scratch_dirs[d]);
        note(scratch_dirs[d], "no core");
    }
    verdict();
}
