// Runs: every end of a run that the audit has, the newest first, loaded page by page as one scrolls; only the rows that show are in the document.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, words } from "./api";
import { Problem } from "./load";
import { link, Mark, plain, T, when } from "./text";

const ROW = 34, PAGE = 200, MORE = 12, HELD = 20000;
const KEYS: Record<string, string> = { agent: "agent", level: "level", reason: "reason", rule: "rule", run: "execution", since: "since", until: "until", action: "action", before: "before" };

/** What a row shows, and no more of the line: many are held. */
interface Shown { sequence: number; at: string; agent: string | undefined; level: string | undefined; how: string; rule: string | undefined; text: string; id: string }
const shown = (e: any): Shown => ({ sequence: e.event.sequence, at: e["@timestamp"], agent: e.gen_ai?.agent?.id, level: e.labels?.risk_level,
  how: e.event.reason ?? e.event.outcome ?? "?", rule: e.rule?.id, text: plain(e.message).slice(0, 200), id: e.process?.entity_id ?? "" });

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

const toRun = (e: Shown) => link("runs", e.id);

function Row({ e, top, isOn }: { e: Shown; top: number; isOn: boolean }) {
  return <div role="row" class={"row" + (isOn ? " on" : "")} style={{ top: top + "px" }} aria-rowindex={top / ROW + 2}>
    <span role="cell">{when(e.at)}</span>
    <span role="cell">{e.agent ? <a tabIndex={-1} href={link("agents", e.agent)}><T text={e.agent} /></a> : "anonymous"}</span>
    <span role="cell"><T text={e.level} /></span>
    <span role="cell"><Mark word={e.how} /></span>
    <span role="cell"><T text={e.rule} /></span>
    <span role="cell" class="wide-cell"><a tabIndex={-1} href={toRun(e)}><T text={e.text || e.id} /></a></span>
  </div>;
}

const search = (q: string) => { location.hash = "#/runs?q=" + encodeURIComponent(q); };

/** Where in the audit the list begins, by line: the whole of it is as wide as this, however long it is. */
function Position({ q, newest, before }: { q: string; newest: number; before: number | null }) {
  const at = before ?? newest, rest = q.replace(/(^|\s)before:\S*/g, "").trim();
  const go = (n: number) => search(n >= newest ? rest : `${rest} before:${n}`.trim());
  return <label class="position">From line {at.toLocaleString("en")} of the audit back, of {newest.toLocaleString("en")}
    <input type="range" min={1} max={newest} value={at} step={Math.max(1, Math.floor(newest / 1000))} aria-label="Position in the audit" onChange={e => go(Number(e.currentTarget.value))} /></label>;
}

