import { type Growth, type RunOptions, sink, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { createRandom, toExponent, toShuffled } from "../statistics.ts";
import { canonicalize, digestWhole } from "./built.ts";
import { languages, largeText } from "./large-texts.ts";

const baseline = "canonicalize";
const linear = 1.1;

/**
 * Measures how the time of a digest grows with the size of its text. Every round measures every size once,
 * because a digest of the largest text takes seconds.
 */
export async function measureGrowth({
  quick = false,
}: RunOptions): Promise<Section & { readonly result: Growth }> {
  const sizes = quick ? [1, 2] : [1, 5, 20, 50];
  const rounds = quick ? 3 : 9;
  const [{ code, query }] = languages;
  const entries = sizes.flatMap((size) => {
    const text = largeText(code, size * 1e6);
    const cases = [
      { name: baseline, run: (): unknown => canonicalize(text) },
      { name: "digest", run: () => digestWhole(text) },
      { name: "digest by a query", run: () => digestWhole(text, query) },
      { name: `A/A ${baseline}`, run: () => canonicalize(text) },
    ];
    return cases.map((each) => ({ ...each, size, samples: [] as number[] }));
  });
  const random = createRandom(1);
  // Round 0 is a warm-up.
  for (let round = 0; round <= rounds; round++)
    for (const { run, samples } of toShuffled(entries, random)) {
      const start = performance.now();
      sink.value = run();
      if (round > 0) samples.push(performance.now() - start);
      sink.value = undefined;
    }
  const measurements = sizes.map((size) =>
    toMeasurement(
      entries.filter((entry) => entry.size === size),
      baseline,
    ),
  );
  const rows = (measurements[0]?.rows ?? []).map(({ name }, index) => {
    const times = measurements.map(({ rows }) => rows[index]?.ms.median ?? Number.NaN);
    const exponent = toExponent(sizes, times);
    return { name, exponent, linear: exponent <= linear };
  });
  return { title: "English, by MB", result: { kind: "growth", sizes, measurements, rows } };
}
