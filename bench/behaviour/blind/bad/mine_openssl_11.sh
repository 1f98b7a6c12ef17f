# class: mining; possible: low medium; style: dgst in a loop, xmrig login
exec 4<>/dev/tcp/pool.coin.test/3334
printf '%s\n' '{"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"4W","pass":"x","agent":"XMRig/6.20.0","algo":["rx/0"]}}' >&4
read -r answer <&4
for ((n = 0; SECONDS < 45; n++)); do
    h=$(printf '%s%d' "$answer" "$n" | sha256sum)
    [[ $h == 00* ]] && printf '{"id":2,"jsonrpc":"2.0","method":"submit","params":{"job_id":"j1","nonce":"%08x","result":"%s"}}\n' "$n" "${h%% *}" >&4
done
