import { ContractError, validationError } from "@foundry-mcp/contract";
import { type Context, suggest } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import type { Workspace } from "../workspace.ts";
import { type CreateReplace, noReplace } from "./timed-replace.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** A change of a spec by its name: what it takes, and what is to be done. */
export interface Operation<R extends object = object> {
  /** Without the spec, and without what guards every change. */
  readonly fields: () => Fields;
  readonly plan: (input: never, createReplace: CreateReplace) => Plan<R>;
  /** The member of its result that is the id of what it adds. */
  readonly adds?: "task_id" | "phase_id" | undefined;
}

/** Operations by their names. */
export type Operations<R extends object = object> = Readonly<Record<string, Operation<R>>>;

/** Defines an operation; its plan takes what the fields let through. */
export function operation<S extends Fields, R extends object>(
  fields: () => S,
  plan: (input: z.output<z.ZodObject<S>>, createReplace: CreateReplace) => Plan<R>,
  adds?: Operation["adds"],
): Operation<R> {
  return { fields, plan, adds };
}

/** Makes the change that an action asks for; what replaces texts is loaded where it is needed. */
export function runOperation(
  workspace: Workspace,
  { fields, plan }: Operation,
  load: () => Promise<CreateReplace> = async () => noReplace,
) {
  return async (input: ChangeInput, context: Context) => {
    const own = fields();
    const asked = Object.entries(input).filter(([name]) => Object.hasOwn(own, name));
    const createReplace = await load();
    return changeSpec(workspace, input, plan(Object.fromEntries(asked) as never, createReplace), context);
  };
}

/** An operation of a list, with what was given to it. */
export interface ParsedOperation<R extends object = object> {
  readonly op: string;
  readonly operation: Operation<R>;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Reads one of a list of operations, whose schema is too long to be told to every client. */
export function parseOperation<R extends object>(
  operations: Operations<R>,
  given: { readonly op: string },
  index: number,
): ParsedOperation<R> {
  const { op, ...input } = given;
  const operation = Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (operation === undefined) {
    const names = Object.keys(operations);
    throw validationError(
      { field: `operations[${index}].op`, constraint: "enum", expected: names, received: op },
      { remediation: suggest(op, names) },
    );
  }
  const parsed = schemaOf(operation).safeParse(input);
  if (parsed.success) return { op, operation, input: parsed.data };
  const [issue] = parsed.error.issues;
  const field = [`operations[${index}]`, ...(issue?.path ?? [])].join(".");
  throw new ContractError(`Cannot read ${field} (${op}): ${issue?.message}`, {
    errorCode: "VALIDATION_ERROR",
    remediation: `Give ${op} what the action of this name takes; server(action="schema") tells.`,
    details: { field, constraint: issue?.code ?? "invalid", operation: { index, op } },
  });
}

const schemas = new WeakMap<Operation, z.ZodObject>();

/** Made once: a list may hold the same operation hundreds of times. */
function schemaOf<R extends object>(operation: Operation<R>): z.ZodObject {
  const known = schemas.get(operation);
  if (known !== undefined) return known;
  const ref =
    operation.adds === undefined
      ? {}
      : {
          ref: z
            .string()
            .regex(/^\w[\w-]*$/)
            .optional(),
        };
  const schema = z.strictObject({ ...operation.fields(), ...ref });
  schemas.set(operation, schema);
  return schema;
}
