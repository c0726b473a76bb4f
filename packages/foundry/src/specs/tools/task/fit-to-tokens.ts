import type { RemedyCall } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";

/** The parts of a response that are shortened alike: the task itself, what is told besides it, and titles. */
export type TextKind = "main" | "beside" | "title";

/** Shortens the parts of a response to the limits of one level, and records what was left out. */
export interface Shortener {
  text(kind: TextKind, field: string, text: string, call: RemedyCall): string;
  /** Keeps a value whole or leaves it out: a part of it would be of no use. */
  whole<T>(field: string, value: T, call: RemedyCall): T | undefined;
  list<T>(kind: "main" | "beside", field: string, values: readonly T[], call: RemedyCall): readonly T[];
}

/** What was left out of a response, and the calls that give it. */
export interface LeftOut {
  /** By field, how much was kept: `3 of 40`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly calls: readonly RemedyCall[];
}

interface Limits {
  /** Characters of a text, by kind. */
  readonly text: Readonly<Record<TextKind, number>>;
  /** Characters of a value that is kept whole or not at all. */
  readonly whole: number;
  /** Entries of a list. */
  readonly list: Readonly<Record<"main" | "beside", number>>;
}

/** Tried in order: what surrounds the task is shortened before the task itself. */
const levels: readonly Limits[] = [
  { text: { main: 6_000, beside: 1_500, title: 500 }, whole: 1_000, list: { main: 40, beside: 12 } },
  { text: { main: 4_000, beside: 500, title: 200 }, whole: 500, list: { main: 30, beside: 8 } },
  { text: { main: 2_500, beside: 250, title: 120 }, whole: 200, list: { main: 15, beside: 5 } },
  { text: { main: 1_200, beside: 120, title: 100 }, whole: 200, list: { main: 10, beside: 3 } },
  { text: { main: 500, beside: 80, title: 60 }, whole: 120, list: { main: 5, beside: 2 } },
  { text: { main: 150, beside: 40, title: 40 }, whole: 120, list: { main: 3, beside: 1 } },
];

/** Builds a response of at most so many tokens; ids are never cut, so that very long ones may exceed them. */
export function fitToTokens<T extends object>(
  maxTokens: number,
  build: (shorten: Shortener) => T,
): T & { readonly left_out?: LeftOut } {
  let smallest: (T & { readonly left_out?: LeftOut }) | undefined;
  for (const limits of levels) {
    const { shorten, leftOut } = createShortener(limits);
    const built = build(shorten);
    smallest = { ...built, ...leftOut() };
    if (isWithin(JSON.stringify(smallest), maxTokens)) break;
  }
  return smallest as T & { readonly left_out?: LeftOut };
}

/** A token has at least one byte, so that most responses need no counting. */
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
