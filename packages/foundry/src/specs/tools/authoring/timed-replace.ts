import { ContractError, isContractError, validationError } from "@foundry-mcp/contract";
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
  /**
   * The replacement. With a regular expression, `$1`, `$<name>`, `$&` and `$$` have the same meaning as in
   * JavaScript.
   */
  readonly replace: string;
  /** True if `find` is a regular expression. @default false */
  readonly use_regex?: boolean | undefined;
  /** True if upper and lower case are different. @default true */
  readonly case_sensitive?: boolean | undefined;
}

/** Creates the replacement of one pattern. All replacements of a call share one time limit. */
export type CreateReplace = (pattern: Pattern) => Replace;

/** The replacement function for operations that do not replace texts. */
export const noReplace: CreateReplace = () => {
  throw new Error("What replaces texts was not loaded.");
};

/**
 * The time limit in milliseconds for all matching in one call. The time is limited because matching blocks
 * the process.
 */
const timeLimitMs = 1_000;

/**
 * Loads the code that interrupts slow regular expressions, and creates the replacements of a call with a
 * common time limit.
 */
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
    // The search for a plain text takes linear time, so it needs no time limit.
    if (pattern.use_regex !== true) return work();
    const done = withinDeadline(left, work);
    left = Math.max(1, left - (performance.now() - began));
    if (done.ok) return done.value;
    if (isContractError(done.error)) throw done.error;
    throw done.reason === "timeout" ? tooSlow(pattern, texts[index], maxMs) : unreadable(pattern, done.error);
  };
}

/**
 * Creates the regular expression. The flag u keeps surrogate pairs together, because a file cannot contain
 * half of a pair.
 */
function toRegex({ find, replace, use_regex = false, case_sensitive = true }: Pattern): RegExp {
  const group = use_regex ? /\\(?:\d|g<)/.exec(replace)?.[0] : undefined;
  if (group !== undefined) throw foreignGroup(group);
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
    // A longer text is refused later in any case. Without this limit, a short pattern could make the text
    // grow without bound.
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
      remediation: "Avoid nested repetition such as (a+)+, or search for plain text.",
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

/** Creates the error for a replacement that names a group as Python does; the text would be inserted as it stands. */
function foreignGroup(group: string): ContractError {
  return validationError(
    { field: "replace", constraint: "replacement", expected: "$1, $<name> or $&", received: group },
    {
      message: `Cannot use ${group} in a replacement: groups are written as $1 or $<name>`,
      remediation: "Write $1 instead of \\1, and $<name> instead of \\g<name>; or leave out {--use_regex}.",
    },
  );
}

function unreadable({ find }: Pattern, error: unknown): ContractError {
  const why = error instanceof Error ? error.message : "it cannot be run";
  return new ContractError(`Cannot look for "${find}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Write a JavaScript regular expression (flag u), or leave out {--use_regex}.",
    details: { field: "find", constraint: "regex", pattern: find },
  });
}
