import { checkServer, parseCalls } from "foundry-mcp/check";
import { describe } from "vitest";
import { openMemoryTransport } from "./zoo/memory-transport.ts";
import type { ZooCalls } from "./zoo/zoo-entry.ts";
import { describeZoo } from "./zoo.suite.ts";

/** The calls in the form in which they are read from a file. */
const toCalls = (calls: ZooCalls) => parseCalls(JSON.stringify(calls), { file: "calls.json" });

describe("the zoo, in process", () => {
  describeZoo(
    (entry) =>
      checkServer(
        { label: entry.name, open: () => ({ transport: openMemoryTransport(entry) }) },
        {
          // Only this time limit detects a server that hangs. All other servers answer at once.
          callTimeoutMs: entry.name === "hangs" ? 200 : 10_000,
          ...(entry.calls === undefined ? {} : { calls: toCalls(entry.calls) }),
        },
      ),
    { withProcess: false },
  );
});
