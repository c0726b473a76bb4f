import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SpecModel } from "../spec-model.ts";
import { problemsOf } from "../testing/recount.ts";
import { context } from "../testing/run-change.ts";
import { importMarkdown, specFromMarkdown } from "./import-markdown.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { toLines } from "./testing/to-lines.ts";
import { toMarkdown } from "./to-markdown.ts";

interface Expected {
  /** One line for each field and node, with its status, type and title. */
  readonly lines: readonly string[];
  readonly losses: readonly string[];
  /** The ids that the import gives to new nodes. */
  readonly added: string;
}

const files: Readonly<Record<string, Expected>> = {
  "01-github-issue.md": {
    lines: [
      'Dark mode for the dashboard {"description":"Users keep asking for it (see #412 and [the survey](https://example.com/survey))."}',
      "open_questions: Do we keep the old theme switch?",
      "open_questions: Who signs off the palette?",
      "5 - Tasks",
      "  7 completed Pick a palette",
      "  8 pending Add `prefers-color-scheme` support",
      "    9 completed CSS variables",
      "    10 pending Charts — they use inline colours, see `chart.ts`",
      "  11 pending Write the migration note @ada",
    ],
    losses: ['16 "- [x] Who signs off the palette?": Only tasks have a status, so the checkbox is ignored'],
    added: "phase-1 task-1-1 task-1-2 task-1-2-1 task-1-2-2 task-1-3",
  },
  "02-plain-bullets.md": {
    lines: [
      "Move the office",
      "3 - Before the move",
      "  5 - Cancel the lease",
      "  6 - Book the movers",
      "    7 - Get three quotes",
      "    8 - Check insurance",
      "  9 - Order boxes",
      "11 - Afterwards",
      "  13 - Return the keys",
      "  14 - Send the new address to everybody",
    ],
    losses: [],
    added: "phase-1 task-1-1 task-1-2 task-1-2-1 task-1-2-2 task-1-3 phase-2 task-2-1 task-2-2",
  },
  "03-todo-words.md": {
    lines: [
      "Release checklist 2.4",
      "4 - Freeze",
      "  7 completed branch off release/2.4",
      "  8 in_progress triage open bugs",
      "  9 pending bump the version in package.json",
      "  10 blocked security review",
      "12 - Ship",
      "  15 pending tag it",
      "  16 pending publish",
      "  17 pending announce",
    ],
    losses: [],
    added: "phase-1 task-1-1 task-1-2 task-1-3 task-1-4 phase-2 task-2-1 task-2-2 task-2-3",
  },
  "04-front-matter.md": {
    lines: [
      'Search service: replace Solr {"owner":"grace","category":"refactoring","labels":["search","backend"],"estimated_hours":24}',
      "assumptions: The index fits into memory",
      "assumptions: Solr stays up until we are done",
      '13 - Phase 1: Shadow traffic {"owner":"linus","purpose":"Learn what production does"}',
      '  18 pending Mirror 1 % of the queries {"estimated_hours":1.5,"acceptance_criteria":["No query is slower than before","Errors are counted"]}',
      '  23 pending Compare the results {"depends_on":["Mirror 1 % of the queries"]}',
      "27 - Phase 2: Switch",
      '  29 pending Flip the flag {"depends_on":["Compare the results"]}',
      "  31 pending Remove Solr",
    ],
    losses: [
      '5 "date: 2025-11-03": The front matter has no known field',
      '22 "- [x] Errors are counted": Only tasks have a status, so the checkbox is ignored',
      '25 "- Estimate: a while": Estimated hours takes a number of hours, such as 1.5',
      '31 "- [?] Remove Solr": [?] is not a known checkbox: the task is imported as open',
    ],
    added: "phase-1 task-1-1 task-1-2 phase-2 task-2-1 task-2-2",
  },
  "05-tabs-crlf-bom.md": {
    lines: [
      "Windows notes",
      "3 - Tasks",
      "  3 pending Tabs all the way",
      "    4 pending second level",
      "      5 completed third level",
      "  6 pending Back again",
    ],
    losses: [],
    added: "phase-1 task-1-1 task-1-1-1 task-1-1-1-1 task-1-2",
  },
  "06-rfc.md": {
    lines: [
      'RFC 17: Rate limits per tenant {"description":"Status: accepted\\n\\n## Background\\n\\nOne tenant can use up all capacity today. We saw that twice:\\n\\n1. in March, by accident\\n2. in May, on purpose\\n\\n## Design\\n\\nA token bucket for each tenant, kept in Redis.\\n\\n| limit | free | paid |\\n|-------|------|------|\\n| req/s | 5    | 100  |\\n\\n```lua\\n-- take one token\\n- [ ] this is code, not a task\\nreturn redis.call(\\"DECR\\", KEYS[1])\\n```"}',
      'risks: Redis is a single point of failure {"likelihood":"low","impact":"high","mitigation":"fail open, and say so in the log"}',
      "risks: Clock skew",
      "34 - Plan",
      "  36 - group Server",
      "    38 pending Bucket in Lua",
      '    39 pending Headers in every answer {"description":"The names are those of the draft standard:\\n\\n`RateLimit-Limit`, `RateLimit-Remaining`"}',
      "  44 - group Client",
      "    46 pending Back off on 429",
    ],
    losses: [
      '16 "| limit | free | paid |": A table is imported as text; its rows do not become tasks',
      '48 "<!-- reviewed by platform team -->": Comments are not imported',
    ],
    added: "phase-1 phase-1-server task-1-1 task-1-2 phase-1-client task-1-3",
  },
  "07-deep-outline.md": {
    lines: [
      "Compiler course",
      "3 - Week 1",
      "  5 completed Lexer",
      "    6 completed regular expressions",
      "      7 completed by hand",
      "        8 pending prove it terminates",
      "10 - Week 2",
      '  12 - group Reading {"description":"Dragon book, chapter 4.\\n\\n- Not a task, only a remark."}',
      "    16 pending Parser",
      "    17 - error recovery",
      "21 - Week 3",
    ],
    losses: [
      '5 "Lexer": It is not completed, as its box says: Cannot complete task-1-1: 1 task below it is open: task-1-1-1-1-1',
      '6 "regular expressions": It is not completed, as its box says: Cannot complete task-1-1-1: 1 task below it is open: task-1-1-1-1-1',
      '7 "by hand": It is not completed, as its box says: Cannot complete task-1-1-1-1: 1 task below it is open: task-1-1-1-1-1',
    ],
    added:
      "phase-1 task-1-1 task-1-1-1 task-1-1-1-1 task-1-1-1-1-1 phase-2 phase-2-reading task-2-1 task-2-2 phase-3",
  },
  "08-long-lines.md": {
    lines: [
      'Notes from the incident review of the second of May {"description":"We met on Tuesday. What we want to do about it:\\n\\nThe database was never the problem. -- Sam"}',
      "5 - Tasks",
      "  5 pending Make the deploy job wait for the health check instead of sleeping for thirty seconds, and let it fail when the check does",
      '  7 pending Alert on queue length. {"description":"Right now we only alert on age."}',
      '  10 pending Teach everybody how to use `kubectl debug` and, while we are at it, write down what {"description":"Sam did to find the leak"}',
      "  17 completed Thank the on-call",
    ],
    losses: ['9 "- [ ]": A task must have a title, so the line is ignored'],
    added: "phase-1 task-1-1 task-1-2 task-1-3 task-1-4",
  },
  "09-own-ids.md": {
    lines: [
      "Billing export",
      "3 - Model = phase-1",
      "  5 completed Tables = task-1-1",
      '  6 in_progress Import of old invoices = task-1-7 {"file_path":"src/billing/import.ts","depends_on":["task-1-1"]}',
      "  9 pending Import of old invoices, second half = task-1-7",
      '  10 blocked research Tax rates = task-1-3 {"blocker_description":"Legal has not answered"}',
      "  13 pending Round to cents {#bad id}",
      '  14 pending verify Check totals = verify-1-1 {"command":"npm test -- billing","verification_type":"run-tests"}',
      '  17 completed Done too early {"depends_on":["task-1-3"]}',
      "20 - Group of tasks = phase-2",
      "  22 completed Parent",
      "    23 completed One",
      "    24 pending Two",
    ],
    losses: [
      '1 "# Billing export {#billing .big}": The title of a spec has no checkbox and no id, so they are ignored',
      '9 "{#task-1-7}": The id stands above already; the task gets another one',
      '12 "- Blocked because: twice": Blocked because is given above already',
      '17 "Done too early": It is not completed, as its box says: Cannot complete task-1-10: it waits for task-1-3',
      '20 "## Group of tasks {#phase-2 .milestone}": .milestone is not a known task type',
      '22 "Parent": It is not completed, as its box says: Cannot complete task-2-1: 1 task below it is open: task-2-1-2',
    ],
    added:
      "phase-1 task-1-1 task-1-7 task-1-8 task-1-3 task-1-9 verify-1-1 task-1-10 phase-2 task-2-1 task-2-1-1 task-2-1-2",
  },
  "10-empty.md": {
    lines: ["(no title)"],
    losses: [],
    added: "",
  },
  "11-no-title.md": {
    lines: [
      '(no title) {"description":"~~~\\nunclosed\\n- not an item"}',
      "1 - Tasks",
      "  1 - buy milk",
      "  2 - fix the tap",
      "    3 - turn off the water",
      "    4 - new washer",
    ],
    losses: ['6 "~~~": The code block is not closed, so the rest of the document is text'],
    added: "phase-1 task-1-1 task-1-2 task-1-2-1 task-1-2-2",
  },
};

const folder = new URL("../../../../../../test/fixtures/markdown/", import.meta.url);

describe("a hand-written document", () => {
  test.each(Object.entries(files))("%s becomes a spec, with its losses reported", (file, expected) => {
    const parsed = parseMarkdown(readFileSync(new URL(file, folder), "utf8"));
    const name = parsed.draft.title === undefined ? "Named" : undefined;
    const { document, result } = specFromMarkdown("by-hand-1", parsed, { name }, context);
    expect({
      lines: toLines(parsed.draft),
      losses: result.losses.map(({ line, text, why }) => `${line} ${JSON.stringify(text)}: ${why}`),
      added: result.added.join(" "),
    }).toEqual(expected);
    expect(problemsOf(document)).toEqual([]);
  });

  test.each(Object.keys(files))("%s changes nothing when it is imported into its own spec again", (file) => {
    const parsed = parseMarkdown(readFileSync(new URL(file, folder), "utf8"));
    const { document } = specFromMarkdown("by-hand-1", parsed, { name: "Named" }, context);
    const spec = new SpecModel(document);
    expect(importMarkdown(parseMarkdown(toMarkdown(spec)))(spec, context).edits).toEqual([]);
  });
});
