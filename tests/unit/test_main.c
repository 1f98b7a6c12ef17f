#include "test.h"

#include <setjmp.h>
#include <sys/prctl.h>

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

/* «-part=2/3»: of the files of tests, in the order they came, every third from the second on. The tests of a file stay
 * together. */
static bool is_in_part(const struct test_case *t, unsigned part, unsigned parts)
{
    static const char *file;
    static unsigned files;
    if (t->file != file)
        files++;
    file = t->file;
    return files % parts == part % parts;
}

/* «-file=net_rules»: the tests of test_net_rules.c alone. */
static bool is_in_file(const struct test_case *t, const char *file)
{
    const char *slash = strrchr(t->file, '/'), *base = slash ? slash + 1 : t->file;
    size_t n = strlen(file);
    return !n || (str_starts(base, "test_") && strncmp(base + 5, file, n) == 0 && str_eq(base + 5 + n, ".c"));
}

/* 0 passed, 1 failed, 2 skipped. In a function of its own: longjmp may clobber what lives in its frame. */
static int run_one(struct test_case *t)
{
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* one that changed ids took it away: others look at our /proc */
    int how = setjmp(back);
    if (how == 0)
        t->run();
    return how;
}

/* One digit each. */
static bool read_part(const char *text, unsigned *ret_part, unsigned *ret_parts)
{
    if (strlen(text) != 3 || text[1] != '/' || text[0] < '1' || text[2] > '9' || text[0] > text[2]) {
        (void)fprintf(stderr, "-part=%s: not like -part=1/2\n", text);
        return false;
    }
    *ret_part = (unsigned)(text[0] - '0');
    *ret_parts = (unsigned)(text[2] - '0');
    return true;
}

int main(int argc, char **argv)
{
    int counts[3] = { 0 };
    const char *name = "", *file = "";
    unsigned part = 1, parts = 1;
    for (int i = 1; i < argc; i++)
        if (str_starts(argv[i], "-file="))
            file = argv[i] + strlen("-file=");
        else if (!str_starts(argv[i], "-part="))
            name = argv[i];
        else if (!read_part(argv[i] + strlen("-part="), &part, &parts))
            return 2;
    for (struct test_case *t = first; t; t = t->next) {
        if (!is_in_part(t, part, parts) || !is_in_file(t, file) || !strstr(t->name, name))
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
