import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { expect, it } from "vitest";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { CountsByServer } from "../gateway/observe/shared-counts.ts";
import { silent } from "../gateway/testing/open-test-gateway.ts";
import { openGatewayStorage } from "./gateway-storage.ts";
import type { OpenWorkspace } from "./open-workspace.ts";

const loaded = { values: { store: "postgres", rate_limit: 0 } } as LoadedSettings;

/** Opens the storage beside a workspace whose database records what it is asked. */
async function open() {
  const asked: (string | CountsByServer)[] = [];
  const callCounts = {
    exchange: async (own: CountsByServer) => {
      asked.push(own);
      return [];
    },
    close: async () => void asked.push("close"),
  };
  const beside = {
    archive: createMemoryArchive(),
    storage: async () => {
      asked.push("open");
      return { callCounts };
    },
  } as unknown as OpenWorkspace;
  return { asked, storage: await openGatewayStorage(loaded, silent, beside) };
}

it("does not open the database only to remove counts that were never stored", async () => {
  const { asked, storage } = await open();
  await storage.sharedCounts?.close();
  expect(asked).toEqual([]);
});

it("removes the counts that it stored, in the database that is already open", async () => {
  const { asked, storage } = await open();
  const own = { one: { calls: 1, failures: {}, chars_before: 2, chars_after: 3 } };
  expect(await storage.sharedCounts?.exchange(own)).toEqual([]);
  await storage.sharedCounts?.close();
  expect(asked).toEqual(["open", own, "close"]);
});
