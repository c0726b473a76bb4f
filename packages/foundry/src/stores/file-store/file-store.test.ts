import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { describeSpecStore } from "../spec-store.suite.ts";
import { openFileStore } from "./file-store.ts";

describe("openFileStore", () => {
  describeSpecStore(async () => {
    const root = await mkdtemp(join(tmpdir(), "foundry-store-"));
    const store = openFileStore({ root });
    return {
      store,
      reopen: async () => openFileStore({ root }),
      async close() {
        await store.close();
        await rm(root, { recursive: true, force: true });
      },
    };
  });
});
