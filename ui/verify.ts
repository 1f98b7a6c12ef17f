// The audit's chain, recomputed here. What the server says of it does not count: only the bytes, SHA-256, Ed25519 and the key that the operator gave.
//   line = BODY ,"hash":"HASH"}} \n     HASH = hex(SHA-256(HASH of the line before, BODY))     docs/audit.md
export interface Found { file: string; line: number; sequence: number | null; text: string; advice: string; says: string }
export interface Verdict { lines: number; bytes: number; signatures: number; signed: number; problem: Found | null; key: string | null; last: Seen | null; archived: number }
export interface Listing { files: { name: string; size: number }[]; first: number }
export interface Source { list: () => Promise<Listing>; open: (name: string) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>> }
/** A line that this browser has verified before, under the same key. */
export interface Seen { sequence: number; hash: string }

type Bytes = Uint8Array<ArrayBuffer>;
interface Line { bytes: Bytes; isWhole: boolean }
const TAIL = 76, BEGIN = ",\"hash\":\"", END = "\"}}", ZERO = "0".repeat(64), AT_ONCE = 256, STRETCH = 64 * 1048576;
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { fatal: true });
const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
const hex = (b: ArrayBuffer) => { let s = ""; for (const x of new Uint8Array(b)) s += HEX[x]; return s; };
const unhex = (s: string): Bytes => Uint8Array.from(s.match(/../g) ?? [], x => parseInt(x, 16));
const latin = (b: Bytes) => { let s = ""; for (const x of b) s += String.fromCharCode(x); return s; };
const join = (parts: Bytes[]): Bytes => {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) { all.set(p, at); at += p.length; }
  return all;
};
export const sha256 = async (b: Bytes) => hex(await crypto.subtle.digest("SHA-256", b));

async function isSigned(key: string, signature: Bytes, signed: Bytes) {
  const k = await crypto.subtle.importKey("raw", unhex(key), "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", k, signature, signed);
}

const unbase64 = (s: string): Bytes => Uint8Array.from(atob(s), c => c.charCodeAt(0));

/** DSSE: one of its signatures is the key's. */
export async function isEnvelopeSigned(key: string, e: { payloadType: string; payload: string; signatures: { sig: string }[] }) {
  const body = unbase64(e.payload), type = encoder.encode(e.payloadType), signed = join([encoder.encode(`DSSEv1 ${type.length} ${e.payloadType} ${body.length} `), body]);
  for (const s of e.signatures) if (await isSigned(key, unbase64(s.sig), signed)) return true;
  return false;
}

async function* linesOf(stream: ReadableStream<Bytes>): AsyncGenerator<Line[]> {
  const reader = stream.getReader();
  let rest: Bytes[] = [], restSize = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const out: Line[] = [];
      let from = 0;
      for (let at = value.indexOf(10); at >= 0; at = value.indexOf(10, from)) {
        out.push({ bytes: join([...rest, value.subarray(from, at)]), isWhole: true });
        rest = [], restSize = 0, from = at + 1;
      }
      if (from < value.length) rest.push(value.slice(from)), restSize += value.length - from;
      if (out.length) yield out;
    }
    if (restSize) yield [{ bytes: join(rest), isWhole: false }];
  } finally {
    void reader.cancel().catch(() => undefined); // what was not read is not wanted
  }
}

/** The number of a file's first line, by its name; null: the current one. */
const firstOf = (name: string) => { const m = /^audit-(\d+)\.jsonl$/.exec(name); return m ? Number(m[1]) : null; };

/** Whether the current file begins behind the next line, or with none: the writer may have begun it since the files were listed. */
function leaps(head: Line[] | undefined, sequence: number) {
  if (!head?.[0]) return true;
  try { return JSON.parse(decoder.decode(head[0].bytes)).event.sequence > sequence + 1; } catch { return false; }
}

async function* behind<A>(head: A | undefined, rest: AsyncGenerator<A>) {
  if (head !== undefined) yield head;
  yield* rest;
}

class Bad extends Error {}

const begin = (seq: number) => `If the lines before it were archived elsewhere, set security.audit_first_line: ${seq}, reload sandboxd, and verify again.`;
const archive = (name: string, first: number | null) => `Keep this file as evidence. When it is archived elsewhere (${name} and those before it), set security.audit_first_line to ${
  first ?? "the number of the first line of audit.jsonl"}, reload sandboxd, and verify again: this page then says of the lines from there on what they are.`;

/** What this browser has seen before, and this walk: the same, elsewhere now (by the server's word), or another history. */
export function recall(seen: Seen | null, v: Verdict, met: string): "same" | "archived" | "lost" {
  if (!seen || met === seen.hash) return "same";
  return seen.sequence < v.archived ? "archived" : "lost";
}

const SIGN_SLACK = 8; // as src/audit/verify.c: writers that were killed one after the other each end a line

