# what: a simulation that was compiled a moment ago computes for a while, and tells its progress over a connection that stays
# server: terse
cd /workspace || exit 3
cat > simulate.c << 'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char answer[512], *colon = strchr(getenv("SERVER"), ':');
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(atoi(colon + 1)) };
    int s = socket(AF_INET, SOCK_STREAM, 0);
    double heat[256] = { 1 };
    if (connect(s, (struct sockaddr *)&a, sizeof a) < 0)
        return perror("connect"), 1;
    for (time_t told = 0, end = time(NULL) + 3; time(NULL) < end;) {
        for (int i = 0; i < 100000; i++)
            heat[i % 255 + 1] += 0.1 * (heat[i % 255] - heat[i % 255 + 1]);
        if (time(NULL) != told) {
            told = time(NULL);
            dprintf(s, "progress %.3f\n", heat[128]);
            if (read(s, answer, sizeof answer) <= 0)
                return 1;
        }
    }
}
C
gcc -O2 -o simulate simulate.c && ./simulate && echo done
