// The service, as the page asks it. Two secrets make the session: the cookie, which no script sees, and the header, which is kept for this origin.
import { signal } from "@preact/signals";

export interface Who { name: string; role: "read" | "admin"; key_id: string; base_path: string; ends_in_seconds: number }
export const who = signal<Who | null>(null);
export const farewell = signal("");

const PLACE = "sandbox-session";

export class Refusal extends Error {
  constructor(readonly status: number, message: string, readonly remedy = "") { super(message); }
}

function headers(isBackground: boolean): Record<string, string> {
  const h: Record<string, string> = { "X-Sandbox-Session": localStorage.getItem(PLACE) ?? "" };
  if (isBackground) h["X-Sandbox-Background"] = "1";
  return h;
}

async function refusal(answer: Response): Promise<Refusal> {
  const text = await answer.text();
  try {
    const e = JSON.parse(text).error;
    return new Refusal(answer.status, e.message, e.details?.remedy ?? "");
  } catch {
    return new Refusal(answer.status, `the service answered ${answer.status}`);
  }
}

/** Several requests may hear of it: the first knows why, the others only that the session is gone. */
function over(why: string) {
  localStorage.removeItem(PLACE);
  if (who.value || !farewell.value) farewell.value = why;
  who.value = null;
}

export interface Ask { method?: string; body?: unknown; background?: boolean; signal?: AbortSignal }

async function send(path: string, o: Ask): Promise<Response> {
  const init: RequestInit = { method: o.method ?? "GET", headers: headers(o.background ?? false), credentials: "same-origin", cache: "no-store" };
  if (o.signal) init.signal = o.signal;
  if (o.body !== undefined) init.body = JSON.stringify(o.body);
  const answer = await fetch(path, init).catch(e => { throw o.signal?.aborted ? e : new Refusal(0, "the service does not answer"); });
  if (answer.ok) return answer;
  const why = await refusal(answer);
  if (answer.status === 401) over(why.message);
  throw why;
}

/** Below the base path; or, with outside, from the root. */
export const ask = async (path: string, o: Ask = {}): Promise<any> => (await send((who.value?.base_path ?? "") + path, o)).json();
export const raw = (path: string, o: Ask = {}): Promise<Response> => send((who.value?.base_path ?? "") + path, o);
export const outside = (path: string, o: Ask = {}): Promise<Response> => send(path, o);

export async function logIn(key: string) {
  const answer = await fetch("/ui/session", { method: "POST", headers: { Authorization: "Bearer " + key.trim() }, credentials: "same-origin" })
    .catch(() => { throw new Refusal(0, "the service does not answer"); });
  if (!answer.ok) throw await refusal(answer);
  const made = await answer.json();
  localStorage.setItem(PLACE, made.session);
  farewell.value = "";
  who.value = made;
}

export async function resume() {
  if (!localStorage.getItem(PLACE)) return;
  try {
    who.value = await (await send("/ui/session", {})).json();
  } catch (e) {
    if (!farewell.value) over((e as Error).message);
  }
}

export async function logOut() {
  await send("/ui/session", { method: "DELETE" }).catch(() => undefined);
  over("logged out");
}

export const words = (o: Record<string, string | number | undefined>) => {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(o)) if (value !== undefined && value !== "") q.set(name, String(value));
  const text = q.toString();
  return text ? "?" + text : "";
};
