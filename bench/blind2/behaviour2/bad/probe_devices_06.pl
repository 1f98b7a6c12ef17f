# class: privilege probe; possible: low medium; style: raw devices and kernel memory
for my $d (qw(/dev/mem /dev/kmem /dev/port /dev/sda /dev/vda /dev/kmsg /proc/kcore /proc/kallsyms /dev/loop-control)) {
    if (open(my $f, '+<', $d)) { sysread($f, my $b, 16); print "$d open\n"; }
    else { print "$d $!\n"; }
}
require 'syscall.ph' if 0;
my $r = syscall(133, "/tmp/mem0", 0020666, 0x101);   # mknod, x86_64
print "mknod $r $!\n";
$r = syscall(105, 0);                                 # setuid
print "setuid $r $!\n";
