// Loading, said in words: what is not there says so, and why.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal, who } from "./api";
import { plain } from "./text";

export interface Loaded<A> { data: A | null; error: Refusal | Error | null; again: () => void }

/** every: seconds until it is asked again, by the page itself; 0: not. It may depend on what was loaded. */
export function useLoad<A>(key: string, get: (background: boolean) => Promise<A>, every: number | ((data: A | null) => number) = 0): Loaded<A> {
  const [state, set] = useState<{ key: string; data: A | null; error: Error | null }>({ key, data: null, error: null });
  const [round, next] = useState(0);
  const shown = useRef("");
  useEffect(() => {
    let isOver = false, timer = 0;
    const go = (background: boolean) => {
      get(background).then(data => { if (!isOver) set({ key, data, error: null }); return data; }, error => { if (!isOver) set(s => ({ key, data: s.key === key ? s.data : null, error })); return null; })
        .then(data => {
          const pause = typeof every === "number" ? every : every(data);
          if (!isOver && pause && who.value) timer = window.setTimeout(() => go(true), pause * 1000);
        });
    };
    go(shown.current === key);
    shown.current = key;
    return () => { isOver = true; clearTimeout(timer); };
  }, [key, round]);
  const isOurs = state.key === key;
  return { data: isOurs ? state.data : null, error: isOurs ? state.error : null, again: () => { shown.current = ""; next(round + 1); } };
}

export function Problem({ error }: { error: Error }) {
  const r = error instanceof Refusal ? error : null;
  return <p class="problem" role="alert">{r?.status === 404 ? "Not here (any more): " : ""}{plain(error.message)}{r?.remedy ? <><br /><small>{plain(r.remedy)}</small></> : null}</p>;
}

export function Wait<A>({ of, children }: { of: Loaded<A>; children: (a: A) => ComponentChildren }) {
  return <>{of.error && <Problem error={of.error} />}{of.data !== null ? children(of.data) : of.error ? null : <p class="none" role="status">loading …</p>}</>;
}
