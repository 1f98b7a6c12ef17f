/* class: filesystem
 * what: overwrites the launcher the way CVE-2019-5736 did: /proc/1/exe and /proc/<parent>/exe opened for writing, directly and through O_PATH descriptors
 */
#include "attack.h"
#include <sys/statvfs.h>

static void overwrite(const char *path)
{
    char self[64];
    int fd = try_open(path, O_WRONLY), err = errno;
    if (fd >= 0)
        escaped("%s is open for writing", path);
    refused(path, err);
    int ro = open(path, O_PATH | O_CLOEXEC);
    if (ro < 0)
        return;
    snprintf(self, sizeof self, "/proc/self/fd/%d", ro);
    for (int i = 0; i < 50; i++) { /* until it is no longer busy */
        fd = try_open(self, O_RDWR), err = errno;
        if (fd >= 0)
            escaped("%s is open for writing through %s", path, self);
        if (err != ETXTBSY)
            break;
        sleep_ms(2);
    }
    /* ETXTBSY comes before the check for a read-only mount or a seal, so look at those ourselves */
    struct statvfs st;
    int rd = open(self, O_RDONLY | O_CLOEXEC);
    bool is_sealed = rd >= 0 && (fcntl(rd, 1034 /* F_GET_SEALS */) & 8 /* F_SEAL_WRITE */) && fcntl(rd, 1034) > 0;
    if (err == ETXTBSY && fstatvfs(ro, &st) == 0 && !(st.f_flag & ST_RDONLY) && !is_sealed)
        escaped("%s could be written as soon as it stops running", path);
    close(ro);
}

int main(void)
{
    char parent[64];
    if (!is_own_file("/proc/self/exe"))
        overwrite("/proc/self/exe");
    overwrite("/proc/1/exe");
    snprintf(parent, sizeof parent, "/proc/%d/exe", (int)getppid());
    overwrite(parent);
    verdict();
}
