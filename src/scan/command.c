/* command.c - programs that stand on a command line: `bash -c TEXT`, `env X=Y python3 -Ic TEXT`, `node --eval=TEXT`. */
#include "base/path.h"
#include "scan/client.h"

struct interpreter {
    const char *name;
    enum language language;
    const char *letters;  /* short options whose argument is the program */
    const char *with;     /* short options that take another argument, so that it is not taken for ours */
    const char *words[4]; /* long options, with = or the next word */
    const char *more[6];  /* long options with an argument in the next word */
};

static const struct interpreter interpreters[] = {
    { "python", LANG_PYTHON, "c", "WXQ", { 0 }, { "--check-hash-based-pycs", NULL } },
    { "pypy", LANG_PYTHON, "c", "WX", { 0 }, { 0 } },
    { "nodejs",
      LANG_NODE,
      "ep",
      "rC",
      { "--eval", "--print", NULL },
      { "--require", "--import", "--loader", "--conditions", NULL } },
    { "node",
      LANG_NODE,
      "ep",
      "rC",
      { "--eval", "--print", NULL },
      { "--require", "--import", "--loader", "--conditions", NULL } },
    { "bash", LANG_BASH, "c", "oO", { 0 }, { "--rcfile", "--init-file", NULL } },
    { "dash", LANG_BASH, "c", "o", { 0 }, { 0 } },
    { "ash", LANG_BASH, "c", "o", { 0 }, { 0 } },
    { "zsh", LANG_BASH, "c", "o", { 0 }, { 0 } },
    { "ksh", LANG_BASH, "c", "o", { 0 }, { 0 } },
    { "sh", LANG_BASH, "c", "o", { 0 }, { 0 } },
};

/* /usr/bin/python3.11 -> python. NULL: none that we know. */
static const struct interpreter *find_interpreter(const char *word)
{
    const char *name = path_last(word);
    for (size_t i = 0; i < ARRAY_LEN(interpreters); i++)
        if (str_starts(name, interpreters[i].name) &&
            strspn(name + strlen(interpreters[i].name), "0123456789.-") == strlen(name + strlen(interpreters[i].name)))
            return &interpreters[i];
    return NULL;
}

/* Behind words that only start another program: env with its options and assignments, nohup, nice, timeout, busybox ...
 */
static const char *skip_wrappers(const struct strlist *argv)
{
    static const char *const wrappers[] = { "env",    "nohup",  "nice", "timeout", "busybox", "exec", "command",
                                            "setsid", "stdbuf", "time", "sudo",    "xargs",   NULL };
    const char *word = strlist_first(argv);
    while (word && !find_interpreter(word)) {
        if (!str_is_one_of(path_last(word), wrappers))
            return NULL;
        /* their own options, assignments and numbers, up to the next interpreter or wrapper */
        do
            word = strlist_next(argv, word);
        while (word && !find_interpreter(word) && !str_is_one_of(word, wrappers));
    }
    return word;
}

static bool is_in(const char *const *list, size_t max, const char *word)
{
    for (size_t i = 0; i < max && list[i]; i++)
        if (str_eq(list[i], word))
            return true;
    return false;
}

/* «--eval=TEXT»: the text. */
static const char *inline_text(const struct interpreter *p, const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(p->words) && p->words[i]; i++) {
        size_t n = strlen(p->words[i]);
        if (strncmp(word, p->words[i], n) == 0 && word[n] == '=')
            return word + n + 1;
    }
    return NULL;
}

/* Combined short flags. The program's option: its text behind the letter (python) or in the next word (*ret_next: this
 * word does not end the options for a shell, whose text is the first word that is none). */
enum short_kind { SHORT_FLAGS, SHORT_PROGRAM, SHORT_SKIPS_ONE, SHORT_MODULE };
static enum short_kind short_options(const struct interpreter *p, const char *word, const char **ret_rest)
{
    *ret_rest = NULL;
    enum short_kind kind = SHORT_FLAGS;
    for (const char *c = word + 1; *c; c++) {
        if (strchr(p->letters, *c)) {
            kind = SHORT_PROGRAM;
            if (p->language == LANG_PYTHON && c[1])
                *ret_rest = c + 1;
            if (p->language == LANG_PYTHON)
                return kind;
        } else if (p->language == LANG_PYTHON && *c == 'm')
            return SHORT_MODULE;
        else if (strchr(p->with, *c) && kind == SHORT_FLAGS)
            return p->language != LANG_BASH && c[1] ? SHORT_FLAGS : SHORT_SKIPS_ONE;
    }
    return kind;
}

/* A word that is no option: the program's input, where it says so, or a script, which is in the sandbox or nowhere. */
static enum command_program named(const struct interpreter *p, const char *word, bool reads_input)
{
    return str_eq(word, "-") || (reads_input && p->language == LANG_BASH) ? COMMAND_INPUT : COMMAND_NONE;
}

enum command_program scan_command_text(const struct strlist *argv, enum language *ret_language, const char **ret_text)
{
    const char *word = skip_wrappers(argv);
    if (!word)
        return COMMAND_NONE;
    const struct interpreter *p = find_interpreter(word);
    assert(p); /* skip_wrappers() stops at one */
    const char *text = NULL;
    bool wants_text = false, reads_input = false; /* bash -s */
    *ret_language = p->language;
    while (!text && (word = strlist_next(argv, word))) {
        bool is_option = (word[0] == '-' || (word[0] == '+' && p->language == LANG_BASH)) && word[1];
        if (wants_text && !(is_option && p->language == LANG_BASH))
            text = word; /* a shell reads further options behind -c first */
        else if (!is_option || (str_eq(word, "--") && !wants_text))
            return named(p, word, reads_input);
        else if (str_starts(word, "--")) {
            text = inline_text(p, word);
            wants_text |= is_in(p->words, ARRAY_LEN(p->words), word);
            if (!text && is_in(p->more, ARRAY_LEN(p->more), word) && !(word = strlist_next(argv, word)))
                return COMMAND_NONE;
        } else {
            enum short_kind kind = short_options(p, word, &text);
            wants_text |= kind == SHORT_PROGRAM;
            reads_input |= strchr(word, 's') != NULL;
            if (kind == SHORT_MODULE)
                return COMMAND_NONE; /* what follows is the module's */
            if (kind == SHORT_SKIPS_ONE && !(word = strlist_next(argv, word)))
                return COMMAND_NONE;
        }
    }
    *ret_text = text;
    return text ? COMMAND_TEXT : wants_text ? COMMAND_NONE : COMMAND_INPUT;
}
