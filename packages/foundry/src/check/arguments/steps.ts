import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { isId } from "./token-links.ts";
import type { ValuePool } from "./value-pool.ts";

/**
 * Adds tokens to the steps of a list argument, for example to the operations of a batch. Each token comes
 * from an answer that also contains the ids of the step. Returns an empty list if no token belongs to a
 * step.
 */
export function addStepTokens(args: UnknownRecord, pool: ValuePool): readonly UnknownRecord[] {
  return Object.entries(args).flatMap(([name, list]) => {
    if (!Array.isArray(list)) return [];
    const steps = list as readonly unknown[];
    const held = steps.map((step) => (isRecord(step) ? { ...step, ...tokensFor(step, args, pool) } : step));
    return JSON.stringify(held) === JSON.stringify(steps) ? [] : [{ ...args, [name]: held }];
  });
}

const maxVariants = 4;

/**
 * Returns variants of the arguments in which the first step of a list argument has another id, taken from
 * answers of the server.
 */
export function varySteps(args: UnknownRecord, pool: ValuePool): readonly UnknownRecord[] {
  return Object.entries(args).flatMap(([name, list]) => {
    const [step, ...rest] = Array.isArray(list) ? (list as readonly unknown[]) : [];
    if (!isRecord(step)) return [];
    const ids = Object.keys(step).filter(isId);
    return ids.flatMap((id) => {
      const others = pool.candidates(id).filter((value) => value !== step[id]);
      return others
        .slice(0, maxVariants)
        .map((value) => ({ ...args, [name]: [{ ...step, [id]: value }, ...rest] }));
    });
  });
}

function tokensFor(step: UnknownRecord, args: UnknownRecord, pool: ValuePool): UnknownRecord {
  const found = pool.tokenNames.map((name) => [name, pool.tokenFor(name, { ...args, ...step })] as const);
  return Object.fromEntries(found.filter(([, token]) => token !== undefined));
}
