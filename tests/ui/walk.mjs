// A person walks through the page in Debian's chromium: by mouse, by keyboard, narrow, dark. Started by tests/integration/service/test_page.py with what it
// needs as JSON on standard input; says {"check": NAME, "problem": null | TEXT, "ms": N} a line, and at last {"over": true}.
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const given = JSON.parse(fs.readFileSync(0, "utf8"));
const axe = fs.readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const PATIENCE = 30000; // a bound, which nothing waits for that goes well
const say = o => process.stdout.write(JSON.stringify(o) + "\n");
const must = (is, text) => { if (!is) throw new Error(text); };
const strangers = [], violations = [], dialogs = [], faults = [];

async function check(name, what) {
  const begun = Date.now();
  try {
    await what();
    say({ check: name, problem: null, ms: Date.now() - begun });
  } catch (e) {
    const shown = await page.evaluate(() => location.hash + "\n" + document.body.innerText.slice(0, 1500)).catch(() => "");
    say({ check: name, problem: String(e.stack ?? e).slice(0, 3000) + "\n--- the page shows " + shown, ms: Date.now() - begun });
  }
}

const browser = await chromium.launch({ executablePath: given.chromium, args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update",
  "--disable-dev-shm-usage", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"] });

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("request", r => { if (!r.url().startsWith(given.url + "/") && !r.url().startsWith("blob:" + given.url)) strangers.push(r.url()); });
  page.on("dialog", d => { dialogs.push(d.message()); void d.dismiss(); });
  page.on("pageerror", e => faults.push(String(e)));
  await page.exposeFunction("__violated", text => { violations.push(text); });
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation", e => window.__violated(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`)));
  return page;
}

const text = page => page.locator("main").innerText();
const waitText = (page, needle) => page.waitForFunction(n => document.querySelector("main")?.textContent.includes(n), needle);
async function go(page, hash, needle) {
  await page.goto(given.url + "/ui/" + hash);
  await waitText(page, needle);
}
async function logIn(page, key) {
  await page.goto(given.url + "/ui/");
  await page.locator("input[name=key]").fill(key);
  await page.keyboard.press("Enter");
  await page.locator("nav").waitFor();
}

/** Nothing serious of axe's; what a page loads by itself is waited for by who calls. */
async function accessible(page, name, runOnly = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]) {
  await page.evaluate(axe);
  const found = await page.evaluate(runOnly => window.axe.run(document, { resultTypes: ["violations"], runOnly, preload: false }), runOnly);
  const bad = found.violations.filter(v => v.impact === "serious" || v.impact === "critical");
  must(!bad.length, name + ": " + bad.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")).join("\n"));
}

/** One of the README's. */
async function shot(name, before = async () => undefined) {
  if (!given.shots) return;
  await before();
  await page.setViewportSize({ width: 1000, height: 660 });
  await page.screenshot({ path: path.join(given.shots, name) });
  await page.setViewportSize({ width: 1280, height: 900 });
}

const run = given.miner, page = await open();
const PAGES = [["#/now", "Health"], ["#/runs?q=reason:killed", "killed"], ["#/runs/" + run, "Why it was"], ["#/agents", given.agent],
  ["#/agents/" + encodeURIComponent(given.agent), "What is usual"], ["#/integrity", "Public key"], ["#/whatif", "Drop a configuration"], ["#/keys", "first"], ["#/profiles/medium", "resources.pids"], ["#/doctor", "Backends"]];

await check("a wrong key is refused in words", async () => {
  await page.goto(given.url + "/ui/");
  await page.locator("input[name=key]").fill("sa_" + "A".repeat(43));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("the key is not known").waitFor();
  await accessible(page, "log in");
});

await check("logs in by keyboard alone", async () => {
  await page.goto(given.url + "/ui/");
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "key");
  await page.keyboard.type(given.admin);
  await page.keyboard.press("Enter");
  await waitText(page, "Health");
  must((await page.evaluate(() => document.cookie)) === "", "a script sees the cookie");
});

