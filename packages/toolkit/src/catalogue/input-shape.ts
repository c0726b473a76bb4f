import { internal, type UnknownRecord } from "@foundry-mcp/contract";
import type { Action, PageOptions } from "../define/action.ts";
import { admitsNull, createFormFinder, type FormFinder } from "../schema/object-forms.ts";
import {
  type JsonSchema,
  type LazySchema,
  resolveSchema,
  type Schema,
  toInputJsonSchema,
} from "../schema/schema.ts";
import { invalidDeclaration } from "./check-action.ts";

/** One parameter of an action. */
export interface Parameter {
  readonly json: JsonSchema;
  readonly isRequired: boolean;
  /** True if null is a value of this parameter; for every other parameter, null means absent. */
  readonly keepsNull: boolean;
}

/** The name of the parameter that every action takes. */
export const budgetParameter = "max_tokens";

const budgetJson: JsonSchema = {
  type: "integer",
  minimum: 0,
  description: "Maximum tokens of the answer; 0 for no limit",
};

/** The schema of `cursor`, with which a list action continues a list. */
export const cursorJson: JsonSchema = {
  type: "string",
  description: "meta.pagination.cursor of the previous page; leave out for the first page",
};

/** The input of an action, prepared for validation and descriptions. */
export interface InputShape {
  readonly schema: Schema | undefined;
  /** The complete JSON Schema, including `max_tokens`, and for a list action also `limit` and `cursor`. */
  readonly json: JsonSchema;
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** True if the action accepts additional parameters of any name. */
  readonly isOpen: boolean;
  /** The common parameters (`limit`, `cursor`, `max_tokens`) that belong to the schema and not to dispatch. */
  readonly own: ReadonlySet<string>;
  /** Finds the alternative schemas (`anyOf`, `oneOf`) of a part of `json`. */
  readonly finder: FormFinder;
  /**
   * The parameters whose values contain objects with named members; undefined if there are none, as in most
   * actions.
   */
  readonly nested: ReadonlyMap<string, JsonSchema> | undefined;
}

/** Derives the shape of an action's input; `label` names the action in errors. */
export function toInputShape(action: Action, label: string): InputShape {
  const { input, page, parameterAliases } = action;
  if (action.isForeign === true) return toForeignShape(action, label);
  const common = { ...(page === undefined ? {} : pageParameters(page)), [budgetParameter]: budgetJson };
  const shape = toArgumentShape(input, label, common);
  checkAliases(parameterAliases, shape.json["properties"] as UnknownRecord, label);
  return shape;
}

/** The common parameters of the actions of other servers, described briefly because they are added to every tool. */
const foreignParameters: Readonly<Record<string, JsonSchema>> = {
  limit: { type: "integer", minimum: 1, description: "Items per page of a list" },
  cursor: { type: "string", description: "meta.pagination.cursor of the previous page" },
  [budgetParameter]: { type: "integer", minimum: 0, description: "Maximum tokens of the answer" },
};

/**
 * Derives the shape of an action of another server. The schema of such an action is not traversed, because it is
 * foreign input, and the parameters of the schema take precedence over the common parameters.
 */
function toForeignShape({ input, page }: Action, label: string): InputShape {
  const schema = input === undefined ? undefined : openInput(input, label);
  const json: JsonSchema = schema === undefined ? { type: "object" } : printSchema(schema, label);
  const own = (json["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const isPaged = page !== undefined && !Object.hasOwn(own, "cursor");
  const added = Object.entries(foreignParameters).filter(
    ([name]) => !Object.hasOwn(own, name) && (isPaged || name === budgetParameter),
  );
  const properties = { ...own, ...Object.fromEntries(added) };
  const required = Array.isArray(json["required"]) ? json["required"] : [];
  const whole = { ...json, properties };
  return {
    schema: undefined,
    json: whole,
    parameters: new Map(
      Object.entries(properties).map(([name, property]) => [
        name,
        { json: property, isRequired: required.includes(name), keepsNull: Object.hasOwn(own, name) },
      ]),
    ),
    isOpen: true,
    own: new Set(Object.keys(foreignParameters).filter((name) => !added.some(([each]) => each === name))),
    finder: createFormFinder(whole),
    nested: undefined,
  };
}

const none: ReadonlySet<string> = new Set();

/**
 * Derives the shape of arguments from their schema; `common` lists additional parameters that are not in the
 * schema.
 */
export function toArgumentShape(
  input: LazySchema | undefined,
  label: string,
  common: Readonly<Record<string, JsonSchema>> = {},
): InputShape {
  const schema = input === undefined ? undefined : openInput(input, label);
  const own = schema === undefined ? { type: "object", properties: {} } : printSchema(schema, label);
  const properties = { ...(own["properties"] as UnknownRecord | undefined) };
  const required = new Set((own["required"] as readonly string[] | undefined) ?? []);
  for (const [name, json] of Object.entries(common)) {
    if (Object.hasOwn(properties, name))
      throw invalidDeclaration(label, `the path has its own parameter ${name}`);
    properties[name] = json;
  }
  const parameters = new Map(
    Object.entries(properties).map(([name, json]) => {
      const isRequired = required.has(name);
      const property = json as JsonSchema;
      return [name, { json: property, isRequired, keepsNull: isRequired && admitsNull(property, own) }];
    }),
  );
  const json = { ...own, properties };
  const finder = createFormFinder(json);
  return {
    schema,
    json,
    parameters,
    // A schema without `additionalProperties` is treated as closed, because it would otherwise drop unknown
    // parameters silently.
    isOpen: own["additionalProperties"] !== undefined && own["additionalProperties"] !== false,
    own: none,
    finder,
    nested: toNested(finder, parameters),
  };
}

function toNested(finder: FormFinder, parameters: ReadonlyMap<string, Parameter>): InputShape["nested"] {
  const named = [...parameters].filter((entry) => finder.namesMembers(entry[1].json));
  if (named.length === 0) return undefined;
  return new Map(named.map(([name, parameter]) => [name, parameter.json]));
}

function openInput(input: LazySchema, label: string): Schema {
  try {
    return resolveSchema(input);
  } catch (cause) {
    const why = cause instanceof TypeError ? cause.message : "creating its input fails";
    throw internal(`Cannot declare ${label}: ${why}`, { cause });
  }
}

/**
 * Throws for an alias of an unknown parameter, and for an alias with the name of a parameter, because such an alias
 * could never apply.
 */
function checkAliases(aliases: Action["parameterAliases"], properties: object, label: string): void {
  for (const [alias, name] of Object.entries(aliases ?? {})) {
    if (!Object.hasOwn(properties, name))
      throw invalidDeclaration(label, `alias ${alias} stands for no parameter`);
    if (Object.hasOwn(properties, alias))
      throw invalidDeclaration(label, `alias ${alias} is a parameter itself`);
  }
}

function printSchema(schema: Schema, label: string): JsonSchema {
  let json: JsonSchema;
  try {
    json = toInputJsonSchema(schema);
  } catch (cause) {
    throw internal(`Cannot declare ${label}: its input has no JSON Schema`, { cause });
  }
  if (json["type"] !== "object") {
    throw internal(`Cannot declare ${label}: its input must be an object of parameters`);
  }
  return json;
}

function pageParameters({
  default: rows,
  max,
  of = "Rows",
}: PageOptions): Readonly<Record<string, JsonSchema>> {
  return {
    limit: {
      type: "integer",
      minimum: 1,
      maximum: max,
      default: rows,
      description: `${of} per page`,
    },
    cursor: cursorJson,
  };
}
