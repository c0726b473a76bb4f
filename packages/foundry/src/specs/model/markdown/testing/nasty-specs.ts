import fc from "fast-check";
import type { SpecDocument } from "../../spec-document.ts";
import { arbitrarySpec } from "../../testing/arbitrary-spec.ts";
import { nodesOf, type PlainNode } from "../../testing/recount.ts";
import { validSpecs } from "../../validate/testing/spec-arbitraries.ts";

const pieces = [
  ...[
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    "\u0000",
    "\u001b[31m",
    "\u2028",
    "\ufeff",
    "\u00a0",
    "\ud800",
  ],
  ...[
    "`",
    "```",
    "~~~",
    "#",
    "## ",
    "###",
    "- ",
    "- [ ] ",
    "- [x] ",
    "[x] ",
    "[ ]",
    "[~] ",
    "* ",
    "+ ",
    "1. ",
  ],
  ...[
    "> ",
    "|",
    "| a | b |",
    "---",
    "===",
    "***",
    "<!--",
    "-->",
    "<b>",
    "</div>",
    "{#task-1-1}",
    "{#x .verify}",
  ],
  ...[
    "{",
    "}",
    "&#10;",
    "&#",
    "&#;",
    "&amp;",
    "&",
    "\\",
    "\\n",
    "*",
    "**File:** a",
    "File: a",
    "Owner:",
    ": ",
  ],
  ...[
    "TODO ",
    "DONE: ",
    "Blocked because: x",
    "Risks",
    "phase-1",
    "ü",
    "日本語",
    "🦊",
    "e\u0301",
    "a",
    "word",
    "1,5",
  ],
  ...[", ", "Depends on: task-1", "spec_id: x", "Tasks", "$&", "Phase 1"],
];

/** Generates texts with all characters and sequences that have a meaning in Markdown. */
export const nastyTexts: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  fc.constantFrom("A plain text", "Two\nlines", "With a list:\n- one\n- two\n\n```\ncode\n```\n"),
);

/** Generates texts with the same characters that are valid titles. */
export const nastyTitles = nastyTexts.filter((text) => text.trim() !== "");

const lists = fc.array(fc.oneof(nastyTexts, fc.constant("")), { minLength: 1, maxLength: 3 });
const hours = fc.oneof(
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.nat(40),
  fc.constantFrom(0.5, 1e-7, 1e21),
);

const nodeMetadata = fc.record(
  {
    ...{ description: nastyTexts, purpose: nastyTexts, file_path: nastyTexts, task_category: nastyTexts },
    ...{ estimated_hours: hours, acceptance_criteria: lists, labels: lists, owner: nastyTexts },
    ...{ details: fc.oneof(nastyTexts, lists), changes: nastyTexts, reasoning: nastyTexts },
    ...{ verification_type: nastyTexts, command: nastyTexts, expected: nastyTexts, risk_level: nastyTexts },
    ...{ blocker_description: nastyTexts, unknown: fc.jsonValue({ maxDepth: 1 }), agent: fc.constant(7) },
  },
  { requiredKeys: [] },
);

const notes = fc.array(
  fc.oneof(
    nastyTexts,
    fc.record(
      {
        description: nastyTexts,
        likelihood: nastyTexts,
        impact: nastyTexts,
        mitigation: nastyTexts,
        more: fc.nat(),
      },
      { requiredKeys: ["description"] },
    ),
  ),
  { maxLength: 3 },
);

const specMetadata = fc.record(
  {
    ...{ description: nastyTexts, mission: nastyTexts, owner: nastyTexts, category: nastyTexts },
    ...{ complexity: fc.constantFrom("low", ""), estimated_hours: hours, objectives: lists },
    ...{
      assumptions: lists,
      constraints: lists,
      risks: notes,
      open_questions: lists,
      success_criteria: lists,
    },
    ...{ other: fc.jsonValue({ maxDepth: 1 }) },
  },
  { requiredKeys: [] },
);

const says = fc.record({ title: nastyTitles, metadata: nodeMetadata, isOwn: fc.boolean() });

function decorate(document: SpecDocument): fc.Arbitrary<SpecDocument> {
  const ids = Object.keys(nodesOf(document));
  return fc
    .record({
      title: nastyTitles,
      metadata: specMetadata,
      nodes: fc.array(says, { minLength: ids.length, maxLength: ids.length }),
    })
    .map(({ title, metadata, nodes }) => {
      const hierarchy = Object.fromEntries(
        ids.map((id, index) => {
          const node = nodesOf(document)[id] as PlainNode;
          const { title: own, metadata: more, isOwn } = nodes[index] as (typeof nodes)[number];
          const { description, ...others } = more;
          const isTop = isOwn && description !== undefined;
          const merged = { ...node.metadata, ...(isTop ? others : more) };
          return [id, { ...node, title: own, ...(isTop ? { description } : {}), metadata: merged }];
        }),
      );
      return { ...document, title, metadata, hierarchy };
    });
}

/** Generates valid specs with arbitrary texts, and with phases and tasks in unusual positions. */
export const nastySpecs: fc.Arbitrary<SpecDocument> = fc
  .oneof(arbitrarySpec({ maxNodes: 25 }), validSpecs)
  .chain(decorate);