export function Runs({ q }: { q: string }) {
  const [list, setList] = useState<Shown[]>([]), [state, setState] = useState<"loading" | "more" | "end">("loading"), [error, setError] = useState<Error | null>(null);
  const [top, setTop] = useState(0), [on, setOn] = useState(0), [isLive, setLive] = useState(true), [height, setHeight] = useState(600);
  const box = useRef<HTMLDivElement>(null), cursor = useRef<number | null>(null), round = useRef(0);
  const [newest, setNewest] = useState(0), [isCut, setCut] = useState(false);
  const filter = parse(q), before = typeof filter === "string" || !filter.before ? null : Number(filter.before);

  const load = async (first: boolean) => {
    const mine = first ? ++round.current : round.current;
    if (typeof filter === "string") return;
    setState("loading");
    try {
      const page = await ask("/audit" + words({ ...filter, ends: "true", last: PAGE, before: first ? filter.before : cursor.current ?? undefined }), { background: !first });
      if (mine !== round.current) return;
      const rows: Shown[] = page.events.reverse().map(shown), gone = !first && list.length + rows.length > HELD ? HELD / 2 : 0;
      cursor.current = page.previous;
      setError(null);
      setList(l => first ? rows : [...l.slice(gone), ...rows]);
      if (gone) { // the place that one looks at stays where it is
        box.current!.scrollTop -= gone * ROW;
        setTop(t => Math.max(0, t - gone * ROW)), setOn(n => Math.max(0, n - gone)), setCut(true);
      }
      setState(page.previous === null ? "end" : "more");
    } catch (e) {
      if (mine === round.current) { setError(e as Error); setState("end"); }
    }
  };
  useEffect(() => { setList([]); setTop(0); setOn(0); setCut(false); cursor.current = null; if (box.current) box.current.scrollTop = 0; void load(true); return () => { round.current++; }; }, [q]);
  useEffect(() => { // how far one can go: by the newest end of a run
    ask("/audit" + words({ ends: "true", last: 1 }), { background: true }).then(p => setNewest(p.events[0]?.event.sequence ?? 0), () => undefined);
  }, [q]);
  useEffect(() => { setHeight(box.current?.clientHeight ?? 600); }, []);
  useEffect(() => { // a page without hits is not the end: go on
    if (state === "more" && (list.length - (top + height) / ROW) < PAGE / 2) void load(false);
  }, [state, top, list.length]);
  useEffect(() => {
    if (!isLive || isCut || before !== null || typeof filter === "string") return;
    const timer = setInterval(async () => {
      const last = list[0]?.sequence ?? 0, mine = round.current;
      try {
        const page = await ask("/audit" + words({ ...filter, ends: "true", last: PAGE }), { background: true });
        const fresh: Shown[] = page.events.map(shown).filter((e: Shown) => e.sequence > last).reverse();
        if (fresh.length && mine === round.current) setList(l => fresh.length >= PAGE ? l : [...fresh.filter(f => f.sequence > (l[0]?.sequence ?? 0)), ...l]);
        if (fresh.length >= PAGE && mine === round.current) void load(true);
      } catch { /* the next one may */ }
    }, 2000);
    return () => clearInterval(timer);
  }, [isLive, isCut, q, list[0]?.sequence]);

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
    if (e.key === "Enter" && e.target === box.current && list[on]) location.hash = toRun(list[on]!);
  };
  return <>
    <h1>Runs</h1>
    <form role="search" onSubmit={e => { e.preventDefault(); search((new FormData(e.currentTarget).get("q") as string).trim()); }}>
      <input key={q} name="q" defaultValue={q} aria-label="Query" placeholder="agent:a level:high reason:killed rule:pids since:2h" spellcheck={false} autocomplete="off" />
      <button type="submit">Find</button>
      <label class="inline"><input type="checkbox" checked={isLive} onChange={e => setLive(e.currentTarget.checked)} /> live</label>
    </form>
    {typeof filter === "string" && <p class="problem" role="alert"><T text={filter} /></p>}
    {error && <Problem error={error} />}
    {newest > 1 && <Position q={q} newest={newest} before={before} />}
    <div class="list" role="table" aria-label="Runs" aria-rowcount={state === "end" ? list.length + 1 : -1}>
      <div role="rowgroup"><div role="row" class="head">{["Ended", "Agent", "Level", "How", "Rule", "What happened"].map(h => <span role="columnheader" key={h}>{h}</span>)}</div></div>
      <div role="rowgroup" aria-label="Runs: arrows move, Enter opens" class="scroll" ref={box} tabIndex={0} onKeyDown={key} onScroll={e => { setTop(e.currentTarget.scrollTop); setHeight(e.currentTarget.clientHeight); }}>
        <div role="presentation" style={{ height: list.length * ROW + "px", position: "relative" }}>
          {list.slice(from, to).map((e, i) => <Row key={e.sequence} e={e} top={(from + i) * ROW} isOn={from + i === on} />)}
        </div>
      </div>
    </div>
    <p class="none" role="status">{list.length.toLocaleString("en")} {state === "loading" ? "and loading …" : state === "more" ? "and there are more" : list.length ? "in all" : "runs"}{isCut && `; of what came before, the page holds ${HELD.toLocaleString("en")} rows at most: enter the query again for the newest`}</p>
  </>;
}
