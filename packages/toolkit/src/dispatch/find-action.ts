import {
  type ContractError,
  isContractError,
  notFound,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import type { Catalogue, PreparedAction, PreparedTool } from "../catalogue/catalogue.ts";
import type { Call } from "../context/call.ts";
import { nearest, suggest } from "../text/did-you-mean.ts";

/** The tool and the action of a call, and its arguments without the action's name. */
export interface Target {
  readonly tool: PreparedTool;
  readonly action: PreparedAction;
  readonly args: UnknownRecord;
}

/** Finds the action of a call by name or alias; returns an error that lists the valid names where there is none. */
export function findAction(
  catalogue: Catalogue,
  tool: PreparedTool | undefined,
  call: Call,
): Target | ContractError {
  if (tool === undefined) return unknownTool(catalogue, call.tool);
  const args = parseArguments(call.args);
  if (isContractError(args)) return args;
  if (tool.isPlain) return { tool, action: tool.findAction("") as PreparedAction, args };
  const { action: wanted, ...rest } = args;
  const names = [...tool.actions.keys()];
  if (wanted === undefined || wanted === null) {
    return validationError(
      { field: "action", constraint: "required", expected: names },
      { remediation: `Provide action. ${suggest("", names)}` },
    );
  }
  if (typeof wanted !== "string") {
    return validationError({ field: "action", constraint: "type", expected: "a string", received: wanted });
  }
  const action = tool.findAction(wanted);
  if (action !== undefined) return { tool, action, args: rest };
  return validationError(
    { field: "action", constraint: "enum", expected: names, received: wanted },
    { remediation: suggest(wanted, names) },
  );
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
