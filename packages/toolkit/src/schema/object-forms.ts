import { isRecord } from "@foundry-mcp/contract";
import { type Admitted, toAdmitted } from "./admitted-values.ts";
import { resolveReference } from "./resolve-reference.ts";
import type { JsonSchema } from "./schema.ts";

/** One form that an object may have: an object schema, or a branch of a union. */
export interface ObjectForm {
  readonly members: ReadonlyMap<string, Member>;
  /** Whether it takes further members of any name. */
  readonly isOpen: boolean;
  /** The schema of the further members, where they have one. */
  readonly others: JsonSchema | undefined;
  /** The members that must have certain values, which tell the branches of a union apart. */
  readonly constants: readonly (readonly [name: string, values: ReadonlySet<unknown>])[];
}

/** A member of an object form. */
export interface Member {
  readonly schema: JsonSchema | undefined;
  /** Null is a value of it; for every other member null means absent. */
  readonly keepsNull: boolean;
}

/** One form that a list may have. */
export interface ListForm {
  readonly first: readonly unknown[];
  /** The schema of the items after the first ones; undefined for any value. */
  readonly rest: JsonSchema | undefined;
}

/** The forms that a schema allows. */
export interface Forms {
  readonly objects: readonly ObjectForm[];
  readonly lists: readonly ListForm[];
}

/** Finds the forms of the parts of one JSON Schema. */
export interface FormFinder {
  formsOf(schema: JsonSchema): Forms;
  /** The values that a schema admits, as far as types, patterns and lists of values say. */
  admittedBy(schema: JsonSchema): Admitted;
  /** Whether an object somewhere in its values has members that the schema names. */
  namesMembers(schema: JsonSchema): boolean;
}

/** Creates a finder for the parts of a JSON Schema; `root` is the schema that `$ref` points into. */
export function createFormFinder(root: JsonSchema): FormFinder {
  const known = new Map<JsonSchema, Forms>();
  const admitted = new Map<JsonSchema, Admitted>();
  return {
    formsOf(schema) {
      const stored = known.get(schema);
      if (stored !== undefined) return stored;
      const parts = partsOf(schema, root);
      const forms = {
        objects: parts.filter((part) => admits(part, "object")).map((part) => toObjectForm(part, root)),
        lists: parts.filter((part) => admits(part, "array")).map(toListForm),
      };
      known.set(schema, forms);
      return forms;
    },
    admittedBy(schema) {
      const stored = admitted.get(schema) ?? toAdmitted(schema, root);
      admitted.set(schema, stored);
      return stored;
    },
    namesMembers: (schema) => [...reachableFrom(schema, root)].some((each) => isRecord(each["properties"])),
  };
}

/** True for a schema of which null is a value. */
export function admitsNull(schema: JsonSchema, root: JsonSchema): boolean {
  return partsOf(schema, root).some(({ type, enum: values, const: only }) => {
    if (type !== undefined) return [type].flat().includes("null");
    if (Array.isArray(values)) return values.includes(null);
    return only === undefined || only === null;
  });
}

const unions = ["anyOf", "oneOf"] as const;
const conditions = ["then", "else"] as const;
/** The keywords that say which members or items a value has. */
const describing = {
  object: ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  array: ["items", "prefixItems"],
} as const;

/** Returns the schemas that may apply to the same value: references and combinations resolved. */
function partsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = [];
  // A set iterates in insertion order and includes what is added meanwhile; a schema that refers to itself is in it once.
  const queue = new Set([schema]);
  for (const each of queue) {
    const branches = branchesOf(each, root);
    for (const branch of branches) queue.add(branch);
    if (branches.length === 0 || describes(each)) parts.push(each);
  }
  return parts;
}

/** The schemas beside which a schema stands; a part that only restricts what others describe is none. */
function branchesOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const target = resolveReference(schema["$ref"], root);
  const all = schemasIn(schema["allOf"]);
  const parts = [...(target === undefined ? [] : [target]), ...all];
  const alternatives = [...unions, ...conditions].flatMap((keyword) => schemasIn(schema[keyword]));
  const isDescribed = describes(schema) || parts.some(isDescriptive);
  return [...parts, ...alternatives].filter((part) => !isDescribed || isDescriptive(part));
}

function describes(schema: JsonSchema): boolean {
  return Object.values(describing).some((keywords) => keywords.some((each) => schema[each] !== undefined));
}

/** True for a schema that describes members or items, itself or by a schema that it refers to. */
function isDescriptive(schema: JsonSchema): boolean {
  return (
    describes(schema) ||
    ["$ref", "allOf", ...unions, ...conditions].some((keyword) => schema[keyword] !== undefined)
  );
}

/** Returns all schemas that a value and its parts may be held to. */
function reachableFrom(schema: JsonSchema, root: JsonSchema): ReadonlySet<JsonSchema> {
  const reached = new Set([schema]);
  for (const each of reached) {
    const { properties, patternProperties } = each;
    const below = [
      ...schemasIn(each["additionalProperties"]),
      ...schemasIn(each["items"]),
      ...schemasIn(each["prefixItems"]),
      ...[properties, patternProperties].flatMap((members) => schemasIn(Object.values(members ?? {}))),
    ];
    for (const next of [...branchesOf(each, root), ...below]) reached.add(next);
  }
  return reached;
}

function schemasIn(value: unknown): readonly JsonSchema[] {
  return [value].flat().filter(isRecord);
}

/** True for a schema of an object or a list; without a type, the keywords say which of them is meant. */
function admits(schema: JsonSchema, wanted: "object" | "array"): boolean {
  const { type } = schema;
  if (type !== undefined) return [type].flat().includes(wanted);
  return !describes(schema) || describing[wanted].some((keyword) => schema[keyword] !== undefined);
}

function toObjectForm(schema: JsonSchema, root: JsonSchema): ObjectForm {
  const { properties, patternProperties, additionalProperties, required } = schema;
  const isRequired = new Set(Array.isArray(required) ? required : []);
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  const members = entries.map(([name, given]): [string, Member] => {
    const json = isRecord(given) ? given : undefined;
    const keepsNull = isRequired.has(name) && (json === undefined || admitsNull(json, root));
    return [name, { schema: json, keepsNull }];
  });
  return {
    members: new Map(members),
    // Without `additionalProperties`, names beside those of `properties` would be dropped silently: it counts as closed.
    isOpen:
      additionalProperties === undefined
        ? !isRecord(properties) || patternProperties !== undefined
        : additionalProperties !== false,
    others: isRecord(additionalProperties) ? additionalProperties : undefined,
    constants: entries.flatMap(([name, given]) => {
      if (!isRecord(given)) return [];
      if (given["const"] !== undefined) return [[name, new Set([given["const"]])] as const];
      return Array.isArray(given["enum"]) ? [[name, new Set<unknown>(given["enum"])] as const] : [];
    }),
  };
}

function toListForm({ prefixItems, items }: JsonSchema): ListForm {
  return {
    first: Array.isArray(prefixItems) ? prefixItems : [],
    rest: isRecord(items) ? items : undefined,
  };
}
