# class: agent; possible: low medium; style: perl client with tools by a pipe to sh
use strict; use warnings;
use HTTP::Tiny; use JSON::PP; use IPC::Open2;
my $pid = open2(my $out, my $in, 'sh');
print $in "exec 2>&1\n";
my @messages = ({ role => 'user', content => 'check the machine' });
my $http = HTTP::Tiny->new(timeout => 20);
for (1 .. 10) {
    my $r = $http->post('http://llm.good.test/v1/chat', { content => encode_json({ messages => \@messages }) });
    my $m = decode_json($r->{content})->{choices}[0]{message};
    push @messages, $m;
    last unless $m->{tool_calls};
    for my $c (@{ $m->{tool_calls} }) {
        my $cmd = decode_json($c->{function}{arguments})->{command};
        print $in "$cmd\necho ==end==\n"; $in->flush;
        my $text = '';
        while (my $l = <$out>) { last if $l =~ /==end==$/; $text .= $l; }
        push @messages, { role => 'tool', tool_call_id => $c->{id}, content => $text };
    }
}
print scalar(@messages), " messages\n";
close $in;
waitpid $pid, 0;
