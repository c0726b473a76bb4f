import { describe, expect, it } from "vitest";
import { withinDeadline } from "./within-deadline.ts";

const forever = () => {
  for (;;);
};

describe("withinDeadline", () => {
  it("returns the same object that the work returns", () => {
    const value = { a: 1 };
    const done = withinDeadline(1000, () => value);
    expect(done).toEqual({ ok: true, value: { a: 1 } });
    expect(done.ok && done.value).toBe(value);
  });

  it("returns the error that the work throws", () => {
    const error = new TypeError("no");
    expect(
      withinDeadline(1000, () => {
        throw error;
      }),
    ).toEqual({ ok: false, reason: "error", error });
    expect(
      withinDeadline(1000, () => {
        throw undefined;
      }),
    ).toEqual({ ok: false, reason: "error", error: undefined });
  });

  it("stops an endless loop", () => {
    expect(withinDeadline(20, forever)).toEqual({ ok: false, reason: "timeout" });
  });

  it("stops a regular expression that backtracks for ever", () => {
    expect(withinDeadline(20, () => /(a+)+$/.test(`${"a".repeat(200)}!`))).toEqual({
      ok: false,
      reason: "timeout",
    });
  });

  it("stops work that catches everything", () => {
    const stubborn = () => {
      for (;;) {
        try {
          forever();
        } catch {}
      }
    };
    expect(withinDeadline(20, stubborn)).toEqual({ ok: false, reason: "timeout" });
  });

  it("survives a stack that overflows", () => {
    const dive = (): number => dive() + 1;
    expect(withinDeadline(1000, dive)).toMatchObject({ ok: false, reason: "error" });
    expect(withinDeadline(1000, () => 1)).toEqual({ ok: true, value: 1 });
  });

  it("can be nested: the earlier deadline counts", () => {
    expect(withinDeadline(60_000, () => withinDeadline(20, forever))).toEqual({
      ok: true,
      value: { ok: false, reason: "timeout" },
    });
    expect(withinDeadline(20, () => withinDeadline(60_000, forever))).toEqual({
      ok: false,
      reason: "timeout",
    });
    expect(
      withinDeadline(1000, () => [withinDeadline(1000, () => 1), withinDeadline(1000, () => 2)]),
    ).toEqual({
      ok: true,
      value: [
        { ok: true, value: 1 },
        { ok: true, value: 2 },
      ],
    });
  });
});
