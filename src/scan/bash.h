/* bash.h - the inside of bash's part of the evaluation (eval.h): words, commands and what they mean.
 *
 * The grammar's kinds are lowered to IR_ALL with the kind as sign. When a node is left it gets its value, which is
 * kept: of a word its text, of a command what it prints (as far as that is known), with taints that say where it comes
 * from. A text is TV_TEXT with `count` bytes and no NUL behind them, since most stand in the program as they are. Text
 * that a shell would run (eval, sh -c, trap, what base64 -d made) is parsed and evaluated in its turn with the same
 * names, SH_MAX_NESTING deep; its facts stand where the text was run.
 */
#pragma once
#include "scan/eval.h"

#define SH_MAX_NESTING 3u
#define SH_MAX_NESTED  40u /* texts run by the program that are looked into */
#define SH_MAX_CALLS   64u
#define SH_MAX_WORDS   48u
#define SH_NOWHERE     UINT32_MAX
#define SH_HOLE        "{}" /* stands for the unknown parts of a word */

/* Taints: those of all languages, and a shell's own. */
enum sh_flag {
    SH_DECODED = TAINT_DECODED,
    SH_NETWORK = TAINT_NET,
    SH_SECRET = TAINT_SECRET,
    SH_ENV = TAINT_ENVIRON,
    SH_TEMPORARY = TAINT_TEMP, /* made by mktemp */
    SH_SCRIPT = TAINT_SELF,    /* $0 */
    SH_PEER = TAINT_SOCKET,    /* nc, socat, telnet ... runs in it */
    SH_PROFILE = TAINT_HOST,   /* what the host says of itself: id, hostname, uname ... */
    SH_PARTIAL = 1 << 16,      /* has holes */
    SH_SPLIT = 1 << 17,        /* an expansion without quotes: falls into words at spaces */
    SH_MADE = 1 << 18,         /* put together from parts: quotes within a word, variables, codes */
    SH_SHELL = 1 << 19,        /* a shell runs in this pipeline */
    SH_COMPUTED = 1 << 20,     /* typed in, read from a file, or cut out of other text */
    SH_OWN = 1 << 21,          /* names of functions of the program: declare -F */
    SH_MENTION = 1 << 22,      /* of a command's word: names no file that is read: --exclude's, grep's pattern */
    SH_LABEL = 1 << 23,        /* hostname, uname: says which machine this is, as a backup's name does */
};

#define SH_MAX_DOWNLOADS 8u

/* A file that the program writes. */
struct sh_written {
    const char *path, *text;
};
#define SH_MAX_WRITTEN 8u

