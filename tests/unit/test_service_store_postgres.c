/* test_service_store.c again, on PostgreSQL. */
#define ON_POSTGRES
#define TEST_FILE "test_service_store_postgres.c"
#include "test_service_store.c"
