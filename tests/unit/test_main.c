#include "test.h"

#include <setjmp.h>

static struct test_case *first, **last = &first;
static jmp_buf back;
static const char *skip_reason;

void test_register(struct test_case *t)
{
    *last = t;
    last = &t->next;
}

void test_fail(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "# %s:%d: failed: %s\n", file, line, what);
    longjmp(back, 1);
}

void test_skip(const char *why)
{
    skip_reason = why;
    longjmp(back, 2);
}

/* 0 passed, 1 failed, 2 skipped. In a function of its own: longjmp may clobber what lives in its frame. */
static int run_one(struct test_case *t)
{
    int how = setjmp(back);
    if (how == 0)
        t->run();
    return how;
}

int main(int argc, char **argv)
{
    int counts[3] = { 0 };
    for (struct test_case *t = first; t; t = t->next) {
        if (argc > 1 && !strstr(t->name, argv[1]))
            continue;
        int how = run_one(t);
        counts[how]++;
        (void)printf("%s %s%s%s\n", how == 1 ? "not ok" : "ok", t->name, how == 2 ? " # SKIP " : "",
                     how == 2 ? skip_reason : "");
        (void)fflush(stdout);
    }
    (void)printf("%d passed, %d failed, %d skipped\n", counts[0], counts[1], counts[2]);
    return counts[1] ? 1 : 0;
}
