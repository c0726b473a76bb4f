import type { TitledMeasurement } from "./read-results.ts";

const width = 760;
const labelWidth = 330;
const valueWidth = 90;
const rowHeight = 20;
const top = 46;
const barWidth = width - labelWidth - valueWidth;

/**
 * Draws the ratios of a measurement to its baseline as an SVG chart: a bar for the median on a logarithmic axis, a line
 * for its interval, and a grey band for the noise.
 */
export function toChart({
  title,
  measurement: { rows, baseline, noise, rounds },
}: TitledMeasurement): string {
  const shown = rows.filter(({ name }) => !name.startsWith("A/A "));
  const values = shown.flatMap(({ ratio }) => [ratio.low, ratio.high]);
  const least = Math.min(0.5, ...values);
  const most = Math.max(2, ...values);
  const scale = (value: number) => {
    const share = (Math.log(value) - Math.log(least)) / (Math.log(most) - Math.log(least));
    return round(labelWidth + Math.min(1, Math.max(0, share)) * barWidth);
  };
  const height = top + shown.length * rowHeight + 8;
  const one = scale(1);
  const bars = shown.map(({ name, ratio, target }, at) => {
    const y = top + at * rowHeight;
    const [from, to] = [Math.min(one, scale(ratio.median)), Math.max(one, scale(ratio.median))];
    const middle = y + rowHeight / 2;
    return [
      `<text x="${labelWidth - 8}" y="${middle + 4}" text-anchor="end">${toXml(shorten(name))}</text>`,
      `<rect x="${from}" y="${y + 4}" width="${round(Math.max(1, to - from))}" height="${rowHeight - 8}" fill="#4477aa"/>`,
      `<path d="M${scale(ratio.low)} ${middle}H${scale(ratio.high)}" stroke="#222" fill="none"/>`,
      ...(target === undefined
        ? []
        : [
            `<path d="M${scale(target)} ${y + 1}v${rowHeight - 2}" stroke="#cc3311" stroke-width="2" fill="none"/>`,
          ]),
      `<text x="${width - 6}" y="${middle + 4}" text-anchor="end">${toRatio(ratio.median)}</text>`,
    ].join("\n");
  });
  const noiseFrom = scale(noise.low);
  const noiseWidth = round(Math.max(1, scale(noise.high) - noiseFrom));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${toXml(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="8" y="18" font-size="14" font-weight="bold">${toXml(title)}</text>
<text x="8" y="36" fill="#555">Time as a multiple of: ${toXml(baseline)}. ${rounds} rounds; grey: noise; red: target.</text>
<rect x="${noiseFrom}" y="${top}" width="${noiseWidth}" height="${shown.length * rowHeight}" fill="#ddd"/>
${bars.join("\n")}
<path d="M${one} ${top}V${height - 8}" stroke="#222" fill="none"/>
</svg>
`;
}

/** Formats a ratio with at most three digits. */
export function toRatio(ratio: number): string {
  return `${Number(ratio.toPrecision(3))} ×`;
}

const maxName = 50;

function shorten(name: string): string {
  return name.length <= maxName ? name : `${name.slice(0, maxName - 1)}…`;
}

/** Escapes a text for SVG. */
export function toXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const round = (value: number) => Math.round(value * 10) / 10;
