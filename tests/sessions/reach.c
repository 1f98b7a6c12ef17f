/* reach.c - a job of a session that tries to reach every other process: the steward, the reapers, other jobs.
 *
 * Prints «REACHED how pid» for each success, then «tried N of M», M being the processes that /proc shows. With «own» it
 * does the same to a child of its own, which must succeed: otherwise the silence elsewhere proves nothing.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define HIGHEST 200 /* pids of a sandbox are small: also those that /proc hides */

static void say(const char *how, int pid)
{
    printf("REACHED %s %d\n", how, pid);
    fflush(stdout);
}

static void try_signals(int pid)
{
    union sigval value = { 0 };
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (kill(pid, 0) == 0)
        say("kill 0", pid);
    if (kill(pid, SIGKILL) == 0)
        say("kill", pid);
    if (pid > 1 && kill(-pid, SIGKILL) == 0)
        say("kill group", pid);
    if (syscall(SYS_tkill, pid, SIGKILL) == 0)
        say("tkill", pid);
    if (syscall(SYS_tgkill, pid, pid, SIGKILL) == 0)
        say("tgkill", pid);
    if (sigqueue(pid, SIGTERM, value) == 0)
        say("sigqueue", pid);
    if (pidfd >= 0 && syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) == 0)
        say("pidfd_send_signal", pid);
    for (int fd = 0; pidfd >= 0 && fd < 20; fd++)
        if (syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0)
            say("pidfd_getfd", pid);
    if (pidfd >= 0)
        close(pidfd);
}

/* What lies in these is seen without asking the process; the kernel asks whether we might trace it. */
static void try_proc(int pid)
{
    static const char *const names[] = { "mem", "environ", "maps", "auxv", "stack", "syscall", "personality", "io" };
    char path[64], byte;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", pid, names[i]);
        int fd = open(path, i == 0 ? O_RDWR : O_RDONLY);
        if (fd >= 0 && (i == 0 || read(fd, &byte, 1) == 1))
            say(names[i], pid);
        if (fd >= 0)
            close(fd);
    }
    for (int n = 0; n < 32; n++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, n);
        if (readlink(path, &byte, 1) >= 0)
            say("fd", pid);
    }
    snprintf(path, sizeof path, "/proc/%d/root", pid);
    if (readlink(path, &byte, 1) >= 0)
        say("root", pid);
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
    int fd = open(path, O_WRONLY);
    if (fd >= 0 && write(fd, "1000", 4) == 4)
        say("oom_score_adj", pid);
    if (fd >= 0)
        close(fd);
}

static void try_memory(int pid)
{
    char byte;
    struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };
    if (syscall(SYS_process_vm_readv, pid, &here, 1, &there, 1, 0) == 1)
        say("process_vm_readv", pid);
    if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0)
        say("seize", pid);
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0)
        say("attach", pid);
}

static int own(void)
{
    int pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    try_proc(pid);
    try_signals(pid);
    waitpid(pid, NULL, 0);
    return 0;
}

static int shown(void)
{
    int count = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *d; proc && (d = readdir(proc));)
        count += d->d_name[0] >= '0' && d->d_name[0] <= '9';
    return count;
}

int main(int argc, char **argv)
{
    int tried = 0;
    if (argc > 1 && strcmp(argv[1], "own") == 0)
        return own();
    for (int pid = 1; pid <= HIGHEST; pid++) {
        if (pid == getpid())
            continue;
        try_proc(pid);
        try_memory(pid);
        try_signals(pid);
        tried++;
    }
    kill(-1, SIGKILL); /* says 0 also where it reaches nothing: kill(2). Who watches from outside sees what it did */
    printf("tried %d, shown %d\n", tried, shown());
    return 0;
}
