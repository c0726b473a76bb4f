import { widthOf } from "@foundry-mcp/toolkit/terminal";
import fc from "fast-check";
import { expect } from "vitest";
import { answers, canvasOf, showAnswer, withoutColors } from "./shown-answers.ts";

const hostileTexts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom(
    "",
    "語の規則と長い題名".repeat(12),
    "👩‍🚀👨‍👩‍👧‍👦👍🏽".repeat(9),
    "🇩🇪🇫🇷🇯".repeat(7),
    "❤\ufe0f".repeat(40),
    "\ufe0f\u200d\u0301leading marks",
    "e\u0301".repeat(90),
    "مرحبا بالعالم ".repeat(9),
    "\u202egnp.exe\u2066",
    "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
    "first\n\tsecond\r\n   third\n\n",
    "word ".repeat(80),
    `task-${"9-".repeat(90)}1`,
    "\ud800 lone surrogate",
    "hasOwnProperty",
    "__proto__",
    "completed",
    "spec-root",
  ),
);

const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileTexts },
  fc.constantFrom(null, true, false, 0, -1, 3.7, 1e300, [], {}),
  fc.array(hostileTexts, { maxLength: 3 }),
  fc.dictionary(hostileTexts, fc.oneof(hostileTexts, fc.integer()), { maxKeys: 3 }),
  fc.array(fc.dictionary(fc.constantFrom("task_id", "title", "status", "text", "id"), hostileTexts), {
    maxLength: 3,
  }),
);

/** Replaces, removes and keeps members of a payload, as selected by the random numbers. */
function distort(value: unknown, next: () => number, values: readonly unknown[]): unknown {
  const pick = next();
  if (pick < 25) return values[pick % values.length];
  if (Array.isArray(value)) return value.map((each) => distort(each, next, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => next() > 5)
      .map(([key, member]) => [key, distort(member, next, values)]),
  );
}

/**
 * Checks that every view accepts distorted payloads. Each line fits, no control byte remains, and nothing is thrown.
 */
export function checkHostilePayloads(numRuns: number): void {
  fc.assert(
    fc.property(
      fc.array(hostileValues, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(99), { minLength: 7, maxLength: 60 }),
      fc.integer({ min: 12, max: 130 }),
      fc.boolean(),
      fc.boolean(),
      (values, picks, width, isColored, unicode) => {
        let at = 0;
        const next = () => picks[at++ % picks.length] ?? 0;
        for (const [name, answer] of Object.entries(answers)) {
          const members = Object.entries(answer.data).filter(() => next() > 3);
          const data = Object.fromEntries(members.map(([key, value]) => [key, distort(value, next, values)]));
          const text = showAnswer({ ...answer, data }, canvasOf(width, { isColored, unicode }));
          for (const line of withoutColors(text).split("\n")) {
            // One assertion for all lines would be slow.
            // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
            if (widthOf(line) > width || /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(line))
              expect.fail(`${name} at ${width}: ${JSON.stringify(line)}`);
          }
        }
      },
    ),
    { numRuns },
  );
}
