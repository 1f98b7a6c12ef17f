/* class: leaks
 * what: learns host paths from its working directory, its program's path, auxv, /proc/self links and the loader's variables
 */
#include "attack.h"
#include <sys/auxv.h>

static void check(const char *what, const char *text)
{
    char paths[2048];
    snprintf(paths, sizeof paths, "%s", param("host_paths", ""));
    if (!text)
        return;
    if (!strncmp(text, "(unreachable)", 13))
        escaped("%s is outside: %s", what, text);
    for (char *p = strtok(paths, ":"); p; p = strtok(NULL, ":"))
        if (strstr(text, p))
            escaped("%s tells the host path %s", what, text);
    note(what, text);
}

int main(int argc, char **argv)
{
    char text[1024];
    if (syscall(SYS_getcwd, text, sizeof text) > 0)
        check("cwd", text);
    static const char *const links[] = { "/proc/self/cwd", "/proc/self/exe", "/proc/self/root",
                                         "/proc/1/cwd",    "/proc/1/exe",    "/proc/1/root" };
    for (int i = 0; i < 6; i++) {
        ssize_t n = readlink(links[i], text, sizeof text - 1);
        if (n > 0) {
            text[n] = 0;
            check(links[i], text);
        }
    }
    for (int i = 0; i < argc; i++)
        check("argv", argv[i]);
    check("AT_EXECFN", (const char *)getauxval(AT_EXECFN));
    int fd = open("/proc/self/maps", O_RDONLY);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    char paths[2048];
    snprintf(paths, sizeof paths, "%s", param("host_paths", ""));
    for (char *p = strtok(paths, ":"); p; p = strtok(NULL, ":"))
        if (strstr(text, p))
            escaped("/proc/self/maps tells %s", p);
    verdict();
}
