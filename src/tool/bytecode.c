/* bytecode.c - one run of the host's python3, outside of any sandbox.
 *
 * What runs is the guard: installed beside this program, and trusted as this program is. It sees an empty environment
 * and Python's own modules only (-I -S). Text and result lie in memory without a name, so that what we have read is
 * what is compiled, whatever happens to the file meanwhile. The user's code has no part in it.
 */
#include "tool/bytecode.h"

#include "config/compiled.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { TIMEOUT_S = 10, HEADER_BYTES = 16 /* PEP 552 */ };

static int memory_file(const char *name, struct bytes content)
{
    cleanup(closep) int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (content.size && write(fd, content.data, content.size) != (ssize_t)content.size)
        return -EIO;
    return TAKE_FD(fd);
}

/* In the child. SIGALRM is the deadline: it outlives exec, and Python leaves it alone. */
static _Noreturn void run_python(int text, int result)
{
    char text_path[32], result_path[32], python[] = COMPILED_PYTHON, flags[] = "-ISB", option[] = "--compile";
    char *const argv[] = { python, flags, text_path, option, result_path, NULL }, *const env[] = { NULL };
    sigset_t none;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* best effort: the deadline ends it, too */
    (void)signal(SIGALRM, SIG_DFL);
    (void)signal(SIGINT, SIG_IGN); /* ^C is for the command line: without bytecode its next runs would be slow */
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)alarm(TIMEOUT_S);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd <= 2; fd++)
        if (null < 0 || dup2(null, fd) < 0)
            _exit(125);
    (void)snprintf(text_path, sizeof text_path, "/proc/self/fd/%d", text);
    (void)snprintf(result_path, sizeof result_path, "/proc/self/fd/%d", result);
    if (fcntl(text, F_SETFD, 0) == 0 && fcntl(result, F_SETFD, 0) == 0)
        (void)execve(COMPILED_PYTHON, argv, env);
    _exit(125);
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* Python knows bytecode by the second half of its magic number; anything else it would take for a program. */
static int read_result(int fd, struct buf *out)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (st.st_size <= HEADER_BYTES || st.st_size > (off_t)BYTECODE_MAX_BYTES)
        return -EBADMSG;
    cleanup(freep) char *data = malloc((size_t)st.st_size);
    if (!data)
        return -ENOMEM;
    if (pread(fd, data, (size_t)st.st_size, 0) != (ssize_t)st.st_size || memcmp(data + 2, "\r\n", 2) != 0)
        return -EBADMSG;
    return buf_add(out, data, (size_t)st.st_size);
}

int bytecode_make(struct bytes text, struct buf *out)
{
    cleanup(closep) int in = memory_file("guard", text);
    cleanup(closep) int result = memory_file("bytecode", (struct bytes){ 0 });
    if (in < 0 || result < 0)
        return in < 0 ? in : result;
    pid_t pid = fork();
    if (pid < 0)
        return -errno;
    if (pid == 0)
        run_python(in, result);
    int r = wait_for(pid);
    return r < 0 ? r : read_result(result, out);
}
