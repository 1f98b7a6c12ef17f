/* class: processes
 * what: signals a host process of known number by kill, tkill, tgkill, rt_sigqueueinfo, pidfd_send_signal and by its process group
 * outside: victim_alive
 */
#include "attack.h"

static int kill32(void)
{
    return int80(37, param_pid("victim_pid"), SIGTERM, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    pid_t victim = param_pid("victim_pid");
    if (victim < 2)
        contained("no victim given");
    siginfo_t info = { .si_signo = SIGTERM, .si_code = SI_QUEUE };
    worked("kill 0", kill(victim, 0));
    worked("kill", kill(victim, SIGTERM));
    worked("tkill", syscall(SYS_tkill, victim, SIGTERM));
    worked("tgkill", syscall(SYS_tgkill, victim, victim, SIGTERM));
    worked("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, victim, SIGTERM, &info));
    worked("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGTERM, &info));
    worked("killpg", kill(-victim, SIGTERM));
    attempt("i386 kill", kill32);
    int fd = (int)syscall(434 /* pidfd_open */, victim, 0);
    if (fd >= 0)
        worked("pidfd_send_signal", syscall(424, fd, SIGTERM, NULL, 0));
    refused("pidfd_open", errno);
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", (int)victim);
    fd = open(path, O_RDONLY | O_DIRECTORY);
    if (fd >= 0)
        escaped("%s can be opened", path);
    verdict();
}
