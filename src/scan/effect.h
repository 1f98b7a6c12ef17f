/* effect.h - what known functions do, as far as a scan cares: one vocabulary for all languages.
 *
 * Which function has which effect is data, in rules/LANGUAGE.effects; scripts/effects.py makes sorted tables of it when
 * the scan is built. A resolver looks a callee's name up and does what its effect says; what it means to a language's
 * values is the resolver's. All of it is constant and lives as long as the process.
 */
#pragma once
#include "config/profile.h"

/* A word of the data, in capitals, with _ for -. Python's resolver chooses its handler by the groups. */
enum effect {
    EF_NONE,
    /* values that are computed */
    EF_PASS, /* gives its receiver, else its first argument */
    EF_CHR,  /* a number, or several, as characters */
    EF_ORD,
    EF_STR,
    EF_BYTES, /* numbers or characters as text; Node: a list of them */
    EF_LEN,
    EF_INT,
    EF_LIST, /* a list, empty without arguments */
    EF_REVERSE,
    EF_RANGE,
    EF_ZIP,
    EF_ENUMERATE,
    EF_NEXT,
    EF_UNQUOTE, /* %41 */
    EF_DICT,
    EF_DEDENT,
    EF_JSON,       /* a text's value */
    EF_JSON_TEXT,  /* ... and the text of a value */
    EF_QUOTE,      /* a text between quotes */
    EF_WORDS,      /* a line's words, as a shell splits it */
    EF_TEMPLATE,   /* a text with $names ... */
    EF_SUBSTITUTE, /* ... filled in by keywords */
    EF_PURE,       /* computes what is not followed */
    EF_FOLDS_END,
    /* decoding */
    EF_BASE64,
    EF_BASE32,
    EF_HEX,
    EF_CODEC, /* named by an argument */
    EF_INFLATE,
    EF_DECODE, /* another: not folded */
    EF_DECODES_END,
    /* paths */
    EF_PATH_JOIN,
    EF_HOME,
    EF_HOME_PATH, /* ... as an object */
    EF_CWD,
    EF_CWD_PATH,
    EF_TEMP,
    EF_MKTEMP,
    EF_TEMP_FILE,
    EF_MKSTEMP,
    EF_PATH_SAME, /* absolute, expanded: as good as the path */
    EF_PATH,
    EF_DIRNAME,
    EF_BASENAME,
    EF_PATHS_END,
    /* the environment */
    EF_ENV,     /* argument 0: a variable's name */
    EF_ENVIRON, /* all of it */
    EF_ENVS_END,
    /* functions by name, and functions that call others */
    EF_GETATTR,
    EF_IMPORT,
    EF_IMPORT_MODULE,
    EF_VARS,
    EF_GLOBALS,
    EF_TYPE,
    EF_MAP,
    EF_REDUCE,
    EF_PARTIAL,
    EF_ATTRGETTER,
    EF_METHODCALLER,
    EF_GETITEM,
    EF_THREAD,
    EF_PROCESS,
    EF_SUBMIT,
    EF_SUPER,
    EF_OBJECT_GETATTR,
    EF_SETATTR,
    EF_APPLY,
    EF_REFLECTS_END,
    /* files; argument 0: a path */
    EF_OPEN,
    EF_OS_OPEN,
    EF_READ,
    EF_WRITE,
    EF_APPEND,
    EF_REMOVE,
    EF_REMOVE_TREE,
    EF_LIST_DIR,
    EF_WALK,
    EF_SCAN_DIR,
    EF_GLOB,
    EF_MOVE,
    EF_COPY_FILE,
    EF_CHMOD,
    EF_LINK,
    EF_PUT,      /* writes to what is open */
    EF_PUT_JSON, /* argument 0, into what argument 1 is */
    EF_PUT_LINE, /* prints, perhaps to what is open */
    EF_GET,      /* reads what is open */
    EF_MKDIR,
    EF_FILES_END,
    /* processes */
    EF_SPAWN,       /* starts a program by one call */
    EF_SPAWN_WORDS, /* ... each argument a word */
    EF_SPAWN_LIST,  /* ... a path, and a list of words */
    EF_FORK,
    EF_OWN_PID,
    EF_PARENT_PID,
    EF_KILL,
    EF_DUP,
    EF_SCRIPT, /* what script.c writes for system() */
    EF_CELL,   /* a notebook's magic */
    EF_FEED,   /* gives a process that was started a text to read */
    EF_PROCESSES_END,
    /* code that is made at run time */
    EF_EVAL,
    EF_COMPILE,
    EF_UNPICKLE,
    EF_YAML,
    EF_FUNCTION,
    EF_CODES_END,
    /* the network */
    EF_FETCH,
    EF_POST,
    EF_REQUEST,  /* method, url */
    EF_RETRIEVE, /* url, file */
    EF_PREPARE,  /* a request that is not sent yet */
    EF_CONNECT,  /* makes a connection */
    EF_DIAL,     /* ... to an address */
    EF_LISTEN,
    EF_RECEIVE,
    EF_SEND, /* sends its arguments; what it gives came from the network */
    EF_FILENO,
    EF_RESOLVE, /* asks for a name's address */
    EF_SOCKET,
    EF_ACCEPT,
    EF_SESSION, /* host, port */
    EF_NETS_END,
    /* commands that are put together: Go, Rust */
    EF_COMMAND,     /* begins a command: argument 0 is the program */
    EF_COMMAND_CTX, /* the same after a context argument */
    EF_COMMAND_ARG, /* adds arguments to the receiver's command */
    EF_COMMAND_IO,  /* sets a standard stream of the receiver's command */
    EF_COMMAND_RUN,
    EF_PIPE,      /* a standard stream of the receiver's command */
    EF_COPY,      /* from argument 1 into argument 0 (a stream) */
    EF_COPY_INTO, /* from argument 0 into argument 1 */
    EF_SELF,      /* the running program's path */
    EF_CONFIG,    /* the user's configuration directory */
    EF_EXPAND,    /* $HOME in a text */
    EF_FIELDS,    /* splits at spaces */
    EF_SPRINTF,
    EF_BRACES, /* format!: {} {0} {name} */
    EF_CONCAT,
    EF_JOIN,  /* list (or receiver), separator */
    EF_EMPTY, /* "" */
    EF_LOWER,
    EF_REPLACE,
    EF_WAIT, /* may block */
    EF_EXIT,
    EF_CRYPT,
    EF_ALLOC,
    /* Node */
    EF_BUFFER, /* argument 1 names an encoding */
    EF_QUIET,  /* what goes in does not come out; of a shell's commands: names files and does not read them */
    EF_SERVE,  /* gives what clients ask */
    EF_SHELL,  /* argument 0 is for a shell; of a shell's commands: is one */
    EF_SHOW,   /* lists or prints what it gets */
    EF_TIMER,
    /* Python */
    EF_NAMED, /* is there; nothing more is known of it */
    EF_SAME,  /* another name for what stands behind -> */
    EF_CAPITALIZE,
    EF_SPLIT,
    EF_SPLIT_LINES,
    EF_STRIP,
    EF_STRIP_LEFT,
    EF_STRIP_RIGHT,
    EF_SWAPCASE,
    EF_TEXT_CODEC, /* a text by the codec that an argument names */
    EF_TEXT_PURE,
    EF_TEXT_SAME,
    EF_UPPER,
    /* a shell's commands */
    EF_CARRY,   /* copies files to a peer */
    EF_COMPUTE, /* prints a part of what it reads, or what it makes of it */
    EF_HTTP,    /* a request, which carries something when it has a body */
    EF_LOCAL,   /* may be meant for this machine */
    EF_MAIL,
    EF_PEER, /* is a connection between a peer and its own streams */
    EF_PRINT,
    EF_PROFILE,       /* says something of the host */
    EF_READ_SETTINGS, /* reads settings or recipes with commands, where it is told to read its input */
    EF_REVEAL,        /* prints secrets */
    EF_RUN_FILE,
    EF_RUN_GO, /* runs what lies in the directory */
    EF_RUN_NODE,
    EF_RUN_PYTHON,
    EF_RUN_INPUT, /* runs the shell's text that it reads */
    EF_RUN_RUST,
    EF_SEARCH,
    EF_SEARCH_PROCESSES,
    EF_TEXT_OPERAND, /* an operand is a shell's text */
    EF_TEXT_OPTION,  /* -c, --command: a shell's text */
    EF_TRACE,        /* ends or looks into another process */
    EF_COMMANDS_END,
    /* how a shell's commands and their options are read */
    EF_CREDENTIAL,  /* an option: what a client shows, or writes; no other process reads it */
    EF_EXCLUDE,     /* an option: names what is left out */
    EF_LEAVE,       /* ends a loop, or the program */
    EF_PATTERN,     /* its first operand is a pattern; type: its options that take a word */
    EF_PAUSE,       /* lets time pass */
    EF_ROOT_OPTION, /* --root: works below another root */
    EF_SIGN_IN,     /* -i, -F, -o: what it signs in with */
    EF_TEXT_FOR,    /* an option: a shell's text */
    EF_TEXT_OF,     /* an option: a pattern or a script */
    EF_WRAP,        /* runs the command in its arguments; type: its options that take a word */
    EF_WRAP_BEHIND, /* ... behind one operand of its own */
    EF_COUNT
};

#define EFFECTS_MAX 6u /* of one name */

struct known {
    const char *name;
    uint8_t effects[EFFECTS_MAX]; /* in the order of the data; EF_NONE behind the last */
    const char *returns;          /* the type of what it gives, or NULL */
};

/* Sorted by bytes, and followed by one without a name. */
const struct known *effect_table(enum language l, size_t *ret_count);
/* NULL: a name that is not in the table. */
const struct known *effect_find(enum language l, const char *name, size_t size);
/* The table has it or, behind «::», something below. */
bool effect_has_below(enum language l, const char *path);
/* What a name does by all entries that it fits, those that end in * among them. */
struct effects {
    uint64_t bits[4];
};
struct effects effects_of(enum language l, const char *name, size_t size);
static inline bool effects_has(const struct effects *s, enum effect e)
{
    return s->bits[e / 64] >> e % 64 & 1;
}
