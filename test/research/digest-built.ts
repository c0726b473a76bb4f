// Digests are no part of a door: they are fetched from where they were built, as a program that is installed would run
// them.
const root = import.meta.url.includes("/.build/") ? "../../../" : "../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/${file}.js`, import.meta.url).href);

export const { canonicalize, joinPages } = (await load(
  "digest/canonical-text",
)) as typeof import("../../packages/foundry/src/digest/canonical-text.ts");
export const { digestText } = (await load(
  "digest/digest-text",
)) as typeof import("../../packages/foundry/src/digest/digest-text.ts");
export const { findSentences } = (await load(
  "digest/sentences",
)) as typeof import("../../packages/foundry/src/digest/sentences.ts");
export const { findFindings } = (await load(
  "research/find-findings",
)) as typeof import("../../packages/foundry/src/research/find-findings.ts");
