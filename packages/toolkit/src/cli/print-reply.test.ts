import type { UnknownRecord } from "@foundry-mcp/contract";
import { ContractError, type Envelope } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { Canvas, CliPlacement } from "../define/action.ts";
import { placedTool } from "./testing/contract-tool.ts";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { runWords, type Terminal } from "./testing/run-words.ts";

type Run = NonNullable<Parameters<typeof placedTool>[1]>;
type Show = NonNullable<CliPlacement<UnknownRecord>["show"]>;

const rows = Array.from({ length: 5_000 }, (_, index) => ({ rule: `R${index}`, verdict: "broken" }));
const fail: Run = () => {
  throw new ContractError("Cannot accept the server: 5000 rules are broken", {
    errorCode: "CONFLICT",
    remediation: "Mend them.",
    data: { report: { rows } },
  });
};
const succeed: Run = (_input, { warn }) => {
  warn("The cache is old");
  return { rows: rows.slice(0, 1) };
};

const ran = (show: Show, run: Run, argv: readonly string[] = ["--human"], look: Terminal = {}) =>
  runWords(createDemoRegistry({ tools: [placedTool({ show }, run)] }), ["placed", ...argv], look);
const told = async (...given: Parameters<typeof ran>) => {
  const { code, stdout, stderr } = await ran(...given);
  return { code, stdout, stderr };
};
const generic = "rows:\n  rule  verdict\n  R0    broken\n";
const warning = "warning: The cache is old\n";
const refusal = "error: Cannot accept the server: 5000 rules are broken (CONFLICT)\nMend them.\n";

describe("an action that shows its own answer", () => {
  it("writes a success in place of the table, warnings beside it", async () => {
    const show: Show = ({ success, data }) => `${success} ${(data as { rows: unknown[] }).rows.length}`;
    expect(await told(show, succeed)).toEqual({ code: 0, stdout: "true 1\n", stderr: warning });
    expect(await told(() => "two\nlines\n", succeed)).toEqual({
      code: 0,
      stdout: "two\nlines\n",
      stderr: warning,
    });
    expect(await told(() => "", succeed)).toEqual({ code: 0, stdout: "", stderr: warning });
  });

  it("writes a failure too, with what went wrong and what to do on stderr", async () => {
    const show: Show = ({ data }) =>
      `${(data as unknown as { report: { rows: unknown[] } }).report.rows.length} rows`;
    expect(await told(show, fail)).toEqual({ code: 1, stdout: "5000 rows\n", stderr: refusal });
  });

  it("is not asked where the answer is for programs", async () => {
    const show: Show = () => "shown";
    const failed = await ran(show, fail, []);
    expect([failed.code, failed.stderr]).toEqual([1, ""]);
    expect(failed.envelope).toMatchObject({
      success: false,
      data: { error_code: "CONFLICT", report: { rows } },
    });
    expect((await ran(show, succeed, [])).envelope.data).toEqual({ rows: rows.slice(0, 1) });
  });

  it("is not asked where there was no call", async () => {
    expect(await told(() => "shown", fail, ["--nope", "--human"])).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: demo placed takes no option "--nope"/),
    });
  });

  it("may leave it to others", async () => {
    expect(await told(() => undefined, succeed)).toEqual({
      code: 0,
      stdout: generic,
      stderr: warning,
    });
    expect(await told(() => undefined, fail)).toEqual({ code: 1, stdout: "", stderr: refusal });
  });

  it.each<[string, unknown]>([
    ["an object", { text: "x" }],
    ["a number", 7],
    ["null", null],
  ])("may leave it to others with %s", async (_what, given) => {
    expect(await told((() => given) as unknown as Show, succeed)).toEqual({
      code: 0,
      stdout: generic,
      stderr: warning,
    });
  });

  it("loses no answer where it throws", async () => {
    const broken: Show = () => {
      throw new TypeError("no \u001b[2Jrows");
    };
    const fault = /^Cannot show the answer as its action does: TypeError: no \\x1b\[2Jrows\n/;
    const good = await told(broken, succeed);
    expect(good).toEqual({ code: 0, stdout: generic, stderr: expect.stringMatching(fault) });
    expect(good.stderr.endsWith(warning)).toBe(true);
    const bad = await told(broken, fail);
    expect(bad).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(fault) });
    expect(bad.stderr.endsWith(refusal)).toBe(true);
    const hostile: Show = () => {
      throw new Proxy(
        {},
        {
          get: () => {
            throw new Error("again");
          },
        },
      );
    };
    expect(await told(hostile, succeed)).toMatchObject({ code: 0, stdout: generic });
  });

  it("gets the envelope as it is sent, and the look of stdout", async () => {
    const seen: [Envelope, Canvas["width"], string][] = [];
    const show: Show = (envelope, { width, colors }) => {
      seen.push([envelope, width, colors.green("ok")]);
      return undefined;
    };
    const dated = () => ({ at: new Date(0), left_out: undefined });
    await ran(show, dated);
    await ran(show, dated, ["--human"], { isTTY: true, columns: 40 });
    expect(seen.map(([{ success, data }, ...look]) => [success, data, ...look])).toEqual([
      [true, { at: "1970-01-01T00:00:00.000Z" }, undefined, "ok"],
      [true, { at: "1970-01-01T00:00:00.000Z" }, 40, "\u001b[32mok\u001b[39m"],
    ]);
  });

  it("gives a terminal colours and text, and nothing that it would act upon", async () => {
    const show: Show = (_envelope, { colors }) =>
      `${colors.bold(colors.green("ok"))}\t語\n\u001b[2J\u001b]0;title\u0007\u001b[8m\r\u009b1m\u202ex`;
    const rest = "\\x1b[2J\\x1b]0;title\\x07\\x1b[8m\\r\\x9b1m\\u202ex\n";
    const look = { isTTY: true, columns: 80 };
    expect((await told(show, succeed, ["--human"], look)).stdout).toBe(
      `\u001b[1m\u001b[32mok\u001b[39m\u001b[22m\t語\n${rest}`,
    );
    expect((await told(show, succeed)).stdout).toBe(`ok\t語\n${rest}`);
    // If the terminal has no colours, colours in the payload are escaped too.
    expect((await told(() => "\u001b[31mred", succeed)).stdout).toBe("\\x1b[31mred\n");
  });
});
