perl -e '
use strict; use warnings; use File::Copy;
for my $old (glob "*.JPG *.jpeg") {
    (my $new = lc $old) =~ s/\s+/_/g;
    $new =~ s/jpeg$/jpg/;
    next if $new eq $old or -e $new;
    move($old, $new) or warn "$old: $!";
    print "$old -> $new\n";
}'
ruby -ryaml -e 'c = YAML.load_file("config.yml"); c["images"] = Dir["*.jpg"].sort; File.write("config.yml", c.to_yaml)'
