import type { UnknownRecord } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { Ledger } from "../findings/ledger.ts";
import { operationsOf, readDefinition } from "../observe/definition.ts";
import { toObservation } from "../observe/observation.ts";
import type { CheckerRuleId } from "../rules/rules.ts";
import { probePaging } from "./paging.ts";
import type { ProbeDeps } from "./probe.ts";

interface FakeList {
  readonly properties?: UnknownRecord;
  readonly rows?: readonly unknown[];
  /** Answers a call. If the answer is a text, the call is refused with this text. */
  readonly answer?: (args: UnknownRecord) => { data: UnknownRecord; pagination?: UnknownRecord } | string;
}

const limit = { type: "integer", minimum: 1, maximum: 10 };
const cursor = { type: "string" };
const counted = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index }));

function pageOf(rows: readonly unknown[], { cursor: at = "0", limit: size = 5 }: UnknownRecord) {
  const start = Number(at);
  if (Number.isNaN(start)) return "no such cursor";
  if (Number(size) < 1 || Number(size) > 10) return `limit must be from 1 to 10, not ${String(size)}`;
  const end = start + Number(size);
  const hasMore = end < rows.length;
  const pagination = { cursor: hasMore ? String(end) : null, has_more: hasMore, page_size: Number(size) };
  return { data: { rows: rows.slice(start, end) } as UnknownRecord, pagination: pagination as UnknownRecord };
}

/** Returns the results of the rules about lists, and the calls that the probe made. */
async function probe({ properties = { limit, cursor }, rows = counted(23), answer }: FakeList) {
  const ledger = new Ledger();
  const calls: UnknownRecord[] = [];
  const call = async (tool: string, args: UnknownRecord) => {
    calls.push(args);
    const found = (answer ?? ((given) => pageOf(rows, given)))(args);
    const meta = { version: "response-v2" };
    const value =
      typeof found === "string"
        ? { success: false, data: { error_code: "VALIDATION_ERROR" }, error: found, meta }
        : { success: true, data: found.data, error: null, meta: { ...meta, pagination: found.pagination } };
    const result = { content: [], structuredContent: JSON.parse(JSON.stringify(value)) as unknown };
    return toObservation({ tool, args, requestId: "r" }, { kind: "result", result });
  };
  const session = { isCallable: () => true, stopReason: undefined, call };
  const definition = readDefinition({ name: "list", inputSchema: { type: "object", properties } });
  const [operation] = operationsOf(definition!);
  const baseline = {
    operation: operation!,
    args: {},
    observation: await call("list", {}),
    requiredByServer: [],
  };
  await probePaging(baseline, { session, ledger } as unknown as ProbeDeps);
  const idle = () => ({ status: "not_applicable", reason: "idle" }) as const;
  const results = ledger.results(idle);
  const told = (rule: CheckerRuleId) => {
    const { status, reason } = results.find((result) => result.rule === rule)!;
    return reason === undefined ? status : `${status}: ${reason}`;
  };
  return { told, calls, findings: ledger.findings(), skips: ledger.skips() };
}

