/* The service manager's side is played by the test: the protocol is the same whoever speaks it. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "daemon/notify.h"

static int manager(const char *path)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    size_t n = strlen(path);
    memcpy(at.sun_path, path, n);
    if (path[0] == '@')
        at.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)), 0);
    CHECK_EQ(setenv("NOTIFY_SOCKET", path, 1), 0);
    return fd;
}

static const char *heard(int fd, char *text, size_t size)
{
    ssize_t n = recv(fd, text, size - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

TEST(the_manager_hears_of_readiness_at_a_path_and_at_an_abstract_name)
{
    char path[2][64], text[400];
    (void)snprintf(path[0], sizeof path[0], "/tmp/test-notify-%d", (int)getpid());
    (void)snprintf(path[1], sizeof path[1], "@test-notify-%d", (int)getpid());
    (void)unlink(path[0]); /* of one that was killed and had our number */
    for (size_t i = 0; i < 2; i++) {
        cleanup(closep) int fd = manager(path[i]);
        notify_ready();
        CHECK_STR(heard(fd, text, sizeof text), "READY=1");
        notify_status("%d runs\nREADY=1", 3);
        CHECK_STR(heard(fd, text, sizeof text), "STATUS=3 runs READY=1");
        notify_reloading();
        CHECK(str_starts(heard(fd, text, sizeof text), "RELOADING=1\nMONOTONIC_USEC="));
        notify_stopping();
        CHECK_STR(heard(fd, text, sizeof text), "STOPPING=1");
    }
    CHECK_EQ(unlink(path[0]), 0);
    CHECK_EQ(unsetenv("NOTIFY_SOCKET"), 0);
    notify_ready(); /* nobody to tell */
}

/* In a child, whose descriptors and environment are its own. fds from 3 on: a listener, a datagram socket. */
static int sockets_seen(bool is_for_it)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        int found[NOTIFY_MAX_SOCKETS] = { 0 };
        char number[24];
        int listener = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_DGRAM, 0);
        if (listen(listener, 1) < 0) { /* autobinds */
            struct sockaddr_un any = { .sun_family = AF_UNIX };
            (void)bind(listener, (struct sockaddr *)&any, sizeof(sa_family_t));
            (void)listen(listener, 1);
        }
        int a = fcntl(listener, F_DUPFD, 30), b = fcntl(other, F_DUPFD, 30);
        (void)dup2(a, 3);
        (void)dup2(b, 4);
        (void)snprintf(number, sizeof number, "%d", (int)getpid() + !is_for_it);
        (void)setenv("LISTEN_PID", number, 1);
        (void)setenv("LISTEN_FDS", "2", 1);
        size_t n = notify_sockets(found);
        bool is_clean = !getenv("LISTEN_FDS") && !getenv("LISTEN_PID");
        bool is_closed_on_exec = !is_for_it || fcntl(3, F_GETFD) & FD_CLOEXEC;
        _exit(!is_clean || !is_closed_on_exec || (n && found[0] != 3) ? 99 : (int)n);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

TEST(of_the_sockets_that_the_manager_passes_the_listening_ones_are_taken_and_none_that_are_another_process_s)
{
    CHECK_EQ(sockets_seen(true), 1);
    CHECK_EQ(sockets_seen(false), 0);
}
