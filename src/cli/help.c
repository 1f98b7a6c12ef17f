#include "cli/cmd.h"

#include <stdio.h>
#include "base/buf.h"
#include "cli/options.h"

static void add_wrap(struct buf *b)
{
    (void)buf_adds(b, "usage: sandbox-agent wrap [options] -- COMMAND [ARG...]\n\n"
                      "Runs a tool of yours in the project directory, which it may change, inside the sandbox. Hooks "
                      "and\n"
                      "settings of git, editors, agents and CI stay read-only; nothing else of yours is visible.\n\n");
    options_help(true, b);
    (void)buf_adds(b, "\nAnd the options of sandbox-agent run (--help), where they are not about code: level low,\n"
                      "a deadline of a day and a terminal, where there is one, unless asked otherwise.\n"
                      "\nexamples\n"
                      "  sandbox-agent wrap -- make test\n"
                      "  sandbox-agent wrap --allow registry.npmjs.org -- npm install\n"
                      "exit: the tool's own; otherwise as sandbox-agent run. More: docs/wrap.md, "
                      "sandbox-agent(1).\n");
}

static void add_run(struct buf *b)
{
    (void)buf_adds(b,
                   "sandbox-agent " VERSION " - runs code that an AI agent wrote, at one of three risk levels\n\n"
                   "  sandbox-agent [run] --language LANG --code FILE|- [options] [-- ARG...]\n"
                   "  sandbox-agent [run|wrap] [options] -- COMMAND [ARG...]   wrap: a tool of yours, in a project\n"
                   "  sandbox-agent doctor | profiles list|show|check | config show | syscalls\n"
                   "  sandbox-agent scan FILE | sign | agents list|show|trust|quarantine|release|ban|key\n"
                   "  sandbox-agent keys create|list|revoke | policy test|simulate | watch replay | hook claude-code\n"
                   "  sandbox-agent audit tail|search|export|verify|checkpoint | witness | receipt verify\n"
                   "  sandbox-agent artifacts list|show|sweep | alerts test | packages | session | mcp | ps | top\n\n");
    options_help(false, b);
    (void)buf_adds(
        b, "examples\n"
           "  sandbox-agent --risk-level high --language python --code agent.py\n"
           "  sandbox-agent --language node -c 'console.log(6*7)' --json\n"
           "  sandbox-agent --risk-level low --volume /srv/data:/data -- /usr/bin/wc -l /data/a.csv\n"
           "exit: the program's own; 2 usage, 123 refused, 124 deadline, 125 no sandbox, 126/127 not\n"
           "executable/found, 128+N signal, 137 killed. More: sandbox-agent COMMAND --help, sandbox-agent(1).\n");
}

void help_print(FILE *to, bool is_of_wrap)
{
    struct buf b;
    buf_init(&b, 64 * KIB);
    if (is_of_wrap)
        add_wrap(&b);
    else
        add_run(&b);
    if (b.data)
        (void)fwrite(b.data, 1, b.size, to);
    (void)fflush(to);
    buf_done(&b);
}

void version_print(void)
{
    (void)printf("sandbox-agent %s\n", VERSION);
    (void)fflush(stdout);
}
