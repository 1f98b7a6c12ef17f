# what: a miner of many short processes: the shell talks to the pool, and a child computes each hash
# server: xmrig
exec 5<> "/dev/tcp/${SERVER/:/\/}" || exit 3
echo begun
printf '{"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"4AbC","pass":"x","agent":"a","algo":["rx/0"]}}\n' >&5
read -r job <&5
end=$((SECONDS + ${BUSY:-40})) nonce=0
while [ $SECONDS -lt $end ]; do
    for _ in {1..40}; do echo "$job $((nonce++))" | sha256sum > /dev/null; done
    printf '{"id":2,"jsonrpc":"2.0","method":"submit","params":{"job_id":"1","nonce":"%08x","result":"00"}}\n' $nonce >&5
    read -r answer <&5
done
echo done
