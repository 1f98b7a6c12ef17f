/* class: resources
 * what: forks from several threads at the same moment, so that each finds the last place of max_processes free
 * reason: pids_limit killed
 * levels: high
 * timeout: 20
 */
#include "attack.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS  60

static int barrier[2]; /* asleep until all go at once: spinning would use up the CPU's share */
static volatile int finished;
static pid_t children[THREADS];

static void *fork_at_once(void *arg)
{
    long self = (long)arg;
    for (int i = 1; i <= ROUNDS; i++) {
        char byte;
        (void)!read(barrier[0], &byte, 1);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(20);
            for (;;)
                pause();
        }
        children[self] = pid;
        __sync_fetch_and_add(&finished, 1);
    }
    return NULL;
}

static int count_alive(const pid_t *pids, int n)
{
    int alive = 0;
    for (int i = 0; i < n; i++)
        alive += pids[i] > 0 && kill(pids[i], 0) == 0;
    return alive;
}

static void end_all(pid_t *pids, int n)
{
    for (int i = 0; i < n; i++)
        if (pids[i] > 0) {
            kill(pids[i], SIGKILL);
            waitpid(pids[i], NULL, 0);
            pids[i] = 0;
        }
}

int main(void)
{
    long limit = param_num("limit_processes", 250);
    static pid_t filling[300];
    pthread_t threads[THREADS];
    int most = 0, fill = limit > 260 ? 260 : (int)limit - 2; /* one place is left */
    if (pipe(barrier) < 0)
        contained("no pipe: %s", errname(errno));
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, fork_at_once, (void *)i) != 0)
            contained("no thread: %s", errname(errno));
    for (int i = 0; i < fill; i++) {
        filling[i] = fork();
        if (filling[i] == 0) {
            alarm(20);
            for (;;)
                pause();
        }
    }
    for (int i = 1; i <= ROUNDS; i++) {
        finished = 0;
        (void)!write(barrier[1], "gogogogo", THREADS);
        while (finished < THREADS)
            sched_yield();
        int alive = 1 + count_alive(filling, fill) + count_alive(children, THREADS);
        most = alive > most ? alive : most;
        end_all(children, THREADS);
    }
    end_all(filling, fill);
    if (most > limit)
        escaped("%d processes at once, the profile allows %ld", most, limit);
    contained("%d processes at once in %d rounds", most, ROUNDS);
}
