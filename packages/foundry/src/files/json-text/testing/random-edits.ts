import type { JsonValue } from "@foundry-mcp/contract";
import fc from "fast-check";
import { applyEdits, type Edit, type EditPath } from "../edit.ts";
import { keys } from "./random-text.ts";

/** Random values from which an edit is created once the document is known. */
export interface Recipe {
  readonly op: Edit["op"];
  readonly place: number;
  readonly entry: number;
  readonly key: string;
  readonly isNew: boolean;
  readonly after: string | undefined;
  readonly value: JsonValue;
}

const values = fc
  .oneof(
    fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
    fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.constantFrom<JsonValue>({}, [], "\u2014 ü 😀 \ud800", 1e21, 0.1),
  )
  // The value is converted to text and back to remove negative zero, which JSON.stringify does not print.
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

export const recipes: fc.Arbitrary<Recipe> = fc.record({
  op: fc.constantFrom("set", "set", "remove", "insert"),
  place: fc.nat(),
  entry: fc.nat(),
  key: fc.constantFrom(...keys),
  isNew: fc.boolean(),
  after: fc.option(fc.constantFrom(...keys), { nil: undefined }),
  value: values,
});

/** Creates the edit of a recipe for a document. Returns undefined if the recipe does not apply to the document. */
export function toEdit(document: unknown, recipe: Recipe): Edit | undefined {
  const { op, value, after } = recipe;
  const places = containersOf(document).filter(([, each]) => op !== "insert" || Array.isArray(each));
  const found = places[recipe.place % places.length];
  if (found === undefined) return undefined;
  const [path, place] = found;
  if (op === "insert") {
    const index = recipe.entry % ((place as unknown[]).length + 1);
    return { op, path, index, value };
  }
  const names = Object.keys(place);
  const old = names[recipe.entry % names.length];
  const fresh = Array.isArray(place) ? place.length : recipe.key;
  const key = recipe.isNew || old === undefined ? fresh : Array.isArray(place) ? Number(old) : old;
  if (op === "remove") return { op, path: [...path, key] };
  return { op, path: [...path, key], value, ...(after === undefined ? {} : { after }) };
}

/** Creates the edits of recipes, each for the document that results from the edits before it. */
export function toEdits(document: unknown, all: readonly Recipe[]): Edit[] {
  const edits: Edit[] = [];
  let current = document;
  for (const recipe of all) {
    const edit = toEdit(current, recipe);
    if (edit === undefined) continue;
    edits.push(edit);
    current = applyEdits(current, [edit]);
  }
  return edits;
}

function containersOf(value: unknown, path: EditPath = []): [EditPath, object][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    containersOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [[path, value], ...inner];
}

/** Returns a value together with the order of its keys, which comparisons of objects ignore. */
export function withOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withOrder);
  return { object: Object.entries(value).map(([key, each]) => [key, withOrder(each)]) };
}
