/** One measured value with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics with one name. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y;
const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\+Inf|-Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Parses the text format of Prometheus, version 0.0.4. Throws for anything that the format does not allow. */
export function parsePrometheus(text: string): readonly Family[] {
  if (!text.endsWith("\n")) throw new Error("The last line does not end");
  const families: { name: string; type: string; help: string; samples: Sample[] }[] = [];
  const seen = new Set<string>();
  let help: readonly [name: string, text: string] | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") help = [name, rest];
    else if (word === "TYPE") {
      if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`No type: ${line}`);
      if (families.some((known) => known.name === name)) throw new Error(`Told twice: ${line}`);
      if (help?.[0] !== name) throw new Error(`No help: ${line}`);
      families.push({ name, type: rest, help: help[1], samples: [] });
    } else if (!line.startsWith("#") && line !== "") {
      const read = parseSample(line);
      const family = families.at(-1);
      if (family === undefined || !belongs(read.name, family)) throw new Error(`Out of place: ${line}`);
      const series = JSON.stringify([read.name, Object.entries(read.labels).toSorted()]);
      if (seen.has(series)) throw new Error(`Told twice: ${line}`);
      seen.add(series);
      family.samples.push(read);
    }
  }
  for (const family of families) if (family.type === "histogram") checkHistogram(family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = "", inside = "", number = ""] = sample.exec(line) ?? [];
  if (name === "") throw new Error(`No sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let at = 0; at < inside.length; at++) {
    label.lastIndex = at;
    const [whole, key = "", value = ""] = label.exec(inside) ?? [];
    if (whole === undefined || Object.hasOwn(labels, key)) throw new Error(`No labels: ${line}`);
    labels[key] = value.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
    at = label.lastIndex;
    if (at < inside.length && inside[at] !== ",") throw new Error(`No labels: ${line}`);
  }
  return { name, labels, value: Number(number.replace("Inf", "Infinity")) };
}

function belongs(name: string, family: { readonly name: string; readonly type: string }): boolean {
  if (family.type !== "histogram") return name === family.name;
  return ["_bucket", "_sum", "_count"].some((end) => name === `${family.name}${end}`);
}

/** Checks that buckets are cumulative and that the last bucket equals the count. */
function checkHistogram({ name, samples }: Family): void {
  for (const count of samples.filter((each) => each.name === `${name}_count`)) {
    const own = JSON.stringify(Object.entries(count.labels).toSorted());
    const buckets = samples.filter(({ labels: { le, ...labels }, name: bucket }) => {
      return bucket === `${name}_bucket` && JSON.stringify(Object.entries(labels).toSorted()) === own;
    });
    const bounds = buckets.map(({ labels }) => Number(String(labels["le"]).replace("Inf", "Infinity")));
    const values = buckets.map(({ value }) => value);
    const isRising = (list: readonly number[]) =>
      list.every((each, at) => at === 0 || each >= Number(list[at - 1]));
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || values.at(-1) !== count.value) {
      throw new Error(`Not whole: ${name}`);
    }
    if (!isRising(bounds) || !isRising(values)) throw new Error(`Not rising: ${name}`);
  }
}
