/* bash.h - the inside of the bash resolver: words, commands and what they mean.
 *
 * Every node gets a value when the walk leaves it: of a word its text, of a command what it prints (as
 * far as that is known), with flags that say where it comes from. Text that a shell would run (eval, sh -c, trap, what
 * base64 -d made) is parsed and walked in its turn, SH_MAX_NESTING deep; its facts stand where the text was run.
 */
#pragma once
#include "scan/effect.h"
#include "scan/flat.h"

#define SH_MAX_NESTING 3u
#define SH_MAX_NESTED  40u /* texts run by the program that are looked into */
#define SH_MAX_CALLS   64u
#define SH_MAX_WORDS   48u
#define SH_HOLE        "{}" /* stands for the unknown parts of a word */

enum sh_flag {
    SH_PARTIAL = 1 << 0, /* has holes */
    SH_SPLIT = 1 << 1,   /* an expansion without quotes: falls into words at spaces */
    SH_DECODED = 1 << 2,
    SH_NETWORK = 1 << 3,
    SH_SECRET = 1 << 4,
    SH_ENV = 1 << 5,
    SH_TEMPORARY = 1 << 6, /* made by mktemp */
    SH_SCRIPT = 1 << 7,    /* $0 */
    SH_MADE = 1 << 8,      /* put together from parts: quotes within a word, variables, codes */
    SH_SHELL = 1 << 9,     /* a shell runs in this pipeline */
    SH_PEER = 1 << 10,     /* nc, socat, telnet ... runs in it */
    SH_FUNCTION = 1 << 12, /* of a variable: it is a function's name */
    SH_PROFILE = 1 << 11,  /* what the host says of itself: id, hostname, uname ... */
    SH_COMPUTED = 1 << 13, /* typed in, read from a file, or cut out of other text */
    SH_OWN = 1 << 14,      /* names of functions of the program: declare -F */
    SH_MENTION = 1 << 15,  /* of a command's word: names no file that is read: --exclude's, grep's pattern */
    SH_LABEL = 1 << 16,    /* hostname, uname: says which machine this is, as a backup's name does */
};

struct sh_value {
    const char *text; /* NULL: not known at all */
    uint32_t len, flags;
};

struct sh_variable {
    const char *name;
    uint32_t len;
    struct sh_value value;
};
#define SH_MAX_VARIABLES 512u
#define SH_MAX_DOWNLOADS 8u

/* A file that the program writes. */
struct sh_written {
    const char *path, *text;
};
#define SH_MAX_WRITTEN 8u

/* What lasts over nested texts. */
struct sh_state {
    struct scan_ctx *c;
    struct sh_variable variables[SH_MAX_VARIABLES];
    uint32_t variable_count, budget, nesting, nested_texts;
    const char *downloads[SH_MAX_DOWNLOADS]; /* names of files that came from the network */
    uint32_t download_count, seen;           /* flags of everything read so far */
    struct sh_written written[SH_MAX_WRITTEN];
    uint32_t written_count;
    uint32_t text_flags;    /* of what the text that was walked last prints: SH_SECRET, SH_ENV */
    uint32_t calls_tried;   /* functions that were looked for, to run them with what they are given */
    uint32_t other_roots;   /* the command runs in a chroot: its paths are below another root */
    bool has_mounted_found; /* a disk that was searched for: a root there may be this machine's */
    const char *searched;   /* every search for processes so far, one a line */
    const char *fetched;    /* every command so far that got something, one a line */
};

struct sh {
    struct sh_state *s;
    struct flat flat;
    struct sh_value *values;
    uint32_t fixed_byte;          /* of nested text: where it was run; else FLAT_NONE */
    const struct sh_value *input; /* of nested text: what its commands read; NULL: not known */
};

/* A command's words after wrappers were taken off: words[0] is its name without a directory. */
struct sh_command {
    uint32_t node;
    uint32_t count;
    bool is_in_chroot;
    struct sh_value words[SH_MAX_WORDS];
    const char *name; /* "" when not known */
    struct effects does;
    const char *line; /* all words, for rules that look at options; holes for what is not known */
    uint32_t flags;   /* union of the words' */
};

static inline bool sh_does(const struct sh_command *k, enum effect e)
{
    return effects_has(&k->does, e);
}

/* Each kind with the grammar's name, in the order of these names. */
/* clang-format off */
#define SH_KINDS(X) \
    X(AMPERSAND, "&") X(ANSI, "ansi_c_string") X(ARITHMETIC, "arithmetic_expansion") X(ARRAY, "array") \
    X(C_FOR, "c_style_for_statement") X(COMMAND, "command") X(COMMAND_NAME, "command_name") \
    X(COMMAND_SUBSTITUTION, "command_substitution") X(COMMENT, "comment") X(COMPOUND, "compound_statement") \
    X(CONCATENATION, "concatenation") X(DECLARATION, "declaration_command") X(DO_GROUP, "do_group") \
    X(EXPANSION, "expansion") X(FILE_REDIRECT, "file_redirect") X(FOR, "for_statement") \
    X(FUNCTION, "function_definition") X(HEREDOC_BODY, "heredoc_body") X(HEREDOC, "heredoc_redirect") \
    X(HERESTRING, "herestring_redirect") X(LIST, "list") X(NUMBER, "number") X(PIPELINE, "pipeline") \
    X(PROCESS_SUBSTITUTION, "process_substitution") X(PROGRAM, "program") X(RAW, "raw_string") \
    X(REDIRECTED, "redirected_statement") X(SIMPLE_EXPANSION, "simple_expansion") \
    X(SPECIAL, "special_variable_name") X(STRING, "string") X(SUBSCRIPT, "subscript") X(SUBSHELL, "subshell") \
    X(TEST, "test_command") X(TRANSLATED, "translated_string") X(UNSET, "unset_command") \
    X(ASSIGNMENT, "variable_assignment") X(VARIABLE, "variable_name") X(WHILE, "while_statement") X(WORD, "word")
