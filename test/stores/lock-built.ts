// Locks are no part of a door: they are fetched from where they were built, as a program that is installed
// would run them. A compiled script lies one folder deeper than its source.
const root = import.meta.url.includes("/.build/") ? "../../../" : "../../";
const load = (file: string) =>
  import(new URL(`${root}packages/foundry/dist/stores/${file}.js`, import.meta.url).href);

export const { acquireLock } = (await load(
  "lock/file-lock",
)) as typeof import("../../packages/foundry/src/stores/lock/file-lock.ts");
export const { requireHeld } = (await load(
  "lock/lock-failures",
)) as typeof import("../../packages/foundry/src/stores/lock/lock-failures.ts");
export const { sightLock } = (await load(
  "lock/lock-file",
)) as typeof import("../../packages/foundry/src/stores/lock/lock-file.ts");
export const { toLockText } = (await load(
  "lock/lock-owner",
)) as typeof import("../../packages/foundry/src/stores/lock/lock-owner.ts");
export const { whoAmI } = (await load(
  "lock/process-identity",
)) as typeof import("../../packages/foundry/src/stores/lock/process-identity.ts");
export const { tidyLocks } = (await load(
  "lock/tidy-locks",
)) as typeof import("../../packages/foundry/src/stores/lock/tidy-locks.ts");
export const {
  nodeFileSystem,
}: {
  readonly nodeFileSystem: import("../../packages/foundry/src/stores/durable/file-system.ts").FileSystem;
} = (await load(
  "durable/node-file-system",
)) as typeof import("../../packages/foundry/src/stores/durable/node-file-system.ts");
export const { tidyFolder } = (await load(
  "durable/tidy",
)) as typeof import("../../packages/foundry/src/stores/durable/tidy.ts");
export const { replaceFile } = (await load(
  "durable/write-file",
)) as typeof import("../../packages/foundry/src/stores/durable/write-file.ts");
