# class: privilege probe; possible: low medium
# PTRACE_ATTACH to 1, then its memory
my $r = syscall(101, 16, 1, 0, 0); print "ptrace $r $!\n";
open(my $m, '+<', '/proc/1/mem') or print "mem $!\n";
$r = syscall(311, 1, 0, 0, 0, 0, 0); print "vm_writev $!\n";