/** Everything of it, the oldest line first, until the first problem. */
export async function verify(source: Source, pinned: string | null, progress: (v: Verdict) => void, isOver: () => boolean,
  each: (sequence: number, hash: string) => void = () => undefined): Promise<Verdict> {
  let { files, first } = await source.list(), listedAt = -1;
  const v: Verdict = { lines: 0, bytes: 0, signatures: 0, signed: 0, problem: null, key: null, last: null, archived: first - 1 };
  let previous = first > 1 ? null : ZERO, sequence = first - 1, promise = 0, sinceSigned = 0;
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!, next = files[at + 1];
    let number = 0, offset = 0, stretch: { offset: number; parts: Bytes[]; size: number; line: number; isWhole: boolean } | null = null;
    const fail = (text: string, line = number, seq: number | null = null, advice = next ? archive(file.name, firstOf(next.name)) : "", says = ""): Verdict =>
      ({ ...v, problem: { file: file.name, line, sequence: seq, text, advice, says } });
    const lines = linesOf(await source.open(file.name)); // a server that does not answer has not been caught at anything
    const head = (await lines.next()).value as Line[] | undefined;
    if (firstOf(file.name) === null && listedAt !== sequence && leaps(head, sequence)) { // once for each line: a server that lists without end is not followed
      const later = await source.list(), found = later.files.findIndex(f => firstOf(f.name) === sequence + 1);
      listedAt = sequence;
      if (found >= 0) {
        void lines.return(undefined);
        files = later.files, at = found - 1;
        continue;
      }
    }
    for await (const batch of behind(head, lines)) {
      for (let from = 0; from < batch.length; from += AT_ONCE) {
        const part = batch.slice(from, from + AT_ONCE);
        const forms = part.map(l => {
          const tail = l.bytes.length >= TAIL ? latin(l.bytes.subarray(l.bytes.length - TAIL)) : "";
          const is = l.isWhole && tail.startsWith(BEGIN) && tail.endsWith(END) && /^[0-9a-f]{64}$/.test(tail.slice(BEGIN.length, -END.length));
          return is ? { body: l.bytes.subarray(0, l.bytes.length - TAIL), hash: tail.slice(BEGIN.length, -END.length) } : null;
        });
        let before = previous;
        const expected = await Promise.all(forms.map(f => {
          if (!f) return null;
          const h = before === null ? null : sha256(join([encoder.encode(before), f.body]));
          before = f.hash;
          return h;
        }));
        for (let i = 0; i < part.length; i++) {
          const line = part[i]!, form = forms[i];
          number++;
          const size = line.bytes.length + (line.isWhole ? 1 : 0);
          if (!form) { // a cut line, or something foreign: the next line has to account for it
            stretch ??= { offset, parts: [], size: 0, line: number, isWhole: true };
            stretch.isWhole = line.isWhole;
            stretch.parts.push(line.bytes, ...(line.isWhole ? [Uint8Array.of(10)] : []));
            stretch.size += size;
            offset += size, v.bytes += size;
            if (stretch.size > STRETCH) return fail("these bytes are no line", stretch.line);
            continue;
          }
          let text: any;
          try { text = JSON.parse(decoder.decode(line.bytes)); } catch { return fail("this line is no JSON", number, sequence + 1); }
          const event = text?.event ?? {}, chain = text?.agentsandbox?.chain ?? {};
          const seq = typeof event.sequence === "number" ? event.sequence as number : null;
          try {
            if (!v.lines && seq !== first && seq) return fail(`the audit begins with line ${seq}, and line ${first} was expected`, number, seq, begin(seq));
            if (expected[i] !== null && expected[i] !== form.hash) throw new Bad("what this line says is not what was written: its hash is that of other bytes");
            if (expected[i] === null && (await sha256(join([encoder.encode(String(chain.previous_hash ?? "")), form.body]))) !== form.hash)
              throw new Bad("what this line says is not what was written: its hash is that of other bytes");
            if (seq !== sequence + 1) throw new Bad(`line ${sequence + 1} was expected here, and this is ${seq ?? "without a number"}: lines were removed, moved or repeated`);
            if (stretch) {
              if (event.action !== "audit-repaired" || chain.repair_offset !== stretch.offset || chain.repair_bytes !== stretch.size || chain.repair_hash !== await sha256(join(stretch.parts)))
                return fail("these bytes are no line, and the next line does not account for them", stretch.line);
              stretch = null;
            }
            if (previous === null) each(sequence, String(chain.previous_hash ?? "")); // the last line of those that are elsewhere
            if (chain.previous_hash !== undefined && previous !== null && chain.previous_hash !== previous) throw new Bad("this file does not follow the one before it");
            sinceSigned++;
            if (event.action === "audit-signed") {
              const key = String(pinned ?? chain.public_key);
              if (chain.signed_sequence !== seq - 1 || chain.signed_hash !== previous) throw new Bad("this signature is for another line");
              if (pinned && chain.public_key !== pinned) throw new Bad("this signature is of another key than the one that you gave");
              if (v.key && chain.public_key !== v.key) throw new Bad("this signature is of another key than those before it");
              if (!await isSigned(key, unhex(String(chain.signature)), encoder.encode(`sandbox-agent-audit-v1\n${chain.signed_sequence}\n${chain.signed_hash}\n${chain.next_within}\n`)))
                throw new Bad("this signature is wrong");
              v.key = chain.public_key, v.signatures++, v.signed = seq - 1, promise = Number(chain.next_within), sinceSigned = 0;
            } else if (promise && sinceSigned > promise + SIGN_SLACK) {
              throw new Bad(`a signature is missing: the last one promised another within ${promise} lines`);
            }
          } catch (e) {
            if (e instanceof Bad) return fail(e.message, number, seq, undefined, new TextDecoder().decode(line.bytes));
            throw e;
          }
          previous = form.hash, sequence = seq!, v.lines++, v.last = { sequence, hash: form.hash };
          offset += size, v.bytes += size;
          each(sequence, form.hash);
        }
        progress({ ...v });
        if (isOver()) return v;
      }
    }
    // the last line of all may be on its way
    if (stretch && (next || stretch.isWhole)) return fail("these bytes are no line, and no line accounts for them", stretch.line);
  }
  return v;
}
