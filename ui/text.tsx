// What agents wrote, as text: controls and marks that turn or hide text are shown by name, and what is long is folded. Nothing here makes markup of it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

const FOLD = 16384, SHOWN = 4096;
// C0 and C1, soft hyphen, marks of direction, zero width, separators of lines, tags, and half of a pair
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

const name = (c: string) => {
  const n = c.codePointAt(0)!;
  return n < 0x100 ? "\\x" + n.toString(16).padStart(2, "0") : "\\u{" + n.toString(16).toUpperCase().padStart(4, "0") + "}";
};

function pieces(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let at = 0;
  for (const m of text.matchAll(ODD)) {
    if (m.index > at) out.push(text.slice(at, m.index));
    out.push(<span class="odd" title="a character that does not show">{name(m[0])}</span>);
    at = m.index + m[0].length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

export function T({ text }: { text: unknown }) {
  const [all, showAll] = useState(false);
  const s = text === null || text === undefined ? "" : typeof text === "string" ? text : String(text);
  const isLong = s.length > FOLD && !all;
  return <bdi class="theirs">{pieces(isLong ? s.slice(0, SHOWN) : s)}
    {isLong && <button type="button" class="more" onClick={() => showAll(true)}>… {(s.length - SHOWN).toLocaleString("en")} more characters</button>}</bdi>;
}

export const plain = (s: unknown) => String(s ?? "").replace(ODD, name);

/** Tabular text: a block that keeps its lines. */
export const Block = ({ text, label }: { text: string; label: string }) => <pre tabIndex={0} role="region" aria-label={label}><T text={text} /></pre>;

export function when(t: string | null | undefined) {
  if (!t) return <span class="none">–</span>;
  const d = new Date(t);
  return <time dateTime={t} title={t}>{isNaN(+d) ? plain(t) : d.toISOString().slice(0, 19).replace("T", " ")}</time>;
}

export const bytes = (n: number | null | undefined) =>
  n === null || n === undefined ? "–" : n < 1024 ? `${n} B` : n < 1048576 ? `${(n / 1024).toFixed(1)} KiB` : n < 1073741824 ? `${(n / 1048576).toFixed(1)} MiB` : `${(n / 1073741824).toFixed(1)} GiB`;
export const millis = (n: number | null | undefined) => n === null || n === undefined ? "–" : n < 10000 ? `${Math.round(n)} ms` : `${(n / 1000).toFixed(1)} s`;

const GOOD = new Set(["completed", "good", "ok", "running", "in use"]), BAD = new Set(["killed", "silent", "cut off", "banned", "quarantined", "policy_denied", "oom", "critical", "high"]);
export const Mark = ({ word }: { word: string }) => <span class={"mark " + (GOOD.has(word) ? "good" : BAD.has(word) ? "bad" : "so")}>{plain(word)}</span>;

export const link = (...parts: string[]) => "#/" + parts.map(encodeURIComponent).join("/");
export const query = (...terms: string[]) => "#/runs?q=" + encodeURIComponent(terms.join(" "));
/** A value of the query line: quoted where it has blanks. */
export const term = (key: string, value: string) => key + ":" + (/[\s"]/.test(value) ? JSON.stringify(value) : value);

export function Pairs({ rows }: { rows: [string, ComponentChildren][] }) {
  return <dl>{rows.map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl>;
}

export function Table({ head, rows, label, empty = "nothing" }: { head: string[]; rows: ComponentChildren[][]; label: string; empty?: string }) {
  if (!rows.length) return <p class="none">{empty}</p>;
  return <div class="wide" tabIndex={0} role="region" aria-label={label}><table><caption class="hidden">{label}</caption>
    <thead><tr>{head.map(h => <th key={h} scope="col">{h}</th>)}</tr></thead>
    <tbody>{rows.map((r, i) => <tr key={i}>{r.map((c, j) => <td key={j}>{c}</td>)}</tr>)}</tbody></table></div>;
}
