import { ContractError, isContractError } from "@foundry-mcp/contract";
import {
  maxReplacements,
  type Replace,
  type ReplaceableText,
  type Replaced,
  tooManyMatches,
} from "../../model/changes/find-replace.ts";
import { maxTextLength } from "../../model/text-limits.ts";

/** A text or regular expression to find, and its replacement. */
export interface Pattern {
  readonly find: string;
  /** With a regular expression, `$1`, `$<name>`, `$&` and `$$` have their meaning in JavaScript. */
  readonly replace: string;
  /** @default false */
  readonly use_regex?: boolean | undefined;
  /** @default true */
  readonly case_sensitive?: boolean | undefined;
}

/** Creates the replacement of one pattern; all replacements of a call share a time limit. */
export type CreateReplace = (pattern: Pattern) => Replace;

/** The replacement for operations that replace no texts. */
export const noReplace: CreateReplace = () => {
  throw new Error("What replaces texts was not loaded.");
};

/** The time limit of all matching in one call; matching blocks the process. */
const timeLimitMs = 1_000;

/** Loads the code that interrupts slow regular expressions, and starts the time limit of a call. */
export async function loadCreateReplace(maxMs = timeLimitMs): Promise<CreateReplace> {
  const { withinDeadline } = await import("../../../files/within-deadline.ts");
  let left = maxMs;
  return (pattern) => (texts) => {
    let index = 0;
    const began = performance.now();
    const work = () => {
      const regex = toRegex(pattern);
      const results: Replaced[] = [];
      let room = maxReplacements;
      for (; index < texts.length; index++) {
        const replaced = replaceIn((texts[index] as ReplaceableText).text, regex, pattern, room);
        room -= replaced.count;
        results.push(replaced);
      }
      return results;
    };
    // Finding a plain text takes linear time.
    if (pattern.use_regex !== true) return work();
    const done = withinDeadline(left, work);
    left = Math.max(1, left - (performance.now() - began));
    if (done.ok) return done.value;
    if (isContractError(done.error)) throw done.error;
    throw done.reason === "timeout" ? tooSlow(pattern, texts[index], maxMs) : unreadable(pattern, done.error);
  };
}

/** The flag u keeps surrogate pairs whole: a file cannot hold half of one. */
function toRegex({ find, use_regex = false, case_sensitive = true }: Pattern): RegExp {
  const source = use_regex ? find : find.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(source, case_sensitive ? "gu" : "giu");
}

function replaceIn(text: string, regex: RegExp, { replace, use_regex }: Pattern, room: number): Replaced {
  let [result, from, count] = ["", 0, 0];
  for (const match of text.matchAll(regex)) {
    count += 1;
    if (count > room) throw tooManyMatches();
    result += text.slice(from, match.index) + (use_regex === true ? expand(replace, match) : replace);
    from = match.index + match[0].length;
    // A longer text is refused anyway, so that a short pattern cannot make it grow without limit.
    if (result.length > 4 * maxTextLength) break;
  }
  return { text: result + text.slice(from), count };
}

function expand(replace: string, match: RegExpExecArray): string {
  return replace.replace(/\$(?:(\$)|(&)|(\d\d?)|<([^>]*)>)/g, (whole, dollar, all, number, name) => {
    if (dollar !== undefined) return "$";
    if (all !== undefined) return match[0];
    if (name !== undefined) return match.groups === undefined ? whole : (match.groups[name] ?? "");
    return Number(number) in match && Number(number) > 0 ? (match[Number(number)] ?? "") : whole;
  });
}

function tooSlow({ find }: Pattern, slow: ReplaceableText | undefined, ms: number): ContractError {
  const where = slow === undefined ? "" : ` in the ${slow.field} of ${slow.node_id}`;
  return new ContractError(
    `Cannot look for "${find}"${where}: it was stopped after ${ms} ms, and nothing was changed`,
    {
      errorCode: "INVALID_FORMAT",
      remediation: "Repeat nothing that repeats itself, as (a+)+ does, or look for a plain text.",
      details: {
        field: "find",
        constraint: "time_limit",
        pattern: find,
        deadline_ms: ms,
        node_id: slow?.node_id ?? null,
      },
    },
  );
}

function unreadable({ find }: Pattern, error: unknown): ContractError {
  const why = error instanceof Error ? error.message : "it cannot be run";
  return new ContractError(`Cannot look for "${find}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Write a regular expression of JavaScript with the flag u, or leave out use_regex.",
    details: { field: "find", constraint: "regex", pattern: find },
  });
}
