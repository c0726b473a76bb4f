import { describe, expect, it } from "vitest";
import { readImports, readSourceFiles } from "./source-files.ts";

/** The only folder whose code may open, write and remove files of a workspace. */
const guarded = "packages/toolkit/src/files/";

/**
 * Other source files that use the file system, each with the reason why it does not open files of a
 * workspace.
 */
const allowed: Readonly<Record<string, string>> = {
  "packages/toolkit/src/cli/streams.ts": "writes to the descriptor of stdout",
  "packages/toolkit/src/cli/process-watch.ts": "writes to the descriptors of stdout and stderr",
  "packages/foundry/src/app/port/find-listener.ts": "reads /proc",
  "packages/foundry/src/cli/program-cache.ts": "stores compiled code in the cache folder of the user",
  "packages/foundry/src/cli/run-cached.ts": "reads the program",
  "packages/foundry/src/config/cache-files.ts": "cleans the cache folder of the user",
  "packages/foundry/src/files/durable/process-identity.ts": "reads /proc",
  "packages/foundry/src/gateway/config/refuse-bare-word.ts":
    "looks whether a program is on the PATH, and opens no file",
  "packages/foundry/src/specs/stores/file-store/watch-folders.ts":
    "looks whether folders exist, and opens no file",
  "packages/foundry/src/specs/stores/file-store/watched-folder.ts": "watches folders, and opens no file",
};

const systemModules = ["fs", "fs/promises", "node:fs", "node:fs/promises"];

describe("files of a workspace", () => {
  const files = readSourceFiles().filter(({ isTest }) => !isTest);
  const users = files
    .filter(({ imports }) =>
      imports.some(({ specifier, isTypeOnly }) => systemModules.includes(specifier) && !isTypeOnly),
    )
    .map(({ path }) => path);

  it("are opened by one module, and by nothing else", () => {
    expect(users.some((path) => path.startsWith(guarded))).toBe(true);
    // The lists must be equal, so an entry that is no longer needed has to be removed.
    expect(users.filter((path) => !path.startsWith(guarded)).toSorted()).toEqual(
      Object.keys(allowed).toSorted(),
    );
  });

  it("are reached by no other way to the same functions", () => {
    expect(readImports('const { open } = await import("node:fs");')).toEqual([
      { specifier: "node:fs", isTypeOnly: false },
    ]);
    expect(readImports('import { type Stats, statSync } from "node:fs";')).toEqual([
      { specifier: "node:fs", isTypeOnly: false },
    ]);
  });
});
