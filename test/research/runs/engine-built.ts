// Research is no part of a door: it is fetched from where it was built, as a program that is installed would run it.
// A compiled script lies one folder deeper than its source.
const root = import.meta.url.includes("/.build/") ? "../../../../" : "../../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/${file}.js`, import.meta.url).href);

export const { createResearchDesk } = (await load(
  "research/research-desk",
)) as typeof import("../../../packages/foundry/src/research/research-desk.ts");
export const { digestDocument } = (await load(
  "documents/digest-document",
)) as typeof import("../../../packages/foundry/src/documents/digest-document.ts");
