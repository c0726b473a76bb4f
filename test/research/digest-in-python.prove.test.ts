import { spawnSync } from "node:child_process";
import {
  type DigestPayload,
  parseLocator,
  sourceTextHash,
  validatePayload,
  verifySnippet,
} from "@foundry-mcp/contract/digest";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { canonicalize, joinPages } from "#built/foundry/research/digest/canonical-text.js";
import { digestText } from "#built/foundry/research/digest/digest-text.js";
import { documents, pairs } from "./ranking-set.ts";

// Python programs read digests, and must count code points and white space in the same way as this code. These tests
// therefore run Python itself.

/** Runs a program in Python that reads JSON and prints JSON. */
function askPython(program: string, input: unknown): unknown {
  const { status, stdout, stderr, error } = spawnSync("python3", ["-c", program], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { PATH: process.env["PATH"], PYTHONUTF8: "1" },
  });
  if (error !== undefined || status !== 0) throw new Error(`Python failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}

beforeAll(() => {
  if (spawnSync("python3", ["--version"]).status !== 0)
    throw new Error("Cannot test what Python reads: python3 is not installed, and nothing else will do");
});

const emoji = Array.from(
  { length: 60 },
  (_, at) =>
    `Day ${at}: the 🌊 tide rose 👩‍👩‍👧‍👦 and we ${["😀", "😡", "🇩🇪", "👍🏽", "❤️"][at % 5]} saw 𠮷野 word${at % 7}. 🎉🎉${"🎈".repeat(at)}!`,
).join(" ");

/** Every document of the labelled set, with and without a query, and texts that the set lacks. */
const corpora: readonly {
  readonly name: string;
  readonly canonical: ReturnType<typeof canonicalize>;
  readonly query: string;
}[] = [
  ...[...documents].flatMap(([name, source]) => {
    const asked = pairs.filter(({ language, document }) => `${language}/${document}` === name);
    return [{ query: "" }, ...asked].map(({ query }) => ({ name, canonical: canonicalize(source), query }));
  }),
  { name: "emoji", canonical: canonicalize(emoji), query: "" },
  { name: "emoji, asked", canonical: canonicalize(emoji), query: "🌊 tide 😡" },
  { name: "emoji without a space", canonical: canonicalize("👩‍👩‍👧‍👦🇩🇪👍🏽".repeat(2_000)), query: "👩" },
  { name: "pages", canonical: joinPages(["", ...documents.values(), " ", emoji]), query: "tide 冰川" },
];

const digestCorpus = ({ canonical, query }: (typeof corpora)[number]) =>
  digestText(canonical, sourceTextHash(canonical.text), { query, snippets: 10 });

function digestOf(corpus: (typeof corpora)[number]): DigestPayload {
  const { digest } = digestCorpus(corpus);
  if (digest === null) throw new Error("There is no digest");
  return digest;
}

const confidenceOf = (corpus: (typeof corpora)[number]) => digestCorpus(corpus).answerability?.confidence;

describe("digests of all corpora", () => {
  it.each(["en", "zh", "ar", "ru", "emoji", "pages"])("are valid, and quote exactly: %s", (kind) => {
    const chosen = corpora.filter(({ name }) => name.startsWith(kind));
    expect(chosen.length).toBeGreaterThan(0);
    for (const corpus of chosen) {
      const { text } = corpus.canonical;
      const points = Array.from(text);
      const digest = digestOf(corpus);
      expect(validatePayload(digest)).toEqual(digest);
      expect(digest.digest_chars).toBeLessThan(points.length);
      // A digest that does not answer its query has no summary.
      const isAnswer = confidenceOf(corpus) !== "none";
      expect([digest.summary !== "", digest.key_points.length > 0]).toEqual([isAnswer, isAnswer]);
      expect(digest.evidence_snippets).not.toEqual([]);
      for (const snippet of digest.evidence_snippets) {
        const { start, end } = parseLocator(snippet.locator);
        expect(verifySnippet(text, snippet)).toBe(true);
        expect(points.slice(start, end).join("")).toBe(snippet.text);
      }
      expect(JSON.stringify(digestOf(corpus))).toBe(JSON.stringify(digest));
    }
  });

  it("verify in Python: slices equal the quotes, and the hash is that of the text", () => {
    const sent = corpora.map((corpus) => ({ text: corpus.canonical.text, digest: digestOf(corpus) }));
    const told = askPython(
      `
import hashlib, json, re, sys
rows = []
for each in json.load(sys.stdin):
    text, digest = each["text"], each["digest"]
    quotes = []
    for snippet in digest["evidence_snippets"]:
        start, end = map(int, re.fullmatch(r"(?:page:\\d+:)?char:(\\d+)-(\\d+)", snippet["locator"]).groups())
        quotes.append(text[start:end])
    told = digest["summary"], *digest["key_points"], *quotes
    rows.append({
        "quotes": quotes,
        "hash": "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "original": len(text),
        "digest": sum(map(len, told)),
    })
json.dump(rows, sys.stdout)
`,
      sent,
    );
    expect(told).toEqual(
      sent.map(({ digest }) => ({
        quotes: digest.evidence_snippets.map(({ text }) => text),
        hash: digest.source_text_hash,
        original: digest.original_chars,
        digest: digest.digest_chars,
      })),
    );
    expect(sent.length).toBe(documents.size + pairs.length + 4);
  });
});

/**
 * Canonicalizes texts in Python, as a reference. Texts with characters that the installed Python does not know are
 * skipped.
 */
const canonicalInPython = `
import json, re, sys, unicodedata
def is_known(text):
    return not any(unicodedata.category(each) == "Cn" for each in text)
def canonical(text):
    text = re.sub("[\\ud800-\\udfff]", "\\ufffd", text)
    return unicodedata.normalize("NFC", " ".join(text.split()))
pairs = [pair for pair in json.load(sys.stdin) if is_known(pair[0])]
wrong = [[*pair, canonical(pair[0])] for pair in pairs if canonical(pair[0]) != pair[1]]
json.dump({"compared": len(pairs), "wrong": wrong[:5]}, sys.stdout)
`;

const compare = (sources: readonly string[]) =>
  askPython(
    canonicalInPython,
    sources.map((source) => [source, canonicalize(source).text]),
  ) as { readonly compared: number; readonly wrong: readonly string[][] };

describe("the canonical text", () => {
  it("equals Python's for every character, alone and with neighbours", () => {
    const sources: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{Cn}\p{Co}]/u.test(character)) continue;
      sources.push(`${character}\u0301 ${character}${character}a e${character}\u0323 ${character}`);
    }
    const { compared, wrong } = compare(sources);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(140_000);
  });

  it("equals Python's for random texts, with lone surrogates", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ..." \t\n\v\f\r\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u2001\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u180e",
        "e\u0301",
        "\u0301\u0323",
        "\u1100\u1161\u11a8",
        "\u212b",
        "\u0344",
        "😀",
        "\ud83d",
        "\ude00",
      ),
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    const anyText = fc
      .array(piece, { maxLength: 60, size: "+1" })
      .map((pieces) => pieces.join("").replace(/\p{Cn}/gu, ""));
    // Large texts are split into chunks.
    const large = fc
      .sample(anyText, 20)
      .map((text) => `${text} `.repeat(Math.ceil(200_000 / (text.length + 1))));
    const { compared, wrong } = compare([...fc.sample(anyText, 2_000), ...large]);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1_500);
  });
});
