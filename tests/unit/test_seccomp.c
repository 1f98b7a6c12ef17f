/* Loading filters, by a kernel that cannot compile them: played by a listener, who answers seccomp(2) with the number
 * that such a kernel has for it. */
#include "test.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "base/message.h"
#include "base/seccomp.h"

#define KENOTSUPP 524

static const struct sock_filter allow[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static const struct sock_filter ask_about_seccomp[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static _Noreturn void load_below_a_listener(int sock)
{
    struct sock_fprog prog = { .len = ARRAY_LEN(ask_about_seccomp), .filter = (struct sock_filter *)ask_about_seccomp };
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
    if (listener < 0 || send_message(sock, "l", 1, &listener, 1) < 0)
        _exit(200);
    (void)close(listener); /* the parent's is the only one: when that is gone, so is the answer */
    _exit(-seccomp_load((struct bytes){ allow, sizeof allow }));
}

/* -> what seccomp_load() said where the kernel fails so many times: 0 or errno; *ret_asked: how often it was asked */
static int load_after(unsigned failures, unsigned *ret_asked)
{
    int pair[2], listener = -1, status;
    size_t count = 0;
    char byte;
    *ret_asked = 0;
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    pid_t pid = fork();
    if (pid == 0)
        load_below_a_listener(pair[1]);
    (void)close(pair[1]);
    CHECK(receive_message(pair[0], &byte, 1, &listener, 1, &count) == 1 && count == 1);
    struct pollfd f = { .fd = listener, .events = POLLIN };
    while (poll(&f, 1, -1) == 1 && f.revents & POLLIN) {
        struct seccomp_notif q = { 0 };
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &q) < 0)
            continue; /* it has ended */
        struct seccomp_notif_resp a = { .id = q.id };
        if (++*ret_asked > failures)
            a.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        else
            a.error = -KENOTSUPP;
        (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &a);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    (void)close(listener);
    (void)close(pair[0]);
    return WEXITSTATUS(status);
}

TEST(a_filter_that_the_kernel_has_no_memory_to_compile_for_a_moment_is_loaded_when_it_has)
{
    unsigned asked;
    CHECK_EQ(load_after(3, &asked), 0);
    CHECK_EQ(asked, 4);
}

TEST(a_kernel_that_never_has_memory_to_compile_a_filter_is_told_in_words_and_not_waited_for)
{
    unsigned asked;
    CHECK_EQ(load_after(~0u, &asked), ENOMEM);
    CHECK(asked > 3);
}
