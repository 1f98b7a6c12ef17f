#!/bin/bash
# run.sh - sandbox-agent at medium risk, with everything on, beside the sandboxes people know: the same jobs in one run.
#
#   bench/run.sh [--quick] [--save] [--no-peers]
#
#   --quick     fewer runs, under 40 s (otherwise under 4 minutes)
#   --save      also to bench/results/<date>.md
#   --no-peers  only sandbox-agent, plain and unshare
#
# Prints Markdown. How to read it and what each peer lacks: bench/README.md. Peers that are not here are skipped with a line
# that says so; none is installed.
set -eu
cd "$(dirname "$0")/.."
# crun refuses a machine with cgroup v1 and controllers in v2 beside it; where nobody sees the v2 mount it uses v1, as we do
v2=/sys/fs/cgroup/unified
if grep -qs . $v2/cgroup.controllers && [ "$(id -u)" = 0 ] && [ -z "${BENCH_INSIDE-}" ]; then
    BENCH_INSIDE=1 exec unshare -m sh -c "umount $v2; exec \"\$@\"" sh bench/run.sh "$@"
fi
B=${B:-build} quick= save= peers=1
for word; do
    case $word in
    --quick) quick=1 ;;
    --save) save=1 ;;
    --no-peers) peers= ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
export B
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin # what is measured is not a long PATH
make -s all
bench/build.sh
root=$PWD agent=$(realpath "$B")/bin/sandbox-agent timer=$(realpath "$B")/bench/timer driver=$(realpath "$B")/bench/driver

# --- a place of our own: home (policy, log), root file systems, bundles -----------------------------------------

work=$(mktemp -d /tmp/sandbox-bench-XXXXXX)
cleanup() {
    cd /
    rm -rf "$work" 2>/dev/null || { sleep 1; rm -rf "$work"; }
}
trap cleanup EXIT
chmod 755 "$work"
cd "$work"
mkdir -p home/.config/sandbox-agent log files lists rootfs/{usr,proc,dev,tmp,sys,etc,workspace}
chmod 1777 log
printf 'sandbox:\n  paths:\n    log_dir: %s/log\n' "$work" >home/.config/sandbox-agent/config.yaml
export HOME=$work/home
for dir in bin sbin lib lib32 lib64; do
    [ -L "/$dir" ] && cp -P "/$dir" rootfs/
done
echo : >files/bash.sh
echo pass >files/python.py
echo 1 >files/node.js
node=
for path in /usr/bin/node /usr/bin/nodejs /usr/local/bin/node; do
    [ -x "$path" ] && node=${node:-$path}
done

# One deny list for all who take one: what a careful user of these tools would write.
denied="mount umount2 pivot_root chroot ptrace process_vm_readv process_vm_writev bpf perf_event_open userfaultfd keyctl add_key
 request_key io_uring_setup io_uring_enter io_uring_register init_module finit_module delete_module kexec_load kexec_file_load
 reboot swapon swapoff setns unshare open_by_handle_at quotactl"
/usr/bin/python3 - $denied >filter.bpf <<'END'
import platform, re, struct, sys
# numbers from the kernel's headers
text = open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h" if platform.machine() == "x86_64" else "/usr/include/asm-generic/unistd.h").read()
numbers = {m[0]: int(m[1]) for m in re.findall(r"__NR\w*?_(\w+)\s+(\d+)\n", text)}
wanted = sorted({numbers[n] for n in sys.argv[1:] if n in numbers})
insns = [(0x20, 0, 0, 0)]
insns += [(0x15, len(wanted) - i, 0, n) for i, n in enumerate(wanted)]
insns += [(0x06, 0, 0, 0x7fff0000), (0x06, 0, 0, 0x00050001)]
sys.stdout.buffer.write(b"".join(struct.pack("HBBI", *i) for i in insns))
END

