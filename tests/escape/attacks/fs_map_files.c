/* class: filesystem
 * what: reaches the files behind its mappings through /proc/self/map_files and /proc/1/map_files and opens them for writing
 */
#include "attack.h"
#include <dirent.h>
#include <sys/statvfs.h>

int main(void)
{
    static const char *const dirs[] = { "/proc/self/map_files", "/proc/1/map_files", "/proc/thread-self/map_files" };
    for (int i = 0; i < 3; i++) {
        DIR *d = opendir(dirs[i]);
        if (!d) {
            refused(dirs[i], errno);
            continue;
        }
        struct dirent *e;
        while ((e = readdir(d))) {
            char path[320];
            if (e->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", dirs[i], e->d_name);
            int fd = try_open(path, O_RDWR), err = errno;
            struct statvfs st;
            if (fd >= 0)
                escaped("opened %s for writing", path);
            if (err == ETXTBSY && statvfs(path, &st) == 0 && !(st.f_flag & ST_RDONLY))
                escaped("%s could be written when idle", path);
            refused(e->d_name, err);
        }
        closedir(d);
    }
    verdict();
}