#define SH_FIELDS(X) \
    X(ARGUMENT, "argument") X(BODY, "body") X(CONDITION, "condition") X(DESTINATION, "destination") X(NAME, "name") \
    X(OPERATOR, "operator") X(REDIRECT, "redirect") X(VALUE, "value") X(VARIABLE, "variable")
/* clang-format on */

enum sh_node {
    B_OTHER,
#define X(kind, name) B_##kind,
    SH_KINDS(X)
#undef X
        B_KINDS
};
enum sh_field {
    G_OTHER,
#define X(field, name) G_##field,
    SH_FIELDS(X)
#undef X
        G_FIELDS
};

/* --- bash.c -------------------------------------------------------------------------------------- */
void sh_tell(struct sh *s, uint32_t node, struct fact *f);
void sh_flow(struct sh *s, uint32_t node, const char *name, const char *about);
/* 1: what follows is run in a chroot, until -1. */
void sh_change_root(struct sh *s, int by);
/* Parses and walks a text that the program runs, whose commands read `input` (or NULL). False: too long, too deep or
 * too many. */
bool sh_run_text(struct sh *s, uint32_t node, const char *text, uint32_t len, const struct sh_value *input);
/* Walks the body of the program's own function with the words and the input that it is given, where it runs a text. */
void sh_call_function(struct sh *s, uint32_t node, const struct sh_command *k, const struct sh_value *input);

/* --- bash_word.c: values ---------------------------------------------------------------------------- */
struct sh_value sh_make(struct sh *s, const char *text, size_t n, uint32_t flags); /* copies; budgeted */
struct sh_value sh_word(struct sh *s, uint32_t node); /* of any node that is a word or a part of one */
struct sh_value sh_decode(struct sh *s, const struct sh_value *v, bool is_hex);
struct sh_value sh_reverse(struct sh *s, const struct sh_value *v);
struct sh_value sh_translate(struct sh *s, const struct sh_value *v, const struct sh_value *from,
                             const struct sh_value *to);
struct sh_value sh_escapes(struct sh *s, const struct sh_value *v); /* \x41 \n of printf, echo -e and $'..' */
struct sh_value *sh_variable(struct sh *s, const char *name, uint32_t len);
void sh_set(struct sh *s, const char *name, uint32_t len, struct sh_value v);
bool sh_is(const struct sh_value *v, const char *text);
/* Its text is a piece of the code, without a NUL behind it. */
static inline bool sh_begins(const struct sh_value *v, const char *text)
{
    const size_t n = strlen(text);
    return v->text && v->len >= n && memcmp(v->text, text, n) == 0;
}
static inline bool sh_is_option(const struct sh_value *v)
{
    return v->text && v->len > 1 && v->text[0] == '-';
}

/* --- bash_write.c: what is written where ------------------------------------------------------------------ */
void sh_write_redirected(struct sh *s, uint32_t statement, uint32_t body, const struct sh_value *printed);
void sh_write_heredoc(struct sh *s, uint32_t statement, uint32_t redirect, uint32_t text,
                      const struct sh_command *writer, struct sh_value v);
/* The last command of a list: its redirections stand behind the whole list. */
uint32_t sh_last_of(const struct sh *s, uint32_t list);
/* tee, crontab, chpasswd, which write what they read (`input` or FLAT_NONE), and cp, mv, install, ln. */
void sh_write_command(struct sh *s, const struct sh_command *k, uint32_t input);

/* --- bash_command.c: a command's words and what it prints ---------------------------------------------- */
bool sh_gather(struct sh *s, uint32_t node, struct sh_command *ret, bool is_told);
/* The interpreter among the words of a command that runs another one: docker exec -i c python3 -, as_root sh -c TEXT.
 */
bool sh_inner(struct sh *s, const struct sh_command *k, struct sh_command *ret);
bool sh_is_shell(const char *name);
bool sh_is_wrapper(const char *name); /* sudo, env, uv run ...: runs the command in its arguments */

/* --- bash_effect.c: what commands do --------------------------------------------------------------------- */
/* Emits the flows of a command that reads `input` (NULL: nothing we know of); what it prints. */
bool sh_is_function(struct sh *s, const char *name);
bool sh_is_decoder(const struct sh_command *k);
/* A shell or interpreter whose program is its standard input: no script, no -c. */
bool sh_reads_program(const struct sh_command *k);
/* A text that such a command runs: a shell's is walked here, others are queued (embedded.h). */
void sh_run_program(struct sh *s, uint32_t node, const struct sh_command *k, const char *how, const struct sh_value *v);
struct sh_value sh_judge(struct sh *s, const struct sh_command *k, const struct sh_value *input);
/* A command that is given a text to read, and is no interpreter by its name. */
void sh_feed(struct sh *s, uint32_t node, const struct sh_command *k, const struct sh_value *input);
void sh_judge_delete(struct sh *s, const struct sh_command *k);
