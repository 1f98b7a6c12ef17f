/* main.c - sandbox-policy COMMAND ...: one table of commands. */
#include "tool/tool.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#ifndef DATA_DIR
#define DATA_DIR "/usr/local/share/sandbox-agent"
#endif

static const struct command {
    const char *name;
    int (*run)(struct tool *t, int argc, char **argv);
    const char *help;
} commands[] = {
    { "compile", cmd_compile, "configuration, profile, filter and guards into one blob (for sandbox-agent)" },
    { "profiles", cmd_profiles, "list | show LEVEL|FILE | check FILE... (--json)" },
    { "config", cmd_config, "show (--config FILE, --json)" },
    { "doctor", cmd_doctor, "what this machine offers and what each level would lose (--json)" },
    { "batch", cmd_batch, "FILE|-: many programs, a line of JSON each (--jobs N, --config FILE)" },
    { "policy", cmd_policy,
      "test: what the audit's decisions would be under a changed configuration (--config FILE, --json)" },
    { "hook", cmd_hook, "claude-code: a PreToolUse hook that sends Bash commands into a sandbox" },
    { "srt", cmd_srt, "FILE PROJECT WORD...: sandbox-runtime's settings become words of sandbox-agent wrap" },
    { "syscalls", cmd_syscalls, "every system call at each level (--tsv)" },
    { "docs", cmd_docs, "profiles | configuration: the tables of docs/ as Markdown" },
};

static int usage(FILE *to, int code)
{
    (void)fprintf(to, "usage: sandbox-policy [--data-dir D] COMMAND ...\n\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        (void)fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].help);
    return code;
}

static int find_exe_dir(char out[static PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (n < 0)
        return -errno;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (!slash)
        return -ENOENT;
    *slash = '\0';
    return 0;
}

/* Installed near us (PREFIX/libexec/sandbox-agent or PREFIX/bin, and PREFIX/share), or the source tree that we were
 * built in. */
static void find_data_dir(const char *exe_dir, char out[static PATH_MAX])
{
    static const char *const places[] = { "../../share/sandbox-agent", "../share/sandbox-agent", "..", "../..",
                                          "../../.." };
    char probe[PATH_MAX + 64];
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct stat st;
        (void)snprintf(probe, sizeof probe, "%s/%s/profiles/high-risk.yaml", exe_dir, places[i]);
        if (stat(probe, &st) < 0)
            continue;
        probe[strlen(probe) - strlen("/profiles/high-risk.yaml")] = '\0';
        if (realpath(probe, out))
            return;
    }
    (void)snprintf(out, PATH_MAX, "%s", DATA_DIR);
}

int main(int argc, char **argv)
{
    char exe_dir[PATH_MAX] = "", data_dir[PATH_MAX] = DATA_DIR;
    struct tool t = { .data_dir = data_dir, .exe_dir = exe_dir };
    if (find_exe_dir(exe_dir) == 0)
        find_data_dir(exe_dir, data_dir);
    argc--;
    argv++;
    if (argc >= 2 && str_eq(argv[0], "--data-dir")) {
        t.data_dir = argv[1];
        argc -= 2;
        argv += 2;
    }
    if (argc == 0)
        return usage(stderr, 2);
    if (str_eq(argv[0], "--help") || str_eq(argv[0], "-h"))
        return usage(stdout, 0);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (str_eq(commands[i].name, argv[0]))
            return commands[i].run(&t, argc, argv);
    (void)fprintf(stderr, "%s: unknown command '%.40s'\n", program_invocation_short_name, argv[0]);
    return usage(stderr, 2);
}
