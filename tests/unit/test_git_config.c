/* A configuration of git's is read as git reads it: each text is given to both. */
#include "test.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "cli/git_config.h"
#include "random.h"

static char place[] = "/tmp/test-git-config-XXXXXX";

/* As `git config --list -z` has it: section.of.key, newline, value, NUL. */
static int list_setting(void *context, const struct git_setting *s)
{
    struct buf *out = context;
    (void)buf_addf(out, "%s%s%s.%s\n%s", s->section, *s->of ? "." : "", s->of, s->key, s->value);
    return buf_addc(out, '\0');
}

static void put(const char *text, size_t size)
{
    FILE *f = fopen(place, "w");
    CHECK(f && fwrite(text, 1, size, f) == size);
    CHECK_EQ(fclose(f), 0);
}

/* False: git refuses it. A key without a value has no newline there. */
static bool ask_git(const char *text, size_t size, struct buf *ret)
{
    char command[200], chunk[4096], whole[4096];
    size_t n, used = 0;
    put(text, size);
    (void)snprintf(command, sizeof command, "git config -z --list -f %s 2>&-", place);
    FILE *p = popen(command, "r"); /* NOLINT(cert-env33-c): our own words */
    CHECK(p);
    while ((n = fread(chunk, 1, sizeof chunk, p)) > 0 && used + n < sizeof whole) {
        memcpy(whole + used, chunk, n);
        used += n;
    }
    if (pclose(p) != 0)
        return false;
    for (size_t at = 0; at < used; at += strlen(whole + at) + 1) {
        (void)buf_adds(ret, whole + at);
        if (!strchr(whole + at, '\n'))
            (void)buf_addc(ret, '\n');
        (void)buf_addc(ret, '\0');
    }
    return true;
}

/* 0: both refuse it; 1: both read the same; 2: we refuse what git reads; negative: they differ. */
static int compare(const char *text, size_t size)
{
    struct buf ours, theirs;
    buf_init(&ours, 64 * KIB);
    buf_init(&theirs, 64 * KIB);
    const bool is_read = git_config_read(text, size, list_setting, &ours) == 0, is_taken = ask_git(text, size, &theirs);
    const bool is_same = ours.size == theirs.size && (!ours.size || memcmp(ours.data, theirs.data, ours.size) == 0);
    const int r = !is_read ? (is_taken ? 2 : 0) : is_taken && is_same ? 1 : -1;
    if (r < 0)
        (void)fprintf(stderr, "# differs: «%.*s»\n", (int)size, text);
    buf_done(&ours);
    buf_done(&theirs);
    return r;
}

TEST(a_configuration_is_read_as_git_reads_it)
{
    static const char *const read[] = {
        "",
        "[core]\n\tbare = false\n",
        "[Core] HooksPath = a/b # x\n",
        "[core] hooksPath=\"a b\" ; x\n; y\n",
        "[include \"x\"]\r\n\tpath = ../y  z \r\n",
        "[a \"b]\\\" = \"]\nc=d\\\\e\\tf\n",
        "[a]b=c\\\n  d\ne\nf=\n",
        "[a.B]c = \"d\" e\"f # g\"h\n",
        "[a.b \"C\"]d=e",
        "\xef\xbb\xbf[a]\nb = 1",
        "[a]\nb-1 = x [c]\n[c] d = e\n",
        "# a\n[a]#b\nc=d",
    };
    static const char *const refused[] = {
        "a = b\n",        "[a\nb=c\n",  "[a]\n1=2\n", "[a]\nb=\"c\n", "[a]\nb=\\x\n",
        "[a \"b]\nc=d\n", "[a \"b\"\n", "[a]\nb c\n", "[a_b]\nc=d\n",
    };
    const int fd = mkstemp(place);
    CHECK(fd >= 0 && close(fd) == 0);
    for (size_t i = 0; i < ARRAY_LEN(read); i++)
        CHECK_EQ(compare(read[i], strlen(read[i])), 1);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        CHECK(compare(refused[i], strlen(refused[i])) % 2 == 0); /* `git config` lists a key without a section */
    for (int i = 0; i < 60; i++) {                               /* most are refused by both */
        static const char alphabet[] = "[[]]aB.-=\"\"\\\\ \t\n\n\r#;n1";
        char text[40] = "[a]\n";
        const size_t n = 4 + rnd(30);
        for (size_t k = i % 2 ? 4 : 0; k < n; k++)
            text[k] = alphabet[rnd(sizeof alphabet - 1)];
        CHECK(compare(text, n) >= 0);
    }
    (void)unlink(place);
}

static int count_plain(void *context, const struct git_setting *s)
{
    unsigned *plain = context;
    *plain += git_setting_is_plain(s);
    return 0;
}

TEST(a_setting_that_names_a_program_is_not_plain)
{
    static const char text[] = "[core]\nfsmonitor = x\nhooksPath = x\nsshCommand = x\npager = x\neditor = x\n"
                               "gitProxy = x\naskPass = x\nattributesFile = x\nworktree = x\n[include]\npath = x\n"
                               "[includeIf \"gitdir:/\"]\npath = x\n[filter \"x\"]\nclean = x\nprocess = x\n"
                               "[diff]\nexternal = x\n[diff \"x\"]\ntextconv = x\n[merge \"x\"]\ndriver = x\n"
                               "[alias]\nx = !x\n[credential]\nhelper = x\n[gpg]\nprogram = x\n[sequence]\neditor = x\n"
                               "[submodule \"x\"]\nupdate = !x\n[remote \"x\"]\nuploadpack = x\nvcs = x\n"
                               "url = ext::x\n[uploadpack]\npackObjectsHook = x\n[protocol]\nallow = always\n";
    unsigned plain = 0;
    CHECK_EQ(git_config_read(text, sizeof text - 1, count_plain, &plain), 0);
    CHECK_EQ(plain, 0);
    static const char good[] = "[core]\nbare = false\n[remote \"x\"]\nurl = https://example.org/x\n"
                               "[branch \"x\"]\nmerge = refs/heads/x\n";
    CHECK_EQ(git_config_read(good, sizeof good - 1, count_plain, &plain), 0);
    CHECK_EQ(plain, 3);
}
