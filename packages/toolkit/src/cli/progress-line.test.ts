import { describe, expect, it } from "vitest";
import { createProgressLine } from "./progress-line.ts";

/** A terminal that records the text written to it. */
function terminal(columns: number, isTTY = true) {
  const written: string[] = [];
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) > 0 };
  return { line: createProgressLine({ stderr } as never), written };
}

const clear = "\r\u001b[2K";

describe("the line of progress", () => {
  it("is a bar, a count and what is done", () => {
    const { line, written } = terminal(80);
    line.show({ progress: 0, total: 4, message: "begin" });
    line.show({ progress: 3, total: 4, message: "a.md" });
    line.show({ progress: 4, total: 4 });
    line.clear();
    expect(written).toEqual([
      `${clear}[........................] 0/4 (0 %) begin`,
      `${clear}[##################......] 3/4 (75 %) a.md`,
      `${clear}[########################] 4/4 (100 %)`,
      clear,
    ]);
  });

  it("has no bar where there is no room, no end, or more than all", () => {
    const narrow = terminal(40);
    narrow.line.show({ progress: 1, total: 2, message: "x".repeat(60) });
    expect(narrow.written).toEqual([`${clear}1/2 (50 %) ${"x".repeat(27)}…`]);
    const wide = terminal(80);
    wide.line.show({ progress: 7, message: "done" });
    wide.line.show({ progress: 7, total: 0 });
    wide.line.show({ progress: 9, total: 4 });
    expect(wide.written).toEqual([
      `${clear}7 done`,
      `${clear}7/0`,
      `${clear}[########################] 9/4 (100 %)`,
    ]);
  });

  it("writes nothing where nobody looks", () => {
    const { line, written } = terminal(80, false);
    line.show({ progress: 1, total: 2 });
    line.clear();
    expect(written).toEqual([]);
  });
});
