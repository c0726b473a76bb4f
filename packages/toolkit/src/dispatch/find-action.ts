import {
  type ContractError,
  type FailureOptions,
  isContractError,
  notFound,
  type RemedyCall,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import type { Catalogue, PreparedAction, PreparedTool } from "../catalogue/catalogue.ts";
import type { Call } from "../context/call.ts";
import { listNearest, nearest, suggest } from "../text/did-you-mean.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";
import type { Reading } from "./reading-warning.ts";

/** The tool and the action of a call, with its arguments except `action`. */
export interface Target {
  readonly tool: PreparedTool;
  readonly action: PreparedAction;
  readonly args: UnknownRecord;
  /** The correction of the action's name; undefined if the name was correct. */
  readonly reading?: Reading | undefined;
}

/**
 * Finds the action of a call by name or alias; if there is no such action, returns an error that suggests valid
 * names.
 */
export function findAction(
  { catalogue, unserved }: Pick<DispatchDeps, "catalogue" | "unserved">,
  tool: PreparedTool | undefined,
  call: Call,
): Target | ContractError {
  if (call.refusal !== undefined) return call.refusal;
  if (tool === undefined) return unservedTool(unserved, call.tool) ?? unknownTool(catalogue, call.tool);
  const args = parseArguments(call.args);
  if (isContractError(args)) return args;
  if (tool.isPlain) return { tool, action: tool.findAction("") as PreparedAction, args };
  const { action: wanted, ...rest } = args;
  const names = [...tool.actions.keys()];
  if (wanted === undefined || wanted === null) {
    return validationError(
      { field: "action", constraint: "required" },
      { remediation: `Provide action. ${suggest("", names)}` },
    );
  }
  if (typeof wanted !== "string") {
    return validationError({ field: "action", constraint: "type", expected: "a string", received: wanted });
  }
  const action = tool.findAction(wanted);
  if (action !== undefined) return { tool, action, args: rest };
  const meant = tool.findAction(toKebabCase(wanted));
  if (meant !== undefined) {
    return { tool, action: meant, args: rest, reading: { field: "action", as: meant.name } };
  }
  // The names of the actions are only in the remedy, because a tool may have dozens of actions.
  return validationError(
    { field: "action", constraint: "enum", message: `${tool.name} has no such action`, received: wanted },
    suggestAction(catalogue, tool, wanted),
  );
}

/** Converts a camelCase name to kebab-case and removes surrounding white space. */
function toKebabCase(name: string): string {
  return name.trim().replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function unservedTool(unserved: DispatchDeps["unserved"], name: string): ContractError | undefined {
  const how = unserved !== undefined && Object.hasOwn(unserved, name) ? unserved[name] : undefined;
  if (how === undefined) return undefined;
  return notFound("tool", name, { remediation: `The tool ${name} exists, but is not served here: ${how}.` });
}

/**
 * Suggests actions of this name in other tools; if no other tool has such an action, suggests the action of this
 * tool with the most similar name.
 */
function suggestAction(
  catalogue: Catalogue,
  tool: PreparedTool,
  wanted: string,
): Pick<FailureOptions, "remediation" | "remedy"> {
  const names = [...tool.actions.keys()];
  const others = catalogue.tools.flatMap((other) => {
    const found = other === tool || other.isPlain ? undefined : other.findAction(wanted);
    return found === undefined ? [] : [toCall(other, found)];
  });
  if (others.length === 0) return { remediation: suggest(wanted, names) };
  const places = others.map((_, index) => `{${index + 1}}`).join(" or ");
  return {
    remediation: `Did you mean ${places}? ${tool.name} itself has: ${listNearest(wanted, names)}.`,
    remedy: others,
  };
}

/** Creates the remedy that calls an action, with the names of its required parameters. */
function toCall({ name: tool }: PreparedTool, { name: action, input }: PreparedAction): RemedyCall {
  const { required = [] } = input.json as { readonly required?: readonly string[] };
  return { tool, action, ...(required.length === 0 ? {} : { needs: required }) };
}

function unknownTool(catalogue: Catalogue, name: string): ContractError {
  const names = catalogue.tools.map((known) => known.name);
  const guess = nearest(String(name), names);
  return notFound("tool", name, {
    remediation: suggest(String(name), names),
    ...(guess === undefined ? {} : { details: { nearest: guess } }),
  });
}

function parseArguments(args: unknown): UnknownRecord | ContractError {
  if (args === undefined || args === null) return {};
  if (typeof args !== "object" || Array.isArray(args)) {
    return validationError({ field: "arguments", constraint: "type", expected: "an object", received: args });
  }
  return args as UnknownRecord;
}
