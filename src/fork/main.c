/* sandbox-fork.so: a keeper's half of a python that is started once and forked for each job
 * (launch/template.h).
 *
 * Preloaded into the host's python3 by a keeper, and into nothing else. Python, once it has started, opens the file
 * that it is to run: there, with nothing of the caller's loaded and one thread, this library goes on as the keeper. It
 * returns from that call in a job's program only, which then is a python that was started with these arguments.
 *
 * Of python it calls what os.fork() calls around a fork, found by name in the program itself.
 */
#include "launch/slot.h"
#include "launch/template.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include "base/fnv.h"
#include "base/watch_bits.h"

#define EXPORTED __attribute__((visibility("default")))

/* The guard that is installed with us. What python is to run is this with rules: the policy's is made of the same text,
 * or says otherwise (is_our_guard()). */
__asm__(".pushsection .rodata\n"
        "guard_text: .incbin \"guards/python_guard.py\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char guard_text[] __attribute__((visibility("hidden")));

static struct init_ctx state;
static bool is_template; /* until it opens its file */
static jmp_buf opening;  /* where the program's process goes on */
static struct sigaction actions[32];

struct method { /* PyMethodDef of the stable ABI */
    const char *name;
    void *(*call)(void *self, void *arguments);
    int flags;
    const char *doc;
};
#define METHOD_WITHOUT_ARGUMENTS 0x4 /* METH_NOARGS */

static const struct python {
    int (*ensure)(void);
    void (*release)(int);
    void (*before_fork)(void), (*after_fork)(void);
    void *(*new_function)(struct method *, void *self, void *module);
    int (*set_object)(const char *name, void *object);
    void *(*import)(const char *name);
    void (*clear_error)(void);
    void *(*modules)(void); /* borrowed */
    void *(*keys)(void *dict);
    void *(*attribute)(void *object, const char *name);
    void *(*call)(void *object, const char *format, ...);
    void *(*text)(const char *text);
    void *(*get_object)(const char *name); /* borrowed */
    int (*bytes)(void *object, char **ret, ssize_t *ret_size);
    void *(*add_module)(const char *name); /* borrowed */
    void *(*dict)(void *module);           /* borrowed */
    void *(*run)(void *code, void *globals, void *locals);
} * find_python(void)
{
    static struct python p;
    *(void **)&p.ensure = dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
    *(void **)&p.release = dlsym(RTLD_DEFAULT, "PyGILState_Release");
    *(void **)&p.before_fork = dlsym(RTLD_DEFAULT, "PyOS_BeforeFork");
    *(void **)&p.after_fork = dlsym(RTLD_DEFAULT, "PyOS_AfterFork_Child");
    *(void **)&p.new_function = dlsym(RTLD_DEFAULT, "PyCFunction_NewEx");
    *(void **)&p.set_object = dlsym(RTLD_DEFAULT, "PySys_SetObject");
    *(void **)&p.import = dlsym(RTLD_DEFAULT, "PyImport_ImportModule");
    *(void **)&p.clear_error = dlsym(RTLD_DEFAULT, "PyErr_Clear");
    *(void **)&p.modules = dlsym(RTLD_DEFAULT, "PyImport_GetModuleDict");
    *(void **)&p.keys = dlsym(RTLD_DEFAULT, "PyDict_Keys");
    *(void **)&p.attribute = dlsym(RTLD_DEFAULT, "PyObject_GetAttrString");
    *(void **)&p.call = dlsym(RTLD_DEFAULT, "PyObject_CallFunction");
    *(void **)&p.text = dlsym(RTLD_DEFAULT, "PyUnicode_FromString");
    *(void **)&p.get_object = dlsym(RTLD_DEFAULT, "PySys_GetObject");
    *(void **)&p.bytes = dlsym(RTLD_DEFAULT, "PyBytes_AsStringAndSize");
    *(void **)&p.add_module = dlsym(RTLD_DEFAULT, "PyImport_AddModule");
    *(void **)&p.dict = dlsym(RTLD_DEFAULT, "PyModule_GetDict");
    *(void **)&p.run = dlsym(RTLD_DEFAULT, "PyEval_EvalCode");
    return p.ensure && p.release && p.before_fork && p.after_fork && p.new_function && p.set_object && p.import &&
                   p.clear_error && p.modules && p.keys && p.attribute && p.call && p.text && p.get_object && p.bytes &&
                   p.add_module && p.dict && p.run
               ? &p
               : NULL;
}

__attribute__((constructor)) static void begin(void)
{
    (void)unsetenv("LD_PRELOAD");
    (void)unsetenv("LD_BIND_NOW");
    is_template = template_state(&state) == 0;
}

/* --- in a job's init --------------------------------------------------------------------------------------- */

/* init gave signals their defaults; python had set some. */
static void restore_signals(void)
{
    for (int sig = 1; sig < (int)ARRAY_LEN(actions); sig++)
        (void)sigaction(sig, &actions[sig], NULL);
}

/* What a fork's python finds in place of its file (run_guard()); NULL: the file. */
static char *rest;
static ssize_t rest_size;

/* Python wants a descriptor, and the program's filter may refuse to make one. Of code and plan it needs none. */
static int put_rest(struct init_ctx *c)
{
    cleanup(closep) int fd = rest ? memfd_create("guard", MFD_CLOEXEC) : -1;
    if (!rest)
        return 0;
    c->kept_fd = INIT_FD_CODE;
    return fd < 0 || write(fd, rest, (size_t)rest_size) != rest_size || dup3(fd, INIT_FD_CODE, O_CLOEXEC) < 0 ? -EIO
                                                                                                              : 0;
}

/* An exec would do this, and the watch learns of the program by its exec. */
static int become_program(struct init_ctx *c)
{
    char *const none[] = { NULL };
    restore_signals();
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    int r = put_rest(c);
    if (r == 0)
        r = init_become_payload(c);
    if (r < 0)
        return r;
    (void)execve("", none, none); /* ENOENT */
    template_forget();
    keeper_forget();
    return 0;
}

static pid_t fork_program(struct init_ctx *c, struct error *err)
{
    int failed = 0, ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, "EXEC", "a pipe to the program's process: %m");
    pid_t pid = fork();
    if (pid == 0) {
        failed = become_program(c);
        if (failed == 0)
            longjmp(opening, 1); /* the pipe's end was closed with all others */
        ssize_t n = write(ends[1], &failed, sizeof failed);
        _exit(n == sizeof failed ? 126 : 127);
    }
    (void)close(ends[1]);
    ssize_t n = pid < 0 ? 0 : read(ends[0], &failed, sizeof failed); /* waits until it is the program */
    (void)close(ends[0]);
    if (pid < 0)
        return err_set(err, -errno, BLAME_HOST, "EXEC", "fork the program: %m");
    if (n > 0)
        return err_set(err, failed, BLAME_HOST, "EXEC", "before the program's start: %s", strerror(-failed));
    c->report.is_forked = 1;
    return pid;
}

