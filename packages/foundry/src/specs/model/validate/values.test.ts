import { toJsonPath } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { findCycles } from "../cycles.ts";
import { nearestName } from "../nearest-name.ts";
import { quote } from "./quote.ts";
import { resolveNodeType, resolveStatus, resolveType, resolveVerificationType } from "./resolve-value.ts";
import { isTimestamp, toTimestamp } from "./timestamp.ts";

describe("times", () => {
  it("are valid only with a zone", () => {
    const good = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05+02:00"];
    expect(good.filter(isTimestamp)).toEqual(good);
    const bad = ["2026-01-02", "2026-01-02T03:04:05", "2026-13-02T03:04:05Z", "", 7, null, {}];
    expect(bad.filter(isTimestamp)).toEqual([]);
  });

  it("are converted from other formats", () => {
    const meant = (value: unknown) => toTimestamp(value);
    expect(meant("2026-01-02")).toBe("2026-01-02T00:00:00Z");
    expect(meant("2026/1/2 3:04")).toBe("2026-01-02T03:04:00Z");
    expect(meant("2026-01-02T03:04:05.678901")).toBe("2026-01-02T03:04:05.678901Z");
    expect(meant("2026-01-02 03:04:05 +0230")).toBe("2026-01-02T00:34:05Z");
    expect(meant(1_767_323_045)).toBe("2026-01-02T03:04:05Z");
    expect(meant(1_767_323_045_000)).toBe("2026-01-02T03:04:05Z");
    expect(["yesterday", "2026-02-30", "2026-01-02 25:00", "", null, -1, 1e300].map(meant)).toEqual(
      Array(7).fill(undefined),
    );
  });
});

describe("synonyms", () => {
  it("mean a status", () => {
    const words = [
      "todo",
      "Done",
      "complete",
      "inprogress",
      "In Progress",
      "in-progres",
      "incomplete",
      "toString",
    ];
    expect(words.map(resolveStatus)).toEqual([
      ...["pending", "completed", "completed", "in_progress", "in_progress", "in_progress", "pending"],
      undefined,
    ]);
    expect(resolveStatus("uncompletd")).toBeUndefined();
  });

  it("mean a type, else the id does", () => {
    expect(["tasks", "sub_task", "verification", "validate", 5].map(resolveType)).toEqual([
      ...["task", "subtask", "verify", "verify"],
      undefined,
    ]);
    const ids = ["spec-root", "phase-2", "phase-2-files", "verify-1-1", "research-1", "task-1", "anything"];
    expect(ids.map((id) => resolveNodeType(id, "?"))).toEqual([
      ...["spec", "phase", "group", "verify", "research", "task", "task"],
    ]);
  });

  it("mean a verification type", () => {
    expect(["auto", "test", "Run Tests", "fidelty", "?"].map(resolveVerificationType)).toEqual([
      ...["run-tests", "run-tests", "run-tests", "fidelity"],
      undefined,
    ]);
  });
});

describe("nearestName", () => {
  it("finds what was probably meant", () => {
    const names = ["pending", "in_progress", "completed", "blocked"];
    expect(
      ["pendign", "IN PROGRESS", "complted", "block", "x", "zzzzzz"].map((word) => nearestName(word, names)),
    ).toEqual([...["pending", "in_progress", "completed", undefined, undefined, undefined]]);
    expect(nearestName("pendding".repeat(10), names)).toBeUndefined();
    expect(nearestName("completing", names, 2)).toBeUndefined();
    expect(nearestName("completing", names, 3)).toBe("completed");
  });
});

describe("findCycles", () => {
  const loopsOf = (graph: Record<string, string[]>) =>
    findCycles(Object.keys(graph), (id) => graph[id] ?? []);

  it("returns one cycle of each strongly connected component", () => {
    const { paths, components } = loopsOf({
      a: ["b", "a"],
      b: ["c"],
      c: ["a", "d"],
      d: ["e"],
      e: ["d"],
      f: ["a"],
    });
    expect(paths).toEqual([
      ["d", "e", "d"],
      ["a", "a"],
    ]);
    expect([...components].sort()).toEqual([
      ...[
        ["a", 1],
        ["b", 1],
        ["c", 1],
        ["d", 0],
        ["e", 0],
      ],
    ]);
  });

  it("finds none where there is none", () => {
    expect(loopsOf({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })).toEqual({
      paths: [],
      components: new Map(),
    });
  });
});

describe("messages", () => {
  it("quote values on one line, truncated", () => {
    expect([7, null, [], {}, "a\nb", "😀".repeat(61)].map(quote)).toEqual([
      ...["7", "null", "a list", "an object", "'a b'", `'${"😀".repeat(60)}…'`],
    ]);
  });

  it("write paths as JSON paths", () => {
    expect(toJsonPath(["hierarchy", "task-1", "children", 2])).toBe("$.hierarchy.task-1.children[2]");
    expect(toJsonPath(["hierarchy", 'odd "id"'])).toBe('$.hierarchy["odd \\"id\\""]');
  });
});
