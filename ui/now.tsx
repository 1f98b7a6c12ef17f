// Now: what runs and waits, what was refused and ended, who is kept out, and whether the service is well. Each number leads to its list.
import { ask, outside, raw, words } from "./api";
import { useLoad, Wait } from "./load";
import { bytes, link, Mark, query, T, Table, when } from "./text";
import { Action } from "./act";
import { keyName, Usage } from "./usage";

type Sample = { labels: Record<string, string>; value: number };

/** Prometheus' text, as far as we write it ourselves. */
function metrics(text: string) {
  const all = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    const m = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!m) continue;
    const labels: Record<string, string> = {};
    for (const l of (m[2] ?? "").matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) labels[l[1]!] = l[2]!;
    (all.get(m[1]!) ?? all.set(m[1]!, []).get(m[1]!)!).push({ labels, value: Number(m[3]) });
  }
  return (name: string, label?: string, value?: string) => (all.get("sandbox_agent_" + name) ?? []).filter(s => !label || s.labels[label] === value);
}

const sum = (s: Sample[]) => s.reduce((n, x) => n + x.value, 0);

function Number_({ n, label, href, tone }: { n: number | string; label: string; href: string; tone?: "good" | "bad" | undefined }) {
  return <a class={"number " + (tone ?? "")} href={href}><b>{typeof n === "number" ? n.toLocaleString("en") : n}</b><span>{label}</span></a>;
}

export async function live(background: boolean) {
  const [running, queued] = await Promise.all(["running", "queued"].map(s => ask(`/executions?state=${s}&limit=500`, { background })));
  return [...running.executions, ...queued.executions];
}

export function Live({ rows, again }: { rows: any[]; again: () => void }) {
  return <Table label="Running and queued" empty="nothing runs" head={["Accepted", "Agent", "Language", "Level", "State", "Run", ""]} rows={rows.map(r => [
    when(r.accepted_at), r.agent_id ? <a href={link("agents", r.agent_id)}><T text={r.agent_id} /></a> : "anonymous", <T text={r.language} />, <T text={r.risk_level} />,
    <Mark word={r.state} />, <a href={link("runs", r.execution_id)}><T text={r.execution_id} /></a>,
    <Action label="End" verb="End this run" about={r.execution_id} done={again} how={reason => [`/executions/${r.execution_id}?reason=${encodeURIComponent(reason)}`, { method: "DELETE" }]} />])} />;
}

export function Now() {
  const all = useLoad("now", async background => {
    const [text, ready, rows, ends, fleet] = await Promise.all([outside("/metrics", { background }).then(r => r.text()),
      fetch("/readyz").then(r => r.json()), live(background), ask("/audit?ends=true&last=200", { background }), ask("/nodes", { background })]);
    return { m: metrics(text), checks: (ready.checks ?? {}) as Record<string, string>, rows, ends: ends.events as any[], fleet };
  }, 3);
  return <Wait of={all}>{({ m, checks, rows, ends, fleet }) => {
    const switches = m("kill_switches_total").filter(s => s.value > 0), problems = sum(m("audit_problems")), verified = sum(m("audit_verified_timestamp_seconds"));
    const ended = ends.filter(e => e.event.reason === "killed" && e.agentsandbox?.kill_switch).reverse().slice(0, 5);
    return <>
      <h1>Now</h1>
      <div class="numbers">
        <Number_ n={sum(m("executions_running"))} label="running" href="#/running" />
        <Number_ n={sum(m("executions_queued"))} label="queued" href="#/running" />
        <Number_ n={sum(m("kill_switches_total"))} label="ended by a kill switch" href={query("reason:killed")} tone={switches.length ? "bad" : "good"} />
        <Number_ n={sum(m("refusals_total"))} label="refused" href={query("action:execution-refused")} />
        <Number_ n={sum(m("agents", "standing", "quarantined"))} label="agents in quarantine" href="#/agents?standing=quarantined" tone={sum(m("agents", "standing", "quarantined")) ? "bad" : undefined} />
        <Number_ n={sum(m("agents", "standing", "banned"))} label="agents banned" href="#/agents?standing=banned" tone={sum(m("agents", "standing", "banned")) ? "bad" : undefined} />
        <Number_ n={sum(m("agents", "standing", "good"))} label="agents in good standing" href="#/agents?standing=good" />
        <Number_ n={verified ? problems : "?"} label={"problems in the audit, " + (verified ? "as of " + new Date(1000 * verified).toISOString().slice(0, 16).replace("T", " ") : "not verified yet")} href="#/integrity" tone={problems ? "bad" : undefined} />
      </div>
      <p class="none">Kill switches and refusals are counted since the service started; the lists have all.</p>
      <h2>Ended by a kill switch</h2>
      <Table label="Ended by a kill switch" empty="none of the last 200 runs" head={["When", "Agent", "Kill switch", "Run"]} rows={ended.map(e => [
        when(e["@timestamp"]), e.gen_ai?.agent?.id ? <a href={link("agents", e.gen_ai.agent.id)}><T text={e.gen_ai.agent.id} /></a> : "anonymous",
        <T text={e.agentsandbox.kill_switch} />, <a href={link("runs", e.process.entity_id)}><T text={e.process.entity_id} /></a>])} />
      <h2>Running and queued</h2>
      <Live rows={rows} again={all.again} />
      <h2>Used in the last 24 hours</h2>
      <Usage ask={{ by: "agent", since: "24h" }} head={["Agent"]} most={10} first={r => [<a href={link("agents", r.agent_id)}><T text={r.agent_id} /></a>]} />
      <h2>Health</h2>
      <Table label="Health" head={["Part", "State"]} rows={[...Object.entries(checks).map(([k, v]) => [k === "intake" ? "takes new runs" : k, <Mark word={v} />]),
        ...m("disk_free_bytes").map(s => ["free disk: " + s.labels["place"], bytes(s.value)])]} />
      {fleet.nodes.length > 0 && <Nodes fleet={fleet} />}
    </>;
  }}</Wait>;
}

