#include "base/path.h"

bool path_fold(const char *path, size_t size, char *ret, size_t ret_size)
{
    size_t used = 0, next;
    if (!size || size >= ret_size || memchr(path, '\0', size))
        return false;
    if (path[0] == '/')
        ret[used++] = '/';
    const size_t root = used;
    for (size_t from = 0; from < size; from = next + 1) {
        const char *slash = memchr(path + from, '/', size - from);
        next = slash ? (size_t)(slash - path) : size;
        const size_t n = next - from;
        bool is_up = n == 2 && memcmp(path + from, "..", 2) == 0;
        bool can_go_up = used > root && !(used - root >= 2 && memcmp(ret + used - 2, "..", 2) == 0);
        if (is_up && can_go_up) {
            while (used > root && ret[used - 1] != '/')
                used--;
            used -= used > root;
        } else if (n && !(n == 1 && path[from] == '.') && !(is_up && root)) {
            if (used > root)
                ret[used++] = '/';
            memcpy(ret + used, path + from, n);
            used += n;
        }
    }
    ret[used] = '\0';
    return true;
}

bool path_meets(const char *a, const char *b)
{
    const size_t a_size = strlen(a), b_size = strlen(b), n = MIN_OF(a_size, b_size);
    const char *longer = a_size > b_size ? a : b;
    return memcmp(a, b, n) == 0 && (longer[n] == '/' || !longer[n]);
}

bool path_is_within(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    while (n && dir[n - 1] == '/')
        n--;
    return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

bool path_is_plain(const char *path)
{
    if (!path || path[0] != '/' || strlen(path) >= 4000)
        return false;
    for (const char *s = path; s; s = strchr(s + 1, '/'))
        if (str_starts(s, "/../") || str_eq(s, "/..") || str_starts(s, "/./") || str_eq(s, "/.") || str_starts(s, "//"))
            return false;
    return true;
}
