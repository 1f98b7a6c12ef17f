/* What the scanner has given up before it looks at code: tried from inside, seen from outside. */
#include "scan/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "test.h"

#if defined __SANITIZE_ADDRESS__
#define RUNS_UNDER_A_SANITIZER true
#else
#define RUNS_UNDER_A_SANITIZER false
#endif

static void try_open(void)
{
    (void)syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}
static void try_read(void)
{
    char c;
    (void)syscall(SYS_read, 0, &c, 1);
}
static void try_socket(void)
{
    (void)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
}
static void try_fork(void)
{
    (void)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
static void try_exec(void)
{
    (void)syscall(SYS_execve, "/bin/true", NULL, NULL);
}
static void try_kill(void)
{
    (void)syscall(SYS_kill, getppid(), 0);
}
static void try_ptrace(void)
{
    (void)syscall(SYS_ptrace, 16, getppid(), 0, 0);
}
static void try_write_elsewhere(void)
{
    (void)syscall(SYS_write, 2, "x", 1);
}
static void try_code(void)
{
    (void)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void try_prlimit(void)
{
    (void)syscall(SYS_prlimit64, 0, 7, NULL, NULL);
}
static void try_unlink(void)
{
    (void)syscall(SYS_unlinkat, AT_FDCWD, "/nonexistent", 0);
}

/* -> wait status of a child that confines itself, answers one byte, and tries. */
static int in_confinement(void (*attempt)(void), char *answer)
{
    int ends[2], status;
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct error err = { 0 };
        if (confine(ends[0], ends[1], 1000, &err) < 0)
            _exit(9);
        (void)!write(ends[1], "b", 1);
        (void)!read(ends[0], answer, 1); /* what it is asked over; another descriptor: see try_read() */
        (void)!write(ends[1], "a", 1);
        if (attempt)
            attempt();
        syscall(SYS_exit_group, 0);
    }
    (void)close(ends[1]);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_EQ(read(ends[0], answer, 1), 1);
    (void)close(ends[0]);
    return status;
}

TEST(a_confined_scanner_may_answer_and_end)
{
    char answer = 0;
    int status = in_confinement(NULL, &answer);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0 && answer == 'a');
}

TEST(a_confined_scanner_that_tries_anything_else_is_killed)
{
    static void (*const attempts[])(void) = { try_open, try_read,    try_socket, try_fork,
                                              try_exec, try_kill,    try_ptrace, try_write_elsewhere,
                                              try_code, try_prlimit, try_unlink };
    for (size_t i = 0; i < ARRAY_LEN(attempts); i++) {
        char answer = 0;
        int status = in_confinement(attempts[i], &answer);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS)
            (void)fprintf(stderr, "# attempt %zu: status %x\n", i, (unsigned)status);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
    }
}

static void take_memory(void)
{
    for (;;) {
        char *p = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            syscall(SYS_exit_group, 7);
        memset(p, 1, 1 << 24);
    }
}

TEST(a_confined_scanner_meets_its_bound_of_memory)
{
    if (RUNS_UNDER_A_SANITIZER)
        SKIP("a sanitizer reserves more address space than the bound allows");
    char answer = 0;
    int status = in_confinement(take_memory, &answer);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
