/* sandbox-agent: the command line. Static and small, since its own start is part of every run. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include "base/parse.h"
#include "cli/cmd.h"
#include "cli/options.h"

static const struct command {
    const char *name;
    int (*run)(const struct paths *, struct arena *, int, char **);
    const char *usage; /* of `NAME --help` and `NAME VERB --help`; NULL: the command answers it itself */
} commands[] = {
    { "run", cmd_run, NULL },
    { "wrap", cmd_wrap, NULL },
    { "doctor", cmd_forward, NULL },
    { "profiles", cmd_forward,
      "profiles list\n"
      "       sandbox-agent profiles show LEVEL|FILE\n"
      "       sandbox-agent profiles check FILE...\n\n"
      "What a risk level allows, with the file and line of each value; check reads a profile of your own as a run "
      "would.\n"
      "All take --config FILE; list and show take --json.\n" },
    { "config", cmd_forward,
      "config show [--config FILE] [--json]\n\n"
      "The configuration in effect: the defaults, the system's file, yours, then FILE, with the source of each "
      "value.\n" },
    { "syscalls", cmd_forward,
      "syscalls [--tsv]\n\n"
      "Every system call and what the filters default and strict answer to it.\n" },
    { "docs", cmd_forward,
      "docs profiles|configuration\n\n"
      "The reference of all keys as Markdown: docs/profiles.md and docs/configuration.md are made by it.\n" },
    { "batch", cmd_forward,
      "batch FILE|- [--jobs N] [--config FILE]\n\n"
      "Runs many programs, a line of JSON each as for POST /execute, N at once (twice the processors), and prints\n"
      "a line for each as it ends: its result, whose fault a failure is, and whether it may be tried again\n"
      "(docs/batch.md).\n"
      "exit: 0 all ended well, 1 not, 2 usage\n" },
    { "hook", cmd_forward, NULL },
    { "policy", cmd_policy_command,
      "policy test [--config FILE] [--profile FILE | --risk-level LEVEL] [--audit DIR|FILE] [--agent ID]\n"
      "              [--since TIME] [--limit N] [--json] [--exit-code]\n"
      "       sandbox-agent policy test --events DIR|FILE --profile FILE|--risk-level LEVEL [--config FILE] "
      "[--json]\n\n"
      "Decides the runs in the audit again, under the configuration with FILE on top and, where one is given, with\n"
      "this profile for all of them, judges what they did by its network, limits and kill switches, and shows what\n"
      "would differ. --limit: so many of them are shown, all are counted. --events: recordings of --record-events,\n"
      "which the detectors read again.\n"
      "TIME: 2026-11-21T04:35:04Z, or how long ago: 12h, 30d. --exit-code: 1 when a decision would differ, or a line\n"
      "could not be read.\n\n"
      "       sandbox-agent policy suggest --agent ID [--config FILE] [--audit DIR|FILE] [--since TIME]\n\n"
      "Prints the tightest profile under which the agent's recorded good runs still pass, as a file for --profile.\n\n"
      "       sandbox-agent policy simulate [--config FILE] [--trace] FILE|-\n\n"
      "Plays simulated runs through the trust policy and says what becomes of their agents (docs/trust.md).\n"
      "exit: 0 all as the file expects, 1 not, 2 usage or a file that cannot be read\n" },
    { "scan", cmd_scan, NULL },
    { "agents", cmd_agents, NULL },
    { "keys", cmd_keys,
      "keys create --name NAME [--role run|read|admin] [--agent ID]... [--level LEVEL]... [--expires 30d]\n"
      "           [--allow-risk-override]\n"
      "       sandbox-agent keys list\n"
      "       sandbox-agent keys revoke ID|NAME\n\n"
      "Who may call the service (sandboxd); it need not run. All take --json and --config FILE. create prints the "
      "token on stdout,\n"
      "this once; what is kept is its hash. --agent and --level bind a key with the role run to agents and levels. "
      "--allow-risk-override lets its\n"
      "requests ask for a laxer level than their agent's own.\n" },
    { "audit", cmd_audit,
      "audit tail [-f] [-n LINES]\n"
      "       sandbox-agent audit search [--agent ID] [--since TIME] [--until TIME] [--reason R] [--rule R] [--action "
      "A] "
      "[--execution ID] [--limit N]\n"
      "       sandbox-agent audit export [--format ecs|csv|jsonl|ocsf] [--agent ID] [--since TIME] [--until TIME] "
      "[--action "
      "A]\n"
      "       sandbox-agent audit verify [--file FILE] [--public-key HEX] [--witness FILE --witness-key KEY]\n"
      "       sandbox-agent audit verify|search --fleet ...\n"
      "       sandbox-agent audit checkpoint\n\n"
      "All take --config FILE, all but export --json. TIME: 2026-11-21T04:35:04Z, or how long ago: 30m, 2h, 7d.\n"
      "verify: exit 0 when nothing was changed, removed, moved, inserted or cut off, 1 otherwise. With what a witness "
      "has "
      "signed (sandbox-agent witness) also when a holder of the key has written another history.\n"
      "checkpoint: size and root of the tree over all lines, signed (docs/audit.md).\n"
      "--fleet: of all nodes that share a database; sandbox-agent audit verify --fleet --help.\n" },
    { "usage", cmd_usage,
      "usage [--agent ID] [--key-id ID] [--since TIME] [--until TIME] [--by agent,key,hour|day|month | --by all]\n"
      "             [--format table|json|csv] [--config FILE]\n\n"
      "What runs took: CPU, memory over time, bytes in and out, by agent, key and UTC's hours (docs/usage.md).\n"
      "TIME: 2026-11-21T04:35:04Z, or how long ago: 12h, 30d; the last 30 days, by agent and day, where nothing is\n"
      "asked for. --key-id '' is the command line.\n" },
    { "witness", cmd_service, NULL },
    { "session", cmd_service, NULL },
    { "packages", cmd_service, NULL },
    { "store", cmd_service, NULL },
    { "fleet", cmd_service, NULL },
    { "mcp", cmd_service, NULL },
    { "ps", cmd_service, NULL },
    { "top", cmd_service, NULL },
    { "receipt", cmd_receipt,
      "receipt verify FILE|- [--public-key HEX]... [--subject NAME=FILE]... [--config FILE] [--json]\n\n"
      "Whether a signed statement of a run (--receipt FILE, GET .../executions/ID/receipt) is as the audit's key "
      "signed "
      "it,\n"
      "and whether the files are those that it speaks of (code=FILE, stdout/stdout=FILE, workspace/NAME=FILE).\n"
      "exit: 0 it is, 1 it is not, 2 usage or a file that cannot be read\n" },
    { "artifacts", cmd_artifacts,
      "artifacts list | show EXECUTION [NAME] | sweep [--before TIME | --older-than DAYS]\n\n"
      "What is kept of earlier runs: code, plan, output, files left in /workspace. All take --json and --config "
      "FILE.\n" },
    { "alerts", cmd_alerts,
      "alerts test [--config FILE]\n\n"
      "Sends one message to each e-mail address and chat of monitoring.alerts.channels, and says which took it. Root "
      "does it as the service's user.\n"
      "exit: 0 all arrived, 1 not, 2 usage or configuration\n" },
    { "watch", cmd_watch,
      "watch replay FILE|- [--profile FILE | --risk-level LEVEL] [--config FILE] [--json]\n\n"
      "What the detectors of a profile say to a recorded stream of events: when, report or kill, which, and why.\n"
      "exit: 0 nothing found, 1 findings, 2 usage or a damaged recording, 125 no policy\n" },
    { "sign", cmd_sign,
      "sign --generate FILE\n"
      "       sandbox-agent sign --key FILE --agent-id ID --code FILE\n\n"
      "Makes a key pair, whose public half `agents key ID --public HEX` registers; or a signature for one run "
      "(--signature).\n" },
};

