import { isRecord } from "@foundry-mcp/contract";
import { withinDeadline } from "../../files/within-deadline.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { typesOf, type UntrustedSchema } from "../schemas/json-schema.ts";
import { settleSchema } from "../schemas/settle-schema.ts";
import { lastNull, makeValues, statedValues } from "./generate-values.ts";
import { wordsIn } from "./suggested-words.ts";

/** Where values come from, apart from the schema. */
export interface SampleSources {
  /** What the user wants to be sent; it goes before everything else. */
  readonly given?: readonly unknown[];
  /** What answers held under the parameter's name. */
  readonly pool?: readonly unknown[];
  /** What a failure told to try. */
  readonly words?: readonly string[];
}

const mostSamples = 8;
const mostTried = 60;
const mostSchemas = 400;
const deadlineMs = 3000;
const made = new WeakMap<UntrustedSchema, readonly unknown[]>();

/** Values for a parameter, best first, at most 8, each of which its schema admits; none where nothing fits. */
export function sampleValues(
  schema: UntrustedSchema,
  { given = [], pool = [], words = [] }: SampleSources = {},
): readonly unknown[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok || !isRecord(schema)) return [];
  const settled = settleSchema(schema, schema) ?? {};
  const types: readonly string[] = typesOf(settled);
  const sources: readonly (() => readonly unknown[])[] = [
    () => given,
    () => statedValues(settled),
    () => pool.flatMap((value) => formsOf(value, types)),
    () => words.flatMap((word) => formsOf(word, types)),
    () => describedWords(settled).flatMap((word) => formsOf(word, types)),
    () => madeOf(schema),
  ];
  const seen = new Set<string>();
  const groups: unknown[][] = sources.map(() => []);
  // Each value may take its time, so all of them have a deadline; what was found by then is kept.
  withinDeadline(deadlineMs, () => {
    for (const [index, source] of sources.entries()) {
      const group = groups[index] ?? [];
      for (const value of source().slice(0, mostTried)) {
        const text = JSON.stringify(value);
        if (group.length === mostSamples) break;
        if (text === undefined || seen.has(text) || compiled.check(value).length > 0) continue;
        seen.add(text);
        group.push(value);
      }
    }
  });
  return lastNull(share(groups));
}

/** What is made of a schema alone. */
function madeOf(schema: UntrustedSchema): readonly unknown[] {
  const before = made.get(schema);
  if (before !== undefined) return before;
  // Where the deadline stops it, it would be stopped the next time as well.
  made.set(schema, []);
  const values = makeValues(schema, { root: schema, left: mostSchemas });
  made.set(schema, values);
  return values;
}

/** One of each source in turn until there are enough, so that a long list of one leaves room for the others. */
function share(groups: readonly (readonly unknown[])[]): readonly unknown[] {
  const counts = groups.map(() => 0);
  const total = Math.min(mostSamples, groups.flat().length);
  for (let taken = 0, turn = 0; taken < total; turn++) {
    const index = turn % groups.length;
    const count = counts[index] ?? 0;
    if (count === groups[index]?.length) continue;
    counts[index] = count + 1;
    taken++;
  }
  return groups.flatMap((group, index) => group.slice(0, counts[index]));
}

/** A value as the parameter's types would have it: `"7"` also as 7, 7 also as `"7"`, either also as a list. */
function formsOf(value: unknown, types: readonly string[]): readonly unknown[] {
  const forms = [value];
  const takes = (...wanted: readonly string[]) => wanted.some((type) => types.includes(type));
  if (
    takes("integer", "number", "array") &&
    typeof value === "string" &&
    /^-?\d{1,15}(\.\d{1,10})?$/.test(value)
  ) {
    forms.push(Number(value));
  }
  if (takes("string", "array") && typeof value === "number") forms.push(String(value));
  if (takes("array") && !Array.isArray(value)) forms.push(...forms.map((form) => [form]));
  return forms;
}

function describedWords({ description }: UntrustedSchema): readonly string[] {
  return typeof description === "string" ? wordsIn(description) : [];
}
