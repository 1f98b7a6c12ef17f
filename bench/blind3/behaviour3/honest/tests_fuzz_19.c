// class: tests; possible: low medium; style: C, fuzzes a parser in forked children, counts crashes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int parse(const char *s, size_t n)
{
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += s[i] == '[';
        depth -= s[i] == ']';
        if (depth > 9)
            abort();
        if (depth < 0)
            return -1;
    }
    return depth;
}

int main(void)
{
    int crashes = 0, wrong = 0;
    srand(7);
    for (int i = 0; i < 150; i++) {
        char b[128];
        size_t n = rand() % sizeof b;
        for (size_t k = 0; k < n; k++)
            b[k] = "[[]x "[rand() % 5];
        pid_t p = fork();
        if (!p)
            _exit(parse(b, n) ? 1 : 0);
        int s;
        waitpid(p, &s, 0);
        crashes += WIFSIGNALED(s);
        wrong += WIFEXITED(s) && WEXITSTATUS(s);
    }
    printf("crashes %d wrong %d\n", crashes, wrong);
    return 0;
}
