/* class: network
 * what: kills callers while their calls are judged: threads and processes, by hundreds, with connects to the slow, the allowed and the forbidden peer
 * levels: low
 * outside: host_listener_untouched slow_door
 */
#include "peers.h"

static void *caller(void *arg)
{
    union peer peers[] = { allowed_peer(), slow_peer(), forbidden_peer() };
    for (unsigned i = (unsigned)(long)arg;; i++) {
        int s = socket(AF_INET, SOCK_STREAM | (i % 4 ? 0 : SOCK_NONBLOCK) | SOCK_CLOEXEC, 0);
        (void)connect_to(s, &peers[i % 3]);
        check_peer(s, "in a storm of kills");
        close(s);
    }
    return NULL;
}

int main(void)
{
    close(expect_allowed("before"));
    int rounds = 0;
    for (double until = seconds(CLOCK_MONOTONIC) + 3; seconds(CLOCK_MONOTONIC) < until; rounds++) {
        pid_t pids[6];
        for (int i = 0; i < 6; i++)
            if ((pids[i] = fork()) == 0) {
                for (long t = 1; t < 3; t++)
                    restless(caller, (void *)t);
                caller(NULL);
            }
        sleep_ms(rounds % 7);
        for (int i = 0; i < 6; i++)
            if (pids[i] > 0) {
                kill(pids[i], SIGKILL);
                waitpid(pids[i], NULL, 0);
            }
    }
    close(expect_allowed("afterwards"));
    contained("%s", rounds > 20 ? "many rounds" : "few rounds");
}
