// What if: a configuration is dropped here, and the service decides the runs of its audit again under it, with the code that decided them. Nothing changes.
import { useRef, useState } from "preact/hooks";
import { ask } from "./api";
import { Problem } from "./load";
import { link, Mark, T, Table, when } from "./text";

interface Decided { level: string | null; refused_by: string | null }
interface Difference { execution_id: string; agent_id: string | null; at: string; was: Decided; would_be: Decided; reasons: string }
interface Answer { differences: Difference[]; decisions: number; runs: number; differ: number; unreadable_lines: number }

const MOST = 256 * 1024;
const Side = ({ d }: { d: Decided }) => d.refused_by ? <>refused by <T text={d.refused_by} /></> : <Mark word={d.level ?? "?"} />;

function byAgent(all: Difference[]) {
  const counts = new Map<string, { refused: number; other: number }>();
  for (const d of all) {
    const c = counts.get(d.agent_id ?? "") ?? { refused: 0, other: 0 };
    counts.set(d.agent_id ?? "", c);
    if (d.would_be.refused_by && !d.was.refused_by) c.refused++; else c.other++;
  }
  return [...counts].sort((a, b) => b[1].refused + b[1].other - a[1].refused - a[1].other);
}

function Result({ a }: { a: Answer }) {
  const n = a.differences.length;
  return <div role="status">
    <p class="lead"><b>{a.differ.toLocaleString("en")}</b> of {a.decisions.toLocaleString("en")} decisions would differ, with what {a.runs.toLocaleString("en")} runs did.</p>
    {n < a.differ && <p class="problem so">The oldest {n.toLocaleString("en")} of them are shown: narrow it by time.</p>}
    {a.unreadable_lines > 0 && <p class="problem">{a.unreadable_lines} lines of the audit could not be read: look at <a href="#/integrity">Integrity</a>.</p>}
    {n > 0 && <>
      <h2>By agent</h2>
      <Table label="By agent" head={["Agent", "Would be refused", "Otherwise different"]} rows={byAgent(a.differences).map(([id, c]) => [
        id ? <a href={link("agents", id)}><T text={id} /></a> : "anonymous", c.refused, c.other])} />
      <h2>Decisions</h2>
      <Table label="Decisions that would differ" head={["When", "Agent", "Was", "Would be", "Why", "Run"]} rows={a.differences.map(d => [when(d.at), <T text={d.agent_id ?? "anonymous"} />,
        <Side d={d.was} />, <Side d={d.would_be} />, <T text={d.reasons} />, <a href={link("runs", d.execution_id)}><T text={d.execution_id} /></a>])} />
    </>}
  </div>;
}

export function WhatIf() {
  const text = useRef<HTMLTextAreaElement>(null), since = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState<Answer | null>(null), [error, setError] = useState<Error | null>(null), [isBusy, busy] = useState(false);
  const take = async (file: File | undefined) => {
    setError(null), setAnswer(null);
    if (!file) return;
    if (file.size > MOST) return setError(new Error(`${file.name} is larger than 256 KiB.`));
    text.current!.value = await file.text();
  };
  const drop = (e: DragEvent) => {
    if (!e.dataTransfer?.files.length) return; // text falls into the field by itself
    e.preventDefault();
    void take(e.dataTransfer.files[0]);
  };
  const go = async (e: Event) => {
    e.preventDefault();
    busy(true), setError(null), setAnswer(null);
    try {
      setAnswer(await ask("/policy/test", { method: "POST", body: { config: text.current!.value, since: since.current!.value.trim() || null } }));
    } catch (e) {
      setError(e as Error);
    } finally {
      busy(false);
    }
  };
  return <>
    <h1>What if</h1>
    <p>Drop a configuration: the runs in the audit are decided again under it, by the code that decided them, and what would differ is listed. It takes the place of the file that
      <code> --config</code> names. Trust is taken as it was: under other rules, the agents' pasts might have been others. Nothing is changed.</p>
    <form onSubmit={go} onDragOver={e => e.preventDefault()} onDrop={drop}>
      <label>Configuration file<input type="file" accept=".yaml,.yml" onChange={e => void take(e.currentTarget.files?.[0])} /></label>
      <label>Configuration (YAML)<textarea ref={text} name="config" rows={12} spellcheck={false} required class="mono" /></label>
      <label>Since<input ref={since} name="since" placeholder="30d, 12h, 2026-11-21T04:35:04Z; empty: all of the audit" autocomplete="off" spellcheck={false} /></label>
      <p class="buttons"><button type="submit" disabled={isBusy}>{isBusy ? "deciding again …" : "Decide again"}</button></p>
    </form>
    {error && <Problem error={error} />}
    {answer && <Result a={answer} />}
  </>;
}
