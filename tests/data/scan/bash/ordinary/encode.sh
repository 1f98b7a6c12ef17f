echo "hello world" | base64 > hello.b64
base64 -d hello.b64
printf '%s' "hello" | sha256sum | cut -d' ' -f1
