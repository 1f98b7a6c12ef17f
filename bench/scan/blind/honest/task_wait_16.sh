# class: port wait; style: bash tcp
wait_for() {
    local host=$1 port=$2 n=0
    until (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; do
        n=$((n + 1))
        [ "$n" -gt 60 ] && { echo "timeout: $host:$port" >&2; return 1; }
        sleep 1
    done
}
wait_for localhost 5432
wait_for localhost 6379
exec ./manage.py runserver
