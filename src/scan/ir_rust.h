/* ir_rust.h - Rust's front end: its table and its calls (ir_rust.c), and what has another shape (ir_rust_lower.c). */
#pragma once
#include "scan/eval.h"

/* Signs of IR_CUSTOM. */
enum {
    RUST_CHAR = 1,
    RUST_CRATE,
    RUST_FOR,
    RUST_FOREIGN,
    RUST_GENERIC,
    RUST_MACRO,
    RUST_MACRO_DEFINITION,
    RUST_NUMBER,
    RUST_TEXT,
    RUST_UNSAFE,
    RUST_USE,
};

uint32_t rust_lower(struct eval *e, const struct ir_rule *rule);
/* The variables of a pattern; constructors and types in it are none. */
void rust_pattern(struct eval *e, uint32_t node, uint32_t *last);
