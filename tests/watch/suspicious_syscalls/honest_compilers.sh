# what: compiles C and C++, links, makes an archive
# network: none
cd /tmp || exit 3
echo 'int main(void) { return 0; }' > a.c && gcc -O2 -pipe -o a a.c && ./a || exit 4
echo 'int f() { return 0; }' > c.cc && { [ ! -x /usr/bin/g++ ] || g++ -c -o c.o c.cc; } && { [ ! -f c.o ] || ar r c.a c.o; } > /dev/null 2>&1 || exit 5
echo done