await check("the killed miner is found by mouse: who, what it touched, why it started", async () => {
  await go(page, "#/now", "Health");
  must(/problems in the audit, (not verified yet|as of \d{4}-)/.test(await text(page)), "a number of the audit's problems does not say of when it is");
  await page.getByRole("link", { name: "ended by a kill switch" }).click();
  await page.waitForFunction(() => location.hash.includes("reason%3Akilled"));
  await page.locator(".list .row a").filter({ hasText: /mining|kill/i }).first().click();
  await waitText(page, "Why it was allowed to start");
  await waitText(page, "Standing now");
  const said = await text(page);
  for (const needle of [given.agent, given.key_name, "crypto_mining", "wallet.txt", "trust 0.500", "level medium", "medium from 0.500", "Waited for its turn", "Isolation", "stratum+tcp://pool.example.org", "gzip -9c"])
    must(said.includes(needle), "the page of the run does not say " + needle + ":\n" + said.slice(0, 3000));
  must(!said.includes("ended: killed\n\nWho") && /uid\s+inside \d+, host \d+/.test(said), "what a program reads stands there:\n" + said.slice(0, 3000));
});
await shot("page-run.png");

await check("an agent has the cause of each step of its trust, its limits, and what it used", async () => {
  await go(page, "#/agents/" + given.agent, "What it used in the last 30 days");
  const row = (region, ...texts) => texts.reduce((rows, t) => rows.filter({ hasText: t }), page.getByRole("region", { name: region }).locator("tbody tr")).first();
  await row("Trust, the newest steps", "violation", run).getByRole("link", { name: run }).waitFor();
  must(/− 0\.\d{3}/.test(await row("Trust, the newest steps", "violation").innerText()), "the step has no change");
  must(/ 1\s+50\s+49$/.test((await row("Limits", "max_executions_per_hour", "medium").innerText()).replaceAll("\t", " ")), await text(page));
  must(/all\s+[0-9.]+ s\s+3,600 s\s+3,59/.test(await row("Limits", "budgets.per_agent.max_cpu_time_per_day").innerText()), await text(page));
  const today = await row("Used", given.runner_id).innerText(); // day, key, runs, CPU, memory, in, out
  must(/^\d{4}-\d\d-\d\d\s+\S+\s+1\s+[1-9][0-9.]* m?s\s+[0-9.]*[1-9]/.test(today), today);
  await go(page, "#/now", "Used in the last 24 hours");
  await row("Used", given.agent).getByRole("link", { name: given.agent }).waitFor();
  await go(page, "#/keys", "What they used");
  await row("Used", given.runner_id).waitFor();
});

await check("the number of agents of a standing leads to those agents", async () => {
  await go(page, "#/now", "Health");
  const number = page.getByRole("link", { name: "agents banned" }), count = Number.parseInt(await number.innerText(), 10);
  await number.click();
  await waitText(page, "Violations");
  const rows = await page.getByRole("region", { name: "Agents" }).locator("tbody tr").allInnerTexts();
  must(count > 0 && rows.length === count && rows.every(r => r.includes("banned")) && rows.some(r => r.includes(given.agent)), count + ": " + rows.join("; "));
  await page.getByRole("link", { name: "all", exact: true }).click();
  await page.getByRole("link", { name: given.honest, exact: true }).waitFor();
});

