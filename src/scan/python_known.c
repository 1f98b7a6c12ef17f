/* The functions that the resolver knows, by their usual names. All others are facts and nothing more. */
#include "scan/python_known.h"

struct known {
    const char *name;
    py_handler *handler;
    int how;
};
/* A table, several entries to a line. */
/* clang-format off */
#define K_FOLD(name, how) { name, py_do_fold, how }
#define K_PATH(name, how) { name, py_do_path, how }
#define K_DECODE(name, how) { name, py_do_decode, how }
#define K_REFLECT(name, how) { name, py_do_reflect, how }
#define K_FILE(name, how) { name, py_do_file, how }
#define K_PROC(name, how) { name, py_do_process, how }
#define K_NET(name, how) { name, py_do_net, how }
#define K_CODE(name, how) { name, py_do_code, how }
#define K_ENV(name, how) { name, py_do_env, how }

static const struct known table[] = {
    K_FOLD("chr", FOLD_CHR), K_FOLD("unichr", FOLD_CHR), K_FOLD("ord", FOLD_ORD), K_FOLD("str", FOLD_STR),
    K_FOLD("unicode", FOLD_STR), K_FOLD("bytes", FOLD_BYTES), K_FOLD("bytearray", FOLD_BYTES), K_FOLD("len", FOLD_LEN),
    K_FOLD("int", FOLD_INT), K_FOLD("list", FOLD_LIST), K_FOLD("tuple", FOLD_LIST), K_FOLD("set", FOLD_LIST),
    K_FOLD("reversed", FOLD_REVERSED), K_FOLD("range", FOLD_RANGE), K_FOLD("xrange", FOLD_RANGE), K_FOLD("zip", FOLD_ZIP),
    K_FOLD("enumerate", FOLD_ENUMERATE), K_FOLD("next", FOLD_NEXT), K_FOLD("iter", FOLD_SAME), K_FOLD("dict", FOLD_DICT),
    K_FOLD("urllib.parse.unquote", FOLD_UNQUOTE), K_FOLD("urllib.unquote", FOLD_UNQUOTE), K_FOLD("repr", FOLD_NOTHING),
    K_FOLD("print", FOLD_NOTHING), K_FOLD("isinstance", FOLD_NOTHING), K_FOLD("hasattr", FOLD_NOTHING), K_FOLD("sum", FOLD_NOTHING),
    K_FOLD("min", FOLD_NOTHING), K_FOLD("max", FOLD_NOTHING), K_FOLD("abs", FOLD_NOTHING), K_FOLD("round", FOLD_NOTHING),
    K_FOLD("float", FOLD_NOTHING), K_FOLD("bool", FOLD_NOTHING), K_FOLD("sorted", FOLD_NOTHING), K_FOLD("any", FOLD_NOTHING),
    K_FOLD("all", FOLD_NOTHING), K_FOLD("memoryview", FOLD_SAME), K_FOLD("asyncio.run", FOLD_SAME),
    K_FOLD("asyncio.get_event_loop.run_until_complete", FOLD_SAME), K_FOLD("asyncio.create_task", FOLD_SAME),
    K_FOLD("itertools.chain", FOLD_SAME), K_FOLD("tqdm.tqdm", FOLD_SAME), K_FOLD("tqdm", FOLD_SAME),
    K_FOLD("collections.deque", FOLD_LIST), K_FOLD("textwrap.dedent", FOLD_SAME), K_FOLD("inspect.cleandoc", FOLD_SAME),
    K_FOLD("copy.copy", FOLD_SAME), K_FOLD("copy.deepcopy", FOLD_SAME),

    K_DECODE("base64.b64decode", DECODE_64), K_DECODE("base64.urlsafe_b64decode", DECODE_64),
    K_DECODE("base64.standard_b64decode", DECODE_64), K_DECODE("base64.decodebytes", DECODE_64),
    K_DECODE("base64.decodestring", DECODE_64), K_DECODE("binascii.a2b_base64", DECODE_64),
    K_DECODE("base64.b32decode", DECODE_32), K_DECODE("base64.b16decode", DECODE_HEX), K_DECODE("binascii.unhexlify", DECODE_HEX),
    K_DECODE("binascii.a2b_hex", DECODE_HEX), K_DECODE("bytes.fromhex", DECODE_HEX), K_DECODE("bytearray.fromhex", DECODE_HEX),
    K_DECODE("codecs.decode", DECODE_CODEC), K_DECODE("codecs.encode", DECODE_CODEC), K_DECODE("base64.b85decode", DECODE_UNKNOWN),
    K_DECODE("base64.a85decode", DECODE_UNKNOWN), K_DECODE("zlib.decompress", DECODE_INFLATE),
    K_DECODE("gzip.decompress", DECODE_INFLATE), K_DECODE("bz2.decompress", DECODE_UNKNOWN),
    K_DECODE("lzma.decompress", DECODE_UNKNOWN), K_DECODE("cryptography.fernet.Fernet.decrypt", DECODE_UNKNOWN),
    K_DECODE("binascii.a2b_uu", DECODE_UNKNOWN), K_DECODE("zlib.decompressobj.decompress", DECODE_UNKNOWN),

    K_PATH("os.path.join", PATH_JOIN), K_PATH("pathlib.Path.joinpath", PATH_JOIN), K_PATH("os.path.expanduser", PATH_SAME),
    K_PATH("os.path.expandvars", PATH_SAME), K_PATH("os.path.abspath", PATH_SAME), K_PATH("os.path.realpath", PATH_SAME),
    K_PATH("os.path.normpath", PATH_SAME), K_PATH("os.fspath", PATH_SAME), K_PATH("os.fsencode", PATH_SAME),
    K_PATH("pathlib.Path.expanduser", PATH_SAME), K_PATH("pathlib.Path.resolve", PATH_SAME), K_PATH("pathlib.Path.absolute", PATH_SAME),
    K_PATH("pathlib.Path.as_posix", PATH_SAME), K_PATH("pathlib.Path.home", PATH_HOME_OBJ), K_PATH("pathlib.Path.cwd", PATH_CWD_OBJ),
    K_PATH("pathlib.Path", PATH_OBJECT), K_PATH("pathlib.PurePath", PATH_OBJECT), K_PATH("pathlib.PurePosixPath", PATH_OBJECT),
    K_PATH("os.path.dirname", PATH_DIRNAME), K_PATH("os.path.basename", PATH_BASENAME), K_PATH("os.getcwd", PATH_CWD),
    K_PATH("os.getcwdb", PATH_CWD), K_PATH("tempfile.gettempdir", PATH_TMP), K_PATH("tempfile.mkdtemp", PATH_TMP_DIR),
    K_PATH("tempfile.mktemp", PATH_TMP_DIR), K_PATH("tempfile.mkstemp", PATH_MKSTEMP),
    K_PATH("tempfile.NamedTemporaryFile", PATH_TMP_FILE), K_PATH("tempfile.TemporaryDirectory", PATH_TMP_FILE),
    K_PATH("tempfile.TemporaryFile", PATH_TMP_FILE), K_PATH("tempfile.SpooledTemporaryFile", PATH_TMP_FILE),

    K_ENV("os.environ.get", ENV_GET), K_ENV("os.getenv", ENV_GET), K_ENV("os.environ.pop", ENV_GET),
    K_ENV("os.environ.__getitem__", ENV_GET), K_ENV("os.environ.setdefault", ENV_GET), K_ENV("os.environb.get", ENV_GET),
    K_ENV("os.environ.copy", ENV_COPY), K_ENV("decouple.config", ENV_GET), K_ENV("dotenv.get_key", ENV_GET),

    K_REFLECT("getattr", REFLECT_GETATTR), K_REFLECT("object.__getattribute__", REFLECT_OBJECT_GETATTR),
    K_REFLECT("type.__getattribute__", REFLECT_OBJECT_GETATTR), K_REFLECT("inspect.getattr_static", REFLECT_GETATTR),
    K_REFLECT("__import__", REFLECT_IMPORT), K_REFLECT("importlib.import_module", REFLECT_IMPORT_MODULE),
    K_REFLECT("importlib._bootstrap._gcd_import", REFLECT_IMPORT_MODULE), K_REFLECT("imp.load_module", REFLECT_IMPORT_MODULE),
    K_REFLECT("pkgutil.resolve_name", REFLECT_IMPORT_MODULE), K_REFLECT("pydoc.locate", REFLECT_IMPORT_MODULE),
    K_REFLECT("vars", REFLECT_VARS), K_REFLECT("globals", REFLECT_GLOBALS), K_REFLECT("locals", REFLECT_GLOBALS),
    K_REFLECT("type", REFLECT_TYPE), K_REFLECT("map", REFLECT_MAP), K_REFLECT("filter", REFLECT_MAP),
    K_REFLECT("functools.reduce", REFLECT_REDUCE), K_REFLECT("reduce", REFLECT_REDUCE), K_REFLECT("functools.partial", REFLECT_PARTIAL),
    K_REFLECT("operator.attrgetter", REFLECT_ATTRGETTER), K_REFLECT("operator.methodcaller", REFLECT_METHODCALLER),
    K_REFLECT("operator.attrgetter()", REFLECT_APPLY), K_REFLECT("operator.methodcaller()", REFLECT_APPLY),
    K_REFLECT("operator.getitem", REFLECT_GETITEM), K_REFLECT("super", REFLECT_SUPER),
    K_REFLECT("threading.Thread", REFLECT_THREAD), K_REFLECT("threading.Timer", REFLECT_THREAD),
    K_REFLECT("multiprocessing.Process", REFLECT_PROCESS), K_REFLECT("thread.start_new_thread", REFLECT_SUBMIT),
    K_REFLECT("concurrent.futures.ThreadPoolExecutor.submit", REFLECT_SUBMIT),
    K_REFLECT("concurrent.futures.ProcessPoolExecutor.submit", REFLECT_SUBMIT),
    K_REFLECT("concurrent.futures.ThreadPoolExecutor.map", REFLECT_SUBMIT),
    K_REFLECT("concurrent.futures.ProcessPoolExecutor.map", REFLECT_SUBMIT), K_REFLECT("multiprocessing.Pool.map", REFLECT_SUBMIT),
    K_REFLECT("multiprocessing.Pool.apply_async", REFLECT_SUBMIT), K_REFLECT("atexit.register", REFLECT_SUBMIT),
    K_REFLECT("asyncio.to_thread", REFLECT_SUBMIT), K_REFLECT("signal.signal", REFLECT_SUBMIT),

    K_FILE("os.fdopen", FILE_OPEN),
    K_FILE("open", FILE_OPEN), K_FILE("codecs.open", FILE_OPEN), K_FILE("gzip.open", FILE_OPEN), K_FILE("aiofiles.open", FILE_OPEN),
    K_FILE("pathlib.Path.open", FILE_OPEN), K_FILE("os.open", FILE_OS_OPEN), K_FILE("pathlib.Path.read_text", FILE_READ),
    K_FILE("pathlib.Path.read_bytes", FILE_READ), K_FILE("linecache.getlines", FILE_READ), K_FILE("linecache.getline", FILE_READ),
    K_FILE("fileinput.input", FILE_READ), K_FILE("os.readlink", FILE_READ), K_FILE("sqlite3.connect", FILE_READ),
    K_FILE("dotenv.load_dotenv", FILE_READ), K_FILE("dotenv.dotenv_values", FILE_READ), K_FILE("pandas.read_csv", FILE_READ),
    K_FILE("pandas.read_json", FILE_READ), K_FILE("pandas.read_html", FILE_READ), K_FILE("pandas.read_excel", FILE_READ),
    K_FILE("pandas.read_table", FILE_READ), K_FILE("pandas.read_parquet", FILE_READ), K_FILE("numpy.load", FILE_READ),
    K_FILE("numpy.genfromtxt", FILE_READ), K_FILE("numpy.memmap", FILE_READ),
    K_FILE("numpy.fromfile", FILE_READ), K_FILE("numpy.loadtxt", FILE_READ), K_FILE("runpy.run_path", FILE_READ),
    K_FILE("pathlib.Path.write_text", FILE_WRITE), K_FILE("pathlib.Path.write_bytes", FILE_WRITE), K_FILE("pathlib.Path.touch", FILE_WRITE),
    K_FILE("os.truncate", FILE_WRITE), K_FILE("os.mkfifo", FILE_WRITE), K_FILE("logging.FileHandler", FILE_APPEND),
    K_FILE("os.remove", FILE_DELETE), K_FILE("os.unlink", FILE_DELETE), K_FILE("os.rmdir", FILE_DELETE),
    K_FILE("pathlib.Path.unlink", FILE_DELETE), K_FILE("pathlib.Path.rmdir", FILE_DELETE), K_FILE("os.removedirs", FILE_DELETE),
    K_FILE("send2trash.send2trash", FILE_DELETE), K_FILE("shutil.rmtree", FILE_DELETE_TREE), K_FILE("os.listdir", FILE_LIST),
    K_FILE("os.scandir", FILE_SCAN), K_FILE("glob.glob", FILE_GLOB), K_FILE("glob.iglob", FILE_GLOB),
    K_FILE("pathlib.Path.glob", FILE_GLOB), K_FILE("pathlib.Path.rglob", FILE_GLOB), K_FILE("pathlib.Path.iterdir", FILE_GLOB),
    K_FILE("os.walk", FILE_WALK), K_FILE("os.fwalk", FILE_WALK), K_FILE("pathlib.Path.walk", FILE_WALK), K_FILE("os.rename", FILE_MOVE),
    K_FILE("os.replace", FILE_MOVE), K_FILE("os.renames", FILE_MOVE), K_FILE("shutil.move", FILE_MOVE),
    K_FILE("pathlib.Path.rename", FILE_MOVE), K_FILE("pathlib.Path.replace", FILE_MOVE), K_FILE("shutil.copy", FILE_COPY),
    K_FILE("shutil.copy2", FILE_COPY), K_FILE("shutil.copyfile", FILE_COPY), K_FILE("shutil.copytree", FILE_COPY),
    K_FILE("os.chmod", FILE_CHMOD), K_FILE("os.lchmod", FILE_CHMOD), K_FILE("pathlib.Path.chmod", FILE_CHMOD),
    K_FILE("os.fchmod", FILE_CHMOD), K_FILE("os.symlink", FILE_LINK), K_FILE("os.link", FILE_LINK),
    K_FILE("pathlib.Path.symlink_to", FILE_LINK), K_FILE("open.write", FILE_PUT), K_FILE("open.writelines", FILE_PUT),
    K_FILE("tempfile.NamedTemporaryFile.write", FILE_PUT), K_FILE("os.mkdir", FILE_MKDIR), K_FILE("os.makedirs", FILE_MKDIR),
    K_FILE("pathlib.Path.mkdir", FILE_MKDIR),

    K_PROC("os.system", PROC_COMMAND), K_PROC("os.popen", PROC_COMMAND), K_PROC("os.popen2", PROC_COMMAND),
    K_PROC("subprocess.run", PROC_COMMAND), K_PROC("subprocess.call", PROC_COMMAND), K_PROC("subprocess.check_call", PROC_COMMAND),
    K_PROC("subprocess.check_output", PROC_COMMAND), K_PROC("subprocess.Popen", PROC_COMMAND),
    K_PROC("get_ipython.system", PROC_COMMAND), K_PROC("get_ipython.getoutput", PROC_COMMAND),
    K_PROC("get_ipython.run_cell_magic", PROC_CELL), K_PROC("get_ipython.run_line_magic", PROC_CELL),
    K_PROC("subprocess.getoutput", PROC_COMMAND), K_PROC("subprocess.getstatusoutput", PROC_COMMAND),
    K_PROC("pty.spawn", PROC_COMMAND), K_PROC("asyncio.create_subprocess_shell", PROC_COMMAND),
    K_PROC("asyncio.create_subprocess_exec", PROC_VARARGS), K_PROC("os.execl", PROC_VARARGS), K_PROC("os.execlp", PROC_VARARGS),
    K_PROC("os.execle", PROC_VARARGS), K_PROC("os.execlpe", PROC_VARARGS), K_PROC("os.spawnl", PROC_VARARGS),
    K_PROC("os.spawnlp", PROC_VARARGS), K_PROC("os.spawnv", PROC_VARARGS), K_PROC("os.spawnvp", PROC_VARARGS),
    K_PROC("os.spawnve", PROC_VARARGS), K_PROC("os.spawnvpe", PROC_VARARGS), K_PROC("os.spawnle", PROC_VARARGS),
    K_PROC("os.execv", PROC_EXECV), K_PROC("os.execve", PROC_EXECV), K_PROC("os.execvp", PROC_EXECV), K_PROC("os.execvpe", PROC_EXECV),
    K_PROC("os.posix_spawn", PROC_EXECV), K_PROC("os.posix_spawnp", PROC_EXECV), K_PROC("os.startfile", PROC_COMMAND),
    K_PROC("pexpect.spawn", PROC_COMMAND), K_PROC("pexpect.run", PROC_COMMAND), K_PROC("psutil.Popen", PROC_COMMAND),
    K_PROC("ctypes.CDLL.system", PROC_COMMAND), K_PROC("ctypes.cdll.msvcrt.system", PROC_COMMAND),
    K_PROC("webbrowser.open", PROC_COMMAND), K_PROC("IPython.get_ipython.system", PROC_COMMAND),
    K_PROC("paramiko.SSHClient.exec_command", PROC_COMMAND), K_PROC("platform.popen", PROC_COMMAND),
    K_PROC("_posixsubprocess.fork_exec", PROC_COMMAND), K_PROC("sh.Command", PROC_COMMAND), K_PROC("invoke.run", PROC_COMMAND),
    K_PROC("os.fork", PROC_FORK), K_PROC("os.forkpty", PROC_FORK), K_PROC("pty.fork", PROC_FORK), K_PROC("ctypes.CDLL.fork", PROC_FORK),
    K_PROC("os.getpid", PROC_SELF), K_PROC("os.getpgrp", PROC_SELF), K_PROC("os.getpgid", PROC_SELF), K_PROC("os.getppid", PROC_PARENT),
    K_PROC("os.kill", PROC_KILL), K_PROC("script_shell", PROC_SCRIPT), K_PROC("os.killpg", PROC_KILL), K_PROC("signal.pidfd_send_signal", PROC_KILL),
    K_PROC("ctypes.CDLL.kill", PROC_KILL), K_PROC("os.dup2", PROC_DUP2), K_PROC("os.dup", PROC_DUP2),

    K_CODE("exec", CODE_RUN), K_CODE("eval", CODE_RUN), K_CODE("execfile", CODE_RUN), K_CODE("compile", CODE_COMPILE),
    K_CODE("code.InteractiveInterpreter.runsource", CODE_RUN), K_CODE("code.InteractiveInterpreter.runcode", CODE_RUN),
    K_CODE("pickle.loads", CODE_UNPICKLE), K_CODE("pickle.load", CODE_UNPICKLE), K_CODE("marshal.loads", CODE_UNPICKLE),
    K_CODE("marshal.load", CODE_UNPICKLE), K_CODE("yaml.unsafe_load", CODE_UNPICKLE), K_CODE("yaml.load", CODE_YAML),
    K_CODE("yaml.load_all", CODE_YAML), K_CODE("yaml.full_load", CODE_YAML), K_CODE("yaml.unsafe_load_all", CODE_YAML), K_CODE("jsonpickle.decode", CODE_UNPICKLE),
    K_CODE("types.FunctionType", CODE_FUNCTION), K_CODE("types.CodeType", CODE_FUNCTION),

    K_NET("requests.get", NET_FETCH), K_NET("requests.head", NET_FETCH), K_NET("requests.post", NET_SEND), K_NET("requests.put", NET_SEND),
    K_NET("requests.patch", NET_SEND), K_NET("requests.delete", NET_FETCH), K_NET("requests.request", NET_REQUEST),
    K_NET("requests.Session.get", NET_FETCH), K_NET("requests.Session.post", NET_SEND), K_NET("requests.Session.put", NET_SEND),
    K_NET("requests.Session.request", NET_REQUEST), K_NET("httpx.get", NET_FETCH), K_NET("httpx.post", NET_SEND),
    K_NET("httpx.put", NET_SEND), K_NET("httpx.request", NET_REQUEST), K_NET("httpx.stream", NET_REQUEST),
    K_NET("httpx.Client.get", NET_FETCH), K_NET("httpx.Client.post", NET_SEND), K_NET("httpx.AsyncClient.get", NET_FETCH),
    K_NET("httpx.AsyncClient.post", NET_SEND), K_NET("aiohttp.ClientSession.get", NET_FETCH),
    K_NET("aiohttp.ClientSession.post", NET_SEND), K_NET("aiohttp.ClientSession.ws_connect", NET_FETCH),
    K_NET("aiohttp.request", NET_REQUEST), K_NET("urllib3.PoolManager.request", NET_REQUEST), K_NET("urllib3.request", NET_REQUEST),
    K_NET("urllib.request.urlopen", NET_FETCH), K_NET("urllib.request.build_opener.open", NET_FETCH),
    K_NET("urllib.request.urlretrieve", NET_RETRIEVE), K_NET("wget.download", NET_RETRIEVE), K_NET("gdown.download", NET_RETRIEVE),
    K_NET("urllib.request.Request", NET_OPEN), K_NET("http.client.HTTPConnection.request", NET_REQUEST),
    K_NET("http.client.HTTPSConnection.request", NET_REQUEST), K_NET("http.client.HTTPConnection.getresponse", NET_RECV),
    K_NET("http.client.HTTPSConnection.getresponse", NET_RECV), K_NET("http.client.HTTPConnection", NET_MAIL),
    K_NET("http.client.HTTPSConnection", NET_MAIL), K_NET("smtplib.SMTP", NET_MAIL), K_NET("smtplib.SMTP_SSL", NET_MAIL),
    K_NET("smtplib.SMTP.connect", NET_MAIL), K_NET("smtplib.SMTP.sendmail", NET_SOCK_SEND),
    K_NET("smtplib.SMTP.send_message", NET_SOCK_SEND), K_NET("smtplib.SMTP_SSL.sendmail", NET_SOCK_SEND),
    K_NET("smtplib.SMTP_SSL.send_message", NET_SOCK_SEND), K_NET("ftplib.FTP", NET_MAIL), K_NET("ftplib.FTP_TLS", NET_MAIL),
    K_NET("ftplib.FTP.storbinary", NET_SOCK_SEND), K_NET("ftplib.FTP.storlines", NET_SOCK_SEND), K_NET("telnetlib.Telnet", NET_MAIL),
    K_NET("poplib.POP3", NET_MAIL), K_NET("poplib.POP3_SSL", NET_MAIL), K_NET("imaplib.IMAP4", NET_MAIL),
    K_NET("imaplib.IMAP4_SSL", NET_MAIL), K_NET("nntplib.NNTP", NET_MAIL), K_NET("paramiko.SSHClient.connect", NET_MAIL),
    K_NET("paramiko.Transport", NET_CONNECT), K_NET("pwn.remote", NET_MAIL), K_NET("asyncio.open_connection", NET_MAIL),
    K_NET("websockets.connect", NET_FETCH), K_NET("websocket.create_connection", NET_FETCH), K_NET("websocket.WebSocketApp", NET_FETCH),
    K_NET("asyncio.open_connection.write", NET_SOCK_SEND), K_NET("asyncio.open_connection.read", NET_RECV),
    K_NET("websockets.connect.send", NET_SOCK_SEND), K_NET("websocket.create_connection.send", NET_SOCK_SEND),
    K_NET("websockets.connect.recv", NET_RECV), K_NET("websocket.create_connection.recv", NET_RECV),
    K_NET("socket.socket", NET_SOCKET), K_NET("socket.fromfd", NET_SOCKET), K_NET("ssl.wrap_socket", NET_SOCKET),
    K_NET("ssl.create_default_context.wrap_socket", NET_SOCKET), K_NET("ssl.SSLContext.wrap_socket", NET_SOCKET),
    K_NET("socket.socket.connect", NET_CONNECT), K_NET("socket.socket.connect_ex", NET_CONNECT),
    K_NET("socket.create_connection", NET_CREATE), K_NET("socket.socket.bind", NET_LISTEN), K_NET("socket.create_server", NET_LISTEN),
    K_NET("http.server.HTTPServer", NET_LISTEN), K_NET("http.server.ThreadingHTTPServer", NET_LISTEN),
    K_NET("socketserver.TCPServer", NET_LISTEN), K_NET("socketserver.ThreadingTCPServer", NET_LISTEN),
    K_NET("socketserver.UDPServer", NET_LISTEN), K_NET("wsgiref.simple_server.make_server", NET_LISTEN),
    K_NET("asyncio.start_server", NET_LISTEN), K_NET("websockets.serve", NET_LISTEN), K_NET("xmlrpc.server.SimpleXMLRPCServer", NET_LISTEN),
    K_NET("socket.socket.accept", NET_ACCEPT), K_NET("socket.socket.recv", NET_RECV), K_NET("socket.socket.recvfrom", NET_RECV),
    K_NET("socket.socket.recv_into", NET_RECV), K_NET("socket.socket.makefile", NET_RECV), K_NET("socket.socket.send", NET_SOCK_SEND),
    K_NET("socket.socket.sendall", NET_SOCK_SEND), K_NET("socket.socket.sendto", NET_SOCK_SEND),
    K_NET("socket.socket.sendfile", NET_SOCK_SEND), K_NET("socket.socket.fileno", NET_FILENO), K_NET("socket.socket.detach", NET_FILENO),
    K_NET("socket.gethostbyname", NET_DNS), K_NET("socket.gethostbyname_ex", NET_DNS), K_NET("socket.getaddrinfo", NET_DNS),
    K_NET("socket.gethostbyaddr", NET_DNS), K_NET("dns.resolver.query", NET_DNS), K_NET("dns.resolver.resolve", NET_DNS),
    K_NET("xmlrpc.client.ServerProxy", NET_FETCH), K_NET("pycurl.Curl.perform", NET_FETCH), K_NET("treq.get", NET_FETCH),
};
/* clang-format on */

/* A cache that may be thrown away: from name to entry, made when first needed. */
#define SLOTS 1024u
static uint16_t slots[SLOTS];
static bool is_made;
_Static_assert(ARRAY_LEN(table) * 2 < SLOTS, "the table of known functions wants more slots");

static uint32_t hash_name(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h ^ h >> 15;
}

static void make_slots(void)
{
    for (uint16_t i = 0; i < ARRAY_LEN(table); i++) {
        uint32_t h = hash_name(table[i].name) & (SLOTS - 1);
        while (slots[h])
            h = (h + 1) & (SLOTS - 1);
        slots[h] = (uint16_t)(i + 1);
    }
    is_made = true;
}

bool py_known_call(struct py *p, struct py_call *c, struct py_value *ret)
{
    if (!is_made)
        make_slots();
    for (uint32_t h = hash_name(c->name) & (SLOTS - 1); slots[h]; h = (h + 1) & (SLOTS - 1)) {
        const struct known *k = &table[slots[h] - 1];
        if (str_eq(k->name, c->name)) {
            *ret = k->handler(p, c, k->how);
            return true;
        }
    }
    return false;
}
