import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Canvas } from "../define/action.ts";
import { createLogStream, showLogLine } from "./log-stream.ts";
import { widthOf } from "./terminal-text.ts";

const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
const plain = (text: string) => text;
const canvas = (width?: number): Canvas => ({
  width,
  colors: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain },
});
// The time is local, so that the test does not depend on the time zone of the machine.
const time = new Date(2026, 10, 18, 20, 4, 3).getTime();
const show = (record: object, width?: number) => showLogLine(JSON.stringify(record), canvas(width));

describe("a log line for people", () => {
  it.each([
    [{ level: 30, url: "http://[::1]:1", msg: "listening" }, "info  listening url=http://[::1]:1"],
    [{ level: 40, msg: "turned away", method: "GET" }, "warn  turned away method=GET"],
    [{ level: 20, msg: "tools/call", tool: "a b", ok: null }, 'debug tools/call tool="a b" ok=-'],
    [{ level: 60, msg: "over" }, "fatal over"],
    [{ level: 10, msg: "deep", list: ["a", "b"], none: "" }, 'trace deep list="a, b" none=""'],
    [{ level: 35, msg: 7, ids: { spec_id: "alpha", task_id: "t" } }, "info  7 spec_id=alpha task_id=t"],
    [
      { level: 40, msg: "x", err: { type: "Error", message: "no route", stack: "Error\n  at y" } },
      'warn  x err="no route"',
    ],
    [{ level: 30, msg: "x", parts: [{ a: 1 }, { a: 2 }] }, 'info  x parts="2 items"'],
    [
      {
        level: 40,
        client: "ann",
        duration_ms: 70.4973,
        error_code: "NOT_FOUND",
        action: "get",
        tool: "spec",
        msg: "tools/call",
      },
      "warn  tools/call tool=spec action=get error_code=NOT_FOUND client=ann duration_ms=70.5",
    ],
    [{ level: 30, surface: "api", principal: "local", role: "x", audit: true, msg: "x" }, "info  x"],
    [
      { level: 30, principal: "ann", deep: { a: { b: 1 } }, msg: "x" },
      'info  x principal=ann deep="1 field"',
    ],
    [{ msg: "no level" }, "trace no level"],
  ])("%j", (record, text) => {
    expect(show({ time, pid: 1, hostname: "host", ...record })).toBe(`20:04:03 ${text}\n`);
  });

  it("leaves ids of requests and traces to errors, which it follows with their stack", () => {
    const ids = { request_id: "req_1", trace_id: "t1", span_id: "s1", success: true };
    expect(show({ time, level: 30, ...ids, msg: "tools/call" })).toBe("20:04:03 info  tools/call\n");
    const err = { type: "Error", message: "no route", stack: "Error: no route\n    at call (a.ts:1:2)" };
    expect(show({ time, level: 50, ...ids, success: false, err, msg: "tools/call" })).toBe(
      '20:04:03 error tools/call request_id=req_1 trace_id=t1 span_id=s1 success=false err="no route"\n' +
        "         Error: no route\n             at call (a.ts:1:2)\n",
    );
  });

  it("is painted, and wrapped below its message", () => {
    const colors = { ...canvas().colors, dim: mark("dim"), yellow: mark("yellow") };
    const record = { time, level: 40, msg: "one two three four five", key: "value" };
    expect(showLogLine(JSON.stringify(record), { width: 45, colors })).toBe(
      `<dim>20:04:03</dim> <yellow>warn </yellow> one two three four five\n${" ".repeat(15)}<dim>key=</dim>value\n`,
    );
  });

  it.each([
    [{ level: 30, msg: "x" }, "--:--:-- info  x\n"],
    [{ level: 30, time: "no time", msg: "x" }, "--:--:-- info  x\n"],
    [{ level: 30, time: new Date(time).toISOString(), msg: "x" }, "20:04:03 info  x\n"],
  ])("%j has the time that can be read", (record, text) => {
    expect(show(record)).toBe(text);
  });

  it("that is no JSON object is shown as it is, without control characters", () => {
    expect(showLogLine("not \u001b[31mJSON\n", canvas())).toBe("not \\x1b[31mJSON\n");
    expect(showLogLine("[1]\n", canvas())).toBe("[1]\n");
  });

  it("has no control character of its data, and no line is wider than the terminal", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    const record = fc.dictionary(
      fc.oneof(fc.constantFrom("level", "time", "msg", "err", "success"), text),
      fc.oneof(
        text,
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom(10, 30, 50),
        fc.record({ stack: text, type: text, message: text }),
      ),
      { maxKeys: 6 },
    );
    fc.assert(
      fc.property(record, fc.integer({ min: 20, max: 120 }), (fields, width) => {
        const lines = showLogLine(JSON.stringify(fields), canvas(width)).split("\n");
        expect(lines.pop()).toBe("");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
        expect(lines.filter((each) => /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(each))).toEqual([]);
        expect(lines.filter((each) => widthOf(each) > width)).toEqual([]);
      }),
    );
  });
});

it("a logger writes its lines to the terminal", () => {
  let written = "";
  const target = { isTTY: true, columns: 60, write: (text: string) => (written += text) };
  const logger = pino({ level: "info" }, createLogStream(target, { NO_COLOR: "1" }));
  logger.debug({}, "unseen");
  logger.child({ tool: "task" }).warn({ err: new TypeError("no\u0007 bell") }, "tools/call");
  expect(written).toMatch(/^\d\d:\d\d:\d\d warn {2}tools\/call tool=task err="no\\x07 bell"\n$/);
});
