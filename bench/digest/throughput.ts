import { measure, type RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { canonicalize, digestWhole } from "./built.ts";
import { languages, largeText } from "./large-texts.ts";

/** The maximum time of a digest as a multiple of the time to canonicalize its text. */
export const mostRatio = 8;

/** Compares a digest with the canonicalization of the same text, in one table for each language. */
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
