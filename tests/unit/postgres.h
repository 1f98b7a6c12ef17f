/* postgres.h - a real PostgreSQL for unit tests (test_postgres.c): on a private socket in a directory of its own,
 * started by the first test that asks and ended with the runner. */
#pragma once
#include "base/error.h"
#include "postgres/postgres.h"
#include "test.h"

/* Its directory, which has the socket; skips the test where PostgreSQL is not installed. */
const char *postgres_start(void);
struct store_place postgres_here(void);
/* The database is empty, and has the tables. */
void postgres_begin_anew(void);
/* As the database's owner; the first number of the first row. */
long long postgres_ask(const char *sql);
void postgres_stop(bool now); /* orderly, or like kill -9; postgres_resume() starts it again with what it has */
void postgres_resume(void);