describe("walking a list", () => {
  it("stays in the range of limit and compares a long list as far as it was read", async () => {
    const { told, calls } = await probe({ rows: counted(5_000) });
    expect(
      ["MCP-41", "MCP-42", "MCP-45", "MCP-46", "MCP-47"].map((rule) => told(rule as CheckerRuleId)),
    ).toEqual(Array.from({ length: 5 }, () => "passed"));
    const limits = new Set(calls.map((args) => args["limit"]));
    expect([...limits].toSorted((a, b) => Number(a) - Number(b))).toEqual([-5, 0, 2, 10, undefined]);
    expect(calls.length).toBeLessThan(50);
  });

  it("learns the range of limit from a refusal", async () => {
    const properties = { limit: { type: "integer" }, cursor };
    const { told, calls } = await probe({ properties });
    expect(calls.map((args) => args["limit"])).toContain(100);
    expect([told("MCP-42"), told("MCP-45")]).toEqual(["passed", "passed"]);
  });

  it("finds a row that is missing in the large pages only, with the call", async () => {
    const { findings } = await probe({
      rows: counted(23),
      answer: (args) => {
        const found = pageOf(counted(23), args);
        if (typeof found === "string" || args["limit"] !== 10 || args["cursor"] !== "10") return found;
        return { ...found, data: { rows: counted(20).slice(11) } };
      },
    });
    expect(findings.map(({ rule, arguments: args, evidence }) => [rule, args, evidence])).toEqual([
      ["MCP-42", { limit: 10, cursor: "10" }, "10"],
    ]);
  });

  it("sends no cursor to a list without a known cursor parameter", async () => {
    const { told, calls } = await probe({
      properties: { offset: { type: "integer" }, limit },
      answer: ({ cursor: _, ...args }) => pageOf(counted(23), args),
    });
    expect(calls.filter((args) => "cursor" in args)).toEqual([]);
    const reason = "not_applicable: list takes no parameter that is known to be a cursor";
    expect([told("MCP-41"), told("MCP-42"), told("MCP-43"), told("MCP-46")]).toEqual([
      reason,
      reason,
      reason,
      reason,
    ]);
    expect(told("MCP-45")).toBe("passed");
  });

  it("names the list whose rows it could not find", async () => {
    const rows = Object.fromEntries(counted(23).map((row) => [row.id, row]));
    const { told, skips } = await probe({
      answer: (args) => {
        const found = pageOf(counted(23), args);
        return typeof found === "string" ? found : { ...found, data: { rows } };
      },
    });
    const reason = "not_checked: there is no list in the data of list";
    expect([told("MCP-41"), told("MCP-42"), told("MCP-44"), told("MCP-45")]).toEqual(
      Array.from({ length: 4 }, () => reason),
    );
    expect([told("MCP-43"), told("MCP-46")]).toEqual(["passed", "passed"]);
    // There are no skips by subject, because the reasons are reported for the rules themselves.
    expect(skips).toEqual([]);
  });

  it("reports that the list refuses its own cursor", async () => {
    const { told } = await probe({
      answer: (args) => ("cursor" in args ? "not today" : pageOf(counted(23), args)),
    });
    const reason = "not_checked: list failed when asked for a page by the cursor that it sent: not today";
    expect([told("MCP-41"), told("MCP-42")]).toEqual([reason, reason]);
  });

  it("does not apply rules about missing rows to a list with one page size", async () => {
    const found = await probe({ properties: { cursor } });
    expect(found.told("MCP-41")).toBe("passed");
    expect(found.told("MCP-42")).toBe(
      "not_applicable: list has pages of one size only, and no total_count that can be counted: nobody can see what is missing",
    );
    expect(found.told("MCP-45")).toBe("not_applicable: list takes no limit");
  });

  it("tells rows added between the walks from missing rows", async () => {
    let length = 30;
    const grow = (args: UnknownRecord) => {
      const rows = counted(length++);
      const found = pageOf(rows, args);
      if (typeof found === "string") return found;
      return { ...found, pagination: { ...found.pagination, total_count: rows.length } };
    };
    const good = await probe({ answer: grow });
    expect([good.told("MCP-42"), good.told("MCP-44"), good.findings]).toEqual([
      "passed",
      "not_applicable: list changes from call to call, so it cannot be counted",
      [],
    ]);
    const broken = await probe({
      answer(args) {
        const found = grow(args);
        if (typeof found === "string" || args["limit"] === 10 || args["cursor"] === undefined) return found;
        return { ...found, data: { rows: (found.data["rows"] as unknown[]).slice(1) } };
      },
    });
    expect(broken.findings.map(({ rule }) => rule)).toEqual(["MCP-42"]);
  });

  it("tells rows deleted between the walks from missing rows", async () => {
    let length = 60;
    const { told, findings } = await probe({
      answer: (args) => pageOf(counted(length-- > 40 ? length : 20), args),
    });
    expect([told("MCP-41"), told("MCP-42"), findings]).toEqual(["passed", "passed", []]);
  });
});

it("exempts a tool that pages a text", async () => {
  const { told, skips } = await probe({
    answer: (args) => {
      const found = pageOf(counted(23), args);
      if (typeof found === "string") return found;
      const size = Number(found.pagination["page_size"]);
      return { ...found, data: { text: "语".repeat(size), kind: "x" } };
    },
  });
  const reason = "not_applicable: list pages a text, not a list";
  expect([told("MCP-41"), told("MCP-42"), told("MCP-44"), told("MCP-45")]).toEqual(
    Array.from({ length: 4 }, () => reason),
  );
  expect(skips).toEqual([]);
});
