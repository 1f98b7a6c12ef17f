# class: network
# what: connects to the host's loopback with bash's own /dev/tcp and /dev/udp
# outside: host_listener_untouched
# include: attack.sh
param host_port 0
port=$value
for host in 127.0.0.1 localhost ::1 0.0.0.0; do
    { exec 7<>"/dev/tcp/$host/$port"; opened=$?; } 2<&0
    ((opened == 0)) && escaped "connected to $host:$port"
    refused "$host"
    # a UDP «connection» opens wherever loopback is up; only an answer counts
    {
        exec 7<>"/dev/udp/$host/$port" && printf escape >&7 && read -r -t 0.1 -n 1 answer <&7 && found=1
        exec 7>&-
    } 2<&0
    [[ $found ]] && escaped "the host answered by UDP on $host"
done
verdict
