import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { FaultyFileSystem } from "../../../files/durable/testing/faulty-file-system.ts";
import type { Edit } from "../../../files/json-text/edit.ts";
import { type Recipe, recipes, toEdits } from "../../../files/json-text/testing/random-edits.ts";
import { formats, parseText, toText, trees } from "../../../files/json-text/testing/random-text.ts";
import { HistoryFolder } from "./history-folder.ts";
import { asyncFileSystem, quickFileSystem, SimulatedSpec } from "./testing/simulated-spec.ts";

const opened: SimulatedSpec[] = [];
afterEach(async () => {
  for (const spec of opened.splice(0)) await spec.remove();
});

async function open(text: string | Buffer, keep = 50, fs = quickFileSystem) {
  const spec = await SimulatedSpec.create(Buffer.from(text), keep, fs);
  opened.push(spec);
  return spec;
}

const set = (key: string, value: string) => [{ op: "set" as const, path: [key], value }];
const padded = (more = "") => `{"pad": "${"x".repeat(400)}", "a": "1"${more}}`;

async function expectTexts(spec: SimulatedSpec): Promise<readonly string[]> {
  const listed = await spec.list();
  for (const revision of listed) {
    const text = await spec.textAt(revision);
    expect(spec.texts.get(revision)?.equals(text!)).toBe(true);
  }
  expect(listed[0]).toBe(spec.revision);
  return listed;
}

const documents = fc.tuple(trees, formats).map(([tree, format]) => {
  const pad = { kind: "string" as const, text: "p".repeat(3_000) };
  return toText(
    {
      kind: "object",
      members: [
        ["pad", pad],
        ["inner", tree],
      ],
    },
    format,
  );
});
const change = fc.record({
  op: fc.constant("change" as const),
  wanted: fc.array(recipes, { minLength: 1, maxLength: 3 }),
});
const never = fc.record({
  op: fc.constant("never" as const),
  wanted: fc.array(recipes, { minLength: 1, maxLength: 2 }),
});
const outside = fc.record({ op: fc.constant("outside" as const), byte: fc.nat(), isInPlace: fc.boolean() });
const restart = fc.record({ op: fc.constant("restart" as const) });
const torn = fc.record({ op: fc.constant("torn" as const) });
const other = fc.record({ op: fc.constant("other" as const), text: documents, isInPlace: fc.boolean() });
const cut = fc.record({ op: fc.constant("cut" as const), bytes: fc.nat(2_000) });
const lost = fc.record({ op: fc.constant("lost" as const) });
type Op =
  | typeof change
  | typeof never
  | typeof outside
  | typeof restart
  | typeof torn
  | typeof other
  | typeof cut
  | typeof lost;
type Deed = Op extends fc.Arbitrary<infer T> ? T : never;

async function run(spec: SimulatedSpec, deed: Deed): Promise<void> {
  if (deed.op === "change" || deed.op === "never")
    await spec.change(innerEdits(spec.bytes, deed.wanted), deed.op === "change");
  else if (deed.op === "outside") {
    const end = spec.bytes.length - (deed.byte % 20);
    // The byte may have any value, because other programs need not write UTF-8.
    const byte = Buffer.from([deed.byte % 256]);
    const after = Buffer.concat([spec.bytes.subarray(0, end), byte, spec.bytes.subarray(end)]);
    const isGood = after.every((each) => each < 0x80) && isJson(after);
    await spec.editOutside(isGood ? after : Buffer.concat([spec.bytes, Buffer.from("\n")]), deed.isInPlace);
  } else if (deed.op === "other") await spec.editOutside(deed.text, deed.isInPlace);
  else if (deed.op === "restart") spec.restart();
  else if (deed.op === "torn") await spec.tear();
  else if (deed.op === "cut") await spec.loseEnd(deed.bytes);
  else await spec.loseBases();
}

/**
 * Returns edits after which the text is still long, so that an outside edit changes only a small part of it.
 */
function innerEdits(bytes: Buffer, wanted: readonly Recipe[]): readonly Edit[] {
  const { inner } = parseText(bytes) as { inner: unknown };
  return toEdits(inner, wanted).map((edit) => ({ ...edit, path: ["inner", ...edit.path] }));
}

