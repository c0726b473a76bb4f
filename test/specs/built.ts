// Stores and registries are no part of a door: they are fetched from where they were built, as a program that
// is installed would run them. A compiled script lies one folder deeper than its source.
const root = import.meta.url.includes("/.build/") ? "../../../" : "../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/${file}.js`, import.meta.url).href);

export const { openFileStore } = (await load(
  "stores/file-store/file-store",
)) as typeof import("../../packages/foundry/src/stores/file-store/file-store.ts");
export const { openWorkspace } = (await load(
  "app/open-workspace",
)) as typeof import("../../packages/foundry/src/app/open-workspace.ts");
export const { createServerRegistry } = (await load(
  "app/create-server-registry",
)) as typeof import("../../packages/foundry/src/app/create-server-registry.ts");
export const { createSpecTools } = (await load(
  "app/spec-tools",
)) as typeof import("../../packages/foundry/src/app/spec-tools.ts");
export const { toolNames } = (await load(
  "config/settings",
)) as typeof import("../../packages/foundry/src/config/settings.ts");
export const { loadSettings } = (await load(
  "config/load-settings",
)) as typeof import("../../packages/foundry/src/config/load-settings.ts");
export const { addJournalEntry } = (await load(
  "specs/changes/journal-entry",
)) as typeof import("../../packages/foundry/src/specs/changes/journal-entry.ts");
export const { completeTask } = (await load(
  "specs/changes/complete-task",
)) as typeof import("../../packages/foundry/src/specs/changes/complete-task.ts");
export const { reopenTask } = (await load(
  "specs/changes/reopen-task",
)) as typeof import("../../packages/foundry/src/specs/changes/reopen-task.ts");
export const { moveSpec } = (await load(
  "specs/changes/move-spec",
)) as typeof import("../../packages/foundry/src/specs/changes/move-spec.ts");
export const { createMemoryStore } = (await load(
  "stores/memory-store",
)) as typeof import("../../packages/foundry/src/stores/memory-store.ts");
export const { claimNext, claimTask } = (await load(
  "specs/claims/claim-task",
)) as typeof import("../../packages/foundry/src/specs/claims/claim-task.ts");
export const { validateSpec } = (await load(
  "specs/validate/validate-spec",
)) as typeof import("../../packages/foundry/src/specs/validate/validate-spec.ts");
