import { describe, expect, it } from "vitest";
import { readImports, readSourceFiles } from "./source-files.ts";

/** The one folder that opens, writes and removes files of a workspace. */
const guarded = "packages/toolkit/src/files/";

/** Files that use the file system beside it, and why that is no way into a workspace. */
const allowed: Readonly<Record<string, string>> = {
  "packages/toolkit/src/cli/streams.ts": "writes to the descriptor of stdout",
  "packages/toolkit/src/cli/process-watch.ts": "writes to the descriptors of stdout and stderr",
  "packages/foundry/src/cli/run-cached.ts": "stores compiled code in the cache folder of the user",
  "packages/foundry/src/files/durable/process-identity.ts": "reads /proc",
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
    // Both ways: an entry of the list that is not needed any more has to go.
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
