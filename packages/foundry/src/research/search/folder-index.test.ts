import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize } from "../digest/canonical-text.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import { createFolderIndex } from "./folder-index.ts";
import { countTerms, frequencyOf } from "./term-frequencies.ts";

const { signal } = new AbortController();
const search = { limit: 10, signal };

/** Creates a folder in memory with files that can be changed, and a record of reads. */
function createFolder(files: Record<string, string>) {
  const reads: string[] = [];
  const index = createFolderIndex({
    list: async () => Object.keys(files),
    async read(path) {
      reads.push(path);
      const text = files[path] ?? "";
      if (text === "binary") throw new UnusableDocument("binary", "It is binary, not text");
      return text;
    },
    async stamp(path) {
      if (files[path] === "denied") throw Object.assign(new Error("no"), { code: "EACCES" });
      return files[path] ?? "";
    },
  });
  const find = async (query: string) => (await index.search(query, search)).map(({ source }) => source.path);
  return { index, reads, find };
}

describe("createFolderIndex", () => {
  it("finds matching documents, best first", async () => {
    const { find, index } = createFolder({
      "b.txt": "The tide at Dover.",
      "a.txt": "The tide at Dover.",
      "c.txt": "The tide, the tide, the tide, and much else of which this long text tells.",
      "d.txt": "Bread.",
    });
    expect(await find("tides of dover")).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(await find("bread")).toEqual(["d.txt"]);
    expect(await find("xylophone")).toEqual([]);
    expect(await find("")).toEqual([]);
    expect((await index.search("the tide", { limit: 1, signal })).length).toBe(1);
    for (const { score } of await index.search("the tide", search))
      expect(score > 0 && score <= 1).toBe(true);
    expect([index.name, index.problems]).toEqual(["folder", []]);
  });

  it("reads only changed documents again, and forgets deleted ones", async () => {
    const files: Record<string, string> = { "a.txt": "tide", "b.txt": "moon" };
    const { find, reads } = createFolder(files);
    await find("tide");
    expect(reads.splice(0)).toEqual(["a.txt", "b.txt"]);
    expect(await find("moon")).toEqual(["b.txt"]);
    expect(reads).toEqual([]);
    files["b.txt"] = "tide and tide";
    files["c.txt"] = "moon";
    expect(await find("moon")).toEqual(["c.txt"]);
    expect(reads.splice(0)).toEqual(["b.txt", "c.txt"]);
    delete files["a.txt"];
    expect(await find("tide")).toEqual(["b.txt"]);
    expect(reads).toEqual([]);
    files["a.txt"] = "tide";
    expect(await find("tide")).toEqual(["a.txt", "b.txt"]);
    expect(reads).toEqual(["a.txt"]);
  });

  it("reads each document once for concurrent searches", async () => {
    const { find, reads } = createFolder({ "a.txt": "tide", "b.txt": "moon" });
    expect(await Promise.all([find("tide"), find("moon"), find("tide")])).toEqual([
      ["a.txt"],
      ["b.txt"],
      ["a.txt"],
    ]);
    expect(reads).toEqual(["a.txt", "b.txt"]);
  });

  it("reports unreadable documents, and tries them again when they change", async () => {
    const files: Record<string, string> = { "a.txt": "tide", "b.bin": "binary", "c.txt": "denied" };
    const { find, index, reads } = createFolder(files);
    expect(await find("tide")).toEqual(["a.txt"]);
    expect(index.problems.map(({ path, reason }) => [path, reason])).toEqual([
      ["b.bin", "binary"],
      ["c.txt", "forbidden"],
    ]);
    files["c.txt"] = "tide again";
    reads.length = 0;
    expect(await find("tide")).toEqual(["a.txt", "c.txt"]);
    expect([index.problems.map(({ path }) => path), reads]).toEqual([["b.bin"], ["c.txt"]]);
  });

  it("stops when aborted, and the next search continues", async () => {
    const stop = new AbortController();
    let isFirst = true;
    const index = createFolderIndex({
      list: async () => ["a.txt", "b.txt"],
      read: async () => {
        if (isFirst) stop.abort(new Error("enough"));
        isFirst = false;
        return "tide";
      },
      stamp: async () => "1",
    });
    await expect(index.search("tide", { limit: 5, signal: stop.signal })).rejects.toThrow("enough");
    expect(await index.search("tide", search)).toHaveLength(2);
  });

  it("fails while the listing fails, and recovers with it", async () => {
    let isBroken = true;
    const index = createFolderIndex({
      list: () => (isBroken ? Promise.reject(new Error("gone")) : Promise.resolve(["a.txt"])),
      read: async () => "tide",
      stamp: async () => "1",
    });
    await expect(index.search("tide", search)).rejects.toThrow("gone");
    isBroken = false;
    expect(await index.search("tide", search)).toHaveLength(1);
  });

  it("finds the document of a question in four languages", async () => {
    const folder = new URL("../../../../../test/fixtures/ranking/", import.meta.url);
    const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
    const languages = ["ar", "en", "ru", "zh"];
    const paths = languages.flatMap((language) =>
      readdirSync(new URL(`documents/${language}/`, folder)).map((name) => `${language}/${name}`),
    );
    const index = createFolderIndex({
      list: async () => paths,
      read: async (path) => canonicalize(read(`documents/${path}`)).text,
      stamp: async () => "",
    });
    const pairs = JSON.parse(read("pairs.json")) as { language: string; document: string; query: string }[];
    const rows = await Promise.all(
      paths.map(async (path) => {
        const own = pairs.filter(({ language, document }) => path === `${language}/${document}.txt`);
        const ranks = await Promise.all(
          own.map(async ({ query }) => {
            const hits = await index.search(query, { limit: paths.length, signal });
            return hits.findIndex(({ source }) => source.path === path) + 1;
          }),
        );
        return { path, questions: own.length, first: ranks.filter((rank) => rank === 1).length, ranks };
      }),
    );
    process.stdout.write(
      `${rows.map(({ path, questions, first, ranks }) => `${path.padEnd(28)} first for ${first} of ${questions}  ${ranks.join(" ")}`).join("\n")}\n`,
    );
    for (const { path, questions, first } of rows)
      expect([path, first > questions / 2]).toEqual([path, true]);
    const found = rows.reduce((sum, { first }) => sum + first, 0);
    expect(found / pairs.length).toBeGreaterThan(0.9);
  });
});

describe("countTerms", () => {
  it("counts the same wherever a chunk ends", () => {
    const words = ["tide", "moon", "潮水", "прилив", "🌊", "المد"];
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.constantFrom(...words)),
        fc.integer({ min: 0, max: 30_000 }),
        (stream, count) => {
          const chosen = [...stream.take(count)];
          const counted = countTerms(chosen.join(" "));
          for (const word of words) {
            const [term = 0] = countTerms(word).terms;
            expect(frequencyOf(counted, term)).toBe(chosen.filter((each) => each === word).length);
          }
          expect(counted.total).toBe(chosen.length);
        },
      ),
      { numRuns: 10 },
    );
  });
});
