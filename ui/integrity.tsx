// Integrity: this page reads every byte of the audit and recomputes hashes and signatures here, against a key that the operator brought from elsewhere.
import { useRef, useState } from "preact/hooks";
import { ask, raw } from "./api";
import { Problem } from "./load";
import { Block, bytes, link, Pairs, T, when } from "./text";
import { recall, verify, type Listing, type Seen, type Verdict } from "./verify";

const KEY = "audit-key", SEEN = "audit-seen:";
/** The audit's public key as the operator brought it; null: not yet. */
export const pinnedKey = () => localStorage.getItem(KEY);
const list = async (): Promise<Listing> => { const l = await ask("/audit/files", { background: true }); return { files: l.files, first: l.first_line }; };

/** The line that is not what was written, as it stands there now: to find the run that it is about. */
function Says({ text }: { text: string }) {
  const line = JSON.parse(text), run = line.process?.entity_id, agent = line.gen_ai?.agent?.id; // it is JSON: verify() has read it
  return <>
    <h2>What that line says now</h2>
    <p class="none">None of it is to be believed; the lines before it and the run's receipt may say what it was.</p>
    <Pairs rows={[["Time", when(line["@timestamp"])], ["Action", <T text={line.event?.action} />], ["Agent", agent ? <a href={link("agents", String(agent))}><T text={agent} /></a> : "–"],
      ["Run", run ? <a href={link("runs", String(run))}><T text={run} /></a> : "–"]]} />
    <Block label="The line" text={text} />
  </>;
}

export function Integrity() {
  const [pin, setPin] = useState(localStorage.getItem(KEY) ?? ""), [verdict, setVerdict] = useState<Verdict | null>(null);
  const [state, setState] = useState<"idle" | "busy" | "done">("idle"), [error, setError] = useState<Error | null>(null);
  const [seen, setSeen] = useState<{ is: "same" | "archived" | "lost"; line: number; now: string }>({ is: "same", line: 0, now: "" });
  const stop = useRef(false);
  const key = pin.trim().toLowerCase(), isKey = /^[0-9a-f]{64}$/.test(key);
  const go = async (e: Event) => {
    e.preventDefault();
    if (key && !isKey) return setError(new Error("A public key has 64 hexadecimal digits: audit.pub in the state directory has it."));
    if (key) localStorage.setItem(KEY, key); else localStorage.removeItem(KEY);
    setError(null), setVerdict(null), setState("busy");
    stop.current = false;
    try {
      const before: Seen | null = JSON.parse(localStorage.getItem(SEEN + key) ?? "null");
      let met = "";
      const source = { list, open: async (name: string) => (await raw("/audit/files/" + encodeURIComponent(name), { background: true })).body! };
      const v = await verify(source, isKey ? key : null, setVerdict, () => stop.current, (sequence, hash) => { if (before?.sequence === sequence) met = hash; });
      const isWhole = !v.problem && !stop.current, is = isWhole ? recall(before, v, met) : "same";
      setVerdict(v), setSeen({ is, line: before?.sequence ?? 0, now: met });
      if (isKey && isWhole && v.last && is !== "lost") localStorage.setItem(SEEN + key, JSON.stringify(v.last));
      setState("done");
    } catch (e) {
      setError(e as Error), setState("idle");
    }
  };
  const behind = verdict?.last ? verdict.last.sequence - verdict.signed - (verdict.last.sequence === verdict.signed + 1 ? 1 : 0) : 0;
  const p = verdict?.problem, isOver = state === "done" && !stop.current;
  return <>
    <h1>Integrity of the audit</h1>
    <p>This page fetches the audit's files byte by byte and recomputes SHA-256 and Ed25519 in this browser. What the server says of them does not count. It counts whose key signs:
      bring the public key from the machine itself (<code>audit.pub</code> in the state directory), not from this page.</p>
    <form onSubmit={go}>
      <label>Public key of the audit<input name="key" value={pin} onInput={e => setPin(e.currentTarget.value)} spellcheck={false} autocomplete="off" placeholder="64 hexadecimal digits" /></label>
      <p class="none">Left empty, a line that was changed, removed or inserted is found all the same; whose key signed is then the server's word.</p>
      <p class="buttons"><button type="submit" disabled={state === "busy"}>Verify</button>{state === "busy" && <button type="button" onClick={() => { stop.current = true; }}>Stop</button>}</p>
    </form>
    {error && <Problem error={error} />}
    {verdict && <div role="status" aria-live="polite">
      {p ? <div class="verdict bad"><b>Tampered.</b> <T text={p.file} />, line {p.line}{p.sequence !== null && <> (number {p.sequence})</>}: {p.text}. The {verdict.lines.toLocaleString("en")} lines before it are as they were written.<p>{p.advice || "Keep the files as they are, and copy the log directory elsewhere: they are evidence. Then find out who could write it at that time."}</p></div>
        : seen.is === "lost" && isOver ? <div class="verdict bad"><b>Tampered.</b> This browser has seen line {seen.line} of this key before, and it is {seen.now ? "another one now" : "gone"}: the history was rewritten or cut off.
          <p>If you know why (the log was restored from an older copy, or moved away whole), let this browser forget that line.
            {" "}<button type="button" onClick={() => { localStorage.removeItem(SEEN + key); setSeen({ ...seen, is: "same" }); setVerdict(null); }}>Forget line {seen.line}</button></p></div>
        : !isOver ? <p>{verdict.lines.toLocaleString("en")} lines, {bytes(verdict.bytes)} …</p>
        : !verdict.signatures ? <div class="verdict so"><b>Not signed.</b> The chain holds together, and there is no signature in it.</div>
        : isKey ? <><div class="verdict good"><b>As it was written</b> up to number {verdict.signed}, signed by your key.</div>
          {behind > 0 && <p class="problem so">The {behind.toLocaleString("en")} {behind === 1 ? "line" : "lines"} behind it hang together, and no signature covers them yet: another program
            that writes the log directory could have written them anew.</p>}</>
        : <div class="verdict so"><b>The chain holds together, by a key that is the server's word.</b> Enter the public key to know that it is yours.</div>}
      {p?.says && <Says text={p.says} />}
      {seen.is === "archived" && isOver && <p class="problem so">Line {seen.line}, which this browser has seen before, is among those archived elsewhere, by the server's word. Verify the archived files, too:
        <code> sandbox-agent audit verify --file FILE --public-key HEX</code></p>}
      <Pairs rows={[["Lines", verdict.lines.toLocaleString("en")], ["Bytes", bytes(verdict.bytes)], ["Signatures", verdict.signatures], ["Signed up to", verdict.signed || "–"],
        ["Not yet signed", verdict.last ? verdict.last.sequence - verdict.signed : "–"], ["Key that signed", <T text={verdict.key ?? "–"} />],
        ...(verdict.archived ? [["Archived elsewhere, by the server's word", verdict.archived] as [string, number]] : [])]} />
    </div>}
    <h2>When this page itself may lie</h2>
    <p>A server that was taken over can serve another page. Then copy the log directory to another machine and verify it there:</p>
    <pre tabIndex={0} role="region" aria-label="Command">sandbox-agent audit verify --file audit.jsonl --public-key HEX</pre>
  </>;
}
