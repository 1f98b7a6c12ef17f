#include "test.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

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

/* Which tests: all whose names hold `name`, of one file or of a part of the files. */
struct choice {
    const char *name, *file;
    unsigned part, parts;
};

static bool is_chosen(const struct test_case *t, const struct choice *c)
{
    return is_in_part(t, c->part, c->parts) && is_in_file(t, c->file) && strstr(t->name, c->name);
}

static void run_file(struct test_case *t, const struct choice *c, int counts[static 3])
{
    for (const char *file = t->file; t && t->file == file; t = t->next) {
        if (!strstr(t->name, c->name))
            continue;
        int how = run_one(t);
        counts[how]++;
        (void)printf("%s %s%s%s\n", how == 1 ? "not ok" : "ok", t->name, how == 2 ? " # SKIP " : "",
                     how == 2 ? skip_reason : "");
        (void)fflush(stdout);
    }
}

/* In a process of its own: what a file's tests leave (threads, memory, a limit) is not the next one's, and one that
 * crashes is a failure of its file alone. `counts` is memory that both share. */
static void run_apart(struct test_case *t, const struct choice *c, int counts[static 3])
{
    int status = 0;
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        run_file(t, c, counts);
        exit(0); /* what looks for leaks does so now */
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0) {
        counts[1]++;
        (void)printf("not ok %s: its process ended with status %#x\n", t->file, (unsigned)status);
    }
}

int main(int argc, char **argv)
{
    struct choice c = { "", "", 1, 1 };
    for (int i = 1; i < argc; i++)
        if (str_starts(argv[i], "-file="))
            c.file = argv[i] + strlen("-file=");
        else if (!str_starts(argv[i], "-part="))
            c.name = argv[i];
        else if (!read_part(argv[i] + strlen("-part="), &c.part, &c.parts))
            return 2;
    int *counts = mmap(NULL, 3 * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        return 2;
    const char *file = NULL;
    for (struct test_case *t = first; t; t = t->next) {
        if (!is_chosen(t, &c) || t->file == file)
            continue;
        file = t->file;
        run_apart(t, &c, counts);
    }
    (void)printf("%d passed, %d failed, %d skipped\n", counts[0], counts[1], counts[2]);
    return counts[1] ? 1 : 0;
}
