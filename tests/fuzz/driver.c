/* driver.c - runs a fuzz target without libFuzzer: every file of the corpus, and some mutations of each, the same every
 * time.
 *
 *   fuzz_x [-runs=N] [-seed=S] DIRECTORY_OR_FILE…      N mutations of each file (default 200)
 *
 * Prints one closing line. After a crash the last line on stderr says which input it was, and the input itself is in
 * the file `crash-input` of the working directory.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX_BYTES (1u << 20)

static struct {
    char name[512];
    uint8_t data[INPUT_MAX_BYTES];
    size_t size;
} current; /* what save_input() tells about */

static uint64_t random_state;

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators" */
static uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static void save_input(void)
{
    static const char text[] = "crashed: see crash-input; made from ";
    int fd = open("crash-input", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t n = fd < 0 ? -1 : write(fd, current.data, current.size);
    n += write(2, text, sizeof text - 1) + write(2, current.name, strlen(current.name)) + write(2, "\n", 1);
    (void)n; /* nobody to tell */
}

static void on_crash(int sig)
{
    save_input();
    (void)signal(sig, SIG_DFL);
    (void)raise(sig);
}

/* The sanitizers end the program in their own way. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void run_current(void)
{
    /* on the heap and of the exact size, so that a sanitizer sees one byte too many */
    uint8_t *exact = malloc(current.size ? current.size : 1);
    if (!exact)
        abort();
    memcpy(exact, current.data, current.size);
    (void)LLVMFuzzerTestOneInput(exact, current.size);
    free(exact);
}

static size_t some_place(void)
{
    return current.size ? next_random() % current.size : 0;
}

/* MIN_OF would ask for two random numbers. */
static size_t at_most(size_t n, size_t limit)
{
    return n < limit ? n : limit;
}

/* One small change: what libFuzzer does first, without its feedback. */
static void change(void)
{
    static const uint64_t odd[] = { 0,     1,     2,         127,        128,       255,       256,
                                    65535, 65536, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };
    static const char *const words[] = { "\n", "\"", "{",    "}",       "[", "]",  ":", ",",
                                         "- ", "#",  "/../", "\\u0000", "0", "-1", "9", "e9" };
    size_t at = some_place(), n;
    uint64_t value = odd[next_random() % ARRAY_LEN(odd)];
    const char *word = words[next_random() % ARRAY_LEN(words)];
    switch (next_random() % 8) {
    case 0: /* a bit */
        if (current.size)
            current.data[at] ^= (uint8_t)(1u << (next_random() % 8));
        break;
    case 1: /* a byte */
        if (current.size)
            current.data[at] = (uint8_t)next_random();
        break;
    case 2: /* the end is missing */
        current.size = at;
        break;
    case 3: /* a piece is missing */
        n = at_most(next_random() % 64, current.size - at);
        memmove(current.data + at, current.data + at + n, current.size - at - n);
        current.size -= n;
        break;
    case 4: /* a piece twice */
        n = at_most(at_most(next_random() % 64, current.size - at), INPUT_MAX_BYTES - current.size);
        memmove(current.data + at + n, current.data + at, current.size - at);
        current.size += n;
        break;
    case 5: /* an odd number */
        n = at_most((size_t)1 << (next_random() % 4), current.size - at);
        memcpy(current.data + at, &value, n);
        break;
    case 6: /* a word of some grammar */
        n = strlen(word);
        if (current.size + n > INPUT_MAX_BYTES)
            break;
        memmove(current.data + at + n, current.data + at, current.size - at);
        memcpy(current.data + at, word, n);
        current.size += n;
        break;
    default: /* a piece from elsewhere */
        n = at_most(next_random() % 32, current.size - at);
        memmove(current.data + at, current.data + at_most(some_place(), current.size - n), n);
    }
}

static unsigned run_file(const char *path, uint64_t mutations, uint64_t seed)
{
    static uint8_t original[INPUT_MAX_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, original, sizeof original);
    if (fd >= 0)
        (void)close(fd);
    if (n < 0) {
        perror(path);
        exit(2);
    }
    (void)snprintf(current.name, sizeof current.name, "%s", path);
    for (uint64_t i = 0; i <= mutations; i++) {
        memcpy(current.data, original, (size_t)n);
        current.size = (size_t)n;
        random_state = (seed + i * 7919) * UINT64_C(0x9e3779b97f4a7c15) | 1; /* xorshift stays at zero for ever */
        for (uint64_t changes = i ? 1 + next_random() % 6 : 0; changes; changes--)
            change();
        run_current();
    }
    return 1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static unsigned run_directory(const char *path, uint64_t mutations, uint64_t seed)
{
    char *names[4096];
    size_t count = 0;
    unsigned files = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d)) && count < ARRAY_LEN(names);)
        if (e->d_name[0] != '.' && !(names[count++] = strdup(e->d_name)))
            abort();
    if (d)
        (void)closedir(d);
    qsort(names, count, sizeof *names, by_name); /* the order of a directory is nobody's */
    for (size_t i = 0; i < count; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s", path, names[i]);
        files += run_file(file, mutations, seed);
        free(names[i]);
    }
    return files;
}

int main(int argc, char **argv)
{
    uint64_t mutations = 200, seed = 1;
    unsigned files = 0;
    static const int crashes[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(save_input);
    for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
        (void)signal(crashes[i], on_crash);
    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (str_starts(argv[i], "-runs=") && parse_u64(argv[i] + 6, &mutations) == 0)
            continue;
        if (str_starts(argv[i], "-seed=") && parse_u64(argv[i] + 6, &seed) == 0)
            continue;
        if (stat(argv[i], &st) < 0) {
            perror(argv[i]);
            return 2;
        }
        files += S_ISDIR(st.st_mode) ? run_directory(argv[i], mutations, seed) : run_file(argv[i], mutations, seed);
    }
    (void)printf("%s: %u files, %llu mutations each, no crash\n", argv[0], files, (unsigned long long)mutations);
    return files ? 0 : 2;
}
