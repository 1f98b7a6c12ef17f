/* builder.h - what the files that make a plan share. No other folder includes it. */
#pragma once
#include "plan/build.h"
#include "plan/lang.h"

#define MAX_BINARY_BYTES (256 * MIB)
#define BUILDER_CODE_DIR "/code"
#define BUILDER_STEWARD  BUILDER_CODE_DIR "/steward"

/* What one plan is being made from; lives for one call. */
struct builder {
    const struct profile *p;
    const struct run_request *r;
    struct arena *arena;
    struct plan *plan;
    struct error *err;
    const char *program;  /* resolved on the host; in a container its name; NULL: language command */
    uint64_t binary_size; /* as plan_build() was told */
    const char *code_dir; /* where the program lies */
    const struct config *config;
    const struct plan *like; /* whose shape it gets; NULL: one is made */
    struct bytes guard;      /* of the program's language; size 0: none */
    bool has_rules;          /* which the guard enforces; else it is there for a package set */
    bool sees_usr;           /* the whole of /usr, not only what the interpreter needs */
    bool has_proc, has_etc, has_dev, has_var;
    bool compiles, is_container;
    struct compiled_container container; /* of the policy, if is_container */
    int failed;
};

/* build.c. r: of a list that was added to; a failure is kept for the end. */
void builder_add(struct builder *b, int r);
/* tree.c: failures are told in b->failed and b->err */
struct plan_mount *builder_mount(struct builder *b, enum mount_kind kind, const char *source, const char *target,
                                 uint32_t flags);
void builder_access(struct builder *b, const char *path, uint32_t access);
bool builder_is_blocked(const struct builder *b, const char *path);
/* The native tree: the host's /usr and what is made around it. */
void builder_tree(struct builder *b);

/* The parts that a container has as well. */
void builder_writable(struct builder *b);
void builder_volumes(struct builder *b);
void builder_packages(struct builder *b);
void builder_masks(struct builder *b);
bool builder_is_interpreter_only(const struct builder *b);

/* tree_container.c: the image instead */
void builder_container_tree(struct builder *b);
void builder_container_mask(struct builder *b, const char *program);
/* Engine, image and network; what the profile asks of the watch and the broker and a container has not. 0, or why it
 * must be refused. */
int builder_container(struct builder *b, const struct compiled *c);
