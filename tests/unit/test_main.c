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

int main(int argc, char **argv)
{
    int passed = 0, failed = 0, skipped = 0;
    for (struct test_case *t = first; t; t = t->next) {
        if (argc > 1 && !strstr(t->name, argv[1]))
            continue;
        int how = setjmp(back);
        if (how == 0) {
            t->run();
            passed++;
            (void)printf("ok %s\n", t->name);
        } else if (how == 1) {
            failed++;
            (void)printf("not ok %s\n", t->name);
        } else {
            skipped++;
            (void)printf("ok %s # SKIP %s\n", t->name, skip_reason);
        }
        (void)fflush(stdout);
    }
    (void)printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
