#include "tool/doctor.h"

#include "base/parse.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

static int path_format(const struct doctor *d, char out[static 4096], const char *fmt, va_list ap)
{
    size_t n = strlen(d->root);
    if (n >= 4096)
        return -ENAMETOOLONG;
    memcpy(out, d->root, n);
    int r = vsnprintf(out + n, 4096 - n, fmt, ap);
    return r < 0 || (size_t)r >= 4096 - n ? -ENAMETOOLONG : 0;
}

int doctor_path(const struct doctor *d, char out[static 4096], const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int r = path_format(d, out, fmt, ap);
    va_end(ap);
    return r;
}

int doctor_read(const struct doctor *d, struct buf *out, const char *fmt, ...)
{
    char path[4096], chunk[4096];
    va_list ap;
    va_start(ap, fmt);
    int r = path_format(d, path, fmt, ap);
    va_end(ap);
    if (r < 0)
        return r;
    /* O_NONBLOCK: a fifo in the place of a file must not hold us up. */
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        r = buf_add(out, chunk, (size_t)n);
        if (r < 0)
            return r;
    }
    r = buf_adds(out, ""); /* an empty file is an empty string, not NULL */
    if (r < 0)
        return r;
    if (out->size > 0 && out->data[out->size - 1] == '\n')
        out->data[--out->size] = '\0';
    return 0;
}

int64_t doctor_number(const struct doctor *d, const char *path, int64_t otherwise)
{
    cleanup(buf_done) struct buf b;
    uint64_t v;
    buf_init(&b, 64);
    if (doctor_read(d, &b, "%s", path) < 0)
        return otherwise;
    bool is_negative = b.data[0] == '-'; /* kernel.perf_event_paranoid may be -1 */
    if (parse_u64(b.data + is_negative, &v) < 0 || v > INT64_MAX)
        return otherwise;
    return is_negative ? -(int64_t)v : (int64_t)v;
}

bool doctor_has(const struct doctor *d, const char *path)
{
    char full[4096];
    return doctor_path(d, full, "%s", path) == 0 && access(full, F_OK) == 0;
}

bool text_field(const char *text, const char *key, char separator, char *ret, size_t size)
{
    size_t n = strlen(key);
    ret[0] = '\0';
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) != 0 || line[n] != separator)
            continue;
        const char *v = line + n + 1;
        v += strspn(v, " \t");
        size_t len = strcspn(v, "\n");
        if (len >= 2 && (*v == '"' || *v == '\'') && v[len - 1] == *v) {
            v++;
            len -= 2;
        }
        len = MIN_OF(len, size - 1);
        memcpy(ret, v, len);
        ret[len] = '\0';
        return true;
    }
    return false;
}

bool word_in(const char *words, const char *separators, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = words + strspn(words, separators); *p; p += strspn(p, separators)) {
        size_t len = strcspn(p, separators);
        if (len == n && strncmp(p, word, n) == 0)
            return true;
        p += len;
    }
    return false;
}

/* mountinfo writes space, tab, newline and backslash as \ooo. In place: it only shrinks. */
static char *unescape(char *s)
{
    char *to = s;
    for (const char *p = s; *p; to++) {
        bool is_octal = p[0] == '\\' && strspn(p + 1, "01234567") >= 3;
        *to = is_octal ? (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0')) : *p;
        p += is_octal ? 4 : 1;
    }
    *to = '\0';
    return s;
}

/* 36 35 98:0 /root /target mount-options optional... - type source super-options   (proc(5)) */
bool mount_next(char **cursor, struct mount_line *ret)
{
    char *line;
    while ((line = strsep(cursor, "\n"))) {
        char *tail = strstr(line, " - ");
        if (!tail)
            continue;
        *tail = '\0';
        tail += 3;
        char *id = strsep(&line, " "), *parent = strsep(&line, " "), *dev = strsep(&line, " ");
        char *root = strsep(&line, " "), *target = strsep(&line, " ");
        char *type = strsep(&tail, " "), *source = strsep(&tail, " ");
        (void)id, (void)parent, (void)dev; /* only their places matter */
        if (!target || !tail)
            continue;
        *ret = (struct mount_line){ unescape(root), unescape(target), type, unescape(source), tail };
        return true;
    }
    return false;
}
