import { describeRemedy } from "@foundry-mcp/contract";
import { type Canvas, type Colors, widthOf } from "@foundry-mcp/toolkit/cli";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckReport } from "../findings/check-report.ts";
import {
  brokenReport,
  partialReport,
  passedReport,
  plainReport,
  reportOf,
  resultOf,
} from "./testing/reports.ts";
import { toHumanReport } from "./to-human.ts";

const asItIs = (text: string) => text;
const plain: Colors = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
const tagged: Colors = {
  bold: (text) => `<b>${text}</b>`,
  dim: (text) => `<d>${text}</d>`,
  red: (text) => `<r>${text}</r>`,
  green: (text) => `<g>${text}</g>`,
  yellow: (text) => `<y>${text}</y>`,
};
const show = (report: CheckReport, canvas: Partial<Canvas> = {}) =>
  toHumanReport(report, { width: 80, colors: plain, unicode: true, describeRemedy, ...canvas });

const active =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/;

describe("a report for people", () => {
  it("of a server that passes is short", () => {
    expect(show(passedReport)).toBe(`✓ tides 1.2.0 keeps the contract
  node server.js
  response-v2 over MCP 2025-11-25, 18 calls in 1.2 s

  ✓ The shape of a response-v2 envelope  2 kept
  ✓ How answers travel                   1 kept
  – Lists and their pages                1 not applicable

Tools     calls  successes  refusals
  ✓ tide     18         10         8

Passed: no MUST is broken, nothing required was left unchecked. Exit code 0.
`);
  });

  it("of a server without envelopes says what wrapTool would add", () => {
    expect(show(plainReport)).toBe(`✓ tides 1.2.0 keeps the profile mcp
  node server.js
  profile mcp over MCP 2025-11-25, 18 calls in 1.2 s

  ✓ How answers travel         1 kept
  ! How bad calls are refused  1 warned

! MCP-25 SHOULD  An argument that the tool does not know is refused
    tide {"foundry_unknown":1}
      an argument that it does not know is ignored: foundry_unknown
    → Refuse unknown arguments by name.

Tools     calls  successes  refusals
  ✓ tide     18         10         8

What wrapTool of @foundry-mcp/toolkit/mcp would add
  + It keeps 2 further rules: every answer is an envelope, and every failure has
    a code, a type and a remedy.
  + It fixes MCP-25: An argument that the tool does not know is refused

Passed with 1 warning: no MUST is broken, nothing required was left unchecked.
Exit code 0.
`);
  });

  it("shows what was not checked by reason, and the remedy", () => {
    expect(show(partialReport)).toBe(`? The server was not wholly checked
  https://tides.example/mcp
  response-v2, 1 call in 1.2 s

  ✓ The shape of a response-v2 envelope  1 kept
  ! How bad calls are refused            1 warned
  ? Lists and their pages                2 not checked

! MCP-25 SHOULD  An argument that the tool does not know is refused
    tide {"port":"dover","foundry_unknown":1}
      The call succeeded.
    → Refuse unknown arguments by name: a call whose misspelt argument is
      ignored does not do what was asked.

Not checked
  No list had a second page.
    MCP-41 MUST    Reading all pages of a list returns no row twice
    MCP-47 SHOULD  A limit out of range is refused
  It may change something.
    tool  wipe
  The server ended.
    resources
  → Name calls that reach them in a file, which --write-calls FILE begins, and
    pass it: --calls FILE.

Tools     calls  successes  refusals
  ✓ tide      1          1         0
      No success was seen of remove, purge.
  ? wipe      0          0         0

Incomplete with 1 warning: no MUST is broken, but 3 required checks could not be
made. Exit code 1.
`);
  });

  it("shows broken rules, the worst first, equal findings once, and counts the rest", () => {
    expect(show(brokenReport, { colors: tagged })).toBe(`<r>✗</r> <b>tides 1.2.0 breaks the contract</b>
  <d>node server.js</d>
  <d>response-v2 over MCP 2025-11-25, 18 calls in 1.2 s</d>

  <g>✓</g> The shape of a response-v2 envelope  1 kept, 1 noted
  <y>!</y> Tool definitions                     1 warned
  <r>✗</r> How answers travel                   1 kept, 1 broken

<r>✗</r> <b>MCP-11 MUST</b>  Structured content and the first text are the same envelope
    tide {"port":"a"}
    tide {"port":"b"}
    tide {"port":"c"}
      structuredContent.data.rows: The structured content has 3 rows, the text
      has 2.
<d>      seen: {"rows":[1,2,3]} <> {"rows":[1,2]}</d>
<d>    … and 14 more</d>
    → Send the envelope as structuredContent and, as JSON, in content[0].text:
      some clients read only one of them.

<y>!</y> <b>MCP-03 SHOULD</b>  Each tool has a description
    tide
      description: It is missing.
<d>    … and 1 more</d>
    → Describe in a sentence what the tool does and when to use it: models
      choose tools by their descriptions.

<d>·</d> <b>RV2-06 MAY</b>  Optional keys of meta without a value are left out
    tide {"port":"dover"}
      meta.extra: The key is not one of the contract.
    → Leave the key out.

<b>Tools     calls  successes  refusals</b>
  <g>✓</g> tide     18         10         8

<r>Failed</r> with 1 warning: 1 MUST is broken. Exit code 1.
`);
  });

  it("shows required unchecked rules first", () => {
    const rules = [
      resultOf("MCP-15", "not_checked", { reason: "No reply came." }),
      resultOf("MCP-17", "not_checked", { reason: "No call was made." }),
    ];
    expect(show(reportOf({ verdict: "incomplete", rules, tools: [] })).split("\n\n")[2]).toBe(`Not checked
  No call was made.
    MCP-17 MUST  Every call is answered in time
  No reply came.
    MCP-15 SHOULD  No answer has more than 25,000 tokens
  → Name calls that reach them in a file, which --write-calls FILE begins, and
    pass it: --calls FILE.`);
  });

  it("shows the remedy of a rule without findings", () => {
    const rules = [resultOf("MCP-12", "failed", { broken: 2 })];
    expect(
      show(reportOf({ verdict: "failed", rules, tools: [] }))
        .split("\n\n")
        .slice(2),
    ).toEqual([
      "✗ MCP-12 MUST  isError is true for failures and for nothing else\n    … and 2 more\n    → Set isError to the opposite of success.",
      "Failed: 1 MUST is broken. Exit code 1.\n",
    ]);
  });

  it("escapes and shortens what a hostile server sends", () => {
    const report = reportOf({
      verdict: "failed",
      server: { target: "node x.js", name: "\u001b]0;owned\u0007", version: "\r1\u202e" },
      rules: [resultOf("MCP-12", "failed", { broken: 1 })],
      findings: [
        {
          rule: "MCP-12",
          level: "MUST",
          tool: "a\rb",
          arguments: { text: "\u009b2J" },
          path: "data\u2028",
          message: "A message\nof two lines.",
          evidence: `\u001b[31m${"x".repeat(10_000)}`,
          remedy: "Set it.",
        },
      ],
      tools: [{ tool: "a\rb", status: "checked", calls: 1, successes: 1, failures: 0 }],
    });
    expect(show(report)).toBe(`✗ \\x1b]0;owned\\x07 \\r1\\u202e breaks the contract
  node x.js
  response-v2, 18 calls in 1.2 s

  ✗ How answers travel  1 broken

✗ MCP-12 MUST  isError is true for failures and for nothing else
    a\\rb {"text":"\\x9b2J"}
      data\\u2028: A message\\nof two lines.
      seen: \\x1b[31m${"x".repeat(60)}
        ${"x".repeat(72)}
        ${"x".repeat(69)}…
    → Set it.

Tools     calls  successes  refusals
  ✓ a\\rb      1          1         0

Failed: 1 MUST is broken. Exit code 1.
`);
  });

  it("holds to the width, to 100 columns without a terminal, and to 40 at least", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
    );
    const widths = fc.option(fc.integer({ min: 1, max: 140 }), { nil: undefined });
    fc.assert(
      fc.property(texts, texts, texts, widths, (text, tool, reason, width) => {
        const report: CheckReport = {
          ...brokenReport,
          server: { target: text, name: tool, version: reason, protocol_version: reason },
          rules: [
            ...brokenReport.rules,
            resultOf("MCP-41", "not_checked", { reason }),
            resultOf("MCP-42", "not_applicable", { reason }),
            resultOf("MCP-45", "passed"),
          ],
          findings: [
            ...brokenReport.findings,
            {
              rule: "MCP-03",
              level: "SHOULD",
              tool,
              arguments: { [text]: reason },
              message: text,
              remedy: reason,
            },
            { rule: "MCP-03", level: "SHOULD", path: tool, message: reason, evidence: text, remedy: text },
          ],
          tools: [
            { tool, status: "not_checked", calls: 0, successes: 0, failures: 0, reason },
            {
              tool: text,
              status: "checked",
              calls: 9,
              successes: 1,
              failures: 8,
              reason,
              unseen_actions: [tool],
            },
          ],
          unchecked: [{ what: reason, reason: text }],
        };
        const room = Math.max(40, Math.min(width ?? 100, 100));
        for (const line of show(report, { width }).split("\n")) {
          expect(widthOf(line)).toBeLessThanOrEqual(room);
          expect(line).not.toMatch(active);
        }
      }),
    );
  });
});
