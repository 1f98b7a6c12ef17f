import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

class Machine extends EventEmitter {
  state = "idle";
  static table = { idle: { start: "running" }, running: { pause: "paused", stop: "idle" }, paused: { start: "running" } };
  fire(name) {
    const next = Machine.table[this.state][name];
    if (!next) throw new Error(`${name} in ${this.state}`);
    this.emit("change", this.state, (this.state = next));
  }
}
const m = new Machine();
sleep(5).then(() => m.fire("start"));
console.log(await once(m, "change"));
m.fire("pause");
try { m.fire("stop"); } catch (e) { console.log(e.message); }