/** As `sandbox-agent fleet status` has them. All else on this page is of the node that answers, but for agents and keys. */
function Nodes({ fleet }: { fleet: any }) {
  const policies = new Set(fleet.nodes.filter((n: any) => n.policy && (n.state === "in use" || n.state === "drained")).map((n: any) => n.policy));
  return <>
    <h2>Nodes</h2>
    {policies.size > 1 && <p class="problem" role="alert">The policies of these nodes differ: <code>sandbox-agent fleet status</code></p>}
    <Table label="Nodes" head={["Node", "State", "Version", "Takes", "Heard of", "Open executions", "Clock"]} rows={fleet.nodes.map((n: any) => [
      <><T text={n.node} />{n.node === fleet.node ? " (this one)" : ""}</>, <Mark word={n.state} />, <T text={n.version} />, n.levels.join(", "), Math.round(n.silent_ms / 1000) + " s ago",
      n.open_executions, n.clock_off_ms + " ms off"])} />
  </>;
}

export function Running() {
  const rows = useLoad("running", live, 2);
  return <><h1>Running and queued</h1><Wait of={rows}>{r => <Live rows={r} again={rows.again} />}</Wait></>;
}

/** A page of very many agents may have none of a standing, and still a next one. */
async function fetchAgents(standing: string, after: string, background: boolean) {
  for (let at = after; ; ) {
    const page = await ask("/agents" + words({ limit: 500, after: at, standing }), { background });
    if (page.agents.length || !page.next) return page;
    at = page.next;
  }
}

export function Agents({ standing, after }: { standing: string; after: string }) {
  const page = useLoad(`agents ${standing} ${after}`, b => fetchAgents(standing, after, b));
  return <><h1>Agents</h1>
    <p class="choice">{["", "good", "quarantined", "banned"].map(s => <a key={s} href={"#/agents" + words({ standing: s })} aria-current={s === standing ? "true" : undefined}>{s || "all"}</a>)}</p>
    <Wait of={page}>{p => <>
    <Table label="Agents" empty={standing ? "no agent has this standing" : "no agent is known"} head={["Agent", "Standing", "Trust", "Runs", "Failures", "Violations", "Refusals", "Last run"]} rows={p.agents.map((a: any) => [
      <a href={link("agents", a.agent_id)}><T text={a.agent_id} /></a>, <Mark word={a.standing} />, a.trust.toFixed(3), a.runs, a.failures, a.violations, a.refusals, when(a.last_run)])} />
    {p.next && <p><a href={"#/agents" + words({ standing, after: p.next })}>further agents</a></p>}
  </>}</Wait></>;
}

