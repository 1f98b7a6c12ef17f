// The operator's page: log in, the way from the URL to a view, and what is around every view.
import { signal } from "@preact/signals";
import { Component, render, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { farewell, logIn, logOut, resume, who } from "./api";
import { Agent } from "./agent";
import { Integrity } from "./integrity";
import { Problem } from "./load";
import { Agents, Doctor, Keys, Now, Profiles, Running } from "./now";
import { Run } from "./run";
import { Runs } from "./runs";
import { T } from "./text";
import { WhatIf } from "./whatif";

const place = signal(location.hash);
addEventListener("hashchange", () => { place.value = location.hash; });

const VIEWS = [["now", "Now"], ["runs", "Runs"], ["agents", "Agents"], ["integrity", "Integrity"], ["whatif", "What if"], ["keys", "Keys"], ["profiles", "Profiles"], ["doctor", "Doctor"]] as const;

const ADMINS = new Set<string>(["whatif", "keys"]);

function decode(part: string) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function View({ at }: { at: string }) {
  const [path = "", search = ""] = at.replace(/^#\/?/, "").split("?", 2), [name = "", id = ""] = path.split("/").map(decode), q = new URLSearchParams(search);
  switch (name || "now") {
    case "now": return <Now />;
    case "running": return <Running />;
    case "runs": return id ? <Run id={id} key={id} /> : <Runs q={q.get("q") ?? ""} />;
    case "agents": return id ? <Agent id={id} key={id} /> : <Agents standing={q.get("standing") ?? ""} after={q.get("after") ?? ""} />;
    case "integrity": return <Integrity />;
    case "whatif": return <WhatIf />;
    case "keys": return <Keys />;
    case "profiles": return <Profiles level={id} />;
    case "doctor": return <Doctor />;
    default: return <p class="problem" role="alert">This page has nothing called <T text={name} />.</p>;
  }
}

/** A view that fails says so, and the others go on. */
class Fence extends Component<{ at: string; children: ComponentChildren }, { error: Error | null; at: string }> {
  override state = { error: null as Error | null, at: this.props.at };
  static getDerivedStateFromProps(p: { at: string }, s: { error: Error | null; at: string }) { return p.at === s.at ? null : { error: null, at: p.at }; }
  override componentDidCatch(error: Error) { this.setState({ error }); }
  override render() { return this.state.error ? <Problem error={this.state.error} /> : this.props.children; }
}

function LogIn() {
  const input = useRef<HTMLInputElement>(null), [error, setError] = useState<Error | null>(null), [isBusy, busy] = useState(false);
  useEffect(() => { input.current?.focus(); document.title = "sandboxd: log in"; }, []);
  const go = async (e: Event) => {
    e.preventDefault();
    busy(true), setError(null);
    try { await logIn(input.current!.value); } catch (e) { setError(e as Error), busy(false); }
  };
  return <main class="login">
    <h1>sandboxd</h1>
    <form onSubmit={go}>
      <label>Key<input ref={input} type="password" name="key" autocomplete="off" spellcheck={false} required placeholder="sa_…" /></label>
      <button type="submit" disabled={isBusy}>Log in</button>
    </form>
    {farewell.value && <p role="status"><T text={farewell.value} /></p>}
    {error && <Problem error={error} />}
    <p class="none">A key of the role read sees, one of the role admin also acts: <code>sandbox-agent keys create --role read --name NAME</code>. The session ends after 15 minutes
      without use, after 8 hours, and with its key.</p>
  </main>;
}

function Page() {
  const at = place.value, name = at.replace(/^#\/?/, "").split(/[/?]/)[0] || "now", main = useRef<HTMLElement>(null), first = useRef(true);
  const isIn = who.value !== null;
  useEffect(() => {
    document.title = "sandboxd: " + (decode(at.replace(/^#\/?/, "").split("?")[0]!) || "now");
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [at, isIn]);
  if (!who.value) return <LogIn />;
  return <>
    <header>
      <a class="skip" href={at || "#/now"} onClick={e => { e.preventDefault(); main.current?.focus(); }}>to the content</a>
      <nav aria-label="Views">{VIEWS.filter(([v]) => !ADMINS.has(v) || who.value?.role === "admin").map(([v, label]) => <a key={v} href={"#/" + v} aria-current={v === (name === "running" ? "now" : name) ? "page" : undefined}>{label}</a>)}</nav>
      <span class="who"><small>times are UTC</small> <T text={who.value.name} /> ({who.value.role}) <button type="button" onClick={() => void logOut()}>Log out</button></span>
    </header>
    <main ref={main} tabIndex={-1}><Fence at={at}><View at={at} /></Fence></main>
  </>;
}

void resume().finally(() => render(<Page />, document.getElementById("page")!));
