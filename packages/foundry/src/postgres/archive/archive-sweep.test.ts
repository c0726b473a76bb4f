import { describe, expect, it, vi } from "vitest";
import { isSweepDue, type OldEntry, selectEntries } from "./archive-sweep.ts";

describe("selectEntries", () => {
  const entry = (archive_id: string, created_at: number, digest: string, names = 1): OldEntry => ({
    owner: Buffer.from("ada"),
    archive_id,
    digest,
    created_at,
    ranked_at: created_at,
    size: 10,
    names,
  });
  const idsOf = (chosen: readonly OldEntry[]) => chosen.map(({ archive_id }) => archive_id);

  it("selects expired entries, then further ones until enough is freed", () => {
    const entries = [entry("a", 1, "x"), entry("b", 2, "y"), entry("c", 3, "z")];
    expect(idsOf(selectEntries(entries, { excess: 0, expired: 0, spared: "" }))).toEqual([]);
    expect(idsOf(selectEntries(entries, { excess: 0, expired: 2, spared: "" }))).toEqual(["a", "b"]);
    expect(idsOf(selectEntries(entries, { excess: 11, expired: 0, spared: "" }))).toEqual(["a", "b"]);
    expect(idsOf(selectEntries(entries, { excess: 10, expired: 1, spared: "" }))).toEqual(["a"]);
  });

  it("counts an object as freed when its last entry is selected", () => {
    const entries = [entry("a", 1, "x", 2), entry("b", 2, "y"), entry("c", 3, "x", 2), entry("d", 4, "z")];
    expect(idsOf(selectEntries(entries, { excess: 10, expired: 0, spared: "" }))).toEqual(["a", "b"]);
    expect(idsOf(selectEntries(entries, { excess: 20, expired: 0, spared: "" }))).toEqual(["a", "b", "c"]);
  });

  it("spares the entry that was just put, however old it seems", () => {
    const entries = [entry("a", 1, "x"), entry("b", 2, "y"), entry("c", 3, "z")];
    expect(idsOf(selectEntries(entries, { excess: 30, expired: 1, spared: "a" }))).toEqual(["b", "c"]);
  });

  it("spares an entry that was put again during the query", () => {
    const entries = [{ ...entry("a", 1, "x"), created_at: 9 }, entry("b", 2, "y")];
    expect(idsOf(selectEntries(entries, { excess: 10, expired: 0, spared: "" }))).toEqual(["b"]);
  });
});

describe("isSweepDue", () => {
  const limits = { maxAgeMs: 1, maxBytes: 10 };

  it.each([
    ["not while there is room and it was swept lately", 10, 3_599_999, false],
    ["at once when there is too much", 11, 0, true],
    ["after an hour", 0, 3_600_000, true],
    ["when the clock was put back by an hour", 0, -3_600_001, true],
  ])("%s", (_name, bytes, ago, isDue) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    expect(isSweepDue({ bytes, swept_at: Date.now() - ago }, limits)).toBe(isDue);
    vi.useRealTimers();
  });
});
