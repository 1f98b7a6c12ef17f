import subprocess, textwrap, tempfile, os
src = textwrap.dedent("""
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/socket.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
        FILE *f = fopen(argv[1], "r");
        char line[256];
        long n = 0;
        while (f && fgets(line, sizeof line, f)) n++;
        printf("%ld\\n", n);
        if (fork() == 0) execl("/bin/echo", "echo", "done", (char *) 0);
        return 0;
    }
""")
with tempfile.TemporaryDirectory() as d:
    p = os.path.join(d, "count.c")
    open(p, "w").write(src)
    subprocess.run(["cc", "-O2", "-o", os.path.join(d, "count"), p], check=True)
    subprocess.run([os.path.join(d, "count"), "/etc/hostname"], check=True)
