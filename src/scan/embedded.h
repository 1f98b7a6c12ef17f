/* embedded.h - programs inside programs: texts that a program hands to an interpreter, commands that it starts word by
 * word, and files that it writes.
 *
 * Two sentences hold everywhere: a text that reaches an interpreter is a program of its language, and a written file is
 * a program when it is run, or when its name or first line says that something runs it (helper.py, conftest.py,
 * Makefile, package.json, .bashrc). A file may be a program by itself or hold programs (carrier.h).
 *
 * A resolver says what it sees: embedded_add() for a text that is run, embedded_file() for a file that is written,
 * embedded_run() for a file that is run, embedded_unread() for a program that is there but not known. The engine looks
 * at them when the outer program is done, one after the other, each with the grammar and the rules of its language;
 * what they hold in their turn is queued behind. Depth, number and total bytes are bounded: what does not fit makes the
 * scan incomplete.
 *
 * All of it lives in the arena of the outermost scan. A text is not copied where it stands in the outermost program.
 */
#pragma once
#include "config/profile.h"
#include "scan/resolver.h"

#define EMBEDDED_MAX_PROGRAMS 256u
#define EMBEDDED_MAX_FILES    256u
#define EMBEDDED_MAX_RUNS     256u
#define EMBEDDED_MAX_DEPTH    6u
#define EMBEDDED_MAX_BYTES    (512u * 1024u) /* of all embedded programs together */
#define EMBEDDED_MAX_PATH     200u           /* bytes of the description of a place */

/* Behind enum language: languages without a grammar, which are looked at as text (script.c). */
enum embedded_language {
    EMBEDDED_PERL = LANG_COUNT,
    EMBEDDED_RUBY,
    EMBEDDED_PHP,
    EMBEDDED_LUA,
    EMBEDDED_AWK,
    EMBEDDED_C,
    EMBEDDED_UNKNOWN, /* a program that no process here reads */
    /* from here on no programs, but what holds some: carrier.h */
    EMBEDDED_MAKE,
    EMBEDDED_CRON,
    EMBEDDED_CRON_SYSTEM, /* with a user in each line */
    EMBEDDED_KEYED,       /* units, workflows, Dockerfiles: «key: command», «Key=command», «RUN command» */
    EMBEDDED_JSON,
    EMBEDDED_PTH, /* what Python reads when it starts: lines that begin with import */
    EMBEDDED_LANGUAGES
};
#define EMBEDDED_FIRST_CARRIER EMBEDDED_MAKE

struct embedded_program {
    const char *text, *path; /* path: «here-document at line 3, python» */
    uint32_t size, byte;     /* byte: in the outermost program */
    uint8_t language, depth;
    bool is_below_root;  /* it is run in a chroot */
    bool is_guess;       /* candidate.h */
    bool is_verbatim;    /* the text stands in the outermost program, from `byte` on */
    bool has_lines_only; /* what is scanned was made of the text, line for line (script.h) */
};

struct embedded_file {            /* written by the program */
    const char *path, *text;      /* text: NULL: not known */
    uint32_t size, byte, root_at; /* byte: in the text of `from`; root_at: in the outermost program */
    const struct embedded_program *from;
    bool is_run;
};

struct embedded_run { /* a file that is run or imported; found among the files when all of the program was seen */
    const char *path; /* «*.go»: each with that ending */
    uint8_t language; /* EMBEDDED_LANGUAGES: by its first line or its name */
    bool is_below_root, is_only_marked;
};

struct scan;
struct embedded {
    struct scan *root;
    struct embedded_program programs[EMBEDDED_MAX_PROGRAMS];
    uint32_t program_count, next, bytes, file_bytes;
    struct embedded_file files[EMBEDDED_MAX_FILES];
    uint32_t file_count;
    struct embedded_run runs[EMBEDDED_MAX_RUNS];
    uint32_t run_count;
    const struct embedded_program *current; /* whose resolver is at work; NULL: the outermost */
    bool has_unread;
    uint32_t unread; /* bits: the languages of what the current resolver found unread */
};

/* A program's text, which `c` runs at `byte`; `how`: «here-document», «-c text». Texts of less than two bytes are none.
 */
void embedded_add(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size, uint32_t byte);
/* The same of a text that may be one, such as data that names a command: many of them make no scan incomplete, but the
 * report says that not all was looked at. */
void embedded_perhaps(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size,
                      uint32_t byte);
/* A program that is run here, and whose text is not known. Of awk, which is mostly given a variable for its format,
 * that is information only. */
void embedded_unread(struct scan_ctx *c, uint8_t language, uint32_t byte);
/* A file that is written, or that more is written to; `text` NULL: with what is not known. */
void embedded_file(struct scan_ctx *c, const char *path, size_t path_size, const char *text, size_t size, uint32_t byte,
                   bool is_more);
/* A file that is run or imported. */
void embedded_run(struct scan_ctx *c, const char *path, size_t path_size, uint8_t language);
/* A file that is made executable: by whom it is run is not seen. */
void embedded_mark(struct scan_ctx *c, const char *path, size_t path_size);
/* A module that is imported: «helper», «pkg.helper», «./helper». */
void embedded_import(struct scan_ctx *c, uint8_t language, const char *name);
/* What the program has written into a file so far; NULL: nothing, or not known. */
const char *embedded_written(const struct scan_ctx *c, const char *path, size_t path_size, size_t *ret_size);

/* A command whose words are known one by one (unknown: NULL): the shell's line that does the same is queued, and an
 * interpreter's text by itself. Shell commands in one text are for embedded_add(). `input`: what it reads, or NULL. */
#define EMBEDDED_MAX_WORDS 32u
struct embedded_word {
    const char *text;
    size_t size;
};
void embedded_command(struct scan_ctx *c, const struct embedded_word *words, unsigned count, const char *input,
                      size_t input_size, uint32_t byte);

/* «python3.11» -> LANG_PYTHON, «x.py» -> LANG_PYTHON, «#!/usr/bin/env perl» -> EMBEDDED_PERL. EMBEDDED_LANGUAGES: none
 * that is known. */
uint8_t embedded_interpreter(const char *name, size_t size);
uint8_t embedded_by_name(const char *path, size_t size); /* of carriers, too: «Makefile», «/etc/cron.d/x» */
uint8_t embedded_by_first_line(const char *text, size_t size);
extern const char *const embedded_names[EMBEDDED_LANGUAGES];
/* «-c», «-Ic», «--eval»: the next word is the program. */
bool embedded_is_text_option(uint8_t language, const char *word, size_t size);
/* «-W», «-r», «-o»: takes another word, which is no script. */
bool embedded_is_valued_option(uint8_t language, const char *word, size_t size);

/* The engine's: a scan of everything that was queued, and what it found becomes the outermost scan's. */
int embedded_begin(struct scan *root);
void embedded_scan(struct scan *root);
