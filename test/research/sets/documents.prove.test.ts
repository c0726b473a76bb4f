import { describe, it } from "vitest";
import { checkLabels } from "./check-labels.ts";
import { obtainDocument, Unavailable } from "./obtain-document.ts";
import { readQuestionSets } from "./question-sets.ts";

describe("the downloaded documents", () => {
  it.for(readQuestionSets())("$document.file has the answers", async (set, { skip }) => {
    const bytes = await obtainDocument(set.document, { download: true }).catch((error: unknown) => {
      if (error instanceof Unavailable) return skip(`skipped because ${error.message}`);
      throw error;
    });
    await checkLabels(set, bytes);
  });
});