function isJson(bytes: Buffer): boolean {
  try {
    parseText(bytes);
    return true;
  } catch {
    return false;
  }
}

describe("HistoryFolder", () => {
  it("keeps the newest revisions, all of them, through crashes and the edits of others", async () => {
    const deeds = fc.array(
      fc.oneof({ weight: 6, arbitrary: change }, { weight: 2, arbitrary: outside }, never, restart, torn),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(documents, fc.integer({ min: 1, max: 6 }), deeds, async (bytes, keep, all) => {
        const spec = await SimulatedSpec.create(bytes, keep);
        try {
          await spec.change([]);
          let isSettled = true;
          for (const deed of all) {
            // An outside edit is detected at the next change. Until then, it cannot be distinguished from a
            // change that was recorded but never made.
            if (!isSettled && deed.op === "outside") continue;
            if (deed.op === "change") isSettled = true;
            if (deed.op === "outside" || deed.op === "never") isSettled = false;
            await run(spec, deed);
            const listed = await expectTexts(spec);
            const past = spec.past.toReversed();
            expect(listed).toEqual(past.slice(0, listed.length));
            expect(listed.length).toBeGreaterThanOrEqual(Math.min(keep, past.length));
            expect(listed.length).toBeLessThanOrEqual(2 * keep + 3);
          }
        } finally {
          await spec.remove();
        }
      }),
      { numRuns: 80 },
    );
  });

  it("gives back every revision that it lists, whatever was lost", async () => {
    const deeds = fc.array(
      fc.oneof({ weight: 6, arbitrary: change }, outside, never, restart, torn, other, cut, lost),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(documents, fc.integer({ min: 1, max: 6 }), deeds, async (bytes, keep, all) => {
        const spec = await SimulatedSpec.create(bytes, keep);
        try {
          for (const deed of all) {
            await run(spec, deed);
            await expectTexts(spec);
          }
          // After any sequence of events, the next change can be reverted.
          const before = spec.revision;
          await spec.change([{ op: "set", path: ["pad"], value: "other" }]);
          expect((await expectTexts(spec)).slice(0, 2)).toEqual([spec.revision, before]);
        } finally {
          await spec.remove();
        }
      }),
      { numRuns: 80 },
    );
  });

  it.each(["before", "halfway", "after"] as const)(
    "survives a crash %s any step of a record",
    async (crash) => {
      const outsideText = (spec: SimulatedSpec, more: string) =>
        Buffer.from(spec.bytes.toString().replace("}", `${more}}`));
      const pasts: Record<string, (spec: SimulatedSpec) => Promise<unknown>> = {
        "the first": async () => {},
        "one of many": (spec) => spec.change(set("a", "0")),
        "one that forgets others": async (spec) => {
          for (let count = 0; count < 5; count++) await spec.change(set("a", `${count}`));
        },
        "one after an edit outside": async (spec) => {
          await spec.change(set("a", "0"));
          await spec.editOutside(outsideText(spec, ' , "b": 1'), true);
        },
        "one after another text": async (spec) => {
          await spec.change(set("a", "0"));
          await spec.editOutside(Buffer.from('{"a": "none of it"}'), true);
        },
      };
      for (const [name, prepare] of Object.entries(pasts)) {
        for (let crashAt = 1, isOver = false; !isOver; crashAt++) {
          const spec = await open(padded(), 2);
          await prepare(spec);
          const watched = new FaultyFileSystem(quickFileSystem, { crashAt, crash });
          spec.restart(watched.fs);
          await spec.change(set("a", "never made"), false).catch(() => {});
          isOver = watched.calls.length < crashAt;
          spec.restart();
          await expectTexts(spec);
          const before = spec.revision;
          for (let count = 0; count < 2; count++) await spec.change(set("a", `then ${count}`));
          expect((await expectTexts(spec)).slice(0, 3), `${name}, call ${crashAt}`).toEqual([
            ...spec.past.slice(-2).reverse(),
            before,
          ]);
          for (let count = 0; count < 6; count++) await spec.change(set("a", `more ${count}`));
          const bases = (await spec.files()).filter((each) => each.startsWith("base-"));
          expect(bases.length, `${name}, call ${crashAt}`).toBe(1);
        }
      }
    },
  );

  it("tells how each revision came to be", async () => {
    const spec = await open(padded());
    const entry = (revision: string, at: string, more: object) => ({
      revision,
      at,
      author: "tester",
      action: "change",
      about: ["task-1"],
      ...more,
    });
    const list = () => spec.history.list("spec", { revision: spec.revision, at: "2026-02-02T00:00:00Z" });
    const first = { author: "unknown", action: "first seen", about: [] };
    expect(await list()).toEqual([entry(spec.past[0]!, "2026-02-02T00:00:00Z", first)]);
    await spec.change(set("a", "2"));
    const made = [
      entry(spec.past[1]!, "2026-01-01T00:00:01Z", {}),
      entry(spec.past[0]!, "2026-01-01T00:00:01Z", first),
    ];
    expect(await list()).toEqual(made);
    const others = { author: "unknown", action: "edited outside", about: [] };
    await spec.editOutside(Buffer.from(padded(', "b": 2')), true);
    expect(await list()).toEqual([entry(spec.past[2]!, "2026-02-02T00:00:00Z", others), ...made]);
    await spec.change(set("a", "3"));
    expect(await list()).toEqual([
      entry(spec.past[3]!, "2026-01-01T00:00:04Z", {}),
      entry(spec.past[2]!, "2026-01-01T00:00:04Z", others),
      ...made,
    ]);
  });

  it("remembers how the oldest revision came to be when those before it are forgotten", async () => {
    const spec = await open(padded(), 2);
    for (let count = 0; count < 6; count++) await spec.change(set("a", `${count}`));
    const entries = await spec.history.list("spec", { revision: spec.revision });
    expect(entries.map(({ action }) => action)).toEqual(["change", "change", "change"]);
    expect(entries.map(({ revision }) => revision)).toEqual(spec.past.slice(-3).reverse());
    expect(await spec.textAt(spec.past[0]!)).toBeUndefined();
  });

  it("begins with how a spec was created", async () => {
    const spec = await open(padded());
    await spec.change(set("a", "of another spec that had this id"));
    const origin = {
      to: spec.revision,
      at: "2026-01-01T00:00:00Z",
      author: "someone",
      action: "create",
      about: [],
    };
    await spec.history.start("spec", origin, spec.file);
    await spec.change(set("a", "2"));
    const { to: revision, ...told } = origin;
    const entries = await spec.history.list("spec", { revision: spec.revision });
    expect(entries.slice(1)).toEqual([{ revision, ...told }]);
    await expectTexts(spec);
  });

  it("writes a line of the bytes that changed, and keeps the old file by a second name", async () => {
    const spec = await open(padded());
    const [first] = spec.past;
    await spec.change(set("a", "2"));
    const { ino } = await stat(join(spec.log, "..", `base-${first}.json`));
    await spec.change(set("a", "ü"));
    expect(await spec.files()).toEqual([`base-${first}.json`, "log.jsonl"]);
    expect((await stat(join(spec.log, "..", `base-${first}.json`))).ino).toBe(ino);
    expect(
      (await spec.readLog())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        from: first,
        to: spec.past[1],
        at: "2026-01-01T00:00:01Z",
        author: "tester",
        action: "change",
        about: ["task-1"],
        splices: [[417, '"1"', '"2"']],
      },
      {
        from: spec.past[1],
        to: spec.past[2],
        at: "2026-01-01T00:00:02Z",
        author: "tester",
        action: "change",
        about: ["task-1"],
        splices: [[417, '"2"', '"\\u00fc"']],
      },
    ]);
  });

  it("lets nobody read the old text who may not read the spec", async () => {
    const spec = await open(padded());
    const chmod = await import("node:fs/promises").then((fs) => fs.chmod);
    await chmod(spec.file, 0o600);
    await spec.change(set("a", "2"));
    for (const name of await spec.files())
      expect((await stat(join(spec.log, "..", name))).mode & 0o777).toBe(0o600);
    await spec.editOutside(Buffer.from(padded(', "b": 2')), true);
    expect(await expectTexts(spec)).toEqual(spec.past.toReversed());
  });

  it("starts anew where others have changed too much, and says so", async () => {
    const spec = await open(padded());
    spec.history = new HistoryFolder(asyncFileSystem, join(spec.folder, "history"), 50, 10);
    await spec.change(set("a", "2"));
    await spec.editOutside(Buffer.from('{"a": "new"}'), false);
    expect(await spec.list()).toEqual(spec.past.toReversed());
    await spec.change(set("a", "3"));
    const entries = await spec.history.list("spec", { revision: spec.revision });
    expect(entries.map(({ revision, action }) => [revision, action])).toEqual([
      [spec.past[3], "change"],
      [spec.past[2], "edited outside"],
    ]);
    expect(await spec.files()).toEqual([`base-${spec.past[2]}.json`, "log.jsonl"]);
  });

  it("does not list a change that was never made", async () => {
    const spec = await open(padded());
    const never = await spec.change(set("a", "2"), false);
    expect(await expectTexts(spec)).toEqual(spec.past);
    expect(await spec.textAt(never)).toBeUndefined();
    await spec.change(set("a", "3"));
    expect(await expectTexts(spec)).toEqual(spec.past.toReversed());
    expect(await spec.textAt(never)).toBeUndefined();
  });

  it("fails for a text that does not come out as it was, and tells what to do", async () => {
    const spec = await open(padded());
    for (const value of ["2", "3"]) await spec.change(set("a", value));
    const log = await spec.readLog();
    await writeFile(spec.log, log.replace('"\\"2\\"","\\"3\\""', '"\\"7\\"","\\"3\\""'));
    await expect(spec.textAt(spec.past[1]!)).resolves.toEqual(spec.texts.get(spec.past[1]!));
    await spec.loseBases();
    await expect(spec.textAt(spec.past[1]!)).rejects.toMatchObject({
      message: `Cannot restore revision ${spec.past[1]} of spec "spec": its history in .foundry/history is damaged`,
      code: "BACKUP_CORRUPTED",
      remediation: expect.stringContaining('spec(action="history", spec_id="spec")'),
    });
  });

  it("does not believe a base that was written to", async () => {
    const spec = await open(padded());
    await spec.change(set("a", "2"), false);
    await writeFile(join(spec.log, "..", `base-${spec.past[0]}.json`), padded(', "b": 1'));
    await spec.editOutside(Buffer.from(padded(', "b": 2')), false);
    await expect(spec.textAt(spec.past[0]!)).rejects.toMatchObject({ code: "BACKUP_CORRUPTED" });
    await spec.change(set("a", "3"));
    expect(await expectTexts(spec)).toEqual(spec.past.slice(1).reverse());
  });

  it("has a base that no program can write to by writing the spec file", async () => {
    const spec = await open(padded());
    const first = spec.revision;
    await spec.change(set("a", "2"), false);
    await writeFile(spec.file, padded(', "b": 2'));
    await spec.editOutside(Buffer.from(padded(', "b": 2')), false);
    expect(await spec.textAt(first)).toEqual(spec.texts.get(first));
  });

  it("keeps bytes that are no text", async () => {
    const spec = await open(padded());
    const bytes = Buffer.concat([spec.bytes, Buffer.from([0xff, 0xfe])]);
    await spec.replace(bytes, [
      { at: spec.bytes.length, removed: Buffer.alloc(0), inserted: Buffer.from([0xff, 0xfe]) },
    ]);
    await spec.replace(spec.texts.get(spec.past[0]!)!, [
      { at: bytes.length - 2, removed: Buffer.from([0xff, 0xfe]), inserted: Buffer.alloc(0) },
    ]);
    expect(await spec.readLog()).toContain('{"base64":"//4="}');
    expect(await expectTexts(spec)).toEqual(spec.past.toReversed());
  });

  it("keeps nothing where nothing is to be kept", async () => {
    const spec = await open(padded(), 0);
    await spec.change(set("a", "2"));
    expect(await spec.files()).toEqual([]);
    expect(await spec.list()).toEqual([spec.revision]);
    expect(await spec.textAt(spec.past[0]!)).toBeUndefined();
    expect(await readFile(spec.file)).toEqual(await spec.textAt(spec.revision));
  });
});
