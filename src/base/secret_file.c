#include "base/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>

int secret_file_read(const char *what, const char *path, char *ret, size_t size, struct error *err)
{
    struct stat st;
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %s: %m", what, path);
    if (!S_ISREG(st.st_mode) || st.st_mode & 0007) {
        (void)err_set(err, -EPERM, BLAME_CALLER, NULL, "%s: %s: not a file, or others may read it", what, path);
        return err_remedy(err, "chmod 0640 %s", path);
    }
    ssize_t n = read(fd, ret, size - 1);
    if (n <= 0 || n == (ssize_t)size - 1) /* all of what was asked for: there may be more */
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: %s: empty, or longer than %zu bytes", what, path,
                       size - 2);
    ret[n] = '\0';
    return 0;
}

char *secret_file_line(char **at)
{
    char *line = *at + strspn(*at, "\r\n");
    if (!*line)
        return NULL;
    char *end = line + strcspn(line, "\r\n");
    *at = *end ? end + 1 : end;
    *end = '\0';
    return line;
}
