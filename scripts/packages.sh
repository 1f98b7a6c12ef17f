# packages.sh - sourced by ./try and ./check: collect what is missing, install it at once.
missing=

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

need_file() { # FILE PACKAGE (the file may lie in a multiarch directory)
    for candidate in "$1" /usr/include/*-linux-gnu/"${1#/usr/include/}"; do
        [ -e "$candidate" ] && return 0
    done
    missing="$missing $2"
}

# Container engines, HAProxy and PostgreSQL, whose packages start services. Where systemd runs these would be there after the tests and after each boot, so it is
# for the administrator to install them; elsewhere nothing starts them again, and install_needed sees to it that nothing starts them now.
need_engines() {
    engines=
    for pair in dockerd:docker.io podman:podman runsc:runsc rootlesskit:rootlesskit newuidmap:uidmap haproxy:haproxy docker-compose:docker-compose; do
        command -v "${pair%:*}" >/dev/null 2>&1 || engines="$engines ${pair#*:}"
    done
    ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || engines="$engines postgresql"
    if [ -n "$engines" ] && [ -d /run/systemd/system ]; then
        echo "not installing$engines, which would leave services running on this machine; their tests are skipped." >&2
        echo "to have them: apt-get install --no-install-recommends$engines; systemctl disable --now docker.socket docker.service" >&2
    else
        missing="$missing$engines"
    fi
}

install_needed() {
    [ -n "$missing" ] || return 0
    run=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "these packages are missing:$missing" >&2
            echo "install them as root: apt-get install$missing" >&2
            exit 1
        fi
        run=sudo
    fi
    echo "installing:$missing"
    apt update -q
    # shellcheck disable=SC2086  # a list of words
    if [ -n "${engines:-}" ]; then
        without_services apt install -y -q --no-install-recommends $missing
    else
        apt install -y -q --no-install-recommends $missing
    fi
    missing=
}

# apt-get, which waits for dpkg's lock if it is told to, and for those of its lists and archives not at all: up to ten minutes for any.
apt() { # WORD...
    begin=$(date +%s)
    until said=$($run env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 "$@" 2>&1 >/dev/null); do
        case $said in
            *"ould not get lock"* | *"nable to lock"* | *"nable to acquire"*) ;;
            *) printf '%s\n' "$said" >&2; return 1 ;;
        esac
        if [ $(($(date +%s) - begin)) -ge "${LOCK_PATIENCE:-600}" ]; then
            printf '%s\nanother program holds the lock of the package manager: wait until it has ended, and try again\n' "$said" >&2
            return 1
        fi
        [ -n "${waits:-}" ] || echo "waiting for another program that installs packages" >&2
        waits=1
        sleep 2
    done
}

# What packages ask before they start a service says no, for as long as COMMAND takes and whatever ends it.
without_services() ( # COMMAND...
    policy=/usr/sbin/policy-rc.d
    if ! [ -e $policy ]; then
        trap '$run rm -f $policy' EXIT
        trap 'exit 130' INT TERM HUP
        $run sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
    fi
    "$@"
)

# The grammars of the scan: C sources from npm's registry, of which nothing is executed. Without them the scan has patterns only; say_grammars says so.
fetch_grammars() {
    [ -e node_modules/.stamp ] && [ node_modules/.stamp -nt package-lock.json ] && return 0
    /usr/bin/python3 scripts/fetch_grammars.py || true # it has said why
}

say_grammars() {
    for language in bash go javascript python rust; do
        [ -e "node_modules/tree-sitter-$language/src/parser.c" ] || without="${without:-} $language"
    done
    [ -z "${without:-}" ] || printf '\nThis build has no grammar of:%s. The scan of these languages knows patterns only, and misses more.\nTo add them: %s\n' \
        "$without" 'scripts/fetch_grammars.py && make'
}

# JavaScript that only tests use (tests/openapi, tests/schemas, tests/ui, tests/mcp, tests/e2b, tests/piston, tests/daytona, sdk/typescript), from npm, by the hashes in its lock file; nothing of npm's scripts runs.
fetch_from_npm() ( # DIRECTORY
    cd "$1"
    [ -e node_modules/.stamp ] && [ node_modules/.stamp -nt package-lock.json ] && return 0
    if npm ci --ignore-scripts --no-audit --no-fund --silent; then
        touch node_modules/.stamp
    else
        echo "npm could not fetch the packages of $1: its tests are skipped" >&2
    fi
)
