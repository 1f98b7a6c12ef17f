/* What a content store answers, and what of it is taken. */
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "audit/audit.h"
#include "audit/digest.h"
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