await check("the nodes of a fleet are shown, and where none is nothing", async () => {
  await go(page, "#/now", "Health");
  must(!await page.getByRole("region", { name: "Nodes" }).count(), "nodes without a fleet");
  const node = (node, more) => ({ node, state: "in use", version: "0.1.0", silent_ms: 900, drained: false, open_executions: 3, clock_off_ms: 2, levels: ["low"], policy: "aa", cut_off: false, ...more });
  await page.route("**/nodes", r => r.fulfill({ json: { node: "north", nodes: [node("north"), node("<b>south", { state: "drained", policy: "bb" }), node("west", { state: "silent", silent_ms: 90000, policy: "cc" })] } }));
  await page.reload();
  const rows = page.getByRole("region", { name: "Nodes" }).locator("tbody tr");
  await rows.first().waitFor();
  const said = await rows.allInnerTexts();
  must(said.length === 3 && said[0].includes("north (this one)") && said[1].includes("<b>south") && said[1].includes("drained") && said[2].includes("90 s ago"), said.join("; "));
  must((await text(page)).includes("policies of these nodes differ"), "that the policies differ is not said");
  await accessible(page, "nodes");
  await page.unroute("**/nodes");
});

await check("a list is walked by keyboard", async () => {
  await go(page, "#/runs?q=", "in all");
  await page.locator(".list .row").first().waitFor();
  await page.locator(".list .scroll").focus();
  for (const k of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(k);
  must(await page.locator(".list .row").nth(1).evaluate(r => r.classList.contains("on")), "the arrows do not move");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#/runs/exec-"));
  await waitText(page, "Who ran it");
  await page.goBack();
  await page.waitForFunction(() => location.hash.startsWith("#/runs?"));
});

await check("every view is reached by keyboard", async () => {
  await go(page, "#/now", "Health");
  for (const [view, needle] of [["Runs", "What happened"], ["Agents", "Standing"], ["Integrity", "Public key"], ["What if", "Drop a configuration"], ["Keys", "Role"], ["Profiles", "Level"], ["Doctor", "Backends"], ["Now", "Health"]]) {
    await page.locator("nav").getByRole("link", { name: view, exact: true }).focus();
    await page.keyboard.press("Enter");
    await waitText(page, needle);
    await page.waitForFunction(() => document.activeElement?.tagName === "MAIN"); // the focus follows
  }
});

await check("the query line is the URL, and says what it does not know", async () => {
  await go(page, "#/runs?q=", "in all");
  await page.getByLabel("Query").fill("agent:" + given.honest + " level:medium");
  await page.keyboard.press("Enter");
  await page.waitForFunction(a => decodeURIComponent(location.hash) === "#/runs?q=agent:" + a + " level:medium", given.honest);
  await page.waitForFunction(n => document.querySelectorAll(".list .row").length === n, given.honest_runs);
  await page.getByLabel("Query").fill("colour:red");
  await page.keyboard.press("Enter");
  await page.getByText("colour:red: expected").waitFor();
});

await check("the list begins anywhere in the audit, and the place is in the URL", async () => {
  await go(page, "#/runs?q=", "in all");
  await page.locator(".list .row").first().waitFor();
  const all = await page.locator(".list .row").count(), line = page.getByLabel("Position in the audit"), last = Number(await line.getAttribute("max"));
  must(last > 10 && all > 3, `${last} lines, ${all} rows`);
  const middle = String(Math.floor(last / 2));
  await line.fill(middle);
  await page.waitForFunction(n => decodeURIComponent(location.hash) === "#/runs?q=before:" + n, middle);
  await page.waitForFunction(n => { const rows = document.querySelectorAll(".list .row").length; return rows > 0 && rows < n; }, all);
  await line.fill(String(last));
  await page.waitForFunction(() => decodeURIComponent(location.hash) === "#/runs?q=");
  await page.waitForFunction(n => document.querySelectorAll(".list .row").length === n, all);
});

await check("the list is live", async () => {
  await go(page, "#/runs?q=agent:latecomer", "0 runs");
  const answer = await fetch(given.url + given.base + "/execute", { method: "POST", headers: { Authorization: "Bearer " + given.admin, "Content-Type": "application/json" },
    body: JSON.stringify({ language: "bash", code: "true", agent_id: "latecomer" }) });
  must(answer.status === 200, "the run failed: " + await answer.text());
  await page.locator(".list .row").filter({ hasText: "latecomer" }).waitFor();
});

await check("what agents wrote is text", async () => {
  for (const [hash, needle] of [...given.hostile, ["#/runs?q=", "in all"], ["#/agents", "Standing"], ["#/keys", "Role"], ["#/now", "Health"]]) {
    await go(page, hash, needle);
    await page.waitForTimeout(0);
    const found = await page.evaluate(() => ({ owned: window.owned, title: document.title, odd: document.querySelectorAll("main script, main img, main svg, main iframe, main object, main [onerror], main [onload], main b b").length,
      raw: /[\u202e\u200b\u001b\u2066]/.test(document.body.innerText), links: [...document.querySelectorAll("a[href]")].filter(a => !a.getAttribute("href").startsWith("#/")).map(a => a.href) }));
    must(found.owned === undefined && found.title !== "owned" && !found.odd && !found.raw && !found.links.length, hash + ": " + JSON.stringify(found));
  }
  await go(page, given.hostile[0][0], given.hostile[0][1]);
  const said = await text(page);
  for (const needle of ["\\u{202E}", "\\x1b", "<script>", "more characters"]) must(said.includes(needle), "it does not show " + needle + ":\n" + said.slice(0, 2000));
});

await check("an action needs a reason, is done, and is audited with who did it", async () => {
  await go(page, "#/agents/" + given.suspect, "Trust over time");
  await page.getByRole("button", { name: "Quarantine …" }).click();
  await page.getByRole("button", { name: "Quarantine", exact: true }).click();
  await page.getByText("A reason is needed").waitFor();
  await accessible(page, "dialog");
  await page.locator("dialog[open] textarea").fill("looked odd <b>to me</b>");
  await page.getByRole("button", { name: "Quarantine", exact: true }).click();
  await page.locator(".lead .mark", { hasText: "quarantined" }).waitFor();
  await page.getByRole("button", { name: "Release …" }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("td")].some(t => t.textContent === "agent-quarantined"));
  const answer = await (await fetch(given.url + given.base + "/audit?action=agent-quarantined&last=1", { headers: { Authorization: "Bearer " + given.admin } })).json();
  must(answer.events[0].user.name === given.admin_name && answer.events[0].gen_ai.agent.id === given.suspect, JSON.stringify(answer));
});

