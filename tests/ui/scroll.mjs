// The list of runs over a long audit, in chromium, for bench/page.py: how long until rows are there, jumps, scrolling, and the tab's memory.
import fs from "node:fs";
import { chromium } from "playwright-core";

const given = JSON.parse(fs.readFileSync(0, "utf8")), PAGES = 150;
const browser = await chromium.launch({ executablePath: given.chromium, args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update",
  "--disable-dev-shm-usage", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable");
const heap = async () => {
  await cdp.send("HeapProfiler.collectGarbage");
  const all = Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map(m => [m.name, m.value]));
  return `JS heap ${(all.JSHeapUsedSize / 1048576).toFixed(1)} MiB, ${all.Nodes} nodes`;
};
const row = page.locator(".list .row").first();
async function timed(name, act) {
  const begun = performance.now();
  await act();
  console.log(`${name}: ${Math.round(performance.now() - begun)} ms`);
}

await page.goto(given.url + "/ui/");
await page.locator("input[name=key]").fill(given.key);
await page.keyboard.press("Enter");
await page.locator("nav").waitFor();
await timed("the view Runs, until its first rows", async () => {
  await page.evaluate(() => { location.hash = "#/runs?q="; });
  await row.waitFor();
});
console.log(await heap());
const line = page.getByLabel("Position in the audit");
await line.waitFor();
const newest = Number(await line.getAttribute("max"));
for (const part of [0.5, 0.1, 0.9]) {
  const old = await row.innerText();
  await timed(`a jump to line ${Math.floor(newest * part)}`, async () => {
    await line.fill(String(Math.floor(newest * part)));
    await page.waitForFunction(old => { const r = document.querySelector(".list .row"); return r && r.innerText !== old; }, old);
  });
}
await timed("a run from the middle, opened from the list", async () => {
  await page.locator(".list .row a[href^='#/runs/exec-']").first().click();
  await page.getByText("Who ran it").waitFor();
});
await page.goBack();
await row.waitFor();
const seen = await page.evaluate(async pages => {
  const box = document.querySelector(".list .scroll"), frames = [];
  let gaps = 0, last = performance.now(), steps = 0;
  for (; steps < pages * 12; steps++) {
    const room = box.scrollHeight - box.clientHeight - box.scrollTop;
    box.scrollTop += Math.min(room, 600); // a person who holds the wheel down
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    const top = box.getBoundingClientRect().top, shown = [...box.querySelectorAll(".row")].map(r => r.getBoundingClientRect());
    const covered = shown.filter(r => r.bottom > top && r.top < top + box.clientHeight).length * 34;
    if (room > 600 && covered < box.clientHeight - 68) gaps++;
  }
  frames.sort((a, b) => a - b);
  return { steps, gaps, median: frames[frames.length >> 1], p99: frames[Math.floor(frames.length * 0.99)], text: document.querySelector("main > p[role=status]").innerText };
}, PAGES);
console.log(`scrolled ${seen.steps} steps of 600 pixels: ${seen.gaps} frames with a gap, frame median ${seen.median.toFixed(1)} ms, p99 ${seen.p99.toFixed(1)} ms; ${seen.text}`);
console.log(await heap());
await browser.close();
