#!/bin/bash
# service.sh - what the service adds to the sandbox, and the same work by the command line and through the Docker engine's API.
#
#   bench/service.sh [--quick] [--save] [--no-peers] [PART]...
#
#   PART        latency rate levels memory hostile; without one: all
#   --quick     fewer runs, a minute and a half (otherwise about six minutes)
#   --save      also to bench/results/<date>-service.md
#   --no-peers  no engine
#
# Starts sandboxd and, as root where docker.io is installed, dockerd; both in a directory of its own, both ended and removed. How to read the tables: bench/README.md.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} quick= save= peers=1 parts=
for word; do
    case $word in
    --quick) quick=1 ;;
    --save) save=1 ;;
    --no-peers) peers= ;;
    latency | rate | levels | memory | hostile) parts+=" $word" ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
parts=${parts:-latency rate levels memory hostile}
seconds=$([ "$quick" ] && echo 1 || echo 4) # of one cell of requests per second
export B
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin # what is measured is not a long PATH
make -s all
bench/build.sh
root=$PWD
bin=$(realpath "$B")
load=$bin/bench/http

# --- a place of our own -------------------------------------------------------------------------------------------

work=$(mktemp -d /tmp/sandbox-bench-XXXXXX)
pids=()
end_of() { # PID: asks it to end, and waits
    kill "$1" 2>/dev/null || return 0
    wait "$1" 2>/dev/null || true
}
cleanup() {
    cd /
    for pid in "${pids[@]}"; do end_of "$pid"; done
    for group in /sys/fs/cgroup/*/sandbox-bench-$$ /sys/fs/cgroup/sandbox-bench-$$; do # dockerd leaves its empty group
        [ -d "$group" ] && find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
    done
    rm -rf "$work" 2>/dev/null || { sleep 1; rm -rf "$work"; }
}
trap cleanup EXIT
chmod 755 "$work"
cd "$work"
mkdir -p home/.config/sandbox-agent log files lists rootfs/{usr,proc,dev,tmp,sys,etc}
export HOME=$work/home
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
printf '%s\n' 'sandbox:' '  paths:' "    log_dir: $work/log" "    state_dir: $work/state" >home/.config/sandbox-agent/config.yaml
mkdir service service/log service/state service/cache
printf '%s\n' 'sandbox:' '  paths:' "    log_dir: $work/service/log" "    state_dir: $work/service/state" \
    'endpoints:' '  api:' '    queue_size: 1000' '    queue_timeout: 600' >service/config.yaml
as=()
if [ "$(id -u)" = 0 ]; then # it becomes an ordinary user, as in earnest
    as=(--user nobody)
    chown nobody service/log service/state service/cache
fi
echo : >files/bash
echo 'print(sum(range(1000)))' >files/python

body() { # LANGUAGE LEVEL: a request
    /usr/bin/python3 -c 'import json, sys; print(json.dumps({"language": sys.argv[1], "risk_level": sys.argv[2], "code": open("files/" + sys.argv[1]).read()}))' "$@"
}
for level in low medium high; do
    for language in bash python; do body $language $level >"files/$language-$level.json"; done
done
echo '{"language":"bash","risk_level":"medium","code":"printf %03000000d 0"}' >files/big.json

# --- the service ----------------------------------------------------------------------------------------------------

CACHE_DIRECTORY=$work/service/cache "$bin/bin/sandboxd" --config "$work/service/config.yaml" --listen 127.0.0.1:0 "${as[@]}" >out 2>err &
service=$!
pids+=("$service")
for _ in $(seq 300); do
    grep -q 'listening on' out err && break
    kill -0 "$service" 2>/dev/null || { cat out err >&2; exit 1; }
    sleep 0.1
done
port=$(grep -ho 'listening on http://127.0.0.1:[0-9]*' out err | grep -o '[0-9]*$' | head -1)
SANDBOX_AGENT_API_KEY=$(grep -o 'sa_[A-Za-z0-9_-]*' out | head -1)
export SANDBOX_AGENT_API_KEY

# --- the engine -------------------------------------------------------------------------------------------------------

skipped=()
engine=
start_engine() {
    [ "$peers" ] || return 0
    [ "$(id -u)" = 0 ] || { skipped+=("docker: its daemon needs root"); return 0; }
    command -v dockerd >/dev/null || { skipped+=("docker: not installed (apt: docker.io)"); return 0; }
    echo '{}' >daemon.json
    dockerd --config-file "$work/daemon.json" --host "unix://$work/docker.sock" --data-root "$work/docker" --exec-root "$work/docker-exec" \
        --pidfile "$work/docker.pid" --cgroup-parent "/sandbox-bench-$$" --iptables=false --ip6tables=false --bridge=none >docker.log 2>&1 &
    engine=$!
    pids+=("$engine")
    for _ in $(seq 300); do
        docker -H "unix://$work/docker.sock" version >/dev/null 2>&1 && break
        kill -0 "$engine" 2>/dev/null || { skipped+=("docker: its daemon does not start: $(tail -1 docker.log)"); engine=; return 0; }
        sleep 0.1
    done
    local dir
    for dir in bin sbin lib lib32 lib64; do
        [ -L "/$dir" ] && cp -P "/$dir" rootfs/
    done
    tar -C rootfs -c . | docker -H "unix://$work/docker.sock" import - sandbox-bench >/dev/null 2>&1 ||
        { skipped+=("docker: an image could not be imported"); engine=; return 0; }
    create files/docker-bash.json /bin/bash -c "$(cat files/bash)"
    create files/docker-python.json /usr/bin/python3 -c "$(cat files/python)"
}
create() { # FILE ARGV...: a container with the limits of our medium level
    /usr/bin/python3 - "$@" <<'END' >"$1"
import json, sys
print(json.dumps({
    "Image": "sandbox-bench", "Cmd": sys.argv[2:], "User": "65534:65534", "WorkingDir": "/tmp",
    "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"], "AttachStdout": True, "AttachStderr": True,
    "HostConfig": {"AutoRemove": True, "NetworkMode": "none", "ReadonlyRootfs": True, "Memory": 256 << 20, "MemorySwap": 256 << 20, "PidsLimit": 20,
                   "NanoCpus": 500000000, "CapDrop": ["ALL"], "SecurityOpt": ["no-new-privileges"], "Tmpfs": {"/tmp": "size=128m"},
                   "Binds": ["/usr:/usr:ro"], "LogConfig": {"Type": "none"}}}))
END
}

# --- measuring --------------------------------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }
progress() { printf '  %3d s  %s\n' "$SECONDS" "$*" >&2; }
value() { awk -v k="$2" '$1 == k { print $2 }' "$1"; } # FILE KEY
ms() { awk -v us="${1:-0}" 'BEGIN { printf((us >= 100000 ? "%.0f" : us >= 10000 ? "%.1f" : "%.2f"), us / 1e3) }'; }

beside() { # LANGUAGE LEVEL RUNS PAUSE_MS FILE
    local plain=(/bin/bash -c :)
    [ "$1" = python ] && plain=(/usr/bin/python3 -I -c 'print(sum(range(1000)))')
    "$bin/bench/beside" --port "$port" --runs "$3" --pause-ms "$4" --level "$2" --language "$1" --code "files/$1" --plain "${plain[@]}" >"$5" ||
        { say "beside failed: $1 at $2"; cat err >&2; return 1; }
}

latency_row() { # FILE WHAT
    awk -v what="$2" '
        { p10[$1] = $2; p50[$1] = $3; p90[$1] = $4; p99[$1] = $5 }
        END {
            split("plain sandbox session service command", ways, " ")
            row = "| " what " |"
            for (i = 1; i <= 5; i++)
                row = row sprintf(" %.2f (%.2f..%.2f) x%.2f |", p50[ways[i]] / 1e3, p10[ways[i]] / 1e3, p90[ways[i]] / 1e3, p50[ways[i]] / p50["plain"])
            print row sprintf(" %.2f | %.2f |", (p50["service"] - p50["sandbox"]) / 1e3, p50["service-sandbox"] / 1e3)
        }' "$1"
}

part_latency() {
    local runs=${quick:+60} language
    say "## Latency, one client, in turns"; say
    say "| ms: median (p10..p90), ratio to plain | plain | sandbox | session | service | command line | service over sandbox: medians | middle of differences |"
    say "|---|---|---|---|---|---|---|---|"
    for language in bash python; do
        progress "latency of $language"
        beside $language medium "${runs:-300}" 1 "latency-$language" && latency_row "latency-$language" "$language, medium"
    done
    progress "latency after idle"
    beside bash medium "$([ "$quick" ] && echo 15 || echo 80)" 30 latency-idle && latency_row latency-idle "bash, medium, after 30 ms idle"
    if [ "$engine" ]; then
        progress "latency through the engine"
        say
        say "| through the engine, one client | ms: median (p10..p90) | over the service |"
        say "|---|---|---|"
        for language in bash python; do
            "$bin/bench/engine" --socket docker.sock --create "files/docker-$language.json" --count "$([ "$quick" ] && echo 6 || echo 30)" >engine-$language || continue
            say "| $language | $(ms "$(value engine-$language p50)") ($(ms "$(value engine-$language p10)")..$(ms "$(value engine-$language p90)")) |" \
                "x$(awk -v a="$(value engine-$language p50)" -v b="$(awk '$1 == "service" { print $3 }' "latency-$language")" 'BEGIN { printf "%.0f", a / b }') |"
        done
    fi
    say
}

part_levels() {
    local level
    say "## The levels, one client, in turns (bash)"; say
    say "| ms: median (p10..p90), ratio to plain | plain | sandbox | session | service | command line | service over sandbox: medians | middle of differences |"
    say "|---|---|---|---|---|---|---|---|"
    for level in low high; do
        progress "latency at $level"
        beside bash $level "$([ "$quick" ] && echo 30 || echo 150)" 1 "latency-$level" && latency_row "latency-$level" "bash, $level"
    done
    say
}

service_cell() { # LANGUAGE CLIENTS
    "$load" --port "$port" --body "files/$1-medium.json" --clients "$2" --seconds "$seconds" --warm 1 >"rate-$1-$2" 2>>load.err || true
    local lost=$(($(value "rate-$1-$2" bad) + $(value "rate-$1-$2" broken)))
    printf ' %.0f; %s / %s%s |' "$(value "rate-$1-$2" rate)" "$(ms "$(value "rate-$1-$2" p50)")" "$(ms "$(value "rate-$1-$2" p99)")" \
        "$([ "$lost" = 0 ] || echo "; **$lost failed**")"
}
sandbox_cell() { # LANGUAGE CLIENTS
    "$bin/bench/beside" --clients "$2" --seconds "$seconds" --language "$1" --code "files/$1" >"sandbox-$1-$2" || true
    printf ' %.0f; %s / %s |' "$(value "sandbox-$1-$2" rate)" "$(ms "$(value "sandbox-$1-$2" p50)")" "$(ms "$(value "sandbox-$1-$2" p99)")"
}
engine_cell() { # LANGUAGE CLIENTS
    local count=$((10 + 2 * $2))
    [ "$quick" ] && count=$((4 + $2))
    "$bin/bench/engine" --socket docker.sock --create "files/docker-$1.json" --clients "$2" --count $count >"engine-$1-$2" 2>>engine.err || true
    printf ' %.1f; %s / %s |' "$(value "engine-$1-$2" rate)" "$(ms "$(value "engine-$1-$2" p50)")" "$(ms "$(value "engine-$1-$2" p99)")"
}
command_cell() { # LANGUAGE CLIENTS
    printf 'command\t%s\t--risk-level\tmedium\t--language\t%s\t--code\t%s\n' "$bin/bin/sandbox-agent" "$1" "$work/files/$1" >lists/command
    printf ' %.0f |' "$("$bin/bench/timer" rate "$2" "$seconds" lists/command | cut -f2)"
}

part_rate() {
    local language clients who
    say "## Requests per second; p50 / p99 in ms"; say
    say "| | bash, 1 client | 8 | 64 | python, 1 client | 8 | 64 |"
    say "|---|---|---|---|---|---|---|"
    for who in sandbox service command engine; do
        [ "$who" != engine ] || [ "$engine" ] || continue
        printf '| %s |' "$who"
        for language in bash python; do
            for clients in 1 8 64; do
                progress "$who: $language, $clients clients"
                "${who}_cell" $language $clients
            done
        done
        say
    done
    say
}

part_memory() {
    progress "memory"
    say "## Memory and many executions"; say
    /usr/bin/python3 "$root/bench/service_memory.py" "$port" "$service" "$([ "$quick" ] && echo 200 || echo 500)"
    say
}

part_hostile() {
    local mode body clients
    say "## One honest client beside others (bash, medium)"; say
    say "| beside | requests a second | p50 ms | p99 ms | failed |"
    say "|---|---|---|---|---|"
    for mode in nobody loris flood abort reader half-close; do
        progress "beside $mode"
        body=bash-medium clients=4
        [ $mode = loris ] && clients=500
        [ $mode = reader ] && body=big
        [ $mode = nobody ] ||
            { "$load" $mode --port "$port" --clients $clients --body files/$body.json --seconds $((seconds + 1)) >"beside-$mode" 2>/dev/null & }
        sleep 0.3
        "$load" --port "$port" --seconds "$seconds" --body files/bash-medium.json >honest 2>/dev/null || true
        [ "$mode" = nobody ] || wait $! || true
        say "| $mode$([ "$mode" = nobody ] || echo ", $(value "beside-$mode" connections) connections") | $(value honest rate) | $(ms "$(value honest p50)") |" \
            "$(ms "$(value honest p99)") | $(($(value honest bad) + $(value honest broken))) |"
    done
    say
}

report() {
    say "# The service, $(date -u '+%Y-%m-%d %H:%M') UTC${quick:+ (quick: few runs, rough numbers)}"
    say
    say "$(nproc) CPUs ($(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)), kernel $(uname -r), uid $(id -u), cgroup $(stat -fc %T /sys/fs/cgroup)," \
        "load at the start $(cut -d' ' -f1-3 /proc/loadavg). $("$bin/bin/sandboxd" --version)${engine:+, $(dockerd --version)}."
    for line in "${skipped[@]}"; do say "Skipped: $line."; done
    say
    for part in $parts; do "part_$part"; done
    say "Load at the end $(cut -d' ' -f1-3 /proc/loadavg); took $SECONDS s."
}

start_engine
report | tee report.md
if [ "$save" ]; then
    mkdir -p "$root/bench/results"
    cp report.md "$root/bench/results/$(date -u +%Y-%m-%d)-service.md"
fi
