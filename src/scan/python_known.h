/* python_known.h - what the table of known functions (python_known.c) says about each: who handles it, and how. */
#pragma once
#include "scan/python.h"

enum { DECODE_64, DECODE_32, DECODE_HEX, DECODE_CODEC, DECODE_INFLATE, DECODE_UNKNOWN };
enum {
    FOLD_CHR,
    FOLD_ORD,
    FOLD_STR,
    FOLD_BYTES,
    FOLD_LEN,
    FOLD_INT,
    FOLD_LIST,
    FOLD_REVERSED,
    FOLD_RANGE,
    FOLD_ZIP,
    FOLD_ENUMERATE,
    FOLD_NEXT,
    FOLD_SAME,
    FOLD_UNQUOTE,
    FOLD_DICT,
    FOLD_NOTHING
};
enum {
    PATH_JOIN,
    PATH_HOME,
    PATH_HOME_OBJ,
    PATH_CWD,
    PATH_CWD_OBJ,
    PATH_TMP,
    PATH_TMP_DIR,
    PATH_TMP_FILE,
    PATH_MKSTEMP,
    PATH_SAME,
    PATH_OBJECT,
    PATH_DIRNAME,
    PATH_BASENAME
};
enum { ENV_GET, ENV_COPY };
enum {
    REFLECT_GETATTR,
    REFLECT_IMPORT,
    REFLECT_IMPORT_MODULE,
    REFLECT_VARS,
    REFLECT_GLOBALS,
    REFLECT_TYPE,
    REFLECT_MAP,
    REFLECT_REDUCE,
    REFLECT_PARTIAL,
    REFLECT_ATTRGETTER,
    REFLECT_METHODCALLER,
    REFLECT_GETITEM,
    REFLECT_THREAD,
    REFLECT_PROCESS,
    REFLECT_SUBMIT,
    REFLECT_SUPER,
    REFLECT_OBJECT_GETATTR,
    REFLECT_APPLY
};
enum {
    FILE_OPEN,
    FILE_OS_OPEN,
    FILE_READ,
    FILE_WRITE,
    FILE_APPEND,
    FILE_DELETE,
    FILE_DELETE_TREE,
    FILE_LIST,
    FILE_WALK,
    FILE_SCAN,
    FILE_GLOB,
    FILE_MOVE,
    FILE_COPY,
    FILE_CHMOD,
    FILE_LINK,
    FILE_PUT,
    FILE_MKDIR
};
enum {
    PROC_COMMAND,
    PROC_VARARGS,
    PROC_EXECV,
    PROC_FORK,
    PROC_SELF,
    PROC_PARENT,
    PROC_KILL,
    PROC_DUP2,
    PROC_ACCEPT,
    PROC_SCRIPT,
    PROC_CELL
};
enum { CODE_RUN, CODE_COMPILE, CODE_UNPICKLE, CODE_YAML, CODE_FUNCTION };
enum {
    NET_FETCH,
    NET_SEND,
    NET_REQUEST,
    NET_RETRIEVE,
    NET_OPEN,
    NET_CONNECT,
    NET_CREATE,
    NET_LISTEN,
    NET_RECV,
    NET_SOCK_SEND,
    NET_FILENO,
    NET_DNS,
    NET_SOCKET,
    NET_ACCEPT,
    NET_MAIL
};
py_handler py_do_decode;
const char *py_path_text(struct py *p, struct py_value v, const struct py_call *c); /* NULL: not known at all */
