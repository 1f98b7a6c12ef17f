for (const [k, v] of Object.entries(process.env)) {
  if (/key|token|secret/i.test(k)) console.log(k, v);
}
