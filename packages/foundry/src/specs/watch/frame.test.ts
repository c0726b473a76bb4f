import { widthOf } from "@foundry-mcp/toolkit/cli";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toFrame } from "./frame.ts";
import { type Screen, screenColors } from "./screen.ts";
import { exampleDocument, snapshotOf, summaryOf, watchedDocument } from "./testing/watched-spec.ts";
import type { WatchState } from "./watch-state.ts";

const now = "2026-01-02T12:00:00.000Z";
const plain = screenColors({ NO_COLOR: "1" });
const sized = (width: number, height: number): Screen => ({ width, height, colors: plain, timeZone: "UTC" });

const example = snapshotOf(exampleDocument);
const held = new Map([
  [
    example.id,
    [
      {
        task_id: "task-2-1",
        title: "Write the scanner",
        holder: "agent-3",
        until: "2026-01-02T12:11:30.000Z",
      },
      {
        task_id: "task-2-2",
        title: "Write the parser",
        holder: "agent-4",
        until: "2026-01-02T11:59:59.000Z",
      },
      {
        task_id: "task-3-2",
        title: "Draw the picture",
        holder: "agent-5",
        until: "2026-01-02T12:00:42.000Z",
      },
    ],
  ],
]);
const specState: WatchState = {
  spec: example,
  specs: [summaryOf(example)],
  held,
  problems: [],
  events: [
    {
      at: "2026-01-02T11:59:58.000Z",
      specId: example.id,
      text: "task-2-1 started: Write the scanner",
    },
    { at: "2026-01-02T11:59:57.000Z", specId: example.id, text: "agent-3 holds task-2-1" },
  ],
};

const waiting = snapshotOf(
  watchedDocument("later-2026-01-02-002", "For later", { One: { "task-1-1": {} } }),
  "pending",
);
const done = snapshotOf(
  watchedDocument("done-2025-12-01-001", "Done long ago", { One: { "task-1-1": { status: "completed" } } }),
  "completed",
);
const listState: WatchState = {
  specs: [summaryOf(done, "2025-12-01"), summaryOf(waiting, "2026-01-02"), summaryOf(example, "2026-01-02")],
  held,
  problems: [],
  events: [
    { at: "2026-01-02T11:59:58.000Z", specId: example.id, text: "2 of 8 done, was 1 of 8" },
    { at: "2026-01-01T23:00:00.000Z", specId: done.id, text: "moved from active to completed" },
  ],
};

describe("toFrame of one spec", () => {
  it("shows everything if there is room", () => {
    expect(toFrame(specState, sized(80, 40), now)).toEqual([
      "A parser for the new format                                      active  q quits",
      "parser-2026-01-02-001  revision 7-0a1b2c3d",
      "██████░░░░░░░░░░░░░░░░░░░░  25 %, 2 of 8 done, 2 in progress, 1 blocked",
      "",
      "Phases 3",
      "  ✓ phase-1  Know what there is                       ██████████ 100 %       2/2",
      "  ▸ phase-2  Build it                                 ░░░░░░░░░░   0 %       0/4",
      "    phase-3  Show it                                  ░░░░░░░░░░   0 %       0/2",
      "",
      "In progress 3",
      "  task-2-1  Write the scanner                               agent-3, 12 min left",
      "  task-2-2  Write the parser                                     left by agent-4",
      "  task-3-2  Draw the picture                                  agent-5, 42 s left",
      "",
      "Blocked 1",
      "  task-2-3  Sign the release                            The key is not there yet",
      "",
      "Next",
      "  task-2-2  Write the parser",
      "  task-2-4  Tell of errors by line and column",
      "",
      "Waiting for others",
      "  task-3-1  Write the guide                         waits for task-2-1, task-2-2",
      "",
      "Journal 2",
      "  11:30:00    Task Blocked: Sign the release  The key is not there yet     grace",
      "  2026-01-01  Task Completed: Read the grammar  It is short                  ada",
      "",
      "Last changes",
      "  11:59:58    task-2-1 started: Write the scanner",
      "  11:59:57    agent-3 holds task-2-1",
    ]);
  });
  it("shows part of each section in few lines", () => {
    expect(toFrame(specState, sized(60, 14), now)).toEqual([
      "A parser for the new format                  active  q quits",
      "parser-2026-01-02-001  revision 7-0a1b2c3d",
      "█████░░░░░░░░░░░░░░░  25 %, 2 of 8 done, 2 in progress, 1 b…",
      "Phases 1 of 3",
      "  ▸ phase-2  Build it             ░░░░░░░░░░   0 %       0/4",
      "In progress 2 of 3",
      "  task-2-1  Write the scanner           agent-3, 12 min left",
      "  task-2-2  Write the parser                 left by agent-4",
      "Blocked 1",
      "  task-2-3  Sign the release        The key is not there yet",
      "Next",
      "  task-2-2  Write the parser",
      "Journal 1 of 2",
      "  11:30:00    Task Blocked: Sign the release  The key… grace",
    ]);
  });
  it("fits into 20 columns", () => {
    expect(toFrame(specState, sized(20, 12), now)).toEqual([
      "A parser for… active",
      "parser-2026-01-02-0…",
      "25 %, 2 of 8 done, …",
      "Phases 1 of 3",
      "  ▸ phase-2  Bu… 0 %",
      "In progress 2 of 3",
      "  task-2-1  … 12 min",
      "  task-2… left by a…",
      "Blocked 1",
      "  task-2… The key i…",
      "Next",
      "  task-2-2  Write t…",
    ]);
  });
  it.each([
    [80, 1, ["A parser for the new format                                                 25 %"]],
    [
      80,
      3,
      [
        "A parser for the new format                                      active  q quits",
        "██████░░░░░░░░░░░░░░░░░░░░  25 %, 2 of 8 done, 2 in progress, 1 blocked",
      ],
    ],
    [7, 2, ["A … 25…"]],
    [1, 1, ["…"]],
    [0, 0, ["…"]],
  ])("fits into %i columns and %i lines", (width, height, lines) => {
    expect(toFrame(specState, sized(width, height), now)).toEqual(lines);
  });
});

