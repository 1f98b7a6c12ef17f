// What changes something: an admin key, a reason, and a question before it is done.
import { useRef, useState } from "preact/hooks";
import { ask, who, type Ask } from "./api";
import { Problem } from "./load";
import { T } from "./text";

interface Act { label: string; verb: string; about: string; done: () => void; field?: { label: string; name: string; value: string }; how: (reason: string, value: string) => [string, Ask] }

export function Action({ label, verb, about, done, field, how }: Act) {
  const dialog = useRef<HTMLDialogElement>(null), reason = useRef<HTMLTextAreaElement>(null), input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<Error | null>(null), [isBusy, busy] = useState(false);
  if (who.value?.role !== "admin") return null;
  const go = async (e: Event) => {
    e.preventDefault();
    const text = reason.current!.value.trim();
    if (!text) return setError(new Error("A reason is needed: it goes into the audit."));
    busy(true);
    try {
      const [path, options] = how(text, input.current?.value ?? "");
      await ask(path, options);
      dialog.current!.close();
      done();
    } catch (e) {
      setError(e as Error);
    } finally {
      busy(false);
    }
  };
  const id = "act-" + verb.replace(/\W/g, "-");
  return <>
    <button type="button" onClick={() => { setError(null); dialog.current!.showModal(); }}>{label} …</button>
    <dialog ref={dialog} aria-labelledby={id}>
      <form method="dialog" onSubmit={go}>
        <h2 id={id}>{verb}: <T text={about} /></h2>
        {field && <label>{field.label}<input ref={input} name={field.name} defaultValue={field.value} required /></label>}
        <label>Reason, for the audit<textarea ref={reason} name="reason" rows={3} maxLength={400} /></label>
        {error && <Problem error={error} />}
        <p class="buttons"><button type="submit" disabled={isBusy}>{verb}</button><button type="button" onClick={() => dialog.current!.close()}>Leave it</button></p>
      </form>
    </dialog>
  </>;
}

export function AgentActions({ id, standing, trust, done }: { id: string; standing: string; trust?: number; done: () => void }) {
  const act = (verb: string) => (reason: string): [string, Ask] => [`/agents/${encodeURIComponent(id)}/${verb}`, { method: "POST", body: { reason } }];
  return <p class="buttons">
    {standing !== "quarantined" && <Action label="Quarantine" verb="Quarantine" about={id} done={done} how={act("quarantine")} />}
    {standing !== "good" && <Action label="Release" verb="Release" about={id} done={done} how={act("release")} />}
    {standing !== "banned" && <Action label="Ban" verb="Ban" about={id} done={done} how={act("ban")} />}
    {trust !== undefined && <Action label="Set trust" verb="Set trust" about={id} done={done} field={{ label: "Trust", name: "trust", value: trust.toFixed(3) }}
      how={(reason, value) => [`/agents/${encodeURIComponent(id)}`, { method: "PATCH", body: { trust: value, reason } }]} />}
  </p>;
}
