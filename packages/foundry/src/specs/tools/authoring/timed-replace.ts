import { ContractError, isContractError } from "@foundry-mcp/contract";
import {
  maxReplacements,
  type Replace,
  type ReplaceableText,
  type Replaced,
  tooManyMatches,
} from "../../model/changes/find-replace.ts";
import { maxTextLength } from "../../model/text-limits.ts";

/** What to look for, and what to put in its place. */
export interface Pattern {
  readonly find: string;
  /** In a regular expression `$1`, `$<name>`, `$&` and `$$` mean what they mean in JavaScript. */
  readonly replace: string;
  /** @default false */
  readonly use_regex?: boolean | undefined;
  /** @default true */
  readonly case_sensitive?: boolean | undefined;
}

/** Creates the replacement of one pattern; all of one call share a deadline. */
export type CreateReplace = (pattern: Pattern) => Replace;

/** For operations that replace no texts. */
export const noReplace: CreateReplace = () => {
  throw new Error("What replaces texts was not loaded.");
};

/** All matching of one call together may take so long, and nothing else runs in that time. */
const deadlineMs = 1_000;

/** Loads what stops a regular expression that would run for ever, and starts the deadline of a call. */
export async function loadCreateReplace(mostMs = deadlineMs): Promise<CreateReplace> {
  const { withinDeadline } = await import("../../../files/within-deadline.ts");
  let left = mostMs;
  return (pattern) => (texts) => {
    let at = 0;
    const began = performance.now();
    const work = () => {
      const regex = toRegex(pattern);
      const made: Replaced[] = [];
      let room = maxReplacements;
      for (; at < texts.length; at++) {
        const replaced = replaceIn((texts[at] as ReplaceableText).text, regex, pattern, room);
        room -= replaced.count;
        made.push(replaced);
      }
      return made;
    };
    // A plain text takes no longer than its length.
    if (pattern.use_regex !== true) return work();
    const done = withinDeadline(left, work);
    left = Math.max(1, left - (performance.now() - began));
    if (done.ok) return done.value;
    if (isContractError(done.error)) throw done.error;
    throw done.reason === "timeout" ? tooSlow(pattern, texts[at], mostMs) : unreadable(pattern, done.error);
  };
}

/** Code points stay whole under the flag u: half of one is no text that a file could hold. */
function toRegex({ find, use_regex = false, case_sensitive = true }: Pattern): RegExp {
  const source = use_regex ? find : find.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(source, case_sensitive ? "gu" : "giu");
}

function replaceIn(text: string, regex: RegExp, { replace, use_regex }: Pattern, room: number): Replaced {
  let [made, from, count] = ["", 0, 0];
  for (const match of text.matchAll(regex)) {
    count += 1;
    if (count > room) throw tooManyMatches();
    made += text.slice(from, match.index) + (use_regex === true ? expand(replace, match) : replace);
    from = match.index + match[0].length;
    // It would be refused as a whole; what a few signs can grow to need not be made before that.
    if (made.length > 4 * maxTextLength) break;
  }
  return { text: made + text.slice(from), count };
}

function expand(replace: string, match: RegExpExecArray): string {
  return replace.replace(/\$(?:(\$)|(&)|(\d\d?)|<([^>]*)>)/g, (whole, dollar, all, number, name) => {
    if (dollar !== undefined) return "$";
    if (all !== undefined) return match[0];
    if (name !== undefined) return match.groups === undefined ? whole : (match.groups[name] ?? "");
    return Number(number) in match && Number(number) > 0 ? (match[Number(number)] ?? "") : whole;
  });
}

function tooSlow({ find }: Pattern, place: ReplaceableText | undefined, ms: number): ContractError {
  const where = place === undefined ? "" : ` in the ${place.field} of ${place.node_id}`;
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
        node_id: place?.node_id ?? null,
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
