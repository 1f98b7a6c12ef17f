# class: network, waits for a port with /dev/tcp; style: entry point
#!/bin/bash
host=${DB_HOST:-db} port=${DB_PORT:-5432}
for _ in $(seq 60); do
    if (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; then
        echo "$host:$port is there"
        exec "$@"
    fi
    sleep 1
done
echo "gave up on $host:$port" >&2
exit 1
