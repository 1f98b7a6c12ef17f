// One run: who, what it touched, why it was allowed to start, and how it ended. From the service's result where it is kept, and from the audit in any case.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ask, raw, words } from "./api";
import { AgentActions, Action } from "./act";
import { Curve } from "./curve";
import { Problem, useLoad, Wait } from "./load";
import { download } from "./now";
import { fetchReceipt, Receipt } from "./receipt";
import { Block, bytes, link, Mark, millis, Pairs, query, T, Table, term, when } from "./text";

const CODE_MOST = 512 * 1024;

/** The run's lines. The audit has an index of runs; only where the service has to make it first, an answer is not the last one. */
async function fetchLines(id: string, background: boolean): Promise<any[]> {
  for (let before: number | undefined, page; ; before = page.previous) {
    page = await ask("/audit" + words({ execution: id, last: 20, before }), { background });
    if (page.events.length || page.previous === null) return page.events;
  }
}

async function fetchRun(id: string, background: boolean) {
  const at = encodeURIComponent(id), quiet = () => null;
  const [row, kept] = await Promise.all([ask("/executions/" + at, { background }).catch(quiet), ask(`/executions/${at}/artifacts`, { background }).catch(quiet)]);
  const events = await fetchLines(id, background);
  if (!row && !events.length) throw new Error(`There is no run ${id} here: neither in the service's memory nor in the audit.`);
  const file = kept?.artifacts.find((a: any) => a.role === "code" && a.sha256 && a.size <= CODE_MOST);
  const code = file ? await raw(`/executions/${at}/artifacts/${encodeURIComponent("code/" + file.name)}`, { background }).then(r => r.text(), quiet) : null;
  const decided = events.find(e => e.event.action === "execution-decided" || e.event.action === "execution-refused");
  const ended = events.findLast(e => /^execution-(finished|refused|recovered)$/.test(e.event.action));
  return { row, result: row?.result?.execution_id ? row.result : null, events, kept, code, decided, ended };
}

/** trust 0.500 − scan 0.200 = 0.300 → high. What the scan found is not taken off where the service did not: its own words decide (src/policy/level.c). */
function Why({ d, level, reasons }: { d: any; level: string; reasons: string[] }) {
  const s = d?.sum; // not in lines of before: their reasons say it
  return <>
    {d?.has_agent && s && <p class="sum">trust <b>{s.score.toFixed(3)}</b>{d.is_new && " (a new agent)"} − scan <b>{s.counted.toFixed(3)}</b>{!s.counted && d.risk_increase > 0 && ` (${d.risk_increase.toFixed(3)} was found, and is not counted)`} =
      {" "}<b>{s.left.toFixed(3)}</b> → level <Mark word={level} /><small> (low from {s.low_from.toFixed(3)}, medium from {s.medium_from.toFixed(3)})</small>{d.asked && <> (asked for: <T text={d.asked} />)</>}</p>}
    {d?.has_agent && !s && <p class="sum">trust <b>{d.trust.toFixed(3)}</b>{d.is_new && " (a new agent)"} → level <Mark word={level} /></p>}
    {reasons.length > 0 && <p class="none">Step by step, as the service said it when it decided:</p>}
    <ul>{reasons.map((r, i) => <li key={i}><T text={r} /></li>)}</ul>
  </>;
}

function Code({ code, findings }: { code: string; findings: any[] }) {
  const by = new Map<number, any[]>();
  for (const f of findings) by.set(f.line, [...(by.get(f.line) ?? []), f]);
  return <div class="code" tabIndex={0} role="region" aria-label="Code"><ol>{code.split("\n").slice(0, 5000).map((text, i) => {
    const found = by.get(i + 1) ?? [], at = Math.min(...found.map(f => (f.column || 1) - 1));
    return <li key={i} class={found.length ? "found" : ""}><code>{found.length ? <><T text={text.slice(0, at)} /><u><T text={text.slice(at)} /></u></> : <T text={text} />}</code>
      {found.map((f, j) => <span class="note" key={j}>{f.severity}: <T text={f.rule} />{f.message && <>, <T text={f.message} /></>}</span>)}</li>;
  })}</ol></div>;
}