bundle() { # DIRECTORY ARGV...: an OCI bundle with our limits
    mkdir -p "$1"
    /usr/bin/python3 - "$work/rootfs" "$denied" "$(id -u)" "$@" <<'END' >"$1/config.json"
import json, os, sys
rootfs, denied, uid, argv = sys.argv[1], sys.argv[2].split(), int(sys.argv[3]), sys.argv[5:]
is_root = uid == 0
maps = [{"containerID": 0, "hostID": 165536, "size": 65536}] if is_root else [{"containerID": 65534, "hostID": uid, "size": 1}]
linux = {
    "namespaces": [{"type": t} for t in ("pid", "mount", "network", "ipc", "uts", "user", "cgroup")],
    "uidMappings": maps, "gidMappings": maps,
    "seccomp": {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": denied, "action": "SCMP_ACT_ERRNO"}]},
    "maskedPaths": ["/proc/keys", "/proc/kcore", "/proc/timer_list"], "readonlyPaths": ["/proc/sys"],
}
if is_root:
    linux["resources"] = {"memory": {"limit": 256 << 20}, "pids": {"limit": 21}, "cpu": {"quota": 50000, "period": 100000}}
print(json.dumps({
    "ociVersion": "1.0.2", "root": {"path": rootfs, "readonly": True}, "hostname": "sandbox", "linux": linux,
    "process": {"terminal": False, "user": {"uid": 65534, "gid": 65534}, "args": argv, "cwd": "/tmp", "noNewPrivileges": True,
                "env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"], "capabilities": {},
                "rlimits": [{"type": "RLIMIT_NOFILE", "soft": 256, "hard": 256}, {"type": "RLIMIT_CORE", "soft": 0, "hard": 0}]},
    "mounts": [{"destination": "/usr", "type": "bind", "source": "/usr", "options": ["rbind", "ro", "nosuid", "nodev"]},
               {"destination": "/proc", "type": "proc", "source": "proc", "options": ["nosuid", "noexec", "nodev"]},
               {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=64k"]},
               {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "size=128m", "mode=1777"]}]}))
END
}

# --- competitors --------------------------------------------------------------------------------------------------

skipped=()
have() { # NAME PROGRAM WHY-NOT
    command -v "$2" >/dev/null && return 0
    skipped+=("$1: $3")
    return 1
}
competitors=(plain unshare sandbox-agent sandbox-agent-code)
if [ "$peers" ]; then
    have bubblewrap bwrap "not installed (apt: bubblewrap)" && competitors+=(bwrap)
    have minijail0 minijail0 "not installed (Debian 12 has no package)" && competitors+=(minijail0)
    have nsjail nsjail "not installed (Debian 12 has no package)" && competitors+=(nsjail)
    have crun crun "not installed (apt: crun)" && competitors+=(crun)
    have runc runc "not installed (apt: runc)" && competitors+=(runc)
    have podman podman "not installed (apt: podman)" && competitors+=(podman)
    if have docker docker "not installed (apt: docker.io)"; then
        if ! timeout 10 docker info >/dev/null 2>&1; then
            skipped+=("docker: no daemon answers")
        elif ! tar -C rootfs -c . | docker import - sandbox-bench >/dev/null 2>&1; then
            skipped+=("docker: an image could not be imported")
        else
            competitors+=(docker)
        fi
    fi
fi

# a competitor's line: name, (descriptor to open,) program with its full path, arguments
line() {
    local name=$1 open=()
    shift
    case $1 in '<'*) open=("$1"); shift ;; esac
    local program
    program=$(command -v "$1")
    shift
    local IFS=$'\t'
    printf '%s\n' "$name${open[0]:+$IFS${open[0]}}$IFS$program${1:+$IFS$*}"
}

