/* probe.c - asks the guest's kernel what a script cannot ask. Static, so that it runs in any root file system.
 *
 *     probe into-cgroup DIR    clone3(CLONE_INTO_CGROUP) into DIR, the child prints its own /proc/self/cgroup line
 *     probe landlock           prints the landlock ABI
 *     probe userns             a child in new user, pid, mount, net, ipc, uts and cgroup namespaces becomes root there
 *     probe notify             prints the sizes of seccomp's notification structs
 * exit: 0 it works, 1 the kernel refused (the reason on stderr), 2 usage
 *
 * System calls are made by number and structs are written out: neither musl nor glibc 2.36 has these wrappers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#define FLAG_INTO_CGROUP 0x200000000ULL

struct clone3_args {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
};

static int refused(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

static int wait_for(pid_t pid)
{
    int status;

    if (waitpid(pid, &status, 0) != pid)
        return refused("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int print_own_cgroup(void)
{
    char buffer[4096];
    int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, buffer, sizeof buffer);

    if (n < 0)
        return refused("/proc/self/cgroup");
    return write(STDOUT_FILENO, buffer, (size_t)n) == n ? 0 : 1;
}

static int into_cgroup(const char *dir)
{
    int fd = open(dir, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
    struct clone3_args args = { .flags = FLAG_INTO_CGROUP, .exit_signal = SIGCHLD };
    long pid;

    if (fd < 0)
        return refused(dir);
    args.cgroup = (uint64_t)fd;
    pid = syscall(SYS_clone3, &args, sizeof args);
    if (pid < 0)
        return refused("clone3");
    if (pid == 0)
        _exit(print_own_cgroup());
    return wait_for((pid_t)pid);
}

static int landlock(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);

    if (abi < 0)
        return refused("landlock_create_ruleset");
    printf("%ld\n", abi);
    return 0;
}

static int write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        return refused(path);
    return close(fd);
}

static int userns_child(const char *uid_map, const char *gid_map)
{
    if (write_file("/proc/self/setgroups", "deny") || write_file("/proc/self/uid_map", uid_map) ||
        write_file("/proc/self/gid_map", gid_map))
        return 1;
    if (setresgid(0, 0, 0) || setresuid(0, 0, 0))
        return refused("setresuid");
    if (sethostname("inside", 6))
        return refused("sethostname");
    return getpid() == 1 ? 0 : 1;
}

static int userns(void)
{
    struct clone3_args args = { .flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |
                                         CLONE_NEWUTS | CLONE_NEWCGROUP,
                                .exit_signal = SIGCHLD };
    char uid_map[32], gid_map[32];
    long pid;

    snprintf(uid_map, sizeof uid_map, "0 %u 1", (unsigned)geteuid());
    snprintf(gid_map, sizeof gid_map, "0 %u 1", (unsigned)getegid());
    pid = syscall(SYS_clone3, &args, sizeof args);
    if (pid < 0)
        return refused("clone3");
    if (pid == 0)
        _exit(userns_child(uid_map, gid_map));
    return wait_for((pid_t)pid);
}

static int notify(void)
{
    uint16_t sizes[3];

    if (syscall(SYS_seccomp, 3 /* SECCOMP_GET_NOTIF_SIZES */, 0, sizes))
        return refused("seccomp");
    printf("%u %u %u\n", sizes[0], sizes[1], sizes[2]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "into-cgroup"))
        return into_cgroup(argv[2]);
    if (argc == 2 && !strcmp(argv[1], "landlock"))
        return landlock();
    if (argc == 2 && !strcmp(argv[1], "userns"))
        return userns();
    if (argc == 2 && !strcmp(argv[1], "notify"))
        return notify();
    fprintf(stderr, "usage: probe into-cgroup DIR | landlock | userns | notify\n");
    return 2;
}
