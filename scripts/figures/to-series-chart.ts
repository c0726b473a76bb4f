import type { Series } from "../../bench/soak/series.ts";
import { toXml } from "./to-chart.ts";

const width = 760;
const height = 220;
const left = 60;
const top = 52;
const bottom = 28;
const right = 12;
const colours = ["#4477aa", "#cc3311", "#228833", "#aa3377"];

/** Draws values over time as an SVG chart with one line for each server. */
export function toSeriesChart({ title, unit, lines }: Series): string {
  const points = lines.flatMap((line) => line.points);
  const lastSecond = Math.max(1, ...points.map(([seconds]) => seconds));
  const most = Math.max(1, ...points.map(([, value]) => value)) * 1.05;
  const x = (seconds: number) => round(left + (seconds / lastSecond) * (width - left - right));
  const y = (value: number) => round(height - bottom - (value / most) * (height - top - bottom));
  const grid = [0, 0.5, 1].map((share) => {
    const value = (most / 1.05) * share;
    return [
      `<path d="M${left} ${y(value)}H${width - right}" stroke="#ddd" fill="none"/>`,
      `<text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${Number(value.toPrecision(3))}</text>`,
    ].join("\n");
  });
  const drawn = lines.map(({ name, points: values }, at) => {
    const colour = colours[at % colours.length];
    const path = values.map(
      ([seconds, value], index) => `${index === 0 ? "M" : "L"}${x(seconds)} ${y(value)}`,
    );
    return [
      `<path d="${path.join("")}" stroke="${colour}" stroke-width="1.5" fill="none"/>`,
      `<text x="${left + at * 180}" y="40" fill="${colour}">${toXml(name)}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${toXml(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="8" y="18" font-size="14" font-weight="bold">${toXml(unit === "" ? title : `${title}, ${unit}`)}</text>
${grid.join("\n")}
${drawn.join("\n")}
<text x="${width - right}" y="${height - 8}" text-anchor="end">minutes: 0 – ${Number((lastSecond / 60).toPrecision(3))}</text>
</svg>
`;
}

const round = (value: number) => Math.round(value * 10) / 10;