await check("a run is ended from the page, with a reason in the audit", async () => {
  const answer = await (await fetch(given.url + given.base + "/executions", { method: "POST", headers: { Authorization: "Bearer " + given.admin, "Content-Type": "application/json" },
    body: JSON.stringify({ language: "bash", code: "sleep 100", agent_id: "sleeper" }) })).json();
  const other = await page.context().newPage();
  await go(other, "#/runs/" + answer.execution_id, "Who ran it");
  await other.locator(".lead .mark", { hasText: "running" }).waitFor();
  await go(page, "#/running", answer.execution_id);
  await page.getByRole("button", { name: "End …" }).click();
  await page.locator("dialog[open] textarea").fill("enough");
  await page.getByRole("button", { name: "End this run", exact: true }).click();
  await waitText(page, "nothing runs");
  const lines = await (await fetch(given.url + given.base + "/audit?action=execution-stopped&last=1", { headers: { Authorization: "Bearer " + given.admin } })).json();
  must(lines.events[0].event.reason === "enough" && lines.events[0].user.name === given.admin_name, JSON.stringify(lines));
  await other.locator(".lead .mark", { hasText: "killed" }).waitFor(); // the page of a run that goes on looks again by itself
  await other.close();
});

await check("a run whose lines are far back is read back to, not called gone", async () => {
  const late = u => u.pathname.endsWith("/audit") && u.searchParams.has("execution") && !u.searchParams.has("before");
  await page.route(late, r => r.fulfill({ json: { events: [], next: null, previous: 1000000000 } })); // the service has searched for as long as it may
  await go(page, "#/runs/" + run, "trust 0.500");
  await page.unroute(late);
});

await check("what is gone says so", async () => {
  await go(page, "#/runs/exec-000000000000000000000000", "There is no run");
  await go(page, "#/agents/nobody-knows", "Not here (any more)");
  await go(page, "#/nothing", "nothing called");
});

