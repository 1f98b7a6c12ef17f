/* What a content store answers, and what of it is taken. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "audit/audit.h"
#include "audit/digest.h"
#include "base/clock.h"
#include "config/config.h"
#include "daemon/content.h"
#include "test.h"

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

TEST(no_more_of_an_object_is_taken_into_a_file_than_its_reader_says)
{
    char place[] = "/tmp/test-content-XXXXXX", data[100000], hash[DIGEST_HEX_SIZE];
    struct content *s = NULL;
    struct error err = { 0 };
    struct stat st;
    CHECK(mkdtemp(place));
    const struct config c = { .content = { .place = place } };
    CHECK_EQ(content_open(&c, "n", &s, &err), 0);
    memset(data, 'x', sizeof data);
    audit_hash(data, sizeof data, hash);
    CHECK_EQ(content_put(s, "files/1", data, sizeof data, &err), 0);
    const int fd = memfd_create("taken", MFD_CLOEXEC);
    CHECK_EQ(content_get_file(s, "files/1", hash, sizeof data - 1, fd, &err), -EFBIG);
    CHECK(fstat(fd, &st) == 0 && st.st_size < (off_t)sizeof data);
    CHECK(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    CHECK_EQ(content_get_any(s, "files/1", sizeof data - 1, fd, &err), -EFBIG);
    CHECK(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    CHECK_EQ(content_get_file(s, "files/1", hash, sizeof data, fd, &err), 0);
    CHECK_EQ(content_get_any(s, "files/1", sizeof data, fd, &err), 0);
    CHECK(fstat(fd, &st) == 0 && st.st_size == 2 * (off_t)sizeof data);
    (void)close(fd);
    (void)content_close(s);
    CHECK_EQ(nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* A bucket that lists nothing at once, and says anything else a byte each 2 ms: 500 a second, for 5 s. */
static void trickle(int listener)
{
    static const char list[] = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 69\r\n\r\n"
                               "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGPIPE, SIG_IGN);
    for (;;) {
        char request[4096] = "";
        const int fd = accept(listener, NULL, NULL);
        const bool is_list = read(fd, request, sizeof request - 1) > 0 && strstr(request, "list-type");
        if (is_list)
            (void)!write(fd, list, sizeof list - 1);
        else if (write(fd, head, sizeof head - 1) > 0)
            for (int i = 0; i < 2500 && send(fd, "x", 1, 0) == 1; i++)
                (void)usleep(2000);
        (void)close(fd);
    }
}

TEST(an_answer_of_a_bucket_that_trickles_is_given_up)
{
    char pair[] = "/tmp/test-content-XXXXXX", endpoint[64];
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    struct content *s = NULL;
    struct error err = { 0 };
    struct buf got;
    const int fd = mkstemp(pair), listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(write(fd, "access\nsecret\n", 14), 14);
    CHECK(bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, 8) == 0);
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    const pid_t server = fork();
    if (server == 0)
        trickle(listener);
    (void)snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u", ntohs(at.sin_port));
    const struct config c = {
        .content = { .place = "s3://bucket", .endpoint = endpoint, .region = "here", .credentials_file = pair }
    };
    CHECK_EQ(content_open(&c, "n", &s, &err), 0);
    CHECK_STR(err.text, "");
    content_s3_patience_ms = 200;
    const uint64_t begun_ms = clock_ms();
    CHECK_EQ(content_get(s, "files/1", CONTENT_MAX, &got, &err), -EHOSTUNREACH);
    CHECK(strstr(err.text, "10 KiB a second") && clock_ms() - begun_ms >= 200);
    content_s3_patience_ms = 60000;
    buf_done(&got);
    (void)content_close(s);
    (void)kill(server, SIGKILL);
    (void)waitpid(server, NULL, 0);
    (void)close(listener), (void)close(fd), (void)unlink(pair);
}
