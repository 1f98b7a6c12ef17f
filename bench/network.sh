#!/bin/bash
# network.sh - what the brokered network and the watch cost, beside the host's own loopback, slirp4netns and pasta, in one run.
#
#   bench/network.sh [--quick] [--save] [--no-peers] [PART...]     parts: bulk connect udp watch neighbours memory; none: all
#
#   --quick     fewer rounds, about two minutes (otherwise seven, on a quiet machine)
#   --save      also to bench/results/<date>-network.md
#   --no-peers  without slirp4netns and pasta
#
# Prints Markdown. Servers are on 127.0.0.1 of this machine; nothing else is reached. slirp4netns and pasta (apt: slirp4netns, passt) are
# installed by root where apt-get can; otherwise their rows are missing and a line says so. How to read it: bench/README.md.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} quick= save= peers=1 parts=()
for word; do
    case $word in
    --quick) quick=1 ;;
    --save) save=1 ;;
    --no-peers) peers= ;;
    bulk | connect | udp | watch | neighbours | memory) parts+=("$word") ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
[ ${#parts[@]} -gt 0 ] || parts=(bulk connect udp watch neighbours memory)
export B PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
make -s all
bench/build.sh
root=$PWD agent=$(realpath "$B")/bin/sandbox-agent timer=$(realpath "$B")/bench/timer two=$(realpath "$B")/bench/neighbours

say() { printf '%s\n' "$*"; }
progress() { printf '  %3d s  %s\n' "$SECONDS" "$*" >&2; }
pick() { [ "$quick" ] && echo "$1" || echo "$2"; } # IF-QUICK OTHERWISE
skipped=()

# --- a place of our own, and the servers ------------------------------------------------------------------------------

work=$(mktemp -d /tmp/sandbox-bench-XXXXXX)
ours=() # pids that we started and that would not end by themselves
cleanup() {
    local pid
    for pid in "${ours[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    cd /
    rm -rf "$work" 2>/dev/null || { sleep 1; rm -rf "$work"; }
}
trap cleanup EXIT
trap 'exit 130' INT TERM
chmod 755 "$work"
cd "$work"
mkdir -p home/.config/sandbox-agent log bin c files numbers
chmod 1777 log
printf 'sandbox:\n  paths:\n    log_dir: %s/log\n' "$work" >home/.config/sandbox-agent/config.yaml
export HOME=$work/home XDG_RUNTIME_DIR=$work
cp "$(realpath "$root/$B")/bench/netload" bin/
netload=$work/bin/netload

mkfifo ports
"$netload" serve >ports &
ours+=($!)
read -r bulk_port accept_port echo_port <ports

profile() { # FILE MODE(none|bridge) WATCH(off|on): low risk with two cores and nothing that bounds what is measured
    /usr/bin/python3 - "$root/profiles/low-risk.yaml" "$2" "$3" "$bulk_port" "$accept_port" "$echo_port" >"$1" <<'END'
import sys, yaml
path, mode, watch, *ports = sys.argv[1:]
p = yaml.safe_load(open(path))
p["resources"].update({"cpu": 2.0, "pids": 200, "memory": "512m", "timeout": 120})
p["execution"]["max_processes"] = 200
p["filesystem"]["temp_size"] = "512m"
net = p["network"]
net["mode"] = mode
if mode == "bridge":
    net["allow"] = ["127.0.0.1/32:" + port for port in ports]
else:
    net["dns"] = "disabled"
for key in net:
    if key.startswith("max_"):
        net[key] = 0 # unlimited
on = watch == "on"
for key, value in p["monitoring"].items():
    if isinstance(value, bool):
        p["monitoring"][key] = on
p["monitoring"]["pattern_matching"] = ["crypto_mining", "port_scanning", "data_exfiltration", "reverse_shells"] if on else []
p["logging"]["audit_syscalls"] = on
p["kill_switches"] = []
yaml.safe_dump(p, sys.stdout, sort_keys=False)
END
}
for mode in none bridge; do for watch in off on; do profile "$mode-$watch.yaml" $mode $watch; done; done

sandbox() { # PROFILE WORDS...: netload in a sandbox
    local by=$work/$1.yaml
    shift
    timeout 120 "$agent" --profile "$by" --volume "$work/bin:/bench:ro" -- /bench/netload "$@"
}

# --- peers ------------------------------------------------------------------------------------------------------------

install_peers() {
    local missing=()
    command -v slirp4netns >/dev/null || missing+=(slirp4netns)
    command -v pasta >/dev/null || missing+=(passt)
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        progress "apt-get install ${missing[*]}"
        timeout 120 apt-get install -y -q "${missing[@]}" >apt.log 2>&1 || true
    fi
}
namespace() { # a user and a network namespace that live until we are gone: its pid in ns
    mkfifo "hold-$1"
    unshare -Urn sh -c 'echo $$; exec cat' <"hold-$1" >"pid-$1" &
    ours+=($!)
    exec {hold}>"hold-$1" # stays open: end of file ends the namespace, also when this script is killed
    for ((i = 0; i < 50; i++)); do [ -s "pid-$1" ] && break || sleep 0.1; done
    ns=$(cat "pid-$1")
    [ "$ns" ]
}
within() { local pid=$1; shift; timeout 60 nsenter -t "$pid" -U -n --preserve-credentials "$netload" "$@"; }
answers() { # NAME: do its connects arrive?
    for ((i = 0; i < 30; i++)); do
        go "$1" connects "$(at "$1")" "$accept_port" 1 0 >/dev/null 2>"why-$1" && return 0
        sleep 0.2
    done
    return 1
}
start_peers() {
    local gateway
    if command -v slirp4netns >/dev/null && namespace slirp; then
        slirp_ns=$ns
        timeout 1200 slirp4netns -c -m 65520 --disable-dns "$ns" tap0 >slirp.log 2>&1 &
        ours+=($!)
        answers slirp4netns && variants+=(slirp4netns) || skipped+=("slirp4netns: $(tail -1 slirp.log)")
    else
        skipped+=("slirp4netns: not installed (apt: slirp4netns)")
    fi
    if command -v pasta >/dev/null && namespace pasta; then
        pasta_ns=$ns
        local as=()
        [ "$(id -u)" = 0 ] && as=(--runas 0)
        timeout 1200 pasta -f -q "${as[@]}" --config-net -t none -u none -T "$bulk_port,$accept_port" -U "$echo_port" \
            --netns "/proc/$ns/ns/net" --userns "/proc/$ns/ns/user" >pasta.log 2>&1 &
        ours+=($!)
        answers pasta-lo && variants+=(pasta-lo) || skipped+=("pasta, its loopback: $(grep -v syslog pasta.log | tail -1)")
        gateway=$(ip -4 route show default | awk '{ print $3; exit }')
        pasta_gateway=${gateway:-192.0.2.1}
        answers pasta && variants+=(pasta) || skipped+=("pasta, by its interface: $(grep -v syslog pasta.log | tail -1)")
    else
        skipped+=("pasta: not installed (apt: passt)")
    fi
}
at() { # NAME: the address under which it reaches this machine's 127.0.0.1
    case $1 in slirp4netns) echo 10.0.2.2 ;; pasta) echo "$pasta_gateway" ;; *) echo 127.0.0.1 ;; esac
}
go() { # NAME WORDS...
    local name=$1
    shift
    case $name in
    plain) timeout 60 "$netload" "$@" ;;
    sandbox-agent) sandbox bridge-on "$@" ;;
    slirp4netns) within "$slirp_ns" "$@" ;;
    pasta | pasta-lo) within "$pasta_ns" "$@" ;;
    esac
}