function Timeline({ row, result, events }: { row: any; result: any; events: any[] }) {
  const times = events.map(e => [Date.parse(e["@timestamp"]), e.event.action.replace("execution-", ""), e.message] as [number, string, string]);
  const start = Math.min(...times.map(t => t[0]), ...(row ? [Date.parse(row.accepted_at)] : []));
  if (row) times.push([Date.parse(row.accepted_at), "accepted", ""], ...(row.started_at ? [[Date.parse(row.started_at), "started", ""] as [number, string, string]] : []));
  const begun = row?.started_at ? Date.parse(row.started_at) : start;
  for (const v of result?.violations ?? []) times.push([begun + v.at_ms, v.class, `${v.type}: ${v.detail}`]);
  times.sort((a, b) => a[0] - b[0]);
  const all = Math.max(1, ...times.map(t => t[0] - start));
  return <>
    <ol class="time">{times.map(([at, what, text], i) => <li key={i}><span class="at">{millis(at - start)}</span><span class="bar"><i style={{ left: 100 * (at - start) / all + "%" }} /></span><span><b><T text={what} /></b> <T text={text} /></span></li>)}</ol>
    {result?.timing && <Table label="Where the time went" head={PARTS.map(p => p[1])} rows={[PARTS.map(p => fine(result.timing[p[0]]))]} />}
  </>;
}

const PARTS = [["queue_ms", "Waited for its turn"], ["scan_ms", "Scan"], ["decide_ms", "Decision"], ["start_ms", "Start"], ["run_ms", "Run"], ["settle_ms", "Settled, audited"]] as const;
const fine = (ms: number) => ms < 100 ? ms.toFixed(1) + " ms" : millis(ms);

function Isolation({ i, from }: { i: any; from: string }) {
  const missing: string[] = i.missing ?? [];
  const rows: [string, ComponentChildren][] = Object.entries(i).filter(([k]) => k !== "missing" && k !== "limits").map(([k, v]) =>
    [k, v === true ? <Mark word="ok" /> : v === false || v === "none" && k === "cgroup" ? <Mark word="missing" /> : <T text={v === null ? "–" : typeof v === "object" ? Object.entries(v as object).map(e => e.join(" ")).join(", ") : v} />]);
  return <>
    {from && <p class="none">{from}</p>}
    {missing.length ? <div class="problem"><b>Missing:</b><ul>{missing.map((m, j) => <li key={j}><T text={m} /></li>)}</ul></div> : <p class="fine">Nothing that was asked for was missing.</p>}
    <Table label="Isolation in force" head={["Part", "In force"]} rows={rows} />
    {i.limits && <Table label="Limits" head={["Limit", "Value"]} rows={Object.entries(i.limits).map(([k, v]) => [k, k.endsWith("_bytes") ? bytes(v as number) : <T text={v} />])} />}
  </>;
}

interface Process { pid: number; parent: number | null; program: number | null; at_ms: number }

/** A process whose parent is not listed is a root; the second program of a process stands below its first. */
function children(all: Process[]) {
  const below = new Map<number, number[]>(), newest = new Map<number, number>();
  all.forEach((p, i) => {
    const over = newest.get(p.pid) ?? (p.parent === null ? undefined : newest.get(p.parent)) ?? -1;
    below.set(over, [...(below.get(over) ?? []), i]);
    newest.set(p.pid, i);
  });
  return below;
}

