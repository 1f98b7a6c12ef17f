#include "base/dirs.h"

#include <sys/stat.h>
#include "base/base.h"

int make_dirs(const char *path, unsigned mode)
{
    char copy[4096];
    if (mkdir(path, mode) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT || strlen(path) >= sizeof copy)
        return -errno;
    memcpy(copy, path, strlen(path) + 1);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, mode) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    return mkdir(path, mode) < 0 && errno != EEXIST ? -errno : 0;
}
