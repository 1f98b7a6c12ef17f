/* sandbox-engine: runs code in containers of an engine (Docker, Podman), on behalf of a process that holds the other
 * end of descriptor 3.
 *
 * Speaks the launcher's protocol (plan/plan.h), with MESSAGE_CONTAINER in place of MESSAGE_RUN. Started by
 * sandbox-agent for one run (argument «once»), or kept by the service for many. Takes no environment; ends, with
 * everything it made, when descriptor 3 does.
 */
#include "engine/control.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include "base/kernel.h"
#include "base/message.h"

static void reset_surroundings(void)
{
    static const int of_the_terminal[] = { SIGINT, SIGQUIT, SIGHUP };
    struct rlimit r;
    /* these are for the command line, which tells us; we clean up in any case. One that came before we left its group
     * waits, and is discarded by being ignored */
    (void)setsid();
    for (size_t i = 0; i < ARRAY_LEN(of_the_terminal); i++) {
        (void)signal(of_the_terminal[i], SIG_IGN);
        (void)signal(of_the_terminal[i], SIG_DFL);
    }
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &r); /* cannot fail: only the soft limit moves */
    }
    for (int fd = 0; fd < CONTROL_FD; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null",
                       O_RDWR); /* else a socket of ours becomes descriptor 0, and SWEEP_FD something else */
}

int main(int argc, char **argv)
{
    static struct control c = { .is_owner = true };
    c.is_for_one_run = argc == 2 && str_eq(argv[1], "once");
    if (argc > 1 + c.is_for_one_run || !is_message_socket(CONTROL_FD)) {
        static const char text[] =
            "sandbox-engine: started by sandbox-agent with a socket as descriptor 3; not for use by hand\n";
        ssize_t n = write(2, text, sizeof text - 1);
        (void)n;
        return 2;
    }
    reset_surroundings();
    (void)sys_close_range(CONTROL_FD + 1, ~0u);
    (void)curl_global_init(CURL_GLOBAL_NOTHING); /* no TLS: the engine is a unix socket */
    if (peer_open(&c) < 0)
        return 125;
    peer_serve(&c);
    return 0;
}