/* --- in the template ------------------------------------------------------------------------------------- */

static void serve(void)
{
    struct error err = { 0 };
    for (int sig = 1; sig < (int)ARRAY_LEN(actions); sig++)
        (void)sigaction(sig, NULL, &actions[sig]);
    /* the exec undid both */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || bind_to_launcher(&state, &err) < 0)
        _exit(125);
    state.fork_payload = fork_program;
    if (setjmp(opening) == 0)
        keeper_serve(&state);
}

/* What a package of the host's does at python's start: a fork would have locks that such a thread holds. */
static bool has_threads(void)
{
    struct stat st;
    return stat("/proc/self/task", &st) < 0 || st.st_nlink > 3; /* «.», «..» and one */
}

/* The process's end without the interpreter's, which would write to each object that it shares with its parent. What C
 * has to do at the end is done: streams are flushed, handlers are called. */
static void *leave(void *self, void *arguments)
{
    (void)self;
    (void)arguments;
    exit(EXIT_LAST);
}

/* For the guard (prepare_finish() in guards/python_guard.py), which takes it away before the program begins. */
static void give_leave(const struct python *p)
{
    static struct method method = { "leave", leave, METHOD_WITHOUT_ARGUMENTS, NULL };
    void *function = p->new_function(&method, NULL, NULL);
    if (function)
        (void)p->set_object("sandbox_leave", function);
}

