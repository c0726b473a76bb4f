import { isRecord } from "@foundry-mcp/contract";
import { withinDeadline } from "../../files/within-deadline.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { flattenSchema } from "../schemas/flatten-schema.ts";
import { typesOf, type UntrustedSchema } from "../schemas/json-schema.ts";
import { declaredValues, generateValues, nullsLast } from "./generate-values.ts";
import { suggestedWords } from "./suggested-words.ts";

/** The sources of a parameter's values besides its schema. */
export interface SampleSources {
  /** Values from the calls file, which are tried before all other values. */
  readonly given?: readonly unknown[];
  /** Values from other answers of the server. */
  readonly pool?: readonly unknown[];
  /** Words that a failed call suggested as values. */
  readonly words?: readonly string[];
}

const maxSamples = 8;
const maxTried = 60;
const maxSchemas = 400;
const deadlineMs = 3000;
const generated = new WeakMap<UntrustedSchema, readonly unknown[]>();

/** Returns at most 8 values that the schema of a parameter admits, best first. */
export function sampleValues(
  schema: UntrustedSchema,
  { given = [], pool = [], words = [] }: SampleSources = {},
): readonly unknown[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok || !isRecord(schema)) return [];
  const flat = flattenSchema(schema, schema) ?? {};
  const types: readonly string[] = typesOf(flat);
  const sources: readonly (() => readonly unknown[])[] = [
    () => given,
    () => declaredValues(flat),
    () => pool.flatMap((value) => coercionsOf(value, types)),
    () => words.flatMap((word) => coercionsOf(word, types)),
    () => describedWords(flat).flatMap((word) => coercionsOf(word, types)),
    () => generatedFor(schema),
  ];
  const seen = new Set<string>();
  const groups: unknown[][] = sources.map(() => []);
  // Checking a value may be slow, so all checks share a deadline. Values found before the deadline are
  // kept.
  withinDeadline(deadlineMs, () => {
    for (const [index, source] of sources.entries()) {
      const group = groups[index] ?? [];
      for (const value of source().slice(0, maxTried)) {
        const text = JSON.stringify(value);
        if (group.length === maxSamples) break;
        if (text === undefined || seen.has(text) || compiled.check(value).length > 0) continue;
        seen.add(text);
        group.push(value);
      }
    }
  });
  return nullsLast(takeInTurns(groups));
}

/** Returns the values generated from the schema alone, and caches them. */
function generatedFor(schema: UntrustedSchema): readonly unknown[] {
  const before = generated.get(schema);
  if (before !== undefined) return before;
  // An empty list is cached before the generation, so that an interrupted generation is not tried again.
  generated.set(schema, []);
  const values = generateValues(schema, { root: schema, schemasLeft: maxSchemas });
  generated.set(schema, values);
  return values;
}

/**
 * Takes one value of each source in turn until there are enough values. A source with many values then does not
 * displace the values of other sources.
 */
function takeInTurns(groups: readonly (readonly unknown[])[]): readonly unknown[] {
  const counts = groups.map(() => 0);
  const total = Math.min(maxSamples, groups.flat().length);
  for (let taken = 0, turn = 0; taken < total; turn++) {
    const index = turn % groups.length;
    const count = counts[index] ?? 0;
    if (count === groups[index]?.length) continue;
    counts[index] = count + 1;
    taken++;
  }
  return groups.flatMap((group, index) => group.slice(0, counts[index]));
}

/**
 * Returns a value and its conversions to the types of a parameter, for example `"7"` to 7, or 7 to `[7]`.
 */
function coercionsOf(value: unknown, types: readonly string[]): readonly unknown[] {
  const coercions = [value];
  const takes = (...wanted: readonly string[]) => wanted.some((type) => types.includes(type));
  if (
    takes("integer", "number", "array") &&
    typeof value === "string" &&
    /^-?\d{1,15}(\.\d{1,10})?$/.test(value)
  ) {
    coercions.push(Number(value));
  }
  if (takes("string", "array") && typeof value === "number") coercions.push(String(value));
  if (takes("array") && !Array.isArray(value)) coercions.push(...coercions.map((each) => [each]));
  return coercions;
}

function describedWords({ description }: UntrustedSchema): readonly string[] {
  return typeof description === "string" ? suggestedWords(description) : [];
}