static bool is_help(const char *word)
{
    return str_eq(word, "--help") || str_eq(word, "-h");
}

/* Behind the command or its verb; what stands behind -- belongs to another program. */
static bool asks_for_help(int argc, char **argv)
{
    for (int i = 2; i < argc && !str_eq(argv[i], "--"); i++)
        if (is_help(argv[i]))
            return true;
    return false;
}

/* Behind -- stand words of another program. */
static bool is_run(const struct command *c)
{
    return c->run == cmd_run || c->run == cmd_wrap;
}

static int start_command(const struct command *c, const struct paths *p, struct arena *a, int argc, char **argv)
{
    assert(c);
    char *words[] = { (char *)c->name, (char *)"--help", NULL };
    if (is_run(c) || !asks_for_help(argc, argv))
        return c->run(p, a, argc - 1, argv + 1);
    if (!c->usage)
        return c->run(p, a, 2, words);
    (void)printf("usage: sandbox-agent %s", c->usage);
    return output_end(0);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (str_eq(name, commands[i].name))
            return &commands[i];
    return NULL;
}

static int refuse_command(const char *name)
{
    const char *names[ARRAY_LEN(commands)];
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        names[i] = commands[i].name;
    const char *near = nearest_word(name, names, ARRAY_LEN(names));
    struct error err;
    (void)err_set(&err, -EINVAL, BLAME_CALLER, NULL, "unknown command %s",
                  name); /* escapes what a terminal would obey */
    (void)fprintf(stderr, "sandbox-agent: %s\n  remedy: %s%s%ssee sandbox-agent --help\n", err.text,
                  near ? "did you mean " : "", near ? near : "", near ? "? " : "");
    return 2;
}