export function Doctor() {
  const all = useLoad("doctor", b => ask("/capabilities", { background: b }));
  return <><h1>Doctor</h1><Wait of={all}>{c => <>
    <p>sandboxd <T text={c.version} />. The host was looked at {when(c.doctor_at)}, as the service's own user. Where the launcher is root's, which a service of systemd's or one that root has
      started has, runs have more than that user could make: the isolation of a run says what was in force.</p>
    <Table label="Backends" head={["Backend", "Available", "Why not"]} rows={c.backends.map((b: any) => [b.name + (b.is_default ? " (default)" : ""), <Mark word={b.available ? "ok" : "missing"} />, <T text={b.reason} />])} />
    {Object.entries(c.doctor).map(([group, parts]) => <Findings key={group} group={group} parts={parts} />)}
    <details><summary>All that was found</summary><Tree value={c.doctor} /></details>
  </>}</Wait></>;
}

/** What the doctor says of one group, a part a line; a group without parts is in the tree alone. */
function Findings({ group, parts }: { group: string; parts: any }) {
  const rows = Object.entries(parts ?? {}).filter(([, p]: [string, any]) => p?.status) as [string, any][];
  return rows.length ? <><h2><T text={group} /></h2><Table label={group} head={["Part", "State", "What was found", "Remedy"]} rows={rows.map(([name, p]) => [
    <T text={name} />, <Mark word={p.status} />, <T text={p.summary} />, <T text={p.status === "ok" ? "" : p.remedy} />])} /></> : null;
}

export function Tree({ value }: { value: any }) {
  if (Array.isArray(value)) return value.length ? <ul class="tree">{value.map((v, i) => <li key={i}><Tree value={v} /></li>)}</ul> : <span class="none">none</span>;
  if (value && typeof value === "object") return <dl class="tree">{Object.entries(value).map(([k, v]) => <div key={k}><dt><T text={k} /></dt><dd><Tree value={v} /></dd></div>)}</dl>;
  return value === null ? <span class="none">–</span> : typeof value === "boolean" ? <Mark word={value ? "ok" : "no"} /> : <T text={value} />;
}

export function Profiles({ level }: { level: string }) {
  const list = useLoad("profiles", b => ask("/profiles", { background: b })), one = useLoad("profile" + level, b => level ? ask("/profiles/" + encodeURIComponent(level), { background: b }) : Promise.resolve({}));
  return <><h1>Profiles</h1><Wait of={list}>{l => <Table label="Profiles" head={["Level", "Name", "File"]} rows={l.profiles.map((p: any) => [
    <a href={link("profiles", p.risk_level)}>{p.risk_level}{p.risk_level === l.default ? " (default)" : ""}</a>, <T text={p.name} />, <T text={p.file} />])} />}</Wait>
    {level && <><h2>{level}: what is in force, and where each was said</h2><Wait of={one}>{p => <Table label={"Values of " + level} head={["Key", "Value", "Said at"]} rows={Object.entries(p.origins ?? {}).map(([k, o]) => [
      k, <T text={JSON.stringify(k.split(".").reduce((v: any, w) => v?.[w], p.values)) ?? ""} />, o === "default" ? <span class="none">default</span> : <T text={o} />])} />}</Wait></>}</>;
}

export function Keys() {
  const list = useLoad("keys", b => ask("/keys", { background: b }));
  return <><h1>Keys</h1><Wait of={list}>{l => <Table label="Keys" head={["Name", "Id", "Role", "Agents", "Last used", "Expires", "State", ""]} rows={l.keys.map((k: any) => [
    <T text={k.name} />, <T text={k.id} />, k.role, k.agents.length ? <T text={k.agents.join(" ")} /> : "any", when(k.last_used_at), when(k.expires_at),
    <Mark word={k.revoked_at ? "revoked" : "good"} />, k.revoked_at ? "" : <Action label="Revoke" verb="Revoke" about={k.name} done={list.again}
      how={reason => [`/keys/${k.id}?reason=${encodeURIComponent(reason)}`, { method: "DELETE" }]} />])} />}</Wait>
    <h2>What they used in the last 30 days</h2>
    <Usage ask={{ by: "key", since: "30d" }} head={["Key", "Id"]} most={100} first={r => [<T text={list.data?.keys.find((k: any) => k.id === r.key_id)?.name ?? "–"} />, keyName(r.key_id)]} /></>;
}

export const download = (path: string, name: string) => raw(path).then(r => r.blob()).then(b => {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(b);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
});
