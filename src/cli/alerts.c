/* alerts.c - the command `alerts`: sandboxd has the libraries that speak to mail servers and chats. */
#include "cli/cmd.h"

int cmd_alerts(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *config = NULL, *program = arena_printf(a, "%s/../../bin/sandboxd", p->libexec);
    bool is_usage = argc < 2 || !str_eq(argv[1], "test");
    for (int i = 2; i < argc && !is_usage; i++) {
        if (str_starts(argv[i], "--config="))
            config = argv[i] + strlen("--config=");
        else if (str_eq(argv[i], "--config") && i + 1 < argc)
            config = argv[++i];
        else
            is_usage = true;
    }
    if (is_usage) {
        (void)fprintf(stderr, "usage: sandbox-agent alerts test [--config FILE]\n");
        return 2;
    }
    char *words[] = { (char *)"sandboxd", (char *)"--test-alerts", config ? (char *)"--config" : NULL, (char *)config,
                      NULL };
    (void)execv(program, words);
    (void)fprintf(stderr, "sandbox-agent: %s: %s\n  remedy: alerts to people need the service: install sandboxd\n",
                  program, strerror(errno));
    return 125;
}
