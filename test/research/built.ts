// What needs threads is fetched from where it was built. A compiled script lies one folder deeper than its source.
const root = import.meta.url.includes("/.build/") ? "../../../" : "../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/${file}.js`, import.meta.url).href);

export const { buildResearch } = (await load(
  "app/build-research",
)) as typeof import("../../packages/foundry/src/app/build-research.ts");
export const { createResearchTool } = (await load(
  "tools/research",
)) as typeof import("../../packages/foundry/src/tools/research.ts");
export const { createDigestPool } = (await load(
  "documents/digest-pool",
)) as typeof import("../../packages/foundry/src/documents/digest-pool.ts");
export const { loadSettings } = (await load(
  "config/load-settings",
)) as typeof import("../../packages/foundry/src/config/load-settings.ts");
export const { createDocumentFinder } = (await load(
  "documents/find-document",
)) as typeof import("../../packages/foundry/src/documents/find-document.ts");
export const { createResearchCalls } = (await load(
  "tools/research/research-calls",
)) as typeof import("../../packages/foundry/src/tools/research/research-calls.ts");
