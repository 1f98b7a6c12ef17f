/* class: resources
 * what: spreads its memory over four processes, each below any per-process limit
 * reason: oom killed signal
 * timeout: 20
 */
#include "attack.h"

int main(void)
{
    size_t part = memory_target() / 4;
    int done[2];
    if (pipe(done) < 0)
        contained("pipe=%s", errname(errno));
    int children = 0;
    for (int i = 0; i < 4; i++) {
        pid_t pid = i < 3 ? fork() : 0; /* the last quarter in person */
        if (pid < 0)
            break;
        children += pid > 0;
        if (pid == 0) {
            alarm(7);
            char *p = mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (p == MAP_FAILED)
                p = NULL;
            for (size_t n = 0; p && n < part; n += 4096)
                p[n] = 1;
            (void)!write(done[1], p ? "y" : "n", 1);
            if (i < 3) {
                sleep_ms(4000);
                _exit(0);
            }
        }
    }
    int yes = 0;
    for (int i = 0; i < children + 1; i++) {
        char c = 'n';
        int status;
        for (int t = 0; t < 40; t++) { /* a killed child never answers */
            (void)fcntl(done[0], F_SETFL, O_NONBLOCK);
            if (read(done[0], &c, 1) == 1)
                break;
            if (waitpid(-1, &status, WNOHANG) > 0)
                contained("a child was killed");
            sleep_ms(50);
        }
        yes += c == 'y';
    }
    if (yes < 4)
        contained("%d of 4 parts", yes);
    sleep_ms(1500);
    if (waitpid(-1, NULL, WNOHANG) > 0)
        contained("a child was killed");
    escaped("held %zu MiB in four processes", part * 4 / MIB);
}
