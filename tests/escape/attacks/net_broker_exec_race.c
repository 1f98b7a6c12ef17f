/* class: network
 * what: rewrites path and arguments while an exec is told of, and runs it from a thread whose memory others change: what runs is what the kernel loads, and nothing waits for ever
 * levels: low medium high
 */
#include "peers.h"

static char path[64], program[64], text[64];
static char *shared_argv[4] = { path, "one", NULL, NULL };
static atomic_bool is_over;

static void *rewrite(void *arg)
{
    (void)arg;
    while (!is_over) {
        memcpy(path, text, sizeof path);
        shared_argv[1] = (char *)8;
        memcpy(path, program, sizeof path);
        shared_argv[1] = "two";
    }
    return NULL;
}

int main(void)
{
    snprintf(program, sizeof program, "%s", delivered("baseline"));
    snprintf(text, sizeof text, "%s", delivered("params"));
    memcpy(path, program, sizeof path);
    pthread_t t = restless(rewrite, NULL);
    int good = 0, refusals = 0, others = 0;
    for (double until = seconds(CLOCK_MONOTONIC) + 2; seconds(CLOCK_MONOTONIC) < until;) {
        pid_t pid = fork();
        if (pid == 0) {
            int null = open("/dev/null", O_WRONLY);
            dup2(null, 1);
            pthread_t own = restless(rewrite, NULL); /* fork leaves other threads behind */
            (void)own;
            execv(path, shared_argv);
            _exit(77);
        }
        int status = 0;
        if (pid < 0 || waitpid(pid, &status, 0) < 0) {
            sleep_ms(1);
            continue;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            good++;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            refusals++;
        else
            others++;
    }
    is_over = true;
    pthread_join(t, NULL);
    contained("%s, %s, %s", good ? "some ran" : "none ran", refusals ? "some were refused" : "none was refused",
              others ? "some ended otherwise" : "nothing else happened");
}