variants=(plain)
bridge=
if go sandbox-agent connects 127.0.0.1 "$accept_port" 1 0 >/dev/null 2>why; then
    variants+=(sandbox-agent) bridge=1
else
    skipped+=("sandbox-agent in mode bridge: $(tail -1 why)")
fi
if [ "$peers" ]; then
    install_peers
    start_peers
fi

# --- arithmetic -------------------------------------------------------------------------------------------------------

# every measurement appends its numbers to a file of numbers/; a cell is made of them. Nothing measured: -
median() { [ -s "numbers/$1" ] && "$netload" summary "numbers/$1" | cut -d' ' -f1 || echo -; }
p99() { [ -s "numbers/$1" ] && "$netload" summary "numbers/$1" | cut -d' ' -f4 || echo -; }
of_two() { # A B EXPRESSION-OF-a-AND-b FORMAT: - where one is missing
    awk -v a="$1" -v b="$2" "BEGIN { if (a == \"-\" || b == \"-\") print \"-\"; else printf \"$4\", $3 }"
}
take() { # FILE COMMAND...: what it prints is numbers; a command that fails is told of at the end
    local file=numbers/$1
    shift
    "$@" >>"$file" 2>words || say "$* failed: $(tail -1 words)" >>failed
    cat words >>all-words
}
verdicts=()
verdict() { # NAME MEASURED GOAL <=|>=
    local word="**missed**"
    if [ "$2" = - ]; then
        word="not measured"
    elif awk "BEGIN { exit !($2 $4 $3) }"; then
        word=reached
    fi
    verdicts+=("| $1 | $2 | $4 $3 | $word |")
}

