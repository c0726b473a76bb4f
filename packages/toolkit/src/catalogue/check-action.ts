import { type ContractError, internal, tiers } from "@foundry-mcp/contract";
import type { TaskSupport } from "../context/job-call.ts";
import type { Role } from "../context/principal.ts";
import type { Action } from "../define/action.ts";
import { requireOneOf } from "../options/require-option.ts";
import { type JsonSchema, type LazySchema, resolveSchema, toInputJsonSchema } from "../schema/schema.ts";

const taskSupports: readonly TaskSupport[] = ["never", "optional", "required"];

/** Throws for an action whose declaration contradicts itself; `label` names the action in errors. */
export function checkAction(action: Action, label: string, roles: readonly Role[]): void {
  const { run, timeoutMs, page, task } = action;
  if (typeof run !== "function") throw invalidDeclaration(label, "it has no run");
  checkRequirements(action, label, roles);
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw invalidDeclaration(label, `its timeoutMs is ${String(timeoutMs)}, not a number above 0`);
  }
  if (task !== undefined) {
    requireOneOf(taskSupports, { "its task": task }, (fault, remediation) =>
      internal(`Cannot declare ${label}: ${fault}`, { remediation }),
    );
  }
  if (page !== undefined) {
    const { default: rows, max } = page;
    const isCounted = Number.isSafeInteger(rows) && Number.isSafeInteger(max);
    if (!isCounted || rows < 1 || rows > max) {
      const given = `default ${String(rows)} and max ${String(max)}`;
      throw invalidDeclaration(label, `its page has ${given}, wanted whole numbers with 1 ≤ default ≤ max`);
    }
  }
}

/**
 * Throws for an unknown flag, role, tier or feature, because a requirement with an unknown name would never
 * be enforced.
 */
export function checkRequirements(
  { flag, role, tier, features }: Partial<Action>,
  label: string,
  roles: readonly Role[],
): void {
  if (flag !== undefined && (typeof flag !== "string" || flag === "")) {
    throw invalidDeclaration(label, "its flag is no name");
  }
  if (role !== undefined) {
    requireOneOf(roles, { "its role": role }, (fault, remediation) =>
      internal(`Cannot declare ${label}: ${fault}`, { remediation }),
    );
  }
  if (tier !== undefined) checkTierName(tier, label, "its tier");
  for (const [name, feature] of Object.entries(features ?? {})) {
    checkTierName(feature?.tier, label, `the tier of its feature ${name}`);
    const { below } = feature;
    if (below !== undefined && below !== "refuse" && below !== "omit") {
      throw invalidDeclaration(
        label,
        `its feature ${name} has below "${String(below)}", wanted refuse or omit`,
      );
    }
  }
}

function checkTierName(tier: unknown, label: string, what: string): void {
  if ((tiers as readonly unknown[]).includes(tier)) return;
  throw invalidDeclaration(label, `${what} is "${String(tier)}", none of ${tiers.join(", ")}`);
}

/**
 * Returns the JSON Schema of an output; the output must be an object, because the payload of an envelope is an
 * object.
 */
export function toPayloadSchema(output: LazySchema, label: string): JsonSchema {
  let json: JsonSchema;
  try {
    json = toInputJsonSchema(resolveSchema(output));
  } catch (cause) {
    throw internal(`Cannot declare ${label}: its output has no JSON Schema`, { cause });
  }
  const { type } = json;
  if (type !== undefined && type !== "object") {
    throw invalidDeclaration(label, `its output is of type ${JSON.stringify(type)}, wanted an object`);
  }
  return json;
}

/** Returns the key of the rows in the payload; if the output has several lists, the action must name the key. */
export function toRowsKey({ page, output }: Action, label: string): string | undefined {
  if (page === undefined || page.rows !== undefined) return page?.rows;
  if (output === undefined) return undefined;
  const properties = (toPayloadSchema(output, label)["properties"] ?? {}) as Record<string, JsonSchema>;
  const lists = Object.keys(properties).filter((key) => properties[key]?.["type"] === "array");
  if (lists.length < 2) return lists[0];
  throw invalidDeclaration(label, `its output has several lists: name the one that is paged in page.rows`);
}

/** Creates the error for a declaration that contradicts itself. */
export function invalidDeclaration(label: string, why: string): ContractError {
  return internal(`Cannot declare ${label}: ${why}`);
}
