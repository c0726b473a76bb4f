import type { Half } from "../../test/research/sets/question-sets.ts";
import { firstSentences, plainBm25 } from "./baselines.ts";
import { openDigestRanker } from "./digest-ranker.ts";
import { loadSets } from "./load-sets.ts";
import { printConfidence, printDocuments, printMissed, printRankers, printTargets } from "./print-scores.ts";
import { askAll, type Outcome } from "./scores.ts";

/** Compares digests with baselines on one half of the questions, and prints the tables. */
export async function compareAnswers({ half, quick }: { half: Half; quick: boolean }): Promise<void> {
  const sets = await loadSets({ download: !quick });
  const digest = await openDigestRanker(sets);
  try {
    const results = new Map<string, readonly Outcome[]>();
    for (const ranker of [digest, plainBm25, firstSentences])
      results.set(ranker.name, await askAll(ranker, sets, half));
    console.log(`Questions about ${sets.length} documents, half ${half}`);
    printRankers(results);
    const own = results.get(digest.name) ?? [];
    printDocuments(digest.name, own);
    printConfidence(digest.name, own);
    printTargets(own);
    // The questions of the other half are not to be looked at one by one.
    if (half === "tune") printMissed(own);
  } finally {
    await digest.close();
  }
}