# for the timer: a line of its list
competitor() { # NAME WORDS...
    local IFS=$'\t'
    printf '%s\n' "$*"
}
by() { competitor "$1" "$agent" --profile "$work/$1.yaml" --volume "$work/bin:/bench:ro" --volume "$work/c:/c:ro" --volume "$work/files:/files:ro" -- "${@:2}"; }

# --- 1: bulk ----------------------------------------------------------------------------------------------------------

part_bulk() {
    local rounds way name i
    rounds=$(pick 5 15)
    say "## Bulk TCP to a server on the host's loopback"; say
    for ((i = 0; i < $rounds; i++)); do
        progress "bulk, round $((i + 1)) of $rounds"
        for name in "${variants[@]}"; do
            for way in up down; do take "bulk-$way-$name" go "$name" bulk $way "$(at "$name")" "$bulk_port" 0.5; done
        done
    done
    say "| MB/s: median (p10..p90) of $rounds, ratio to plain | up | down |"
    say "|---|---|---|"
    for name in "${variants[@]}"; do
        printf '| %s |' "$name"
        for way in up down; do
            "$netload" summary "numbers/bulk-$way-$name" |
                awk -v p="$(median bulk-$way-plain)" '{ printf $5 ? " %.0f (%.0f..%.0f) **x%.2f** |" : " - |", $1, $2, $3, $1 / p }'
        done
        say
    done
    if [ "$bridge" ]; then
        for way in up down; do
            verdict "bulk TCP $way, ratio to the host's loopback" "$(of_two "$(median bulk-$way-sandbox-agent)" "$(median bulk-$way-plain)" a/b %.2f)" 0.95 '>='
        done
    fi
}

# --- 2: connect -------------------------------------------------------------------------------------------------------

whole_runs() { # with the start of the broker, and the wait for the last numbers of a connection at the end
    progress "whole runs"
    {
        by bridge-on /bench/netload probes 1 0 | sed 's/^[^\t]*/no call of the network/'
        by bridge-on /bench/netload connects 127.0.0.1 "$accept_port" 1 0 | sed 's/^[^\t]*/one connection/'
        by bridge-on /bench/netload pings 127.0.0.1 "$echo_port" 1 64 | sed 's/^[^\t]*/one datagram, answered/'
    } >list-runs
    say "| a whole run, bridge, watch on: ms | median (p10..p90) |"
    say "|---|---|"
    "$timer" latency "$(pick 20 80)" 0 list-runs |
        awk -F'\t' '{ printf "| %s | %s |\n", $1, ($2 > 0 ? sprintf("%.2f (%.2f..%.2f)", $2 / 1e3, $3 / 1e3, $4 / 1e3) : "does not run here") }'
}
part_connect() {
    local rounds each name i n
    rounds=$(pick 3 5) each=$(pick 500 2000)
    say "## connect(2) to a listener on the host's loopback"; say
    for ((i = 0; i < $rounds; i++)); do
        progress "connect, round $((i + 1)) of $rounds"
        for name in "${variants[@]}"; do
            take "connect-$name" go "$name" connects "$(at "$name")" "$accept_port" $each 0
            take "paced-$name" go "$name" connects "$(at "$name")" "$accept_port" $((each / 5)) 250
        done
        take connect-plain-own go plain own $((each / 2))
        [ "$bridge" ] || continue
        take connect-own go sandbox-agent own $((each / 2))
        for n in 1 2 3 4 5; do take connect-first go sandbox-agent connects 127.0.0.1 "$accept_port" 1 0; done
    done
    say "| µs | one after the other: median | p99 | 250 a second: median | p99 |"
    say "|---|---|---|---|---|"
    for name in "${variants[@]}"; do
        say "| $name | $(median "connect-$name") | $(p99 "connect-$name") | $(median "paced-$name") | $(p99 "paced-$name") |"
    done
    say "| plain, a listener of its own | $(median connect-plain-own) | $(p99 connect-plain-own) | | |"
    [ "$bridge" ] || return 0
    say "| sandbox-agent, the first of a run (starts the broker) | $(median connect-first) | $(p99 connect-first) | | |"
    say "| sandbox-agent, its own loopback | $(median connect-own) | $(p99 connect-own) | | |"
    say
    whole_runs
    verdict "connect over the plain one, median, µs" "$(of_two "$(median connect-sandbox-agent)" "$(median connect-plain)" a-b %.1f)" 60 '<='
    verdict "the same at 250 a second (everybody wakes up), µs" "$(of_two "$(median paced-sandbox-agent)" "$(median paced-plain)" a-b %.1f)" 60 '<='
}

