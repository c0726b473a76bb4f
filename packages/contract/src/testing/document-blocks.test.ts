import { describe, expect, it } from "vitest";
import { isRecord } from "../json/json-value.ts";
import { blockCounts, type DocumentBlock, documentBlocks } from "./document-blocks.ts";

const envelopeKeys: Partial<Record<DocumentBlock["shape"], readonly string[]>> = {
  "response-v2": ["data", "error", "meta", "success"],
  "envelope-v1": [
    "capabilities",
    "data",
    "duration_ms",
    "error",
    "request_id",
    "tier",
    "tool_id",
    "tool_version",
    "upgrade_hints",
  ],
};

const documents = ["000", "001", "002", "003", "004"] as const;
const titled = documentBlocks.map((block) => ({
  title: `${block.document}:${block.line} ${block.name}`,
  block,
}));
const envelopes = titled.filter(({ block }) => block.kind === "envelope");
const fragments = titled.filter(({ block }) => block.kind === "fragment");

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses the notation of a block; abbreviated lists and objects (`...`) and unions become placeholders that
 * `differences` handles.
 */
function readNotation(text: string): unknown {
  if (parses(text)) return JSON.parse(text);
  const json = text
    .replace(/\/\/.*$/gm, "")
    .replace(/\{\s*\.\.\.\s*\}/g, '"{...}"')
    .replace(/\[\s*\.\.\.\s*\]/g, '"[...]"')
    .replace(/"[^"]*"(?:\s*\|\s*"[^"]*")+/g, (union) => `{"one of": [${union.replaceAll("|", ",")}]}`)
    .replace(/\?(?=\s*[,}\]\n])/g, "")
    .replace(/,(?=\s*[}\]])/g, "");
  return JSON.parse(json);
}

/** Returns the paths at which `value` differs from the block; `value` may have more keys. */
function differences(printed: unknown, value: unknown, path = "$"): string[] {
  if (typeof printed === "string") {
    if (printed === "{...}") return isRecord(value) ? [] : [path];
    if (printed === "[...]") return Array.isArray(value) && value.length > 0 ? [] : [path];
    if (printed === value) return printed === "..." ? [path] : [];
    const elided = printed.endsWith("...") && typeof value === "string";
    return elided && value.startsWith(printed.slice(0, -3)) ? [] : [path];
  }
  if (Array.isArray(printed)) {
    if (!Array.isArray(value) || value.length !== printed.length) return [path];
    return printed.flatMap((item, index) => differences(item, value[index], `${path}[${index}]`));
  }
  if (isRecord(printed)) {
    const choices = printed["one of"];
    if (Array.isArray(choices)) return choices.includes(value) ? [] : [path];
    if (!isRecord(value)) return [path];
    const keys = Object.keys(printed);
    if (keys.length === 0 && Object.keys(value).length > 0) return [path];
    return keys.flatMap((key) =>
      Object.hasOwn(value, key)
        ? differences(printed[key], value[key], `${path}.${key}`)
        : [`${path}.${key}`],
    );
  }
  return printed === value ? [] : [path];
}

/** Returns the part of `completed` that the block prints. */
function printedPart(block: DocumentBlock): unknown {
  let part = block.completed;
  for (const key of block.at ?? []) part = isRecord(part) ? part[key] : undefined;
  return part;
}

describe("the blocks of the documents", () => {
  it.each(documents)("document %s: as many blocks as counted, in the order of their lines", (document) => {
    const lines = documentBlocks.filter((block) => block.document === document).map(({ line }) => line);
    expect(lines).toHaveLength(blockCounts[document]);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });

  it("lists the documents in order and gives each block a title of its own", () => {
    expect([...new Set(documentBlocks.map(({ document }) => document))]).toEqual(documents);
    expect(new Set(titled.map(({ title }) => title)).size).toBe(documentBlocks.length);
  });

  it.each(envelopes)("$title: parses as a whole envelope", ({ block }) => {
    const value: unknown = JSON.parse(block.text);
    expect(isRecord(value) && Object.keys(value).sort()).toEqual(envelopeKeys[block.shape]);
    expect(block).not.toHaveProperty("completed");
    expect(block).not.toHaveProperty("at");
  });

  it.each(fragments)("$title: completed with all that it prints", ({ block }) => {
    expect(isRecord(block.completed)).toBe(true);
    expect(differences(readNotation(block.text), printedPart(block))).toEqual([]);

    const keys = [...block.text.matchAll(/"([^"]+)"\s*:/g)].map((match) => `"${match[1]}":`);
    const json = JSON.stringify(block.completed);
    expect(keys.filter((key) => !json.includes(key))).toEqual([]);
  });

  it.each(fragments)("$title: completed with the keys of its shape", ({ block }) => {
    const keys = envelopeKeys[block.shape];
    if (keys === undefined) return;
    expect(isRecord(block.completed) && Object.keys(block.completed).sort()).toEqual(keys);
    expect(JSON.parse(JSON.stringify(block.completed))).toEqual(block.completed);
  });
});

describe("the comparison with what a block prints", () => {
  it("finds a changed, missing or filled-in value", () => {
    expect(differences(readNotation('{"a": 1, "b": {}, "c": [1]}'), { a: 2, b: { x: 1 }, c: [] })).toEqual([
      "$.a",
      "$.b",
      "$.c",
    ]);
    expect(differences(readNotation('{"a": null}'), {})).toEqual(["$.a"]);
    expect(differences(readNotation('{"a": "abc..."}'), { a: "abd" })).toEqual(["$.a"]);
  });

  it("reads the notation of the documents", () => {
    const text = '{"a": { ... }?, "b": [...], "c": "x" | "y"?, "d": ["..."]?, // note\n}';
    expect(differences(readNotation(text), { a: {}, b: [1], c: "y", d: ["z"], e: 1 })).toEqual([]);
    expect(differences(readNotation(text), { a: [], b: [], c: "z", d: ["..."] })).toEqual([
      "$.a",
      "$.b",
      "$.c",
      "$.d[0]",
    ]);
  });
});
