import { measure, type RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { canonicalize, digestWhole } from "./built.ts";
import { languages, largeText } from "./large-texts.ts";

/** A digest takes at most so many times as long as bringing its text into the canonical form. */
export const mostRatio = 8;

/** One table for each language: the whole digest against a bare canonicalisation of the same text. */
export async function measureThroughput({ quick = false }: RunOptions): Promise<readonly Section[]> {
  const megabytes = quick ? 1 : 5;
  const sections: Section[] = [];
  for (const { name, code, query } of languages) {
    const text = largeText(code, megabytes * 1e6);
    const cases = [
      { name: "canonicalize", run: () => canonicalize(text) },
      { name: "digest", run: () => digestWhole(text), target: mostRatio },
      { name: "digest by a query", run: () => digestWhole(text, query), target: mostRatio },
    ];
    sections.push({
      title: `${name}, ${megabytes} MB`,
      result: await measure(cases, { baseline: "canonicalize", quick, ...(quick ? {} : { rounds: 30 }) }),
    });
  }
  return sections;
}