# --- 5: UDP -----------------------------------------------------------------------------------------------------------

part_udp() {
    local rounds name i size
    rounds=$(pick 2 5)
    say "## UDP, there and back"; say
    for ((i = 0; i < $rounds; i++)); do
        progress "UDP, round $((i + 1)) of $rounds"
        for name in "${variants[@]}"; do
            for size in 64 1400; do take "udp-$size-$name" go "$name" pings "$(at "$name")" "$echo_port" 1000 $size; done
        done
    done
    say "| µs | 64 bytes: median | p99 | 1400 bytes: median | p99 |"
    say "|---|---|---|---|---|"
    for name in "${variants[@]}"; do
        say "| $name | $(median "udp-64-$name") | $(p99 "udp-64-$name") | $(median "udp-1400-$name") | $(p99 "udp-1400-$name") |"
    done
}

# --- 3: the watch -----------------------------------------------------------------------------------------------------

watched=(none-off none-on bridge-off bridge-on)

watch_times() { # NAME ROUNDS IDLE_MS WORDS...: a line into `watch`
    local name=$1 rounds=$2 idle=$3 profile
    shift 3
    progress "watch: $name"
    for profile in "${watched[@]}"; do by "$profile" "$@"; done >"list-$name"
    "$timer" latency "$rounds" "$idle" "list-$name" | sed "s/^/$name\t/" >>watch || true
}
make_sources() {
    local i
    for ((i = 0; i < $(pick 50 200); i++)); do
        printf '#include <stdio.h>\nint f%d(int x) { char b[32]; (void)snprintf(b, sizeof b, "%%d", x); return b[0] + %d; }\n' $i $i >"c/$i.c"
    done
    printf 'cd /c\nfor f in *.c; do gcc -O1 -c "$f" -o /tmp/x.o || exit 1; done\n' >c/all.sh
    mkdir tree
    for ((i = 0; i < 5000; i++)); do
        ((i % 100)) || mkdir "tree/$((i / 100))"
        printf '%0500d\n' $i >"tree/$((i / 100))/$i.txt"
    done
    tar -cf files/tree.tar tree
    rm -rf tree
}
watch_row() { # NAME TITLE: medians, and what each is over none-off
    awk -F'\t' -v job="$1" -v title="$2" -v names="${watched[*]}" '
        $1 == job { at[$2] = $3; low[$2] = $4; high[$2] = $5; failed += $6 }
        END {
            n = split(names, name, " ")
            printf "| %s |", title
            for (i = 1; i <= n; i++)
                if (at[name[i]] > 0)
                    printf " %.2f (%.2f..%.2f) **%+.1f %%** |", at[name[i]] / 1e3, low[name[i]] / 1e3, high[name[i]] / 1e3, 100 * (at[name[i]] / at["none-off"] - 1)
                else
                    printf " does not run here |"
            print failed ? " " failed " runs failed |" : ""
        }' watch
}
percent() { awk -F'\t' -v job="$1" -v who="$2" '$1 == job { at[$2] = $3 } END { if (at["none-off"] > 0 && at[who] > 0) printf "%.1f", 100 * (at[who] / at["none-off"] - 1); else print "-" }' watch; }

