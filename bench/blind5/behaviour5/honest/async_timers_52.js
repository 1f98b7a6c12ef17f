// class: algorithm; possible: low medium high
const wait = ms => new Promise(r => setTimeout(r, ms));
(async () => { const o = await Promise.all([5, 3, 1].map(async k => { await wait(k * 300); return k * k; })); console.log(o); })();