function Processes({ all, programs }: { all: Process[]; programs: any[] }) {
  const below = children(all);
  const branch = (over: number, depth: number): ComponentChildren => {
    const own = below.get(over);
    return own && depth < 64 && <ul class="processes">{own.map(i => {
      const p = all[i]!, program = p.program === null ? null : programs[p.program];
      return <li key={i}><span class="pid">{p.pid}</span> {program ? <><b><T text={program.path} /></b> <code><T text={(program.arguments ?? []).slice(1).join(" ")} /></code></>
        : <span class="none">its parent's program</span>} <small>{millis(p.at_ms)}</small>{branch(i, depth + 1)}</li>;
    })}</ul>;
  };
  return <div class="wide" tabIndex={0} role="region" aria-label="Processes">{branch(-1, 0)}</div>;
}

/** CPU in use between two samples, in cores; memory as it was. */
function Usage({ s }: { s: { at_ms: number[]; cpu_ms: number[]; memory_bytes: number[] } }) {
  const x = useMemo(() => s.at_ms.map(t => t / 1000), [s]);
  const cores = useMemo(() => s.cpu_ms.map((c, i) => Math.max(0, c - (s.cpu_ms[i - 1] ?? 0)) / Math.max(1, s.at_ms[i]! - (s.at_ms[i - 1] ?? 0))), [s]);
  return <>
    <h2>CPU over time</h2>
    <Curve x={x} y={cores} label={`CPU: at most ${Math.max(...cores).toFixed(2)} cores over ${millis(s.at_ms.at(-1))}`} show={n => n.toFixed(2)} />
    <h2>Memory over time</h2>
    <Curve x={x} y={s.memory_bytes} label={`Memory: at most ${bytes(Math.max(...s.memory_bytes))}, at the end ${bytes(s.memory_bytes.at(-1))}`} show={bytes} />
    <p class="none">Seconds since the run began; the launcher looks ten times a second.</p>
  </>;
}

function Activity({ a }: { a: any }) {
  return <>
    {a.processes?.length ? <><h2>Processes</h2><Processes all={a.processes} programs={a.programs ?? []} /></> : null}
    {a.samples?.at_ms?.length > 1 ? <Usage s={a.samples} /> : null}
    <h2>Programs</h2>
    <Table label="Programs" empty="no program was started" head={["Program", "Arguments", "Times"]} rows={(a.programs ?? []).map((p: any) => [<T text={p.path} />, <T text={(p.arguments ?? []).join(" ")} />, p.count])} />
    <h2>Files</h2>
    <Table label="Files" empty="no file that the watch looks at" head={["File", "How", "Sensitive", "Times"]} rows={(a.files ?? []).map((f: any) => [<T text={f.path} />, f.how, f.sensitive ? <Mark word="high" /> : "", f.count])} />
    <h2>Connections</h2>
    <Table label="Connections" empty="no connection" head={["Name", "Address", "Verdict", "Rule", "Out", "In"]} rows={(a.connections ?? []).map((c: any) => [<T text={c.name} />, `${c.address} ${c.protocol} ${c.port}`, c.verdict, <T text={c.rule} />, bytes(c.bytes_out), bytes(c.bytes_in)])} />
    {a.names?.length ? <Table label="Names" head={["Name asked for", "Verdict", "Rule"]} rows={a.names.map((n: any) => [<T text={n.name} />, n.verdict, <T text={n.rule} />])} /> : null}
    {a.calls?.length ? <><h2>System calls</h2><Table label="Calls" head={["Call", "Refused", "Times"]} rows={a.calls.map((c: any) => [<T text={c.call} />, c.refused ? "yes" : "", c.count])} /></> : null}
    {a.omitted || a.events_lost ? <p class="problem">{a.omitted} more things are left out here, {a.events_lost} events were lost.</p> : null}
  </>;
}

const goesOn = (run: { row: any } | null) => run?.row?.state === "running" || run?.row?.state === "queued";

export function Run({ id }: { id: string }) {
  const run = useLoad("run" + id, b => fetchRun(id, b), r => goesOn(r) ? 3 : 0);
  const receipt = useLoad(`receipt ${id} ${goesOn(run.data)}`, b => fetchReceipt(id, b)); // anew when it has ended
  const agentId = run.data?.row?.agent_id ?? run.data?.ended?.gen_ai?.agent?.id ?? run.data?.decided?.gen_ai?.agent?.id ?? "";
  const agent = useLoad("of" + agentId, b => agentId ? ask("/agents/" + encodeURIComponent(agentId), { background: b }).catch(() => null) : Promise.resolve(null));
  return <><h1>Run <T text={id} /></h1><Wait of={run}>{({ row, result, events, kept, code, decided, ended }) => {
    const own = (ended ?? decided)?.agentsandbox ?? {}, findings = result?.findings?.length ? result.findings : decided?.agentsandbox?.findings ?? own.findings ?? [];
    const level = row?.risk_level ?? decided?.labels?.risk_level ?? "?", reason = row?.reason ?? ended?.event?.reason ?? row?.state ?? "?";
    const violations = result?.violations ?? own.violations ?? [], activity = result?.activity ?? own.activity;
    const output = kept?.artifacts.filter((a: any) => a.sha256) ?? [];
    const signed = receipt.data?.statement.predicate.isolation, isolation = result?.isolation ?? own.isolation ?? signed, known = agent.data as any;
    const wasRefused = ended?.event?.action === "execution-refused";
    return <>
      <p class="lead"><Mark word={reason} /> {result?.kill_switch ? <>by the kill switch <b><T text={result.kill_switch} /></b>.</> : <T text={ended?.message ?? ""} />}</p>
      {goesOn(run.data) && <p class="buttons"><Action label="End" verb="End this run" about={id} done={run.again}
        how={reason => [`/executions/${encodeURIComponent(id)}?reason=${encodeURIComponent(reason)}`, { method: "DELETE" }]} /></p>}
      <section aria-label="Who">
        <h2>Who ran it</h2>
        <Pairs rows={[["Agent", agentId ? <a href={link("agents", agentId)}><T text={agentId} /></a> : "anonymous"],
          ["With the key of", <><T text={decided?.user?.name ?? ended?.user?.name ?? decided?.user?.id ?? ""} /> {row?.key_id && <small><T text={row.key_id} /></small>}</>],
          ["When", <>{when(row?.accepted_at ?? events[0]?.["@timestamp"])}</>], ["Language", <T text={row?.language ?? own.language} />],
          ["Took", millis(result?.duration_ms ?? (ended?.event?.duration ? ended.event.duration / 1e6 : null))],
          ["CPU", millis(result?.cpu_ms ?? (own.cpu_us ? own.cpu_us / 1000 : null))], ["Memory, at most", bytes(result?.peak_memory_bytes ?? own.peak_memory_bytes)],
          ["Standing now", known ? <Mark word={known.standing} /> : "–"]]} />
        {known && <AgentActions id={agentId} standing={known.standing} done={agent.again} />}
        {agent.error && <Problem error={agent.error} />}
        {agentId && <p><a href={query(term("agent", agentId))}>all runs of this agent</a></p>}
      </section>
      <section aria-label="Why"><h2>Why it was {wasRefused ? "refused" : "allowed to start"}, at level {level}</h2>
        {wasRefused && <p class="lead"><T text={ended?.message ?? ""} /></p>}
        <Why d={decided?.agentsandbox?.decision} level={level} reasons={result?.reasons ?? decided?.agentsandbox?.reasons ?? []} /></section>
      <section aria-label="What it did"><h2>What stood out</h2>
        <Table label="Violations" empty="nothing" head={["What", "Detail", "Severity", "Class"]} rows={violations.map((v: any) => [<T text={v.type} />, <T text={v.detail} />, <Mark word={v.severity} />, v.class])} />
        <h2>Time</h2><Timeline row={row} result={result} events={events} /></section>
      <section aria-label="What it touched">{activity ? <Activity a={activity} /> : <p class="none">What it touched was not recorded: the watch was off at this level (logging.audit_syscalls), or nothing of it ran.</p>}</section>
      <section aria-label="Its code"><h2>Code</h2>{code !== null ? <Code code={code} findings={findings} />
        : <><p class="none">The code is not kept (any more); its SHA-256 is <T text={decided?.process?.hash?.sha256 ?? "unknown"} />.</p>
          <Table label="Findings" empty="no findings" head={["Line", "Severity", "Rule", "Text"]} rows={findings.map((f: any) => [f.line, <Mark word={f.severity} />, <T text={f.rule} />, <T text={f.text} />])} /></>}</section>
      {result && <section aria-label="Output"><h2>Output</h2>{result.stdout ? <Block label="Standard output" text={result.stdout} /> : <p class="none">no output</p>}{result.stderr && <><h3>Errors</h3><Block label="Standard error" text={result.stderr} /></>}</section>}
      <section aria-label="Isolation"><h2>Isolation</h2>{isolation ? <Isolation i={isolation} from={isolation === signed ? "From its receipt: the service keeps the result itself no longer." : ""} /> : <p class="none">Nothing of it ran, or the result is not kept.</p>}</section>
      <section aria-label="Receipt"><h2>Receipt</h2><Receipt id={id} one={receipt} /></section>
      <section aria-label="Artifacts"><h2>Artifacts</h2><Table label="Artifacts" empty="none are kept" head={["Name", "Size", "SHA-256", ""]} rows={output.map((a: any) => [<T text={`${a.role}/${a.name}`} />, bytes(a.size), <small><T text={a.sha256} /></small>,
        <button type="button" onClick={() => download(`/executions/${encodeURIComponent(id)}/artifacts/${encodeURIComponent(a.role + "/" + a.name)}`, a.name)}>Download</button>])} /></section>
    </>;
  }}</Wait></>;
}
