// Runs: every end of a run that the audit has, the newest first, loaded page by page as one scrolls; only the rows that show are in the document.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, words } from "./api";
import { Problem } from "./load";
import { link, Mark, plain, T, when } from "./text";

const ROW = 34, PAGE = 200, MORE = 12;
const KEYS: Record<string, string> = { agent: "agent", level: "level", reason: "reason", rule: "rule", run: "execution", since: "since", until: "until", action: "action" };

/** «agent:a level:high since:2h» -> parameters of /audit, or what is wrong with it. */
export function parse(line: string): Record<string, string> | string {
  const out: Record<string, string> = {};
  for (const m of line.matchAll(/([a-z]+):("(?:[^"\\]|\\.)*"|\S+)|(\S+)/g)) {
    const key = m[1] && KEYS[m[1]];
    if (!key) return `${m[0]}: expected ${Object.keys(KEYS).join(":, ")}:`;
    try { out[key] = m[2]!.startsWith("\"") ? JSON.parse(m[2]!) : m[2]!; } catch { return `${m[0]}: a quote is missing`; }
  }
  return out;
}

function Row({ e, top, isOn }: { e: any; top: number; isOn: boolean }) {
  const id = e.process?.entity_id ?? "", agent = e.gen_ai?.agent?.id;
  return <div role="row" class={"row" + (isOn ? " on" : "")} style={{ top: top + "px" }} aria-rowindex={top / ROW + 2}>
    <span role="cell">{when(e["@timestamp"])}</span>
    <span role="cell">{agent ? <a tabIndex={-1} href={link("agents", agent)}><T text={agent} /></a> : "anonymous"}</span>
    <span role="cell"><T text={e.labels?.risk_level} /></span>
    <span role="cell"><Mark word={e.event.reason ?? e.event.outcome ?? "?"} /></span>
    <span role="cell"><T text={e.rule?.id} /></span>
    <span role="cell" class="wide-cell"><a tabIndex={-1} href={link("runs", id)}><T text={plain(e.message).slice(0, 200)} /></a></span>
  </div>;
}

export function Runs({ q }: { q: string }) {
  const [list, setList] = useState<any[]>([]), [state, setState] = useState<"loading" | "more" | "end">("loading"), [error, setError] = useState<Error | null>(null);
  const [top, setTop] = useState(0), [on, setOn] = useState(0), [isLive, setLive] = useState(true), [height, setHeight] = useState(600);
  const box = useRef<HTMLDivElement>(null), cursor = useRef<number | null>(null), round = useRef(0);
  const filter = parse(q);

  const load = async (first: boolean) => {
    const mine = first ? ++round.current : round.current;
    if (typeof filter === "string") return;
    setState("loading");
    try {
      const page = await ask("/audit" + words({ ...filter, ends: "true", last: PAGE, before: first ? undefined : cursor.current ?? undefined }), { background: !first });
      if (mine !== round.current) return;
      const rows = page.events.reverse();
      cursor.current = page.previous;
      setError(null);
      setList(l => first ? rows : [...l, ...rows]);
      setState(page.previous === null ? "end" : "more");
    } catch (e) {
      if (mine === round.current) { setError(e as Error); setState("end"); }
    }
  };
  useEffect(() => { setList([]); setTop(0); setOn(0); cursor.current = null; if (box.current) box.current.scrollTop = 0; void load(true); return () => { round.current++; }; }, [q]);
  useEffect(() => { setHeight(box.current?.clientHeight ?? 600); }, []);
  useEffect(() => { // a page without hits is not the end: go on
    if (state === "more" && (list.length - (top + height) / ROW) < PAGE / 2) void load(false);
  }, [state, top, list.length]);
  useEffect(() => {
    if (!isLive || typeof filter === "string") return;
    const timer = setInterval(async () => {
      const newest = list[0]?.event.sequence ?? 0, mine = round.current;
      try {
        const page = await ask("/audit" + words({ ...filter, ends: "true", last: PAGE }), { background: true });
        const fresh = page.events.filter((e: any) => e.event.sequence > newest).reverse();
        if (fresh.length && mine === round.current) setList(l => fresh.length >= PAGE ? l : [...fresh.filter((f: any) => f.event.sequence > (l[0]?.event.sequence ?? 0)), ...l]);
        if (fresh.length >= PAGE && mine === round.current) void load(true);
      } catch { /* the next one may */ }
    }, 2000);
    return () => clearInterval(timer);
  }, [isLive, q, list[0]?.event.sequence]);

  const from = Math.max(0, Math.floor(top / ROW) - MORE), to = Math.min(list.length, Math.ceil((top + height) / ROW) + MORE);
  const move = (to: number) => {
    const n = Math.max(0, Math.min(list.length - 1, to)), b = box.current!;
    setOn(n);
    if (n * ROW < b.scrollTop) b.scrollTop = n * ROW;
    if ((n + 1) * ROW > b.scrollTop + b.clientHeight) b.scrollTop = (n + 1) * ROW - b.clientHeight;
  };
  const key = (e: KeyboardEvent) => {
    const page = Math.floor(height / ROW) - 1;
    const step: Record<string, number> = { ArrowDown: on + 1, ArrowUp: on - 1, PageDown: on + page, PageUp: on - page, Home: 0, End: list.length - 1 };
    if (e.key in step) { e.preventDefault(); move(step[e.key]!); }
    if (e.key === "Enter" && e.target === box.current && list[on]) location.hash = link("runs", list[on].process?.entity_id ?? "");
  };
  return <>
    <h1>Runs</h1>
    <form role="search" onSubmit={e => { e.preventDefault(); location.hash = "#/runs?q=" + encodeURIComponent((new FormData(e.currentTarget).get("q") as string).trim()); }}>
      <input key={q} name="q" defaultValue={q} aria-label="Query" placeholder="agent:a level:high reason:killed rule:pids since:2h" spellcheck={false} autocomplete="off" />
      <button type="submit">Find</button>
      <label class="inline"><input type="checkbox" checked={isLive} onChange={e => setLive(e.currentTarget.checked)} /> live</label>
    </form>
    {typeof filter === "string" && <p class="problem" role="alert"><T text={filter} /></p>}
    {error && <Problem error={error} />}
    <div class="list" role="table" aria-label="Runs" aria-rowcount={state === "end" ? list.length + 1 : -1}>
      <div role="rowgroup"><div role="row" class="head">{["Ended", "Agent", "Level", "How", "Rule", "What happened"].map(h => <span role="columnheader" key={h}>{h}</span>)}</div></div>
      <div role="rowgroup" aria-label="Runs: arrows move, Enter opens" class="scroll" ref={box} tabIndex={0} onKeyDown={key} onScroll={e => { setTop(e.currentTarget.scrollTop); setHeight(e.currentTarget.clientHeight); }}>
        <div role="presentation" style={{ height: list.length * ROW + "px", position: "relative" }}>
          {list.slice(from, to).map((e, i) => <Row key={e.event.sequence} e={e} top={(from + i) * ROW} isOn={from + i === on} />)}
        </div>
      </div>
    </div>
    <p class="none" role="status">{list.length.toLocaleString("en")} {state === "loading" ? "and loading …" : state === "more" ? "and there are more" : list.length ? "in all" : "runs"}</p>
  </>;
}