static _Noreturn void refuse(const char *who, const char *why)
{
    struct error err = { 0 };
    (void)err_set(&err, -ENOTSUP, BLAME_HOST, "SLOT", "this python cannot be forked: %s%s", who, why);
    keeper_fail(&state, &err);
}

/* The guard finds in sys.sandbox_before what plain python has, and so what is here only since it was imported now. */
static void preload(const struct python *p)
{
    if (!state.shape->template_modules.count)
        return;
    void *before = p->keys(p->modules());
    STRLIST_FOREACH(name, &state.shape->template_modules)
    {
        if (!p->import(name)) /* it is never given up */
            p->clear_error(); /* a run that imports it is told why not */
        if (has_threads())
            refuse(name, " starts a thread when it is imported (languages.python.preload)");
    }
    if (before)
        (void)p->set_object("sandbox_before", before);
}

/* A first compile() sets up what takes 0.8 ms: once, and not in each fork. Nothing of it can be seen. */
static void compile_once(const struct python *p)
{
    void *builtins = p->import("builtins"), *compile = builtins ? p->attribute(builtins, "compile") : NULL;
    if (!compile || !p->call(compile, "sss", "0", "", "exec"))
        p->clear_error();
}

/* The policy's text may have been changed since we were built. */
static bool is_our_guard(const char *rules)
{
    char ours[32];
    (void)snprintf(ours, sizeof ours, "\"source\":%u,", fnv_text(guard_text));
    return rules && strstr(rules, ours);
}

/* The guard with its rules, up to where it would wait: once, and not in each fork. What it has read of a run is
 * nothing; the rules are the profile's (is_plain_rules() in launch/check.c). */
static void run_guard(const struct python *p)
{
    const char *rules = state.shape->template_rules;
    if (!is_our_guard(rules))
        return;
    void *builtins = p->import("builtins"), *compile = builtins ? p->attribute(builtins, "compile") : NULL;
    void *code = compile ? p->call(compile, "sssiii", guard_text, "/code/.guard.py", "exec", 0, 1, 2) : NULL;
    void *text = p->text(rules), *main = p->add_module("__main__"), *result;
    if (!code || !text || !main || p->set_object("sandbox_rules", text) < 0 ||
        !(result = p->run(code, p->dict(main), p->dict(main))))
        refuse("", "its guard fails");
    void *bytes = p->get_object("sandbox_rest");
    if (!bytes || p->bytes(bytes, &rest, &rest_size) < 0)
        refuse("", "its guard says nothing");
    (void)result;
}

static void serve_as_python(const struct python *p)
{
    int gil = p->ensure();
    compile_once(p);
    preload(p);
    give_leave(p);
    run_guard(p);
    p->before_fork();
    serve();
    p->after_fork(); /* its own hooks: random is seeded anew, locks are made anew */
    p->release(gil);
}

/* Python opens its file twice: as a text, and once more when it sees that it is code. */
static FILE *open_rest(void)
{
    static bool is_again;
    int fd = is_again ? INIT_FD_CODE : fcntl(INIT_FD_CODE, F_DUPFD_CLOEXEC, INIT_FD_CODE);
    if (is_again)
        rest = NULL;
    is_again = true;
    return fd < 0 || lseek(fd, 0, SEEK_SET) < 0 ? NULL : fdopen(fd, "r");
}

static FILE *open_file(const char *name, const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);
    *(void **)&next = dlsym(RTLD_NEXT, name);
    if (is_template && strlist_has(&state.shape->template_argv, path)) {
        const struct python *p = find_python();
        is_template = false;
        if (has_threads())
            refuse("a package of the host's", " starts a thread when python starts");
        if (p)
            serve_as_python(p);
        else
            refuse("", "it is none that we know");
    }
    return rest && str_eq(path, "/code/.guard.py") ? open_rest() : next(path, mode);
}

EXPORTED FILE *fopen(const char *path, const char *mode)
{
    return open_file("fopen", path, mode);
}

EXPORTED FILE *fopen64(const char *path, const char *mode)
{
    return open_file("fopen64", path, mode);
}
