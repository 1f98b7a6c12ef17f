# attack.sh - the bash twin of attack.h; the build puts it in place of the line «# include: attack.sh».
# Builtins only: at high risk there is no coreutils, /proc, /etc or /dev. Complaints go to 2<&0, which cannot be
# written: /dev/null may be absent, and a closed 2 is what the next open file or socket would become.
escaped() { printf 'ESCAPED: %s\n' "$*"; exit 42; }
contained() { printf 'CONTAINED: %s\n' "$*"; exit 0; }
notes=
refused() { notes+="${notes:+ }$1=refused"; }
verdict() { contained "${notes:-nothing to attack here}"; }
param() { # param KEY FALLBACK -> $value
    local line
    value=$2
    for file in "${ATTACK_DIR:-/attack}/params" "$ATTACK_PARAMS"; do
        [[ -n $file && -r $file ]] || continue
        while IFS= read -r line; do
            [[ $line == "$1="?* ]] && value=${line#*=}
        done <"$file"
        return 0
    done
    return 0
}
