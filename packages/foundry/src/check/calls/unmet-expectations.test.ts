import { describe, expect, it } from "vitest";
import type { ExpectedCall } from "./calls-file.ts";
import { type ObservedAnswer, unmetExpectations } from "./unmet-expectations.ts";

const unmet = (call: Partial<ExpectedCall>, answer: Partial<ObservedAnswer>) =>
  unmetExpectations(
    { tool: "tide", arguments: {}, ...call },
    { success: true, errorCode: undefined, data: {}, ...answer },
  );
const notFound = { success: false, errorCode: "NOT_FOUND" };

describe("the expectations of a call", () => {
  it.each<[string, Partial<ExpectedCall>, Partial<ObservedAnswer>, readonly string[]]>([
    ["nothing", {}, notFound, []],
    ["success", { expect: "success" }, {}, []],
    ["success", { expect: "success" }, notFound, ["expected success, got failure NOT_FOUND"]],
    [
      "success",
      { expect: "success" },
      { success: undefined },
      ["expected success, got an answer that is neither success nor failure"],
    ],
    ["failure", { expect: "failure" }, notFound, []],
    ["failure", { expect: "failure" }, {}, ["expected failure, got success"]],
    ["a code", { expect: "failure", errorCode: "NOT_FOUND" }, notFound, []],
    [
      "a code",
      { expect: "failure", errorCode: "FORBIDDEN" },
      notFound,
      ["expected failure FORBIDDEN, got failure NOT_FOUND"],
    ],
    [
      "a code",
      { expect: "failure", errorCode: "FORBIDDEN" },
      { success: false },
      ["expected failure FORBIDDEN, got failure without a code"],
    ],
  ])("%s of %j", (_title, call, answer, messages) => {
    expect(unmet(call, answer)).toEqual(messages);
  });

  it.each<[unknown, unknown, readonly string[]]>([
    [{}, { a: 1 }, []],
    [{ metres: 6.7 }, { metres: 6.7, port: "dover" }, []],
    [{ metres: 6.7 }, { metres: 7 }, ["data.metres: expected 6.7, got 7"]],
    [{ metres: 6.7 }, {}, ["data.metres: expected 6.7, got nothing"]],
    [{ toString: 1 }, {}, ["data.toString: expected 1, got nothing"]],
    [{ a: null }, { a: null }, []],
    [{ a: null }, {}, ["data.a: expected null, got nothing"]],
    [{ a: "1" }, { a: 1 }, ['data.a: expected "1", got 1']],
    [{ a: 1 }, null, ["data: expected an object, got null"]],
    [{ a: 1 }, [1], ["data: expected an object, got a list of 1 item"]],
    [{ rows: [{ id: 1 }] }, { rows: [{ id: 1, more: 2 }] }, []],
    [{ rows: [1] }, { rows: [1, 2] }, ["data.rows: expected a list of 1 item, got a list of 2 items"]],
    [{ rows: [{ id: 1 }] }, { rows: [] }, ["data.rows: expected a list of 1 item, got a list of 0 items"]],
    [
      { rows: [{ id: 1 }, { "b c": 2 }] },
      { rows: [{ id: 3 }, {}] },
      ["data.rows[0].id: expected 1, got 3", 'data.rows[1]["b c"]: expected 2, got nothing'],
    ],
    [
      { a: "x".repeat(90) },
      { a: "y".repeat(90) },
      [`data.a: expected "${"x".repeat(80)}…", got "${"y".repeat(80)}…"`],
    ],
  ])("%j of the data %j", (data, seen, messages) => {
    expect(unmet({ data: data as object as Record<string, unknown> }, { data: seen })).toEqual(messages);
  });

  it("give at most ten messages", () => {
    const data = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`k${index}`, index]));
    const messages = unmet({ expect: "failure", data }, {});
    expect(messages.length).toBe(11);
    expect(messages.at(-1)).toBe("and 3 more");
  });

  it("can be compared with data of any depth", () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(unmet({ data: { a: 1 } }, { data: { a: deep } })).toEqual([
      "data.a: expected 1, got a list of 1 item",
    ]);
  });
});