# NAME JOB ARGV...: the competitor's line for the timer; nothing when the job is not for it
compete() {
    local name=$1 job=$2
    shift 2
    case $name in
    plain) line plain "$@" ;;
    unshare) line unshare unshare -UrmpfniuC -- "$@" ;;
    sandbox-agent) line "$name" "$agent" --risk-level medium -- "$@" ;;
    sandbox-agent-code)
        case $job in
        bash) line "$name" "$agent" --risk-level medium --language bash --code "$work/files/bash.sh" ;;
        python) line "$name" "$agent" --risk-level medium --language python --code "$work/files/python.py" ;;
        node) line "$name" "$agent" --risk-level medium --language node --code "$work/files/node.js" ;;
        esac ;;
    bwrap)
        line bwrap "<9:$work/filter.bpf" bwrap --unshare-all --die-with-parent --new-session --uid 65534 --gid 65534 --cap-drop ALL \
            --ro-bind /usr /usr $(for d in bin sbin lib lib64; do [ -L /$d ] && echo --symlink usr/$d /$d || echo --ro-bind-try /$d /$d; done) \
            --ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache \
            --proc /proc --dev /dev --tmpfs /tmp --chdir /tmp --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin \
            --setenv LANG C.UTF-8 --seccomp 9 -- "$@" ;;
    minijail0) # without a user namespace: its read-only binds fail in one
        line minijail0 minijail0 -u 65534 -g 65534 -p -v -r -e -l -N --uts -n -P "$work/rootfs" -b /usr,/usr -k tmpfs,/tmp,tmpfs,0xe -- "$@" ;;
    nsjail)
        line nsjail nsjail -Mo -Q --user 65534 --group 65534 --hostname sandbox -c "$work/rootfs" -R /usr -T /tmp --cwd /tmp --rlimit_as inf \
            --cgroup_mem_max 268435456 --cgroup_pids_max 21 -- "$@" ;;
    crun | runc)
        bundle "$work/bundle-$job" "$@"
        # below our own directory: ids never meet those of real containers
        line "$name" "$name" --root "$work/$name" run --bundle "$work/bundle-$job" "bench-@@" ;;
    podman)
        line podman podman run --rm --cgroups=enabled --network none --read-only --memory 256m --pids-limit 21 --cap-drop all --user 65534 \
            --security-opt no-new-privileges -v /usr:/usr:ro --tmpfs /tmp --rootfs "$work/rootfs" "$@" ;;
    docker)
        line docker docker run --rm --network none --read-only --memory 256m --pids-limit 21 --cpus 0.5 --cap-drop all --user 65534 \
            --security-opt no-new-privileges -v /usr:/usr:ro --tmpfs /tmp sandbox-bench "$@" ;;
    esac
}

jobs=(true bash python python-IS)
[ "$node" ] && jobs+=(node) || skipped+=("node: not installed")
argv_of() {
    case $1 in
    true) echo /bin/true ;;
    bash) echo /bin/bash -c : ;;
    python) echo /usr/bin/python3 -c pass ;;
    python-IS) echo /usr/bin/python3 -I -S -c pass ;;
    node) echo "$node" -e 1 ;;
    sleep) echo /bin/sleep 86397 ;; # timer.c knows it by this number
    esac
}
for job in "${jobs[@]}" sleep; do
    for name in "${competitors[@]}"; do
        # engines take 0.2 s a run: latency only, of two jobs
        case $name:$job in podman:bash | podman:node | docker:bash | docker:node | *:sleep) [ "$job" = sleep ] || continue ;; esac
        # shellcheck disable=SC2046  # words, as meant
        compete "$name" "$job" $(argv_of "$job")
    done >"lists/$job"
done
grep -v -e '^podman' -e '^docker' lists/true >lists/true-rate
grep -v -e '^podman' -e '^docker' lists/python-IS >lists/python-rate
grep -v -e '^plain' lists/sleep >lists/memory
grep -e '^sandbox-agent' -e '^bwrap' lists/memory >lists/memory-500

# --- measuring ----------------------------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }
progress() { printf '  %3d s  %s\n' "$SECONDS" "$*" >&2; }

rounds() { # JOB: back to back, after idle
    case $1${quick:+-quick} in
    true) echo 150 50 ;; bash) echo 60 20 ;; python | python-IS) echo 50 20 ;; node) echo 25 12 ;;
    true-quick) echo 40 12 ;; node-quick) echo 4 3 ;; *-quick) echo 10 6 ;;
    esac
}

