#include "cli/cmd.h"

#include <stdio.h>

static int forward(const char *program, const char *name, int argc, char **argv, struct arena *a)
{
    char **words = arena_zero(a, ((size_t)argc + 2) * sizeof *words);
    if (!words)
        return 125;
    words[0] = (char *)name;
    memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    (void)execv(program, words);
    (void)fprintf(stderr, "sandbox-agent: %s: %s\n  remedy: the installation is incomplete: run `make install` again\n",
                  program, strerror(errno));
    return 125;
}

int cmd_forward(const struct paths *p, struct arena *a, int argc, char **argv)
{
    return forward(arena_printf(a, "%s/sandbox-policy", p->libexec), "sandbox-agent", argc, argv, a);
}

int cmd_service(const struct paths *p, struct arena *a, int argc, char **argv)
{
    return forward(arena_printf(a, "%s/../../bin/sandboxd", p->libexec), "sandboxd", argc, argv, a);
}
