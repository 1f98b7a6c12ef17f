/* embedded.h - programs inside programs: texts that a program hands to an interpreter, and files that it writes and
 * then runs or imports.
 *
 * A resolver says what it sees: embedded_add() for a text that is run, embedded_file() for a file that is written,
 * embedded_run() for a file that is run, embedded_unread() for a program that is there but not known. The engine looks
 * at them when the outer program is done, one after the other, each with the grammar and the rules of its language; what
 * they hold in their turn is queued behind. Depth, number and total bytes are bounded: what does not fit makes the
 * scan incomplete.
 *
 * All of it lives in the arena of the outermost scan. A text is not copied where it stands in the outermost program.
 */
#pragma once
#include "config/profile.h"
#include "scan/resolver.h"

#define EMBEDDED_MAX_PROGRAMS 96u
#define EMBEDDED_MAX_FILES    48u
#define EMBEDDED_MAX_DEPTH    4u
#define EMBEDDED_MAX_BYTES    (512u * 1024u) /* of all embedded programs together */
#define EMBEDDED_MAX_PATH     200u           /* bytes of the description of a place */

/* Behind enum language: languages without a grammar, which are looked at as text (script.c). */
enum embedded_language {
    EMBEDDED_PERL = LANG_COUNT,
    EMBEDDED_RUBY,
    EMBEDDED_PHP,
    EMBEDDED_LUA,
    EMBEDDED_AWK,
    EMBEDDED_UNKNOWN, /* a program that nobody here reads */
    EMBEDDED_LANGUAGES
};

struct embedded_program {
    const char *text, *path; /* path: «here-document at line 3, python» */
    uint32_t size, byte;     /* byte: in the outermost program */
    uint8_t language, depth;
    bool is_verbatim; /* the text stands in the outermost program, from `byte` on */
};

struct embedded_file {
    const char *path, *text; /* path: normalised; text: NULL: not known */
    uint32_t size, byte;
    uint8_t depth;
    const char *outer;
    bool is_run;
    uint8_t language; /* what ran it; EMBEDDED_LANGUAGES: by its name */
};

struct scan;
struct embedded {
    struct scan *root;
    struct embedded_program programs[EMBEDDED_MAX_PROGRAMS];
    uint32_t program_count, next, bytes;
    struct embedded_file files[EMBEDDED_MAX_FILES];
    uint32_t file_count;
    const struct embedded_program *current; /* whose resolver is at work; NULL: the outermost */
    bool has_unread;
};

/* A program's text, which `c` runs at `byte`; `how`: «here-document», «-c text». Texts of less than two bytes are none.
 */
void embedded_add(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size, uint32_t byte);
/* A program that is run here, and whose text is not known. */
void embedded_unread(struct scan_ctx *c, uint32_t byte);
/* «python3.11» -> LANG_PYTHON, «x.py» -> LANG_PYTHON, «#!/usr/bin/env perl» -> EMBEDDED_PERL. EMBEDDED_LANGUAGES: none
 * that is known. */
uint8_t embedded_interpreter(const char *name, size_t size);
uint8_t embedded_by_name(const char *path, size_t size);
uint8_t embedded_by_first_line(const char *text, size_t size);
extern const char *const embedded_names[EMBEDDED_LANGUAGES];

/* The engine's: a scan of everything that was queued, and what it found becomes the outermost scan's. */
int embedded_begin(struct scan *root);
void embedded_scan(struct scan *root);
