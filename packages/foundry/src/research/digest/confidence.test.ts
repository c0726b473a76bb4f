import { expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { digestText } from "./digest-text.ts";

const source = canonicalize(
  [
    "# Release notes",
    "## 2.4.0",
    "The option --quiet hides the progress. Lines of the log will be hidden from the output, too.",
    "Type declarations begin with a capital letter now. A missing file is an error.",
    "## 2.3.0",
    "The cache is cleared at the start. Its folder may be named in the settings.",
    "Two readers may open the same file. A writer waits until both have closed it.",
  ].join("\n\n"),
);
const ask = (query: string) => digestText(source, `sha256:${"0".repeat(64)}`, { query, snippets: 1 });

it.each([
  ["How do I hide a line?", "strong"],
  ["Where do I name the folder of the cache?", "strong"],
  ["What is the capital of France?", "none"],
  ["quarterly revenue", "none"],
])("the confidence for %j is %s", (query, confidence) => {
  const { answerability, digest } = ask(query);
  expect(answerability?.confidence).toBe(confidence);
  expect(digest?.summary === "").toBe(confidence === "none");
});

it("a quote names its section, and irregular forms match", () => {
  const { digest, sections } = ask("How do I hide a line?");
  expect(digest?.evidence_snippets[0]?.text).toContain("will be hidden from the output");
  expect(sections).toEqual([{ path: ["Release notes", "2.4.0"] }]);
});

it("says which words were looked for, and which are missing", () => {
  const { answerability } = ask("What is the capital of France?");
  expect(answerability).toEqual({ confidence: "none", sought: ["capital", "france"], missing: ["france"] });
});
