# what: a script of two hundred short commands, one after the other
# network: none
for i in {1..200}; do /bin/true; done
seq 1 50 | while read -r n; do x=$(expr "$n" + 1); done
echo done
