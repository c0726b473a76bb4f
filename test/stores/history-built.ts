// The history is no part of a door: it is fetched from where it was built, as a program that is installed would
// run it.
const root = import.meta.url.includes("/.build/") ? "../../../" : "../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/${file}.js`, import.meta.url).href);

export const { HistoryFolder } = (await load(
  "stores/history/history-folder",
)) as typeof import("../../packages/foundry/src/stores/history/history-folder.ts");
export const { editText } = (await load(
  "stores/json-text/edit-text",
)) as typeof import("../../packages/foundry/src/stores/json-text/edit-text.ts");
export const { scanJson } = (await load(
  "stores/json-text/scan-json",
)) as typeof import("../../packages/foundry/src/stores/json-text/scan-json.ts");
export const { hashOf } = (await load(
  "stores/spec-file",
)) as typeof import("../../packages/foundry/src/stores/spec-file.ts");
export const { SpecModel } = (await load(
  "specs/spec-model",
)) as typeof import("../../packages/foundry/src/specs/spec-model.ts");
export const { completeTask } = (await load(
  "specs/changes/complete-task",
)) as typeof import("../../packages/foundry/src/specs/changes/complete-task.ts");
export const {
  nodeFileSystem,
}: {
  readonly nodeFileSystem: import("../../packages/foundry/src/stores/durable/file-system.ts").FileSystem;
} = (await load(
  "stores/durable/node-file-system",
)) as typeof import("../../packages/foundry/src/stores/durable/node-file-system.ts");
