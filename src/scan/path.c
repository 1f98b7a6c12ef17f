#include "scan/path.h"

#include <fnmatch.h>

#include "base/path.h"

/* «/proc/self/root/etc» -> «/etc»: how many bytes go. */
static size_t root_below_proc(const char *p, size_t n)
{
    static const char proc[] = "/proc/";
    size_t at = sizeof proc - 1;
    if (n < at || memcmp(p, proc, at) != 0)
        return 0;
    while (at < n && p[at] != '/')
        at++;
    return n - at >= 5 && memcmp(p + at, "/root", 5) == 0 && (n - at == 5 || p[at + 5] == '/') ? at + 5 : 0;
}

bool path_normalise(const char *path, size_t size, char ret[static PATH_TEXT_MAX])
{
    size_t from = 0, skip;
    while ((skip = root_below_proc(path + from, size - from)))
        from += skip;
    const bool is_root = from && from == size;
    if (size >= PATH_TEXT_MAX || memchr(path, '\0', from) ||
        !path_fold(is_root ? "/" : path + from, is_root ? 1 : size - from, ret, PATH_TEXT_MAX))
        return false;
    /* what a detour through /proc or .. has led back to the root of a process */
    skip = root_below_proc(ret, strlen(ret));
    memmove(ret, ret + skip, strlen(ret + skip) + 1);
    return ret[0] != '\0';
}

static const char *const sensitive[] = { "/etc/shadow",        "/etc/gshadow",        "/etc/passwd",
                                         "/etc/sudoers",       "/root/.ssh/id_rsa",   "/root/.ssh/authorized_keys",
                                         "~/.ssh/id_rsa",      "~/.ssh/id_ed25519",   "~/.ssh/authorized_keys",
                                         "~/.aws/credentials", "~/.bash_history",     "/proc/1/environ",
                                         "/proc/self/environ", "/root/.bash_history", "/etc/crontab" };

/* A pattern is meant for one file when it spells some of its name, or hides the name of a directory; /etc/?* and
 * ~/.* are meant for many. */
static bool is_for_one_file(const char *pattern)
{
    const char *slash = strrchr(pattern, '/');
    unsigned letters = 0;
    if (!slash)
        return false;
    for (const char *p = pattern; p < slash; p++)
        if (*p == '?' || *p == '[')
            return true;
    for (const char *p = slash + 1; *p; p++)
        letters += !strchr("?*[]{}.", *p);
    return letters >= 2;
}

static const char *file_of_pattern(const char *pattern)
{
    if (!strpbrk(pattern, "?*[") || !is_for_one_file(pattern))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(sensitive); i++)
        if (fnmatch(pattern, sensitive[i], FNM_PATHNAME) == 0)
            return sensitive[i];
    return NULL;
}

static bool is_in_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("\"'`<>|;&()=,:", c);
}

bool path_plain(const char *text, char *ret, size_t ret_size)
{
    size_t used = 0;
    bool is_changed = false;
    if (!strstr(text, "//") && !strstr(text, "/.") && !strstr(text, "/proc/") && !strpbrk(text, "?*["))
        return false;
    while (*text) {
        size_t n = 0;
        while (is_in_path(text[n]))
            n++;
        const char *from = text;
        char plain[PATH_TEXT_MAX], word[PATH_TEXT_MAX];
        size_t m = n;
        /* «http://x»: behind a colon two slashes are no detour */
        bool is_path = n > 1 && n < PATH_TEXT_MAX && memchr(text, '/', n) &&
                       !(n > 2 && memcmp(text, "//", 2) == 0 && used && ret[used - 1] == ':');
        if (is_path) {
            memcpy(word, text, n);
            word[n] = '\0';
            bool has_detour = strstr(word, "//") || strstr(word, "/./") || strstr(word, "/..") ||
                              strstr(word, "/proc/");
            bool is_plain = has_detour && path_normalise(word, n, plain);
            const char *file = file_of_pattern(is_plain ? plain : word);
            if (file)
                from = file, m = strlen(file);
            else if (is_plain)
                from = plain, m = strlen(plain);
            is_changed |= from != text;
        }
        if (n == 0)
            n = m = 1;
        if (m >= ret_size - used)
            return false;
        memcpy(ret + used, from, m);
        used += m;
        text += n;
    }
    ret[used] = '\0';
    return is_changed;
}
