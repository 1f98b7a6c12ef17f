// A run's receipt: what the service signed of it. Its signature is verified here, against the audit's key that the operator brought to the view Integrity.
import { useState } from "preact/hooks";
import { ask } from "./api";
import { pinnedKey } from "./integrity";
import { Problem, type Loaded } from "./load";
import { download, Tree } from "./now";
import { Mark, Pairs, T, Table, when } from "./text";
import { isEnvelopeSigned } from "./verify";

const unpack = (text: string) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(text), c => c.charCodeAt(0))));

const pathOf = (id: string) => `/executions/${encodeURIComponent(id)}/receipt`;

export async function fetchReceipt(id: string, background: boolean) {
  const envelope = await ask(pathOf(id), { background }), key = pinnedKey();
  return { statement: unpack(envelope.payload), signers: envelope.signatures.map((s: any) => s.keyid), key, isSigned: key ? await isEnvelopeSigned(key, envelope) : null };
}

export function Receipt({ id, one }: { id: string; one: Loaded<Awaited<ReturnType<typeof fetchReceipt>>> }) {
  const [all, showAll] = useState(false);
  if (one.error) return "status" in one.error && one.error.status === 404 ? <p class="none">none is kept: {one.error.message}</p> : <Problem error={one.error} />;
  if (!one.data) return <p class="none" role="status">loading …</p>;
  const { statement, signers, isSigned, key } = one.data, p = statement.predicate, file = id + ".receipt.json";
  return <>
    {isSigned === null ? <p class="problem so">Signed by a key that is the server's word. <a href="#/integrity">Bring the audit's public key</a>, and this page verifies the signature.</p>
      : isSigned ? <p class="fine">The signature is right, by the key that you brought.</p> : <p class="problem" role="alert">This receipt is <b>not signed</b> by the key that you brought.</p>}
    <Pairs rows={[["Signed at", when(p.signed_at)], ["Key that signed", <T text={signers.join(" ")} />], ["Verdict", <><Mark word={p.verdict?.decision ?? "?"} /> at level <T text={p.verdict?.risk_level} /></>],
      ["Policy", <T text={p.policy_hash} />], ["Plan", <T text={p.plan_hash ?? "–"} />], ["Audit, when it was signed", <>number {p.audit?.sequence ?? "–"}</>]]} />
    <Table label="Subjects" head={["Subject", "SHA-256"]} rows={statement.subject.map((s: any) => [<T text={s.name} />, <small><T text={s.digest?.sha256} /></small>])} />
    <p class="buttons"><button type="button" onClick={() => download(pathOf(id), file)}>Download the receipt</button>
      <button type="button" aria-expanded={all} onClick={() => showAll(!all)}>{all ? "Hide the statement" : "Show the statement"}</button></p>
    <pre tabIndex={0} role="region" aria-label="How to verify it elsewhere">sandbox-agent receipt verify {file} --public-key {key ?? "HEX"}</pre>
    {all && <Tree value={statement} />}
  </>;
}
