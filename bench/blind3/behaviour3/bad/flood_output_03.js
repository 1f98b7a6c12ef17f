// class: flood; possible: low medium high; style: synchronous writes to the console
const fs = require("fs");
const junk = Buffer.alloc(1 << 16, "lorem ipsum dolor sit amet\n");
for (;;) {
  try {
    fs.writeSync(1, junk);
  } catch (e) {
    if (e.code !== "EAGAIN") throw e;
  }
}