/* What lasts over nested texts. */
struct sh_state {
    struct scan_ctx *c;
    const TSLanguage *language;
    uint32_t budget, nesting, nested_texts;
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

struct sh_node {
    struct tv value;
    uint32_t parent, after; /* after: the first node behind what is in it */
    uint32_t before;        /* its sibling */
    bool has_redirect;      /* one of its parts is a redirection; where the grammar mends errors, of any node */
};

struct sh {
    struct sh_state *s;
    struct eval *e;
    struct sh_node *at;     /* of each node of the IR */
    uint32_t fixed_byte;    /* of nested text: where it was run; else SH_NOWHERE */
    const struct tv *input; /* of nested text: what its commands read; NULL: not known */
};

/* A command's words after wrappers were taken off: words[0] is its name without a directory. */
struct sh_command {
    uint32_t node;
    uint32_t count;
    bool is_in_chroot;
    struct tv words[SH_MAX_WORDS];
    const char *name; /* "" when not known */
    struct effects does;
    const char *line; /* all words, for rules that look at options; holes for what is not known */
    uint32_t taint;   /* union of the words' */
};

static inline bool sh_does(const struct sh_command *k, enum effect e)
{
    return effects_has(&k->does, e);
}

static inline bool sh_is_wrapper(const struct sh_command *k) /* sudo, env, uv run ... */
{
    return sh_does(k, EF_WRAP) || sh_does(k, EF_WRAP_BEHIND);
}

/* Kinds of nodes: the grammar's that mean something here. */
enum sh_kind {
    B_OTHER,
    B_ANSI,
    B_ARITHMETIC,
    B_ARRAY,
    B_ASSIGNMENT,
    B_C_FOR,
    B_COMMAND,
    B_COMMAND_NAME,
    B_COMMAND_SUBSTITUTION,
    B_COMPOUND,
    B_CONCATENATION,
    B_DECLARATION,
    B_EXPANSION,
    B_FILE_REDIRECT,
    B_FOR,
    B_FUNCTION,
    B_HEREDOC,
    B_HEREDOC_BODY,
    B_HERESTRING,
    B_LIST,
    B_NUMBER,
    B_PIPELINE,
    B_PROCESS_SUBSTITUTION,
    B_RAW,
    B_REDIRECTED,
    B_SIMPLE_EXPANSION,
    B_SPECIAL,
    B_STRING,
    B_SUBSCRIPT,
    B_SUBSHELL,
    B_TEST,
    B_UNSET,
    B_VARIABLE,
    B_WHILE,
    B_WORD,
};

static inline uint8_t sh_kind(const struct sh *s, uint32_t node)
{
    return (uint8_t)s->e->ir.nodes[node].sign;
}
static inline uint8_t sh_role(const struct sh *s, uint32_t node)
{
    return s->e->ir.nodes[node].role;
}
#define SH_PARTS(c, s, n)                                                     \
    for (uint32_t c = ir_at((s)->e, n)->first; c; c = ir_at((s)->e, c)->next) \
        if (ir_at((s)->e, c)->op != IR_THREAD)

static inline struct tv sh_text(const char *text, size_t n, uint32_t taint)
{
    return (struct tv){ .kind = TV_TEXT, .text = text, .count = (uint32_t)n, .taint = taint };
}

/* --- bash.c -------------------------------------------------------------------------------------- */
void sh_tell(struct sh *s, uint32_t node, struct fact *f);
void sh_flow(struct sh *s, uint32_t node, const char *name, const char *about);
/* 1: what follows is run in a chroot, until -1. */
void sh_change_root(struct sh *s, int by);
/* Parses and walks a text that the program runs, whose commands read `input` (or NULL). False: too long, too deep or
 * too many. */
bool sh_run_text(struct sh *s, uint32_t node, const char *text, uint32_t len, const struct tv *input);
/* Walks the body of the program's own function with the words and the input that it is given, where it runs a text. */
void sh_call_function(struct sh *s, uint32_t node, const struct sh_command *k, const struct tv *input);

/* --- bash_word.c: values ---------------------------------------------------------------------------- */
struct tv sh_make(struct sh *s, const char *text, size_t n, uint32_t flags); /* copies; budgeted */
struct tv sh_word(struct sh *s, uint32_t node); /* of any node that is a word or a part of one */
struct tv sh_decode(struct sh *s, const struct tv *v, bool is_hex);
struct tv sh_reverse(struct sh *s, const struct tv *v);
struct tv sh_translate(struct sh *s, const struct tv *v, const struct tv *from, const struct tv *to);
struct tv sh_escapes(struct sh *s, const struct tv *v); /* \x41 \n of printf, echo -e and $'..' */
void sh_set(struct sh *s, const char *name, uint32_t len, struct tv v);
bool sh_is(const struct tv *v, const char *text);
/* Its text is a piece of the code, without a NUL behind it. */
static inline bool sh_begins(const struct tv *v, const char *text)
{
    const size_t n = strlen(text);
    return v->text && v->count >= n && memcmp(v->text, text, n) == 0;
}
static inline bool sh_is_option(const struct tv *v)
{
    return v->text && v->count > 1 && v->text[0] == '-';
}

/* --- bash_write.c: what is written where ------------------------------------------------------------------ */
void sh_write_redirected(struct sh *s, uint32_t statement, uint32_t body, const struct tv *printed);
void sh_write_heredoc(struct sh *s, uint32_t statement, uint32_t redirect, uint32_t text,
                      const struct sh_command *writer, struct tv v);
/* The last command of a list: its redirections stand behind the whole list. */
uint32_t sh_last_of(const struct sh *s, uint32_t list);
/* tee, crontab, chpasswd, which write what they read (`input` or 0), and cp, mv, install, ln. */
void sh_write_command(struct sh *s, const struct sh_command *k, uint32_t input);

/* --- bash_command.c: a command's words and what it prints ---------------------------------------------- */
/* What an option is, and its size without =VALUE. */
struct effects sh_option(const struct tv *v, uint32_t *ret_size);
bool sh_gather(struct sh *s, uint32_t node, struct sh_command *ret, bool is_told);
/* The interpreter among the words of a command that runs another one: docker exec -i c python3 -, as_root sh -c TEXT.
 */
bool sh_inner(struct sh *s, const struct sh_command *k, struct sh_command *ret);

/* --- bash_effect.c: what commands do --------------------------------------------------------------------- */
/* Emits the flows of a command that reads `input` (NULL: nothing we know of); what it prints. */
bool sh_is_function(struct sh *s, const char *name);
bool sh_is_decoder(const struct sh_command *k);
/* A shell or interpreter whose program is its standard input: no script, no -c. */
bool sh_reads_program(const struct sh_command *k);
/* A text that such a command runs: a shell's is walked here, others are queued (embedded.h). */
void sh_run_program(struct sh *s, uint32_t node, const struct sh_command *k, const char *how, const struct tv *v);
struct tv sh_judge(struct sh *s, const struct sh_command *k, const struct tv *input);
/* A command that is given a text to read, and is no interpreter by its name. */
void sh_feed(struct sh *s, uint32_t node, const struct sh_command *k, const struct tv *input);
void sh_judge_delete(struct sh *s, const struct sh_command *k);
