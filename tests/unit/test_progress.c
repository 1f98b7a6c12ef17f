/* What a person who waits is told, and a pipe is not: base/progress.h. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/progress.h"

/* Something that has taken three seconds, at this standard error. */
static void take_three_seconds(int err)
{
    const pid_t pid = fork();
    int status;
    CHECK(pid >= 0);
    if (pid == 0) {
        struct progress p;
        if (dup2(err, STDERR_FILENO) < 0)
            _exit(2);
        progress_begin(&p, "compiling go");
        const uint32_t first = progress_look(&p); /* too early for a word */
        p.begin_ms -= 3000;
        p.next_ms = p.next_ms ? 1 : 0;
        const uint32_t second = progress_look(&p);
        progress_end(&p);
        progress_end(&p);
        _exit(isatty(STDERR_FILENO) ? first == 0 || first > 1000 || second != 1000 : first != 0 || second != 0);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(progress_is_told_to_a_terminal_and_taken_away)
{
    char said[512];
    const int main_end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(main_end >= 0 && grantpt(main_end) == 0 && unlockpt(main_end) == 0);
    const int terminal = open(ptsname(main_end), O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(terminal >= 0);
    take_three_seconds(terminal);
    const ssize_t n = read(main_end, said, sizeof said - 1);
    CHECK(n > 0);
    said[n] = '\0';
    const char *line = strstr(said, "sandbox-agent: compiling go: 3 s");
    CHECK(line && !strchr(said, '\n') && said[n - 1] == '\r'); /* on one line, whose end is its beginning */
    CHECK(strspn(line + strlen("sandbox-agent: compiling go: 3 s"), "\r ") ==
          strlen(line) - strlen("sandbox-agent: compiling go: 3 s"));
    (void)close(terminal);
    (void)close(main_end);
}

TEST(progress_is_not_told_to_a_pipe)
{
    int ends[2];
    char said;
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    take_three_seconds(ends[1]);
    (void)close(ends[1]);
    CHECK_EQ(read(ends[0], &said, 1), 0);
    (void)close(ends[0]);
}
