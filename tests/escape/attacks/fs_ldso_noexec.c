/* class: filesystem
 * what: starts a library copied to a noexec place through the dynamic loader (/lib64/ld-linux-x86-64.so.2 /tmp/x)
 * levels: high
 */
#include "attack.h"

int main(void)
{
    static const char *const loaders[] = { "/lib64/ld-linux-x86-64.so.2", "/usr/lib64/ld-linux-x86-64.so.2",
                                           "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" };
    static const char *const sources[] = { "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libc.so.6",
                                           "/usr/bin/true" };
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        char *path = scratch_path(scratch_dirs[d], "lib");
        bool have = false;
        for (int s = 0; s < 3 && !have; s++)
            have = copy_file(sources[s], path, 0755);
        for (int l = 0; have && l < 3; l++) {
            int pipes[2];
            if (pipe(pipes) < 0)
                continue;
            pid_t pid = fork();
            if (pid == 0) {
                dup2(pipes[1], 1);
                dup2(pipes[1], 2);
                close(pipes[0]);
                close(pipes[1]);
                execl(loaders[l], loaders[l], path, NULL);
                _exit(120);
            }
            close(pipes[1]);
            char out[512] = "";
            (void)!read(pipes[0], out, sizeof out - 1);
            close(pipes[0]);
            int status = 0;
            (void)waitpid(pid, &status, 0);
            if (strstr(out, "GNU C Library") || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
                unlink(path);
                escaped("%s ran a copy in %s", loaders[l], scratch_dirs[d]);
            }
            note(scratch_dirs[d], strstr(out, "not permitted")                      ? "mapping refused"
                                  : WIFEXITED(status) && WEXITSTATUS(status) == 120 ? "no loader"
                                                                                    : "refused");
        }
        unlink(path);
    }
    verdict();
}
