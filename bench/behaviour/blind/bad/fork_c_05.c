// class: fork bomb; possible: low medium; style: C, the parent ends at once
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t end = time(NULL) + 20;
    while (time(NULL) < end) {
        pid_t a = fork();
        if (a > 0)
            _exit(0);
    }
    return 0;
}