async function verified(key) {
  await go(page, "#/now", "Health");
  await go(page, "#/integrity", "Public key");
  await page.getByLabel("Public key of the audit").fill(key);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.locator(".verdict").waitFor();
  return page.locator(".verdict").innerText();
}

await check("an audit that is as it was written is green, by the operator's key alone", async () => {
  const good = await verified(given.public_key);
  must(good.startsWith("As it was written"), good);
  must((await verified("")).includes("the server's word"), "without a key it is green");
  must((await verified("ab".repeat(32))).includes("another key"), "another key is green");
});
await shot("page-integrity.png", () => verified(given.public_key));

await check("a tampered line turns red, by its number, without the command line", async () => {
  const whole = fs.readFileSync(given.audit), lines = whole.toString("latin1").split("\n");
  const tampered = async change => {
    const copy = [...lines];
    change(copy);
    fs.writeFileSync(given.audit, copy.join("\n"), "latin1");
    try { return await verified(given.public_key); } finally { fs.writeFileSync(given.audit, whole); }
  };
  const n = given.tamper; // a line of the miner's, from 1
  const blamed = lines[n - 1].replace('"id":"' + given.agent, '"id":"' + "x".repeat(given.agent.length));
  must(blamed !== lines[n - 1], "the line does not name the agent: " + lines[n - 1]);
  const said = await tampered(l => { l[n - 1] = blamed; });
  must(said.startsWith("Tampered") && said.includes(`line ${n} `) && said.includes("what this line says is not what was written") && said.includes("evidence"), said);
  await waitText(page, "What that line says now"); // which run it is about, and what it claims
  await page.getByRole("region", { name: "The line" }).getByText("x".repeat(given.agent.length)).waitFor();
  await accessible(page, "tampered");
  const alone = await (async () => { // the operator has brought no key: the line is named all the same
    fs.writeFileSync(given.audit, lines.map((l, i) => i === n - 1 ? blamed : l).join("\n"), "latin1");
    try { return await verified(""); } finally { fs.writeFileSync(given.audit, whole); }
  })();
  must(alone.startsWith("Tampered") && alone.includes(`line ${n} `), alone);
  const removed = await tampered(l => l.splice(n - 1, 1));
  must(removed.startsWith("Tampered") && removed.includes(`line ${n} `), removed);
  const cut = await tampered(l => l.splice(-10, 9));
  must(cut.startsWith("Tampered"), cut);
  must((await verified(given.public_key)).startsWith("As it was written"), "it stays red");
});

await check("a run has its processes as a tree, its curves, and a receipt that the browser verifies", async () => {
  await go(page, "#/runs/" + run, "The signature is right, by the key that you brought");
  await page.locator(".processes .processes li", { hasText: "gzip" }).first().waitFor();
  must(await page.locator(".curve canvas").count() === 2, "CPU and memory are not drawn");
  const label = await page.getByRole("img", { name: /^CPU: at most/ }).getAttribute("aria-label");
  must(Number(/at most ([0-9.]+) cores/.exec(label)[1]) > 0, label);
  const [got] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the receipt" }).click()]);
  const answer = await fetch(given.url + given.base + "/executions/" + run + "/receipt", { headers: { Authorization: "Bearer " + given.admin } });
  must(got.suggestedFilename() === run + ".receipt.json" && fs.readFileSync(await got.path(), "utf8") === await answer.text(), "the file is another receipt");
  await page.getByRole("button", { name: "Show the statement" }).click();
  await waitText(page, "urn:sandbox-agent:receipt:v1");
  await page.evaluate(() => localStorage.setItem("audit-key", "ab".repeat(32)));
  const result = u => u.pathname.endsWith("/executions/" + run);
  await page.route(result, r => r.fulfill({ status: 404, json: { error: { code: "not_found", message: "gone" } } })); // the service keeps it no longer
  await page.reload();
  await waitText(page, "From its receipt");
  await page.getByRole("region", { name: "Isolation in force" }).locator("tr", { hasText: "seccomp" }).waitFor();
  await page.unroute(result);
  await waitText(page, "not signed by the key that you brought");
  await page.evaluate(key => localStorage.setItem("audit-key", key), given.public_key);
});

