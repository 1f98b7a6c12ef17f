// What runs took (GET /usage): sums of their results, by agent, key and day.
import type { ComponentChildren } from "preact";
import { ask, words } from "./api";
import { useLoad, Wait } from "./load";
import { bytes, millis, T, Table } from "./text";

export const amount = (n: number) => n.toLocaleString("en", { maximumFractionDigits: 1 });

/** by: as the route has it; first: what a row is called; most: the rows that took most CPU time. */
export function Usage({ ask: q, head, first, most }: { ask: Record<string, string>; head: string[]; first: (row: any) => ComponentChildren[]; most?: number }) {
  const use = useLoad("usage" + JSON.stringify(q), b => ask("/usage" + words(q), { background: b }));
  return <Wait of={use}>{u => {
    const all: any[] = most ? u.rows.toSorted((a: any, b: any) => b.cpu_ms - a.cpu_ms) : u.rows.toReversed(), rows = all.slice(0, most ?? 400);
    return <>
      <Table label="Used" empty="nothing was used" head={[...head, "Runs", "CPU", "Memory, MiB s", "In", "Out"]} rows={rows.map(r => [...first(r),
        <>{amount(r.runs)}{r.unmeasured > 0 && <small> {amount(r.unmeasured)} not measured in full</small>}</>, millis(r.cpu_ms), amount(r.memory_mib_seconds), bytes(r.bytes_in), bytes(r.bytes_out)])} />
      {rows.length < all.length && <p class="none">{amount(all.length - rows.length)} more: <code>sandbox-agent usage</code> has all.</p>}
    </>;
  }}</Wait>;
}

/** The command line has no key. */
export const keyName = (id: string | null) => id ? <T text={id} /> : "command line";
