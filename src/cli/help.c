#include "cli/cmd.h"

#include <stdio.h>
#include "base/buf.h"
#include "cli/options.h"

void help_print(FILE *to)
{
    struct buf b;
    buf_init(&b, 64 * KIB);
    (void)buf_adds(&b,
                   "sandbox-agent " VERSION " - runs code that an AI agent wrote, at one of three risk levels\n\n"
                   "  sandbox-agent [run] --language LANG --code FILE|- [options] [-- ARG...]\n"
                   "  sandbox-agent [run] [options] -- COMMAND [ARG...]\n"
                   "  sandbox-agent doctor | profiles list|show|check | config show | syscalls\n"
                   "  sandbox-agent scan FILE | sign | agents list|show|trust|quarantine|release|ban|key\n"
                   "  sandbox-agent keys create|list|revoke | policy test|simulate | watch replay\n"
                   "  sandbox-agent audit tail|search|export|verify|checkpoint | witness | receipt verify\n"
                   "  sandbox-agent artifacts list|show|sweep | alerts test | packages | session | mcp | ps | top\n\n");
    options_help(&b);
    (void)buf_adds(
        &b, "\nexamples\n"
            "  sandbox-agent --risk-level high --language python --code agent.py\n"
            "  sandbox-agent --language node -c 'console.log(6*7)' --json\n"
            "  sandbox-agent --risk-level low --volume /srv/data:/data -- /usr/bin/wc -l /data/a.csv\n"
            "  sandbox-agent --risk-level medium --language go --code main.go --dry-run\n"
            "exit: the program's own; 2 usage, 123 refused, 124 deadline, 125 no sandbox, 126/127 not\n"
            "executable/found, 128+N signal, 137 killed. More: sandbox-agent COMMAND --help, sandbox-agent(1).\n");
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
