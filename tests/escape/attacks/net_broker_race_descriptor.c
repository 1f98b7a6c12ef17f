/* class: network
 * what: threads and a process with the same descriptors put other files under the number whose connect() is judged: sockets of both kinds, a listener, a file
 * levels: low
 * outside: host_listener_untouched inside_listener_unreachable
 */
#include "peers.h"

#define NUMBER 100
static atomic_bool is_over;
static int others[6];
static char stack[65536];

/* What is under NUMBER changes all the time. */
static int shuffle(void *arg)
{
    (void)arg;
    for (unsigned i = 0; !is_over; i++)
        dup2(others[i % 6], NUMBER);
    return 0;
}

static void *shuffle_thread(void *arg)
{
    shuffle(arg);
    return NULL;
}

static void attack_for(double length)
{
    union peer good = allowed_peer(), bad = forbidden_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
    union peer inside = peer_at("0.0.0.0", param_num("inside_port", 1));
    double until = seconds(CLOCK_MONOTONIC) + length;
    while (seconds(CLOCK_MONOTONIC) < until) {
        (void)connect_to(NUMBER, &good);
        (void)connect_to(NUMBER, &nowhere);
        (void)connect_to(NUMBER, &bad);
        check_peer(NUMBER, "under a number that others use");
        (void)!bind(NUMBER, &inside.any, sizeof inside.four);
        (void)!listen(NUMBER, 1);
        (void)sendto(NUMBER, "escape", 6, MSG_DONTWAIT | MSG_NOSIGNAL, &bad.any, sizeof bad.four);
        for (int i = 0; i < 6; i++)
            check_peer(others[i], "by a descriptor that was not asked about");
        int s = new_tcp(SOCK_NONBLOCK);
        dup2(s, others[3]);
        close(s);
    }
}

int main(void)
{
    char path[] = "/tmp/" OURS "file", text[16] = "";
    others[0] = expect_allowed("before");                       /* a connected socket of the host */
    others[1] = new_tcp(SOCK_NONBLOCK);                         /* one of the sandbox */
    others[2] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); /* one whose connect() is nobody's business */
    others[3] = new_tcp(SOCK_NONBLOCK);
    others[4] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    others[5] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (write(others[5], "untouched", 9) != 9)
        contained("no file: %s", errname(errno));
    signal(SIGPIPE, SIG_IGN);
    dup2(others[3], NUMBER);
    pthread_t thread = restless(shuffle_thread, NULL);
    attack_for(2);
    int child = clone(shuffle, stack + sizeof stack, CLONE_FILES | CLONE_VM | SIGCHLD, NULL); /* a process, no thread */
    attack_for(2);
    is_over = true;
    pthread_join(thread, NULL);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (pread(others[5], text, 9, 0) != 9 || strcmp(text, "untouched"))
        escaped("an open file was changed: %s", text);
    unlink(path);
    close(expect_allowed("afterwards"));
    contained("no other peer, whatever was under the number%s",
              child < 0 ? " (no process with the same descriptors)" : "");
}
