// One agent: trust over time with the cause of each sum, its offences, what is usual for it, and its runs.
import { useMemo } from "preact/hooks";
import { ask } from "./api";
import { AgentActions } from "./act";
import { Curve } from "./curve";
import { useLoad, Wait } from "./load";
import { bytes, link, Mark, Pairs, query, T, Table, term, when } from "./text";
import { amount, keyName, Usage } from "./usage";

function Trust({ points }: { points: { at: string; trust: number }[] }) {
  const x = useMemo(() => points.map(p => Date.parse(p.at) / 1000), [points]), y = useMemo(() => points.map(p => p.trust), [points]);
  return <Curve x={x} y={y} range={[0, 1]} isTime isStepped label={`Trust from ${y[0]?.toFixed(3)} to ${y.at(-1)?.toFixed(3)}; the table below has each step`} />;
}

/** Each step with the one before it, the newest first. */
function Steps({ points }: { points: any[] }) {
  const rows = points.map((p, i) => ({ ...p, isFirst: i === 0, change: i ? p.trust - points[i - 1].trust : null })).slice(-20).reverse();
  return <Table label="Trust, the newest steps" head={["When", "Trust", "Change", "Cause", "Run"]} rows={rows.map(p => [
    when(p.at), p.trust.toFixed(3), p.change === null ? "" : (p.change < 0 ? "− " : "+ ") + Math.abs(p.change).toFixed(3), p.cause ?? <span class="none">{p.isFirst ? "first seen, or the oldest that is kept" : "an administrator set it, or its run is no longer kept"}</span>,
    p.execution_id && <a href={link("runs", p.execution_id)}><T text={p.execution_id} /></a>])} />;
}

function Limits({ limits }: { limits: any[] }) {
  const say = (n: number, unit: string | null) => unit === "bytes" ? bytes(n) : amount(n) + (unit ? " " + unit : "");
  return <Table label="Limits" empty="none are set" head={["Limit", "Level", "Used", "Allowed", "Left"]} rows={limits.map(l => [
    l.limit, l.level ?? "all", say(l.used, l.unit), say(l.allowed, l.unit), l.used >= l.allowed ? <Mark word="used up" /> : say(l.allowed - l.used, l.unit)])} />;
}

export function Agent({ id }: { id: string }) {
  const agent = useLoad("agent" + id, b => ask("/agents/" + encodeURIComponent(id), { background: b }));
  const audit = useLoad("steps" + id, b => ask(`/audit?agent=${encodeURIComponent(id)}&last=50`, { background: b }));
  return <><h1>Agent <T text={id} /></h1><Wait of={agent}>{a => {
    const w = a.why, points = a.history.length > 1 ? a.history : a.history.concat(a.history.map((p: any) => ({ at: new Date().toISOString(), trust: p.trust })));
    return <>
      <p class="lead"><Mark word={a.standing} /> trust <b>{a.trust.toFixed(3)}</b>{a.standing_reason && <>: <T text={a.standing_reason} /> <small>(by <T text={a.standing_by} />, {when(a.standing_since)})</small></>}</p>
      <AgentActions id={id} standing={a.standing} trust={a.trust} done={() => { agent.again(); audit.again(); }} />
      <p><a href={query(term("agent", id))}>its runs</a></p>
      <h2>Trust over time</h2><Trust points={points} />
      <h2>What it is made of</h2>
      <p class="sum">start {w.start.toFixed(3)}{w.sums.map((s: any) => <> {s.change < 0 ? "−" : "+"} {Math.abs(s.change).toFixed(3)} <small>{s.source} ({s.times})</small></>)}{w.before_records ? <> + {w.before_records.toFixed(3)} <small>before records</small></> : null} = <b>{a.trust.toFixed(3)}</b></p>
      <Steps points={a.history} />
      <h2>Offences that are remembered</h2>
      <Table label="Offences" empty="none" head={["When", "What", "Detail", "Run"]} rows={w.offences.map((o: any) => [when(o.at), <T text={o.type} />, <T text={o.detail} />, <a href={link("runs", o.execution_id)}><T text={o.execution_id} /></a>])} />
      <h2>Counts</h2>
      <Pairs rows={[["Runs", a.runs], ["Successes", a.successes], ["Failures", a.failures], ["Errors", a.errors], ["Attempts", a.attempts], ["Violations", a.violations], ["Refusals", a.refusals],
        ["First seen", when(a.first_seen)], ["Last run", when(a.last_run)], ["Came with the key", <T text={a.key_id} />], ["Other agents of that key", w.family.others], ["of these in quarantine or banned", w.family.others_kept_out]]} />
      <h2>Limits and budgets</h2>
      <Limits limits={a.limits} />
      <h2>What it used in the last 30 days</h2>
      <Usage ask={{ agent_id: id, by: "key,day", since: "30d" }} head={["Day", "Key"]} first={r => [<>{r.from.slice(0, 10)}</>, keyName(r.key_id)]} />
      <h2>What is usual for it</h2>
      <Table label="Baseline" empty={`nothing yet: ${w.baseline.learned_from} good runs`} head={["What", "Good runs", "Last"]} rows={w.baseline.habits.map((h: any) => [<T text={h.what} />, h.runs, when(h.last)])} />
      <h2>What the audit says of it</h2>
      <Wait of={audit}>{p => <Table label="Audit" head={["When", "Action", "By", "What"]} rows={p.events.toReversed().map((e: any) => [when(e["@timestamp"]), <T text={e.event.action} />, <T text={e.user?.name ?? e.user?.id} />,
        e.process?.entity_id ? <a href={link("runs", e.process.entity_id)}><T text={e.message} /></a> : <T text={e.message} />])} />}</Wait>
    </>;
  }}</Wait></>;
}
