import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportToMarkdown } from "./report-to-markdown.ts";
import type { ResearchReport } from "./research-report.ts";

const report = (text: string, hash = `sha256:${"0".repeat(64)}`): ResearchReport => ({
  research_id: "research-20261116-3f9a2c",
  question: text,
  query_hash: "00000000",
  confidence: "strong",
  summary: `${text} [1]`,
  summary_by: "extraction",
  fallback: { from: "model", reason: text },
  findings: [
    {
      id: "finding-1",
      claim: text,
      relevance_score: 0.5,
      citations: [
        { source_id: "source-1", text, locator: "char:0-9", source_text_hash: hash, relevance_score: 0.5 },
        {
          source_id: "source-2",
          text,
          locator: "page:2:char:0-9",
          source_text_hash: hash,
          relevance_score: 0.5,
        },
      ],
    },
  ],
  themes: [{ title: text, findings: ["finding-1"] }],
  disagreements: [],
  not_found: [],
  sources: [
    {
      source_id: "source-1",
      name: text,
      outcome: "digested",
      quality: { level: "high", coverage: 1 },
      chars: 1_234,
      source_text_hash: hash,
    },
    {
      source_id: "source-2",
      name: "b.pdf",
      title: text,
      outcome: "short",
      quality: { level: "low", coverage: 0.2 },
      chars: 1,
      source_text_hash: hash,
    },
    {
      source_id: "source-3",
      name: text,
      outcome: "duplicate",
      duplicate_of: "source-1",
      chars: 1,
      source_text_hash: hash,
    },
    {
      source_id: "source-4",
      name: text,
      outcome: "failed",
      reason: "empty",
      error: text,
      remediation: "Fill it.",
    },
  ],
  left_out: [{ name: text, reason: "repeated", error: text }],
  counts: {
    sources: 4,
    digested: 1,
    short: 1,
    failed: 1,
    duplicate: 1,
    matched: 2,
    left_out: 3,
    findings: 1,
    findings_left_out: 2,
  },
});

describe("reportToMarkdown", () => {
  it("renders findings with quotes, sources, and failures", () => {
    expect(reportToMarkdown(report("High tide"))).toBe(`# High tide

High tide [1]

Confidence: strong. 1 finding from 2 sources of 4 (\`research-20261116-3f9a2c\`).

The summary is an extract: High tide

## High tide

**[1]** High tide

- source-1, High tide, \`char:0-9\`
- source-2, b.pdf, \`page:2:char:0-9\`

2 further passages matched less and are left out.

## Sources

- **source-1** High tide: digested, quality high, 1234 characters
- **source-2** High tide (b.pdf): short, quality low, 1 character

Read, and not cited: High tide (source-3, the same as source-1).

## Could not be read

- **source-4** High tide: High tide. Fill it.

## Left out

- High tide: High tide.
- and 2 more
`);
  });

  it("renders a report without findings and sources", () => {
    const { fallback: _, ...rest } = report("x");
    const empty = {
      ...rest,
      findings: [],
      themes: [],
      sources: [],
      left_out: [],
      counts: { ...rest.counts, sources: 0, matched: 0, findings: 0, findings_left_out: 0 },
    };
    expect(reportToMarkdown(empty)).toBe(
      "# x\n\nx [1]\n\nConfidence: strong. 0 findings from 0 sources of 0 (`research-20261116-3f9a2c`).\n\n## Sources\n\nNone is cited.\n",
    );
  });

  it.each([
    ["# Heading", "\\# Heading"],
    ["- item", "\\- item"],
    ["+ item", "\\+ item"],
    ["1. item", "1\\. item"],
    ["12) item", "12\\) item"],
    ["=====", "\\====="],
    ["---", "\\---"],
    ["```js", "\\`\\`\\`js"],
    ["~~~", "\\~\\~\\~"],
    ["> quote", "\\> quote"],
    ["[a](http://x)", "[a\\](http\\://x)"],
    ["WWW.a.test me@a.test", "WWW\\.a.test me\\@a.test"],
    ["![a](b)", "![a\\](b)"],
    ["a_b snake_case_name C# [1] ~x", "a_b snake_case_name C# [1] ~x"],
    ["[1]: x [^2] #12", "[1\\]: x \\[^2] \\#12"],
    ["<script>&lt;", "\\<script\\>\\&lt;"],
    ["a | b", "a \\| b"],
    ["**a** _b_ \\*", "\\*\\*a\\*\\* \\_b\\_ \\\\\\*"],
    ["$x$", "\\$x\\$"],
    ["a\n\n# b\r\nc\u2028d", "a # b c d"],
    ["    code", "code"],
    ["a\u202eb\u0000c", "a b c"],
    ["潮水 المد", "潮水 المد"],
  ])("escapes %j", (text, shown) => {
    expect(reportToMarkdown(report(text)).split("\n")[0]).toBe(`# ${shown}`);
  });

  it("keeps its structure whatever the sources contain", () => {
    const marks = fc
      .array(
        fc.constantFrom(
          "#",
          "-",
          "+",
          "*",
          "_",
          "`",
          "```",
          "~~~",
          "\n",
          "\n\n",
          "\r",
          "> ",
          "    ",
          "\t",
          "1.",
          "1)",
          "|",
          "[",
          "](",
          ")",
          "<",
          ">",
          "&#",
          ";",
          "===",
          "---",
          "\\",
          "a",
          "\u2028",
          "\0",
          ":",
          "[1]: x",
          "<!--",
          "$",
          "http://a.b",
          "www.",
          "@",
        ),
      )
      .map((parts) => parts.join(""));
    const anyText = fc.oneof(marks, fc.string({ unit: "binary" }));
    const shapeOf = (markdown: string) =>
      markdown
        .split("\n")
        .map((line) => /^(#+ |\*\*\[1\]\*\*|- source-\d|- \*\*source-\d\*\*|- |)/.exec(line)?.[0]);
    fc.assert(
      fc.property(anyText, (text) => {
        const markdown = reportToMarkdown(report(text));
        expect(shapeOf(markdown)).toEqual(shapeOf(reportToMarkdown(report("High tide"))));
        // Marks that could begin a block are escaped everywhere.
        const own = markdown.replaceAll(
          /`(char|page|research)[^`]*`|\*\*source-\d\*\*|\*\*\[1\]\*\*|^#+ /gm,
          "",
        );
        const unescaped = own.replaceAll(/\\[^a-zA-Z0-9\s]/g, "\0");
        expect(unescaped).not.toMatch(/[\\`*<>|&$@]|~~|\]\s?[[(:]|\[\^|^[#+=-]\S|:\/\/|www\.[a-z]/m);
        expect(unescaped).not.toMatch(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u);
      }),
    );
  });
});
