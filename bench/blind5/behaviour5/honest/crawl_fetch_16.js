// class: crawler; possible: low medium
(async () => {
  const seen = new Set(); const q = ['http://b.crawl.test/page/1', 'http://d.crawl.test/page/1'];
  while (q.length && seen.size < 40) {
    const batch = q.splice(0, 6).filter(u => !seen.has(u)); batch.forEach(u => seen.add(u));
    await Promise.all(batch.map(async u => {
      const t = await (await fetch(u)).text();
      for (const m of t.matchAll(/href="([^"]+)"/g)) q.push(new URL(m[1], u).href);
    }));
  }
  console.log(seen.size);
})();
