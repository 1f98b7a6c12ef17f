/* class: network
 * what: closes the descriptor of a connect() that takes long and opens a file under its number: the answer must not be put in the file's place
 * levels: low
 * outside: host_listener_untouched slow_door
 */
#include "peers.h"

static int sock;

static void *connect_slowly(void *arg)
{
    union peer slow = slow_peer();
    *(int *)arg = connect_to(sock, &slow) == 0 ? 0 : errno;
    return NULL;
}

int main(void)
{
    char path[] = "/tmp/" OURS "kept", text[8] = "";
    int answers[3] = { 0 }, replaced = 0;
    for (int i = 0; i < 3; i++) {
        sock = new_tcp(0);
        pthread_t t = restless(connect_slowly, &answers[i]);
        sleep_ms(150);
        int number = sock;
        close(sock);
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file != number) {
            dup2(file, number);
            close(file);
        }
        pthread_join(t, NULL);
        struct stat st = { 0 };
        fstat(number, &st);
        replaced += !S_ISREG(st.st_mode) || pwrite(number, "kept", 4, 0) != 4 || pread(number, text, 4, 0) != 4 ||
                    strcmp(text, "kept");
        close(number);
        unlink(path);
    }
    close(expect_allowed("afterwards"));
    if (replaced)
        escaped("an open file was replaced by a socket, %d times of 3", replaced);
    contained("connect said %s, the file stayed", answers[0] ? errname(answers[0]) : "yes");
}
