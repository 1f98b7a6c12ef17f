/* lang.h - what each language needs: which program, how it is called, what must stay visible for it. */
#pragma once
#include "base/arena.h"
#include "plan/plan.h"
#include "plan/request.h"

#define KERNEL_FD        13 /* below the guard's and the steward's, and every limit of descriptors that a profile may set */
#define KERNEL_REAPER_FD 12 /* likewise */

/* Where an interpreter looks for modules beside its own. */
enum lang_reads {
    LANG_READS_BESIDE = 1, /* where the program lies: there are more files, for the program to use */
    LANG_READS_SITE = 2,   /* where pip installs for a user, below HOME */
};

struct lang_driver {
    const char *file;        /* name of the user's file in /code */
    const char *guard_file;  /* name of the guard beside it, or NULL: none exists for this language */
    const char *guard_env;   /* variable that names the guard to an interpreter that is not told by argument */
    const char *name;        /* of the interpreter or compiler, where the image of a container has it */
    const char *programs[5]; /* fixed places, in order; never $PATH (shims there are poison) */
    const char *package;     /* Debian's, for the error */
    const char *runtime[6];  /* host directories it reads at start besides /usr/lib, when /usr is not visible */
    const char
        *settings[12]; /* of an image, which it reads at start although the profile hides /etc: no secret is there */
    bool is_compiled;
    /* appends argv behind the program's name; reads: bits of enum lang_reads */
    int (*arguments)(const struct profile *p, uint32_t reads, const char *guard, const char *code, struct strlist *argv,
                     struct arena *a);
    /* The same for a kernel (guards/kernel_*) in the code's place, whose frames go over KERNEL_FD. NULL: there is none
     */
    int (*kernel_arguments)(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                            struct strlist *argv, struct arena *a);
    const char *const *env; /* K=V, NULL-terminated */
};

const struct lang_driver *lang_driver(enum language lang); /* never for LANG_COMMAND */

/* The interpreter (or compiler) on this host, links resolved. NULL and err naming the package when absent. */
const char *lang_find_program(enum language lang, struct arena *a, struct error *err);

/* Compiled languages: argv of the compiler in its own sandbox; the result is COMPILE_OUTPUT. */
#define COMPILE_OUTPUT "/tmp/main" /* rustc makes no directories */
int lang_compile_arguments(enum language lang, const char *code, struct strlist *argv, struct strlist *env);
/* A word per compiler that changes when the compiler does: part of the compile cache's key. */
const char *lang_compiler_stamp(const char *program, struct arena *a);