await check("what if: a dropped configuration is told by agent and by run, and a wrong one in words", async () => {
  await go(page, "#/whatif", "Drop a configuration");
  await page.getByLabel("Configuration file").setInputFiles({ name: "stricter.yaml", mimeType: "application/yaml", buffer: Buffer.from(given.stricter) });
  await page.waitForFunction(n => document.querySelector("textarea[name=config]").value.length === n, given.stricter.length);
  await page.getByRole("button", { name: "Decide again" }).click();
  await waitText(page, "decisions would differ");
  await page.getByRole("region", { name: "By agent" }).getByRole("link", { name: given.agent }).waitFor();
  const row = page.getByRole("region", { name: "Decisions that would differ" }).locator("tr", { hasText: run });
  must((await row.innerText()).includes("refused by languages.enabled"), await row.innerText());
  await accessible(page, "what if");
  await page.getByLabel("Configuration (YAML)").fill("languages:\n  bsah: {enabled: false}\n");
  await page.getByRole("button", { name: "Decide again" }).click();
  const said = await page.locator(".problem").innerText();
  must(said.startsWith("config:2") && said.includes("bsah"), said);
});

await check("every page is accessible, and the dark scheme readable", async () => {
  for (const [hash, needle] of PAGES) {
    await go(page, hash, needle);
    await accessible(page, hash);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [hash, needle] of PAGES.filter(p => /now|runs/.test(p[0]))) {
    await go(page, hash, needle);
    await accessible(page, hash + ", dark", ["color-contrast"]);
  }
  await page.emulateMedia({ colorScheme: "light" });
});

await check("every page fits a narrow screen", async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [hash, needle] of PAGES) {
    await go(page, hash, needle);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    must(width <= 320, `${hash} is ${width} wide`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

await check("print has the content and not the controls", async () => {
  await page.emulateMedia({ media: "print" });
  await go(page, "#/runs/" + run, "Why it was");
  must(!await page.locator("nav").isVisible() && await page.getByText("Who ran it").isVisible(), "print shows the controls, or not the content");
  await page.emulateMedia({ media: "screen" });
});

await shot("page-now.png", () => go(page, "#/now", "Health"));

await check("a read key sees, and has no button that acts", async () => {
  const reader = await open();
  await logIn(reader, given.read);
  await go(reader, "#/agents/" + given.suspect, "Trust over time");
  must(!await reader.getByRole("button", { name: /Quarantine|Release|Ban|Set trust/ }).count(), "a reader may act");
  must(!await reader.getByRole("link", { name: "Keys" }).count(), "a reader sees the keys' view");
  const answer = await fetch(given.url + given.base + "/keys/" + given.read_id, { method: "DELETE", headers: { Authorization: "Bearer " + given.admin } });
  must(answer.status === 200, await answer.text());
  await reader.goto(given.url + "/ui/#/runs");
  await reader.getByText("the key was revoked").waitFor();
  await reader.locator("input[name=key]").waitFor();
  await reader.context().close();
});

await check("logs out", async () => {
  await page.getByRole("button", { name: "Log out" }).click();
  await page.locator("input[name=key]").waitFor();
  must((await page.context().cookies()).length === 0, "the cookie stays");
});

await check("no report of the policy, no request elsewhere, no dialog, no fault", async () => {
  must(!violations.length, "policy: " + violations.slice(0, 5).join("\n"));
  must(!strangers.length, "elsewhere: " + strangers.slice(0, 5).join("\n"));
  must(!dialogs.length && !faults.length, [...dialogs, ...faults].slice(0, 5).join("\n"));
});
await browser.close();
say({ over: true });
