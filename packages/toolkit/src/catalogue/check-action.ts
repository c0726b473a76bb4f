import { type ContractError, internal } from "@foundry-mcp/contract";
import type { Action } from "../define/action.ts";
import { type JsonSchema, type LazySchema, openSchema, toInputJsonSchema } from "../schema/schema.ts";

/** Refuses what makes no sense in an action, whoever would call it; `label` names the action. */
export function checkAction(action: Action, label: string): void {
  const { run, timeoutMs, page } = action;
  if (typeof run !== "function") throw senseless(label, "it has no run");
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw senseless(label, `its timeoutMs is ${String(timeoutMs)}, not a number above 0`);
  }
  if (page !== undefined) {
    const { default: rows, max } = page;
    const isCounted = Number.isSafeInteger(rows) && Number.isSafeInteger(max);
    if (!isCounted || rows < 1 || rows > max) {
      const given = `default ${String(rows)} and max ${String(max)}`;
      throw senseless(label, `its page has ${given}, wanted whole numbers with 1 ≤ default ≤ max`);
    }
  }
}

/** The JSON Schema of an output, which must be an object: the payload of an envelope is one. */
export function toPayloadSchema(output: LazySchema, label: string): JsonSchema {
  let json: JsonSchema;
  try {
    json = toInputJsonSchema(openSchema(output));
  } catch (cause) {
    throw internal(`Cannot declare ${label}: its output has no JSON Schema`, { cause });
  }
  const { type } = json;
  if (type !== undefined && type !== "object") {
    throw senseless(label, `its output is of type ${JSON.stringify(type)}, wanted an object`);
  }
  return json;
}

/** The key of the payload that holds the rows; where the output has several lists, the action must say which. */
export function toRowsKey({ page, output }: Action, label: string): string | undefined {
  if (page === undefined || page.rows !== undefined) return page?.rows;
  if (output === undefined) return undefined;
  const properties = (toPayloadSchema(output, label)["properties"] ?? {}) as Record<string, JsonSchema>;
  const lists = Object.keys(properties).filter((key) => properties[key]?.["type"] === "array");
  if (lists.length < 2) return lists[0];
  throw senseless(label, `its output has several lists: name the one that is paged in page.rows`);
}

/** The failure of a declaration that contradicts itself. */
export function senseless(label: string, why: string): ContractError {
  return internal(`Cannot declare ${label}: ${why}`);
}
