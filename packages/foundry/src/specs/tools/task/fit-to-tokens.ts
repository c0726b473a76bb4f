import type { RemedyCall } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import type { Context } from "@foundry-mcp/toolkit";

/** The kinds of texts in a response, each with its own limits: the task itself, its context, and titles. */
export type TextKind = "main" | "beside" | "title";

/** Shortens the parts of a response to the limits of one level, and records the parts that were left out. */
export interface Shortener {
  text(kind: TextKind, field: string, text: string, call: RemedyCall): string;
  /** Keeps a value whole or leaves it out. A part of such a value would be useless. */
  whole<T>(field: string, value: T, call: RemedyCall): T | undefined;
  list<T>(kind: "main" | "beside", field: string, values: readonly T[], call: RemedyCall): readonly T[];
}

/** The parts that were left out of a response, and the calls that return them. */
export interface LeftOut {
  /** The kept amount by field, such as `3 of 40`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly calls: readonly RemedyCall[];
}

interface Limits {
  /** The maximum number of characters of a text, by kind. */
  readonly text: Readonly<Record<TextKind, number>>;
  /** The maximum number of characters of a value that is either kept whole or left out. */
  readonly whole: number;
  /** The maximum number of entries of a list. */
  readonly list: Readonly<Record<"main" | "beside", number>>;
}

/**
 * The levels, in the order in which they are tried. The context of a task is shortened before the task
 * itself.
 */
const levels: readonly Limits[] = [
  { text: { main: 6_000, beside: 1_500, title: 500 }, whole: 1_000, list: { main: 40, beside: 12 } },
  { text: { main: 6_000, beside: 500, title: 200 }, whole: 1_000, list: { main: 40, beside: 8 } },
  { text: { main: 6_000, beside: 250, title: 120 }, whole: 1_000, list: { main: 40, beside: 5 } },
  { text: { main: 4_000, beside: 120, title: 100 }, whole: 1_000, list: { main: 40, beside: 3 } },
  { text: { main: 2_500, beside: 80, title: 60 }, whole: 500, list: { main: 30, beside: 2 } },
  { text: { main: 2_500, beside: 40, title: 40 }, whole: 500, list: { main: 30, beside: 1 } },
  { text: { main: 1_200, beside: 40, title: 40 }, whole: 200, list: { main: 15, beside: 1 } },
  { text: { main: 500, beside: 40, title: 40 }, whole: 120, list: { main: 10, beside: 1 } },
  { text: { main: 150, beside: 40, title: 40 }, whole: 120, list: { main: 5, beside: 1 } },
  { text: { main: 80, beside: 40, title: 40 }, whole: 120, list: { main: 3, beside: 1 } },
];

const unlimited: Limits = {
  text: { main: Number.POSITIVE_INFINITY, beside: Number.POSITIVE_INFINITY, title: Number.POSITIVE_INFINITY },
  whole: Number.POSITIVE_INFINITY,
  list: { main: Number.POSITIVE_INFINITY, beside: Number.POSITIVE_INFINITY },
};

/**
 * The maximum number of tokens of a task with its context. The envelope, the claim and the revision need the
 * other tokens of 1,500.
 */
export const contextTokens = 1_250;

/**
 * Returns the number of tokens for a task with its context, which is most of the budget that the call
 * requests. A requested budget of 0 means no limit.
 */
export function toContextTokens(requested: number | undefined): number {
  if (requested === undefined) return contextTokens;
  return requested === 0 ? Number.POSITIVE_INFINITY : Math.floor(requested * 0.8);
}

/**
 * Builds a response of at most `maxTokens` tokens. Ids are never truncated, so very long ids may exceed the
 * limit.
 */
export function fitToTokens<T extends object>(
  maxTokens: number,
  build: (shorten: Shortener) => T,
): T & { readonly left_out?: LeftOut } {
  let smallest: (T & { readonly left_out?: LeftOut }) | undefined;
  for (const limits of maxTokens > contextTokens ? [unlimited, ...levels] : levels) {
    const { shorten, leftOut } = createShortener(limits);
    const built = build(shorten);
    smallest = { ...built, ...leftOut() };
    if (isWithin(JSON.stringify(smallest), maxTokens)) break;
  }
  return smallest as T & { readonly left_out?: LeftOut };
}

/** Matches the names of parts that belong to the task itself and not to its context. */
const ownFields = /^(?:title$|description$|file_path$|labels$|children$|acceptance_criteria|metadata)/;

/**
 * Adds a warning if parts of a task were left out. The warning names the call that returns the whole task.
 */
export function warnIfShortened(
  { task_id, left_out }: { readonly task_id?: string; readonly left_out?: LeftOut },
  { warn, describeRemedy }: Pick<Context, "warn" | "describeRemedy">,
): void {
  const names = Object.keys(left_out?.fields ?? {}).filter((name) => ownFields.test(name));
  const call = left_out?.calls.find(
    ({ action, arguments: args }) => action === "info" && args?.["task_id"] === task_id,
  );
  if (names.length === 0 || call === undefined) return;
  const parts = [...names.slice(0, maxNames), ...(names.length > maxNames ? ["other parts"] : [])];
  warn(`Parts of ${task_id} are left out (${parts.join(", ")}); it is whole in ${describeRemedy(call)}`);
}

const maxNames = 5;

/**
 * True if a text is within the limit. A token has at least one byte, so the tokens of most responses need not
 * be counted.
 */
function isWithin(text: string, maxTokens: number): boolean {
  return Buffer.byteLength(text) <= maxTokens || estimateTokens(text) <= maxTokens;
}

function createShortener(limits: Limits) {
  const fields: Record<string, string> = {};
  const calls = new Map<string, RemedyCall>();
  const record = (field: string, kept: number, total: number, unit: string, call: RemedyCall) => {
    fields[field] = `${kept} of ${total}${unit}`;
    calls.set(JSON.stringify(call), call);
  };
  const shorten: Shortener = {
    text(kind, field, text, call) {
      const max = limits.text[kind];
      if (text.length <= max) return text;
      const points = [...text];
      if (points.length <= max) return text;
      record(field, max, points.length, " characters", call);
      return `${points.slice(0, max).join("")}…`;
    },
    whole(field, value, call) {
      const { length } = JSON.stringify(value);
      if (length <= limits.whole) return value;
      record(field, 0, length, " characters", call);
      return undefined;
    },
    list(kind, field, values, call) {
      const max = limits.list[kind];
      if (values.length <= max) return values;
      record(field, max, values.length, "", call);
      return values.slice(0, max);
    },
  };
  const leftOut = (): { readonly left_out?: LeftOut } =>
    calls.size === 0 ? {} : { left_out: { fields, calls: [...calls.values()] } };
  return { shorten, leftOut };
}
