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
  /** Null is a value of it; for every other parameter null means absent. */
  readonly keepsNull: boolean;
}

/** The parameter that every action takes. */
export const budgetParameter = "max_tokens";

const budgetJson: JsonSchema = {
  type: "integer",
  minimum: 0,
  description: "Most tokens of the answer; 0 for no limit",
};

/** The input of an action, as validation and descriptions need it. */
export interface InputShape {
  readonly schema: Schema | undefined;
  /** The whole JSON Schema, with `max_tokens`, and `limit` and `cursor` for a list action. */
  readonly json: JsonSchema;
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Whether it takes further parameters of any name. */
  readonly isOpen: boolean;
  /** Finds the forms of the parts of `json`. */
  readonly finder: FormFinder;
  /** The parameters that hold objects with named members; undefined where there is none, as for most actions. */
  readonly nested: ReadonlyMap<string, JsonSchema> | undefined;
}

/** Derives the shape of an action's input; `label` names the action in errors. */
export function toInputShape({ input, page, parameterAliases }: Action, label: string): InputShape {
  const common = { ...(page === undefined ? {} : pageParameters(page)), [budgetParameter]: budgetJson };
  const shape = toArgumentShape(input, label, common);
  checkAliases(parameterAliases, shape.json["properties"] as UnknownRecord, label);
  return shape;
}

/** Derives the shape of arguments from their schema; `common` are parameters that the schema does not have. */
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
    // A schema without `additionalProperties` would drop unknown parameters silently, so it counts as closed.
    isOpen: own["additionalProperties"] !== undefined && own["additionalProperties"] !== false,
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
    const why = cause instanceof TypeError ? cause.message : "its input cannot be made";
    throw internal(`Cannot declare ${label}: ${why}`, { cause });
  }
}

/** Throws for an alias of no parameter, or one that hides a parameter: it would never apply. */
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
    cursor: {
      type: "string",
      description: "meta.pagination.cursor of the page before; leave out for the first page",
    },
  };
}
