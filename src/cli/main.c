/* sandbox-agent: the command line. Static and small, since its own start is part of every run. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include "cli/cmd.h"
#include "cli/options.h"

static const struct command {
    const char *name;
    int (*run)(const struct paths *, struct arena *, int, char **);
} commands[] = {
    { "run", cmd_run },           { "doctor", cmd_forward },  { "profiles", cmd_forward },
    { "config", cmd_forward },    { "syscalls", cmd_forward },    { "policy", cmd_forward },
    { "docs", cmd_forward },      { "scan", cmd_scan },           { "audit", cmd_audit },
    { "agents", cmd_agents },     { "artifacts", cmd_artifacts }, { "sign", cmd_sign },
};

static const char *const later[] = { "keys", "mcp" };

static int dispatch(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (argc < 2 || str_eq(name, "--help") || str_eq(name, "-h") || str_eq(name, "help")) {
        help_print(argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    if (str_eq(name, "--version")) {
        version_print();
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (str_eq(name, commands[i].name))
            return commands[i].run(p, a, argc - 1, argv + 1);
    for (size_t i = 0; i < ARRAY_LEN(later); i++)
        if (str_eq(name, later[i])) {
            (void)fprintf(stderr, "sandbox-agent: %s is not in this version\n", name);
            return 2;
        }
    if (name[0] == '-')
        return cmd_run(p, a, argc, argv);
    (void)fprintf(stderr, "sandbox-agent: unknown command %s\n  remedy: see sandbox-agent --help\n", name);
    return 2;
}

/* 0, 1 and 2 must be taken, or the next socket or log file would be what the program prints into. */
static void fill_standard_fds(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        (void)close(fd);
}

int main(int argc, char **argv)
{
    fill_standard_fds();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file size limit of our caller's: an error, not our death */
    (void)signal(SIGCHLD, SIG_DFL); /* an ignored one survives exec, and waiting for sandbox-policy would fail */
    struct arena arena = { 0 };
    struct paths paths = { 0 };
    if (paths_find(&arena, &paths) < 0) {
        (void)fprintf(stderr, "sandbox-agent: /proc/self/exe cannot be read: is /proc mounted?\n");
        return 125;
    }
    int code = dispatch(&paths, &arena, argc, argv);
    arena_done(&arena);
    return code;
}