latency_table() { # WHICH(1|2) IDLE_MS
    local job
    for job in "${jobs[@]}"; do
        progress "latency of $job, idle $2 ms"
        # shellcheck disable=SC2046
        set -- "$1" "$2" $(rounds "$job")
        "$timer" latency "$([ "$1" = 1 ] && echo "$3" || echo "$4")" "$2" "lists/$job" | sed "s/^/$job\t/" || true
    done >"latency-$2"
    say "| ms: median (p10..p90), ratio to plain |$(printf ' %s |' "${jobs[@]}")"
    say "|---|$(printf -- '---|%.0s' "${jobs[@]}")"
    awk -F'\t' -v jobs="${jobs[*]}" -v names="${competitors[*]}" '
        $2 == "plain" { plain[$1] = $3 }
        { cell[$2, $1] = $3 > 0 ? sprintf("%.2f (%.2f..%.2f) **x%.1f**", $3 / 1e3, $4 / 1e3, $5 / 1e3, $3 / plain[$1]) : "does not run here" }
        END {
            n = split(names, name, " "); m = split(jobs, job, " ")
            for (i = 1; i <= n; i++) {
                row = "| " name[i] " |"
                for (j = 1; j <= m; j++) row = row " " cell[name[i], job[j]] " |"
                print row
            }
        }' "latency-$2"
}

rate_table() {
    local seconds=${quick:+0.5} workers job
    seconds=${seconds:-1.5}
    for job in true python; do
        for workers in 1 2; do
            progress "runs per second of $job, $workers workers"
            "$timer" rate "$workers" "$seconds" "lists/$job-rate" | sed "s/^/$job$workers\t/"
        done
    done >rate
    say "| runs per second | true, 1 worker | true, 2 | python -I -S, 1 | python -I -S, 2 |"
    say "|---|---|---|---|---|"
    awk -F'\t' -v names="${competitors[*]}" '
        { cell[$2, $1] = $3; seen[$2] = 1 }
        END {
            n = split(names, name, " ")
            for (i = 1; i <= n; i++)
                if (seen[name[i]])
                    print "| " name[i] " | " cell[name[i], "true1"] " | " cell[name[i], "true2"] " | " cell[name[i], "python1"] " | " cell[name[i], "python2"] " |"
        }' rate
}

memory_table() {
    local live list lives=(1 50)
    [ "$quick" ] || lives+=(500)
    for live in "${lives[@]}"; do
        list=lists/memory
        [ "$live" = 500 ] && list=lists/memory-500
        progress "memory at $live live sandboxes"
        "$timer" memory "$live" "$list" | sed "s/^/$live\t/"
    done >memory
    say "| a sandbox: supervising processes, their Pss in KiB | 1 live | 50 live | 500 live |"
    say "|---|---|---|---|"
    awk -F'\t' -v names="${competitors[*]}" '
        { cell[$2, $1] = $4 == "-" ? $5 : $3 + 0 ", " $4; seen[$2] = 1 }
        END {
            n = split(names, name, " ")
            for (i = 1; i <= n; i++)
                if (seen[name[i]])
                    print "| " name[i] " | " cell[name[i], 1] " | " cell[name[i], 50] " | " cell[name[i], 500] " |"
        }' memory
}

cross_check() { # hyperfine on the same words
    local names=() commands=() name
    for name in plain unshare sandbox-agent bwrap crun; do
        grep -q "^$name	" lists/true || continue
        [ "$name" = crun ] && continue # needs a new id a run, which hyperfine cannot give without a shell
        [ "$name" = bwrap ] && commands+=("$(grep "^bwrap	" lists/true | cut -f3- | tr '\t' ' ' | sed 's/ --seccomp 9//')") ||
            commands+=("$(grep "^$name	" lists/true | cut -f2- | tr '\t' ' ')")
        names+=("$name")
    done
    local flags=() i
    for i in "${!names[@]}"; do flags+=(-n "${names[$i]}"); done
    env -i PATH="$PATH" HOME="$HOME" \
        hyperfine -N --warmup 5 --runs "$([ "$quick" ] && echo 40 || echo 150)" --style none --export-json hyper.json "${flags[@]}" "${commands[@]}" >/dev/null 2>&1 || return 0
    /usr/bin/python3 - <<'END'
import json
rows = json.load(open("hyper.json"))["results"]
plain = rows[0]["median"]
print("| hyperfine, true | median ms | ratio |\n|---|---|---|")
for r in rows:
    print("| %s | %.2f | x%.2f |" % (r["command"], 1e3 * r["median"], r["median"] / plain))
END
}

