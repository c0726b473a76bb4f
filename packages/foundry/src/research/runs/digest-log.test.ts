import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDigestLog, parseDigestLog } from "./digest-log.ts";
import type { SourceRecord } from "./source-record.ts";

const failed = (number: number, error: string): SourceRecord => ({
  source_id: `source-${number}`,
  outcome: "failed",
  reason: "empty",
  error,
  remediation: "Leave it out.",
});
const records: fc.Arbitrary<SourceRecord[]> = fc
  .array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 6 })
  .map((errors) => errors.map((error, at) => failed(at + 1, error.toWellFormed())));
const toBytes = (all: readonly SourceRecord[]) =>
  Buffer.from(all.map((record) => `${JSON.stringify(record)}\n`).join(""));

describe("parseDigestLog", () => {
  it("returns the complete records, wherever the log is truncated", () => {
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const bytes = toBytes(all);
        const cut = Math.floor(bytes.length * share);
        const whole = bytes.subarray(0, cut).filter((byte) => byte === 0x0a).length;
        expect(parseDigestLog(bytes.subarray(0, cut), "log")).toEqual({
          records: all.slice(0, whole),
          size: toBytes(all.slice(0, whole)).length,
        });
      }),
    );
  });

  it("ignores an incomplete last line, with or without a newline", () => {
    const good = toBytes([failed(1, "a"), failed(2, "b")]);
    for (const tail of ["\0\0\0\0", "\0\0\n", '{"source_id": "source-3"}\n', "\n", '{"outcome"'])
      expect(parseDigestLog(Buffer.concat([good, Buffer.from(tail)]), "log").size).toBe(good.length);
  });

  it("reports the number of any other invalid line", () => {
    fc.assert(
      fc.property(records, fc.string({ maxLength: 20 }), fc.nat(), (all, garbage, place) => {
        const lines = all.map((record) => JSON.stringify(record));
        fc.pre(lines.length > 0);
        const at = place % lines.length;
        lines.splice(at, 0, garbage.replaceAll("\n", " "));
        try {
          parseDigestLog(Buffer.from(`${lines.join("\n")}\n`), "r/log");
        } catch (err) {
          if (!isContractError(err)) throw err;
          expect(err.message).toBe(`Cannot read "r/log": line ${at + 1} is no record of a source`);
          return;
        }
        throw new Error("unreachable");
      }),
    );
  });

  it.each([
    { outcome: "digested" },
    { source_id: "source-1", outcome: "lost" },
    {
      source_id: "source-1",
      outcome: "short",
      source_text_hash: "sha256:0",
      chars: 1,
      is_match: true,
      is_kept: true,
      digest: null,
      query_counts: { sentences: 0, counts: [] },
    },
    {
      source_id: "source-1",
      outcome: "short",
      source_text_hash: `sha256:${"0".repeat(64)}`,
      chars: -1,
      is_match: true,
      is_kept: true,
      digest: null,
      query_counts: { sentences: 0, counts: [] },
    },
    {
      source_id: "source-1",
      outcome: "short",
      source_text_hash: `sha256:${"0".repeat(64)}`,
      chars: 1,
      is_match: true,
      is_kept: true,
      digest: null,
      query_counts: { sentences: 0, counts: [] },
      quotes: [{ text: "a", locator: "here", relevance_score: 1 }],
    },
  ])("refuses the record %j", (value) => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    expect(parseDigestLog(bytes, "log")).toEqual({ records: [], size: 0 });
  });
});

describe("openDigestLog", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "foundry-log-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("appends after the last complete line", async () => {
    const path = join(folder, "log");
    const good = toBytes([failed(1, "a")]);
    await writeFile(path, Buffer.concat([good, Buffer.from('{"torn')]));
    const log = await openDigestLog(createWorkspaceFiles({ root: folder }), path, "log", good.length);
    await Promise.all([log.append(failed(2, "b")), log.append(failed(3, "c"))]);
    await log.close();
    expect(await readFile(path, "utf8")).toBe(
      toBytes([failed(1, "a"), failed(2, "b"), failed(3, "c")]).toString(),
    );
  });

  it("appends nothing after a failure", async () => {
    const path = join(folder, "log");
    const calls: number[] = [];
    const files = createWorkspaceFiles({ root: folder });
    const append = async (_: string, { length }: Uint8Array) => {
      // An append without bytes opens the log.
      if (length === 0) return files.append(path, new Uint8Array());
      calls.push(length);
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    const fs = { ...files, append };
    const log = await openDigestLog(fs, path, "r/log", 0);
    const results = await Promise.allSettled([log.append(failed(1, "a")), log.append(failed(2, "b"))]);
    expect(results.map((result) => (result as { reason: Error }).reason.message)).toEqual(
      Array(2).fill('Cannot write "r/log": the disk is full'),
    );
    expect(calls).toHaveLength(1);
    await log.close();
  });
});
