insmod ./rk.ko
echo rk >> /etc/modules
cp rk.ko /lib/modules/$(uname -r)/kernel/drivers/ && depmod -a
