import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Logger } from "../../context/logger.ts";
import { action } from "../../define/action.ts";
import { defineTool } from "../../define/tool.ts";
import { createRegistry } from "../../registry/registry.ts";

const input = z.looseObject({});
const ledger = defineTool({
  name: "ledger",
  version: "1.0.0",
  description: "Ledger",
  actions: {
    write: action({ input, run: () => ({}) }),
    read: action({ input, readOnly: true, run: () => ({}) }),
  },
});

/** Returns the log lines of one call at level info and above, without the values that differ from call to call. */
async function linesOf(args: object, role = "maintainer"): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const write = (level: string) => (facts: object, message: string) => {
    const { duration_ms: duration, ...rest } = facts as { readonly duration_ms: unknown };
    lines.push([level, { ...rest, duration: typeof duration }, message]);
  };
  const levels = Object.fromEntries(["error", "warn", "info"].map((level) => [level, write(level)]));
  const logger = { ...levels, debug() {}, isLevelEnabled: (level: string) => level !== "debug" };
  const registry = createRegistry({
    name: "audit",
    version: "1.0.0",
    tools: [ledger],
    logger: logger as unknown as Logger,
  });
  await registry.call("ledger", args, { principal: { id: "ann", role }, requestId: "req_1" });
  return lines;
}

const facts = {
  request_id: "req_1",
  tool: "ledger",
  surface: "in-process",
  client: "in-process",
  duration: "number",
  audit: true,
  action: "write",
  principal: "ann",
};

describe("the log line of a call that may change something", () => {
  it("names caller, action and ids, and no other value of the arguments", async () => {
    const args = {
      action: "write",
      spec_id: "s-1.2_a",
      task_id: "task-1-1",
      id: "7",
      note: "secret",
      claim_token: "secret",
      parent_id: "two words",
      other_id: "../up",
      node_id: "x".repeat(101),
      verify_id: 7,
      "secret id": "a",
    };
    expect(await linesOf(args)).toEqual([
      [
        "info",
        {
          ...facts,
          success: true,
          role: "maintainer",
          ids: { spec_id: "s-1.2_a", task_id: "task-1-1", id: "7" },
        },
        "tools/call",
      ],
    ]);
  });

  it("is written for a refused call too, with the code", async () => {
    expect(await linesOf({ action: "write", spec_id: "s", note: "secret" }, "observer")).toEqual([
      [
        "warn",
        { ...facts, success: false, role: "observer", ids: { spec_id: "s" }, error_code: "FORBIDDEN" },
        "tools/call",
      ],
    ]);
  });

  it("has no ids where the call names none, and lists at most eight", async () => {
    expect(await linesOf({ action: "write" })).toEqual([
      ["info", { ...facts, success: true, role: "maintainer" }, "tools/call"],
    ]);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}_id`, `v${index}`]));
    const [[, line]] = (await linesOf({ action: "write", ...many })) as [[string, { ids: object }]];
    expect(Object.keys(line.ids)).toHaveLength(8);
  });

  it("is not written at info for a call that only reads", async () => {
    expect(await linesOf({ action: "read", spec_id: "s" })).toEqual([]);
  });
});