verdict() { # NAME MEASURED GOAL(at most) or (at least with >=)
    awk -v n="$1" -v m="$2" -v g="$3" -v k="${4:-<=}" 'BEGIN {
        if (m == "") m = 0
        printf "| %s | %s | %s %s | %s |\n", n, m, k, g, (k == "<=" ? m <= g && m > 0 : m >= g) ? "reached" : "**missed**" }'
}

goals() {
    local ratio='$2 == "plain" { p = $3 } $2 == who { if (p > 0) printf "%.2f", $3 / p }'
    say "| goal | measured | wanted | |"
    say "|---|---|---|---|"
    verdict "command line, true, ratio to plain, back to back" "$(awk -F'\t' -v who=sandbox-agent '$1 == "true"' latency-0 | awk -F'\t' -v who=sandbox-agent "$ratio")" 4.5
    verdict "command line, true, ratio to plain, after 30 ms" "$(awk -F'\t' '$1 == "true"' latency-30 | awk -F'\t' -v who=sandbox-agent "$ratio")" 4.5
    verdict "command line, python3 -c pass, ratio to plain" "$(awk -F'\t' '$1 == "python"' latency-0 | awk -F'\t' -v who=sandbox-agent "$ratio")" 1.3
    verdict "Pss of supervision, one sandbox, KiB" "$(awk -F'\t' '$1 == 1 && $2 == "sandbox-agent" { print $4 }' memory)" 512
    verdict "running launcher, a sandbox of its own, true, ratio to plain" "$(awk -F' [|] ' '$1 == "| true, 1 ms" && $2 == "fresh" { gsub(/[x |]/, "", $4); print $4 }' driver.md)" 2.5
    verdict "running launcher, a prepared slot, true, ratio to plain (the way to 1.65)" "$(awk -F' [|] ' '$1 == "| true, 1 ms" && $2 == "slot" { gsub(/[x |]/, "", $4); print $4 }' driver.md)" 2.5
    verdict "running launcher, best, runs a second, one worker" "$(awk -F' [|] ' '/^\| (fresh|slot) \| [0-9]+ \|/ { if ($2 + 0 > m) m = $2 + 0 } END { print m }' driver.md)" 700 '>='
    verdict "running launcher, best, runs a second, two workers" "$(awk -F' [|] ' '/^\| (fresh|slot) \| [0-9]+ \|/ { for (i = 3; i <= 4; i++) if ($i + 0 > m) m = $i + 0 } END { print m }' driver.md)" 1200 '>='
}

report() {
    say "# Benchmark of $(date -u '+%Y-%m-%d %H:%M') UTC${quick:+ (quick: few runs, rough numbers)}"
    say
    say "$(nproc) CPUs ($(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)), kernel $(uname -r), uid $(id -u), cgroup $(stat -fc %T /sys/fs/cgroup)," \
        "load at the start $(cut -d' ' -f1-3 /proc/loadavg). $("$agent" --version)$(for p in bwrap crun runc; do command -v $p >/dev/null && $p --version 2>/dev/null | head -1 | sed 's/^/, /'; done | tr -d '\n')."
    for line in "${skipped[@]}"; do say "Skipped: $line."; done
    say
    say "## Latency back to back"; say
    latency_table 1 0
    say
    say "## Latency after 30 ms of idle"; say
    latency_table 2 30
    say
    say "## Runs per second"; say
    rate_table
    say
    say "## Memory of supervision (payload left out)"; say
    memory_table
    say
    say "## In a launcher that is already running"; say
    progress "the launcher alone"
    "$driver" --runs "$([ "$quick" ] && echo 60 || echo 200)" --seconds ${quick:-2} \
        --live "$([ "$quick" ] && echo 1,50 || echo 1,50,500)" >driver.md 2>driver.err || true
    cat driver.md driver.err
    say
    if command -v hyperfine >/dev/null; then
        progress "hyperfine"
        say "## Cross-check"; say
        cross_check
        say
    fi
    say "## Goals"; say
    goals
    say
    say "Load at the end $(cut -d' ' -f1-3 /proc/loadavg); took $SECONDS s."
}

report | tee report.md
if [ "$save" ]; then
    mkdir -p "$root/bench/results"
    cp report.md "$root/bench/results/$(date -u +%Y-%m-%d).md"
fi