/* Options that every command with records takes may stand before its name: how many words of argv they are. */
static int count_global(int argc, char **argv)
{
    int i = 1;
    while (i < argc) {
        if (str_eq(argv[i], "--json") || str_starts(argv[i], "--config="))
            i++;
        else if (str_eq(argv[i], "--config") && i + 1 < argc)
            i += 2;
        else
            break;
    }
    return i - 1;
}

/* `--config F audit verify` as `audit verify --config F`: behind the command's verb, but for `run` before what may be
 * another program's. */
static int start_moved(const struct command *c, const struct paths *p, struct arena *a, int argc, char **argv,
                       int global)
{
    char **words = calloc((size_t)argc + 1, sizeof *words);
    if (!words)
        return 125;
    int rest = argc - global - 2;
    char **moved = words + 2 + (is_run(c) ? 0 : rest), **others = words + 2 + (is_run(c) ? global : 0);
    words[0] = argv[0];
    words[1] = argv[1 + global];
    memcpy(moved, argv + 1, (size_t)global * sizeof *words);
    memcpy(others, argv + 2 + global, (size_t)rest * sizeof *words);
    int code = start_command(c, p, a, argc, words);
    free(words);
    return code;
}

static int dispatch(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (str_eq(name, "help") && argc == 3 && find_command(argv[2])) { /* help NAME: NAME --help */
        char *words[] = { argv[0], argv[2], (char *)"--help", NULL };
        return start_command(find_command(argv[2]), p, a, 3, words);
    }
    if (argc < 2 || is_help(name) || str_eq(name, "help")) {
        help_print(argc < 2 ? stderr : stdout, false);
        return argc < 2 ? 2 : 0;
    }
    if (str_eq(name, "--version")) {
        version_print();
        return 0;
    }
    const struct command *c = find_command(name);
    if (c)
        return start_command(c, p, a, argc, argv);
    int global = count_global(argc, argv);
    if (global && global + 1 < argc && (c = find_command(argv[1 + global])))
        return start_moved(c, p, a, argc, argv, global);
    return name[0] == '-' ? cmd_run(p, a, argc, argv) : refuse_command(name);
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

#define STACK_LEAST_KIB 256u /* a run takes less than 192 */

/* Beyond its limit the kernel would end us without a word, and like a program that crashed. */
static bool has_stack(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_STACK, &r) < 0 || r.rlim_cur >= STACK_LEAST_KIB * KIB)
        return true;
    (void)fprintf(stderr, "sandbox-agent: the stack is limited to %llu KiB: at least %u are needed (ulimit -s)\n",
                  (unsigned long long)r.rlim_cur / KIB, STACK_LEAST_KIB);
    return false;
}

int main(int argc, char **argv)
{
    fill_standard_fds();
    if (!has_stack())
        return 125;
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
