#include "cli/cmd.h"

#include <stdio.h>

int cmd_forward(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *program = arena_printf(a, "%s/sandbox-policy", p->libexec);
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (!words)
        return 125;
    words[0] = (char *)"sandbox-agent";
    memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    (void)execv(program, words);
    (void)fprintf(stderr, "sandbox-agent: %s: %s\n  remedy: the installation is incomplete: run `make install` again\n",
                  program, strerror(errno));
    free(words);
    return 125;
}