describe("toFrame of all specs", () => {
  it("shows everything if there is room", () => {
    expect(toFrame(listState, sized(80, 24), now)).toEqual([
      "Foundry  3 specs, 1 active                                               q quits",
      "",
      "Active 1",
      "  A parser for the new format  parser-2026-01-02-001  ██░░░░░░░░  25 %       2/8",
      "    task-2-1 Write the scanner                              agent-3, 12 min left",
      "    task-3-2 Draw the picture                                 agent-5, 42 s left",
      "",
      "Pending 1",
      "  For later  later-2026-01-02-002                     ░░░░░░░░░░   0 %       0/1",
      "",
      "Completed 1",
      "  Done long ago  done-2025-12-01-001                  ██████████ 100 %       1/1",
      "",
      "Last changes",
      "  11:59:58    parser-2026-01-02-001  2 of 8 done, was 1 of 8",
      "  2026-01-01  done-2025-12-01-001  moved from active to completed",
    ]);
  });
  it("shows active specs in few lines", () => {
    expect(toFrame(listState, sized(40, 7), now)).toEqual([
      "Foundry  3 specs, 1 active       q quits",
      "Active 1",
      "  A parser for the new…   25 %       2/8",
      "Pending 1",
      "  For later                0 %       0/1",
      "Last changes",
      "  11:59:58    parser-2026-…  2 of 8 don…",
    ]);
  });
  it("fits into 20 columns", () => {
    expect(toFrame(listState, sized(20, 8), now)).toEqual([
      "Foundry  3 … q quits",
      "Active 1",
      "  A parser for… 25 %",
      "    task-2-1… 12 min",
      "Pending 1",
      "  For later      0 %",
      "Last changes",
      "  11:59  parse…  2 …",
    ]);
  });
});

