import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
import {
  type Action,
  type ArgumentParser,
  type Context,
  createArgumentParser,
  suggest,
} from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { specChangeFields, taskChangeFields } from "../change-parameters.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import type { Workspace } from "../workspace.ts";
import { type CreateReplace, noReplace } from "./timed-replace.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** A named change of a spec: its parameters, and the plan that computes the change. */
export interface Operation<R extends object = object> {
  /** The parameters of the operation. The spec id and the options that all changes have are not included. */
  readonly fields: () => Fields;
  readonly plan: (input: never, createReplace: CreateReplace) => Plan<R>;
  /** The member of the result that contains the id of the added node. */
  readonly adds?: "task_id" | "phase_id" | undefined;
  /** False for an operation that is no action of a tool. @default true */
  readonly isAction?: boolean | undefined;
}

/** Operations by name. */
export type Operations<R extends object = object> = Readonly<Record<string, Operation<R>>>;

/** Defines an operation. The plan of the operation takes the parsed fields. */
export function operation<S extends Fields, R extends object>(
  fields: () => S,
  plan: (input: z.output<z.ZodObject<S>>, createReplace: CreateReplace) => Plan<R>,
  adds?: Operation["adds"],
): Operation<R> {
  return { fields, plan, adds };
}

/** The declaration of an action that runs an operation. */
interface OperationActionOptions extends Omit<Action, "input" | "run"> {
  /**
   * Further parameters. Such a parameter replaces a parameter of the operation with the same name.
   * @default none
   */
  readonly fields?: (() => Fields) | undefined;
  /** Loads the replacement of texts, for an operation that needs it. */
  readonly load?: (() => Promise<CreateReplace>) | undefined;
}

/**
 * Declares an action that runs an operation. The parameters of the action are those of the operation and
 * those of every change.
 */
export function operationAction(
  workspace: Workspace,
  { fields, plan }: Operation,
  { fields: ownFields = () => ({}), load = async () => noReplace, ...declaration }: OperationActionOptions,
): Action {
  return {
    ...declaration,
    input: () => {
      const own = { ...fields(), ...ownFields() };
      return z.object({ ...("task_id" in own ? taskChangeFields : specChangeFields), ...own });
    },
    run: async (input: ChangeInput, context: Context) => {
      const names = fields();
      const given = Object.entries(input).filter(([name]) => Object.hasOwn(names, name));
      const createReplace = await load();
      return changeSpec(workspace, input, plan(Object.fromEntries(given) as never, createReplace), context);
    },
  };
}

/** An operation of a list, with its arguments. */
export interface ParsedOperation<R extends object = object> {
  readonly op: string;
  readonly operation: Operation<R>;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Parses one operation of a list. The input schema does not describe the operations of a list, because such a
 * schema would be too long for every client.
 */
export function parseOperation<R extends object>(
  operations: Operations<R>,
  given: { readonly op: string },
  index: number,
  /** The tool whose actions are the operations. */
  tool: string,
  /**
   * Accepts arguments in another form if their meaning is certain, and reports them. If this function is not passed,
   * such arguments are refused.
   */
  warn?: Context["warn"],
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
  const at = `operations[${index}]`;
  try {
    return { op, operation, input: parserOf(operation, op)(input, at, warn) };
  } catch (error) {
    if (!isContractError(error)) throw error;
    const details = { ...error.options.details, operation: { index, op } };
    const message = `Cannot read ${at} (${op}): ${error.message}`;
    if (operation.isAction === false) throw new ContractError(message, { ...error.options, details });
    throw new ContractError(message, {
      ...error.options,
      remediation: `${error.remediation ?? ""} {1} lists the parameters of ${op}.`.trim(),
      remedy: { tool: "server", action: "schema", arguments: { tool, for_action: op } },
      details,
    });
  }
}

type Parser = ArgumentParser<Readonly<Record<string, unknown>>>;
const parsers = new WeakMap<Operation, Parser>();

/**
 * Returns the cached parser of an operation, because a list may contain the same operation hundreds of times.
 */
function parserOf<R extends object>(operation: Operation<R>, op: string): Parser {
  const known = parsers.get(operation);
  if (known !== undefined) return known;
  const ref = z.string().regex(/^\w[\w-]*$/, "must have only letters, digits, underscores and hyphens");
  const refs = operation.adds === undefined ? {} : { ref: ref.optional() };
  const parser = createArgumentParser(z.object({ ...operation.fields(), ...refs }), op);
  parsers.set(operation, parser);
  return parser;
}