part_watch() {
    local what profile i
    say "## The watch: every monitoring key off and on, network none and bridge"; say
    make_sources
    : >watch
    watch_times true "$(pick 60 300)" 0 /bin/true
    watch_times python "$(pick 20 100)" 0 /usr/bin/python3 -c 'print(6*7)'
    watch_times compile "$(pick 2 3)" 20 /bin/sh /c/all.sh
    watch_times tar "$(pick 5 30)" 20 /bin/tar -xf /files/tree.tar -C /tmp
    say "| ms: median (p10..p90), over none-off | none, off | none, on | bridge, off | bridge, on |"
    say "|---|---|---|---|---|"
    watch_row true "\`true\`"
    watch_row python "python3, one print"
    watch_row compile "gcc, $(pick 50 200) files, each three programs"
    watch_row tar "tar, 5000 files of 500 bytes written"
    say
    for ((i = 0; i < $(pick 2 5); i++)); do
        progress "the watch, call by call, round $((i + 1))"
        for profile in "${watched[@]}"; do
            take "exec-$profile" sandbox "$profile" execs 300
            take "file-$profile" sandbox "$profile" files /tmp 1000
            take "probe-$profile" sandbox "$profile" probes 1000 0
        done
    done
    say "| µs inside: median, p99 | none, off | none, on | bridge, off | bridge, on |"
    say "|---|---|---|---|---|"
    for what in exec file probe; do
        case $what in
        exec) printf '| vfork, exec of /bin/true, wait |' ;;
        file) printf '| a file made, written, closed, removed |' ;;
        probe) printf '| bpf(2), refused |' ;;
        esac
        for profile in "${watched[@]}"; do printf ' %s, %s |' "$(median "$what-$profile")" "$(p99 "$what-$profile")"; done
        say
    done
    verdict "watch of a run that makes no notified call: true, %" "$(percent true none-on)" 2 '<='
    verdict "the same, python3" "$(percent python none-on)" 2 '<='
    verdict "bridge of a run that never uses it: true, %" "$(percent true bridge-off)" 2 '<='
    verdict "watch of a compile of $(pick 50 200) files, %" "$(percent compile none-on)" 10 '<='
    verdict "watch and bridge of a compile of $(pick 50 200) files, %" "$(percent compile bridge-on)" 10 '<='
}

# --- 4: neighbours ----------------------------------------------------------------------------------------------------

# The quiet one is timed for two seconds alone and for two beside one that connects 1,000 times a second.
quiet_of() { # KIND: profile and words of the quiet sandbox
    case $1 in
    connect) echo bridge-on connects 127.0.0.1 "$accept_port" 800 400 ;;
    probe) echo none-on probes 800 400 ;;
    socket) echo none-on sockets 800 400 ;;
    esac
}
beside() { # FILE WHERE(apart|together) KIND
    local flood words=()
    read -ra words < <(quiet_of "$3")
    if [ "$2" = together ]; then
        take "$1" timeout 120 "$two" "$work/bridge-on.yaml" "connects 127.0.0.1 $accept_port 60000 1000" "$work/${words[0]}.yaml" "${words[*]:1}" "$work/bin"
        return
    fi
    sandbox bridge-on connects 127.0.0.1 "$accept_port" 3500 1000 >/dev/null 2>>floods &
    flood=$!
    sleep 0.4
    take "$1" sandbox "${words[@]}"
    wait "$flood" || say "the neighbour failed: $(tail -1 floods)" >>failed
}
part_neighbours() {
    local kind i over wheres=(apart) where
    say "## Beside a sandbox that connects 1,000 times a second"; say
    [ "$bridge" ] || { say "Not without mode bridge."; return 0; }
    [ -x "$two" ] && wheres+=(together)
    for ((i = 0; i < $(pick 1 3); i++)); do
        for kind in connect probe socket; do
            progress "neighbours: $kind, round $((i + 1))"
            # shellcheck disable=SC2046  # words, as meant
            take "alone-$kind" sandbox $(quiet_of $kind)
            for where in "${wheres[@]}"; do beside "$where-$kind" "$where" "$kind"; done
        done
    done
    say "| µs at 400 a second: median, p99 | alone | beside, two command lines | beside, one launcher |"
    say "|---|---|---|---|"
    for kind in connect probe socket; do
        case $kind in
        connect) printf '| connect(2), bridge |' ;;
        probe) printf '| bpf(2), refused |' ;;
        socket) printf '| socket(AF_INET), network none |' ;;
        esac
        for where in alone apart together; do printf ' %s, %s |' "$(median "$where-$kind")" "$(p99 "$where-$kind")"; done
        say
        for where in "${wheres[@]}"; do
            over=$(of_two "$(p99 "$where-$kind")" "$(p99 "alone-$kind")" "(a-b)/1e3" %.2f)
            verdict "$kind beside a neighbour ($where): 99th percentile over alone, ms" "$over" 5 '<='
        done
    done
    say
    say "The neighbours' rate: $(awk '/a second$/ { n++; sum += $1 } END { if (n) printf "%.0f a second", sum / n; else printf "-" }' floods)."
}