describe("toFrame", () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\n\r\t\u009b31m\u202eevil\u0000 \ud800 表示 👩‍👩‍👧";
  const hostileSpec = snapshotOf(
    watchedDocument(
      "bad",
      hostile,
      { [hostile]: { [hostile]: { title: hostile, status: "blocked", reason: hostile } } },
      [
        { timestamp: hostile, title: hostile, content: hostile, author: hostile },
        { timestamp: 12, title: null, content: [], author: {} },
      ],
    ),
  );
  const hostileState: WatchState = {
    spec: hostileSpec,
    specs: [summaryOf(hostileSpec)],
    held: new Map([["bad", [{ task_id: hostile, title: hostile, holder: hostile, until: `3${hostile}` }]]]),
    problems: [hostile, hostile],
    events: [{ at: hostile, specId: hostile, text: hostile }],
  };
  const { spec: _, ...hostileList } = hostileState;

  it("escapes control characters", () => {
    expect(toFrame(hostileState, sized(100, 30), now)).toEqual([
      "\\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x00 � 表示 👩‍👩‍👧                         active  q quits",
      "bad  revision 7-0a1b2c3d",
      "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0 %, 0 of 1 done, 1 blocked",
      "! \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x00 � 表示 👩‍👩‍👧",
      "! \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x00 � 表示 👩‍👩‍👧",
      "",
      "Phases 1",
      "  ▸ phase-1  \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x0… ░░░░░░░░░░░░░░░░░░░░   0 %       0/1",
      "",
      "In progress 1",
      "  \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil… \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x0…",
      "",
      "Blocked 1",
      "  \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil… \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x0…",
      "",
      "Next",
      "  Nothing is ready: what is left waits or is blocked.",
      "",
      "Journal 2",
      "              ",
      "              \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b3… \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x0…",
      "",
      "Last changes",
      "              \\x1b]0;owned\\x07\\x1b[2J\\n\\r\\t\\x9b31m\\u202eevil\\x00 � 表示 👩‍👩‍👧",
    ]);
  });

  it("always fits the screen", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.constant(hostile),
    );
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 0, max: 130 }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (one, two, width, height, isList) => {
          const spec = snapshotOf(
            watchedDocument(
              "some",
              one,
              {
                [two]: {
                  [`task-${one}`]: { title: two, status: "in_progress" },
                  b: { title: one, status: "blocked", reason: two },
                },
              },
              [{ timestamp: one, title: two, content: one, author: two }],
            ),
          );
          const state: WatchState = {
            ...(isList ? {} : { spec }),
            specs: [summaryOf(spec, two)],
            held: new Map([["some", [{ task_id: `task-${one}`, title: two, holder: one, until: "9" }]]]),
            problems: [two],
            events: [{ at: now, specId: one, text: two }],
          };
          const lines = toFrame(state, sized(width, height), now);
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, height));
          for (const line of lines) {
            expect(widthOf(line)).toBeLessThanOrEqual(Math.max(1, width));
            // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern lists forbidden characters
            expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
            expect(line.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  it("differs in colors only", () => {
    for (const state of [specState, listState, hostileState, hostileList]) {
      const colored = toFrame(state, { ...sized(80, 30), colors: screenColors({}) }, now);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences contain control characters
      const bare = colored.map((line) => line.replace(/\u001b\[(?:1|2|22|3[123]|39)m/g, ""));
      expect(bare).toEqual(toFrame(state, sized(80, 30), now));
      expect(colored).not.toEqual(bare);
    }
  });

  it("shows problems, and that there are no specs", () => {
    const none: WatchState = { specs: [], held: new Map(), problems: ["active/x.json: no JSON"], events: [] };
    expect(toFrame(none, sized(60, 10), now)).toEqual([
      "Foundry  0 specs, 0 active                           q quits",
      "! active/x.json: no JSON",
      "There are no specs. They are shown here as they come.",
    ]);
    expect(toFrame({ ...none, problems: ["a", "b", "c"] }, sized(60, 4), now)).toEqual([
      "Foundry  0 specs, 0 active                           q quits",
      "! a",
      "! and 2 more",
      "There are no specs. They are shown here as they come.",
    ]);
    expect(toFrame({ ...none, problems: ["a", "b", "c", "d", "e"] }, sized(60, 12), now)).toEqual([
      "Foundry  0 specs, 0 active                           q quits",
      "! a",
      "! b",
      "! c",
      "! and 2 more",
      "There are no specs. They are shown here as they come.",
    ]);
  });

  it("keeps the current phase visible", () => {
    const phases = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `Phase ${index + 1}`,
        { [`task-${index + 1}`]: { status: index < 20 ? "completed" : "pending" } },
      ]),
    );
    const spec = snapshotOf(watchedDocument("long", "Long", phases));
    const state: WatchState = { spec, specs: [], held: new Map(), problems: [], events: [] };
    expect(toFrame(state, sized(50, 11), now)).toEqual([
      "Long                               active  q quits",
      "long  revision 7-0a1b2c3d",
      "66 %, 20 of 30 done",
      "Phases 4 of 30",
      "  ✓ phase-20  Phase 20             100 %       1/1",
      "  ▸ phase-21  Phase 21               0 %       0/1",
      "    phase-22  Phase 22               0 %       0/1",
      "    phase-23  Phase 23               0 %       0/1",
      "Next",
      "  task-21  Do task-21",
      "  task-22  Do task-22",
    ]);
  });
});
