import { isRecord } from "@foundry-mcp/contract";
import { type Admitted, toAdmitted } from "./admitted-values.ts";
import { resolveReference } from "./resolve-reference.ts";
import type { JsonSchema } from "./schema.ts";

/** One alternative form of an object: an object schema, or a branch of a union. */
export interface ObjectForm {
  readonly members: ReadonlyMap<string, Member>;
  /** True if the object may have additional members of any name. */
  readonly isOpen: boolean;
  /** The schema of the additional members, if the object form has such a schema. */
  readonly others: JsonSchema | undefined;
  /** The members that must have fixed values; these values distinguish the branches of a union. */
  readonly constants: readonly (readonly [name: string, values: ReadonlySet<unknown>])[];
}

/** A member of an object form. */
export interface Member {
  readonly schema: JsonSchema | undefined;
  /** True if null is a value of this member; for every other member, null means absent. */
  readonly keepsNull: boolean;
}

/** One alternative form of a list. */
export interface ListForm {
  readonly first: readonly unknown[];
  /** The schema of the items after `prefixItems`; undefined if these items may have any value. */
  readonly rest: JsonSchema | undefined;
}

/** The alternative forms of objects and lists that a schema allows. */
export interface Forms {
  readonly objects: readonly ObjectForm[];
  readonly lists: readonly ListForm[];
}

/** Finds the object and list forms in one JSON Schema. */
export interface FormFinder {
  formsOf(schema: JsonSchema): Forms;
  /** Returns the values that a schema admits, judged only by types, patterns and lists of values. */
  admittedBy(schema: JsonSchema): Admitted;
  /** Returns true if any object within the values of a schema has named members. */
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

/** True for a schema that admits null. */
export function admitsNull(schema: JsonSchema, root: JsonSchema): boolean {
  return partsOf(schema, root).some(({ type, enum: values, const: only }) => {
    if (type !== undefined) return [type].flat().includes("null");
    if (Array.isArray(values)) return values.includes(null);
    return only === undefined || only === null;
  });
}

const unions = ["anyOf", "oneOf"] as const;
const conditions = ["then", "else"] as const;
/** The keywords that describe members or items of a value. */
const describing = {
  object: ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  array: ["items", "prefixItems"],
} as const;

/** Returns the schemas that may apply to the same value as a schema, with references and combinations resolved. */
function partsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = [];
  // The loop also visits schemas that are added to the set during the loop. The set ensures that each schema
  // is visited only once, even if a schema refers to itself.
  const queue = new Set([schema]);
  for (const each of queue) {
    const branches = branchesOf(each, root);
    for (const branch of branches) queue.add(branch);
    if (branches.length === 0 || describes(each)) parts.push(each);
  }
  return parts;
}

/**
 * Returns the subschemas of `$ref`, `allOf`, unions and conditions. If some schema describes members or items,
 * subschemas that only restrict values are left out.
 */
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

/** True for a schema that may describe members or items, directly or through another schema. */
function isDescriptive(schema: JsonSchema): boolean {
  return (
    describes(schema) ||
    ["$ref", "allOf", ...unions, ...conditions].some((keyword) => schema[keyword] !== undefined)
  );
}

/** Returns all schemas that may apply to a value and its parts. */
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

/** True for a schema that admits a value of the wanted kind; if the schema has no `type`, its keywords decide. */
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
    // Without `additionalProperties`, names that are not in `properties` would be dropped silently, so the form counts
    // as closed.
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