# --- 6: memory --------------------------------------------------------------------------------------------------------

family() { # PID: all its descendants and itself
    ps -e -o pid=,ppid= | awk -v top="$1" '
        { parent[$1] = $2 }
        END {
            is[top]
            do { found = 0; for (p in parent) if (!(p in is) && parent[p] in is) { is[p]; found = 1 } } while (found)
            for (p in is) print p
        }'
}
pss_of() { # PID...: name and Pss of each that supervises, a line
    local pid pss name
    for pid; do
        # an ordinary user may not look into all of its processes; one that has ended meanwhile is none
        pss=$(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup" 2>/dev/null) || true
        name=$(cat "/proc/$pid/comm" 2>/dev/null) && echo "${name// /-} ${pss:-hidden}"
    done
}
memory_of() { # PROFILE LIVE NETLOAD-WORDS...: into memory
    local profile=$1 live=$2 pids=() all=() pid i
    shift 2
    for ((i = 0; i < live; i++)); do
        "$agent" --profile "$work/$profile.yaml" --timeout 60 --volume "$work/bin:/bench:ro" -- "$@" >>memory.words 2>&1 &
        pids+=($!)
    done
    sleep $((2 + live / 10))
    for pid in "${pids[@]}"; do
        read -ra all < <(family "$pid" | tr '\n' ' ') || true
        pss_of "${all[@]}"
    done | awk -v live="$live" -v profile="$profile" -v kind="$1" '
        $1 == "sleep" { payloads++; next }
        $2 == "hidden" { hidden[$1]++; next }
        { count[$1]++; pss[$1] += $2; total += $2 }
        END {
            printf "%d sandboxes alive:", payloads
            for (name in count) printf " %s %.1f processes %.0f KiB;", name, count[name] / live, pss[name] / live
            for (name in hidden) printf " %s hidden from us;", name
            printf " **%.0f KiB**", total / live
        }'
    kill "${pids[@]}" 2>/dev/null || true
    wait "${pids[@]}" 2>/dev/null || true
}
part_memory() {
    local live row
    say "## Memory of supervision (Pss a sandbox; the payload sleeps and is left out)"; say
    say "| | $(pick "1 live | 5 live" "1 live | 20 live") |"
    say "|---|---|---|"
    for row in none-off:idle none-on:idle bridge-on:idle ${bridge:+bridge-on:network}; do
        progress "memory: $row"
        printf '| %s |' "${row/:/, }"
        for live in 1 $(pick 5 20); do
            case $row in
            *:idle) printf ' %s |' "$(memory_of "${row%:*}" $live /bin/sleep 86397)" ;;
            *) printf ' %s |' "$(memory_of "${row%:*}" $live /bench/netload hold 127.0.0.1 "$accept_port" "$echo_port" /bin/sleep 86397)" ;;
            esac
        done
        say
    done
}

# --- report -----------------------------------------------------------------------------------------------------------

report() {
    local part line
    say "# Network and watch, $(date -u '+%Y-%m-%d %H:%M') UTC${quick:+ (quick: few rounds, rough numbers)}"
    say
    say "$(nproc) CPUs ($(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)), kernel $(uname -r), uid $(id -u)," \
        "load at the start $(cut -d' ' -f1-3 /proc/loadavg). $("$agent" --version)$(command -v slirp4netns >/dev/null && slirp4netns --version | sed 's/^/, /;q')$(command -v pasta >/dev/null && pasta --version 2>/dev/null | sed 's/^/, /;q')."
    for line in "${skipped[@]}"; do say "Skipped: $line."; done
    for part in "${parts[@]}"; do
        say
        "part_$part"
    done
    if [ ${#verdicts[@]} -gt 0 ]; then
        say
        say "## Goals"; say
        say "| goal | measured | wanted | |"
        say "|---|---|---|---|"
        printf '%s\n' "${verdicts[@]}"
    fi
    say
    if [ -s failed ]; then
        say "What failed:"; say
        sort failed | uniq -c | sed 's/^ */- /'
        say
    fi
    say "Load at the end $(cut -d' ' -f1-3 /proc/loadavg); took $SECONDS s."
}
report | tee report.md
if [ "$save" ]; then
    mkdir -p "$root/bench/results"
    cp report.md "$root/bench/results/$(date -u +%Y-%m-%d)-network.md"
fi
