// Numbers over time, drawn by uPlot on a canvas; what is drawn is said in words, too.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

interface Options { x: number[]; y: number[]; label: string; range?: [number, number]; isTime?: boolean; isStepped?: boolean; show?: (n: number) => string }

/** As the tables have it, in UTC, with as much of it as the ticks differ in. */
function moment(t: number, ticks: number[]) {
  const text = new Date(t * 1000).toISOString().replace("T", " "), span = ticks.at(-1)! - ticks[0]!;
  return span < 300 ? text.slice(11, 19) : span < 2 * 86400 ? text.slice(5, 16) : text.slice(0, 10);
}

export function Curve({ x, y, label, range, isTime = false, isStepped = false, show }: Options) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const el = box.current!, ink = getComputedStyle(el).color;
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: "#8884" }, ticks: { stroke: "#8884" } };
    const along: uPlot.Axis = isTime ? { ...axis, values: (_, ticks) => ticks.map(t => moment(t, ticks)) } : axis;
    const upright: uPlot.Axis = show ? { ...axis, size: 80, values: (_, ticks) => ticks.map(show) } : axis;
    const series: uPlot.Series = { stroke: ink, width: 2, points: { show: x.length < 50 } };
    if (isStepped) series.paths = uPlot.paths.stepped!({ align: 1 });
    const upper: uPlot.Scale = range ? { range } : { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] };
    const plot = new uPlot({ width: Math.max(240, el.clientWidth), height: 180, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: isTime }, y: upper }, axes: [along, upright], series: [{}, series], tzDate: t => uPlot.tzDate(new Date(t * 1000), "Etc/UTC") }, [x, y], el);
    return () => plot.destroy();
  }, [x, y]);
  return <div class="curve" ref={box} role="img" aria-label={label} />;
}
