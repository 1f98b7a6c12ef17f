/* What a steward hands out as a connection is looked at (session/port.c). */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "session/internal.h"
#include "test.h"

TEST(a_socket_that_is_no_connection_of_the_sessions_own_is_not_taken)
{
    int pair[2];
    const int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(tcp >= 0 && udp >= 0 && pipe(pair) == 0);
    CHECK(!session_port_is_good(tcp)); /* of our own namespace: the host's */
    CHECK(!session_port_is_good(udp) && !session_port_is_good(pair[0]) && !session_port_is_good(-1));
    CHECK(close(pair[0]) == 0 && close(pair[1]) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CHECK(!session_port_is_good(pair[0]));
    const int all[] = { tcp, udp, pair[0], pair[1] };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        (void)close(all[i]);
}

enum { CAN_NOT = 77 };

/* What was made before is another namespace's then. */
static int take_from_elsewhere(void)
{
    const int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
        return CAN_NOT;
    return tcp >= 0 && session_port_is_good(tcp) && !session_port_is_good(udp) ? 0 : 1;
}

TEST(a_connection_beyond_our_namespace_is_taken)
{
    int status = 0;
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(take_from_elsewhere());
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    if (WEXITSTATUS(status) == CAN_NOT)
        SKIP("there are no user namespaces here");
    CHECK_EQ(WEXITSTATUS(status), 0);
}

/* As before Linux 5.14, where there is no such option. */
static int ask_an_old_kernel(void)
{
    struct sock_filter code[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsockopt, 0, 3),
                                  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 71 /* SO_NETNS_COOKIE */, 0, 1),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOPROTOOPT),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    const struct sock_fprog program = { ARRAY_LEN(code), code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        return CAN_NOT;
    const int tcp = socket(AF_INET, SOCK_STREAM, 0);
    return session_port_is_sure() || !session_port_is_good(tcp);
}

TEST(a_kernel_that_does_not_tell_namespaces_of_sockets_is_no_sure_one)
{
    int status = 0;
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(ask_an_old_kernel());
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}
