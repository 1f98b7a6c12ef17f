/* class: privilege
 * what: rewrites what the kernel believes about it with prctl: the program file, the argument and environment areas, the dumpable flag over 1
 */
#include "attack.h"

static int exe_file(void)
{
    int fd = open("/attack/params", O_RDONLY);
    if (fd < 0)
        fd = open("/usr/lib/os-release", O_RDONLY);
    return prctl(PR_SET_MM, PR_SET_MM_EXE_FILE, fd, 0, 0) < 0 ? errno : 0;
}
static int arg_start(void)
{
    return prctl(PR_SET_MM, PR_SET_MM_ARG_START, 0x10000, 0, 0) < 0 ? errno : 0;
}
static int start_brk(void)
{
    return prctl(PR_SET_MM, PR_SET_MM_START_BRK, 0x10000, 0, 0) < 0 ? errno : 0;
}
static int dumpable2(void)
{
    return prctl(PR_SET_DUMPABLE, 2, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    int err = try_child("exe file", exe_file);
    if (err == 0 || err == EBUSY)
        escaped("PR_SET_MM_EXE_FILE is permitted (%s)", err ? "EBUSY" : "done");
    refused("exe file", err);
    attempt("arg start", arg_start);
    attempt("start brk", start_brk);
    attempt("dumpable 2", dumpable2);
    verdict();
}
