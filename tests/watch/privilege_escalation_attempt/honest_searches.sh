# what: looks for keys that were left in its own project, for certificates, and for what takes much space
# network: none
cd /tmp
mkdir -p project && echo key > project/id_rsa
find . -name id_rsa -o -name '.env*'
grep -rn "BEGIN RSA PRIVATE KEY" project
find /etc/ssl -name '*.pem' -o -name '*.key' 2> /dev/null | wc -l
find / -xdev -path '*/.ssh' -prune -o -size +900M -print 2> /dev/null | wc -l
cat /etc/passwd > /dev/null
echo done
