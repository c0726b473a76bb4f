import { ContractError, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { taskHeldError } from "../claims/claim-guard.ts";
import { activeLease } from "../lease.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { requireText, requireTitle } from "../text-limits.ts";
import { unchanged } from "../unchanged.ts";
import { finishChange } from "./finish-change.ts";

/** The scopes of a replacement. */
export const replaceScopes = ["all", "titles", "descriptions"] as const;

/** The scope of a replacement. */
export type ReplaceScope = (typeof replaceScopes)[number];

/** A title or description, and all paths at which the file stores this text. */
export interface ReplaceableText {
  readonly node_id: string;
  readonly field: "title" | "description";
  readonly text: string;
  readonly paths: readonly EditPath[];
}

/**
 * Returns the titles and descriptions of a spec: first those of the spec itself, then those of its nodes in
 * the order of work.
 */
function replaceableTexts(spec: SpecModel, scope: ReplaceScope): readonly ReplaceableText[] {
  const found = new Map<string, ReplaceableText>();
  const add = (node_id: string, path: EditPath, holder: UnknownRecord) => {
    const field = path.at(-1) as ReplaceableText["field"];
    const text = holder[field];
    if (typeof text !== "string" || text === "") return;
    if (scope !== "all" && scope !== `${field}s`) return;
    // Equal copies of a text in the file count as one text.
    const key = JSON.stringify([node_id, field, text]);
    const paths = [...(found.get(key)?.paths ?? []), path];
    found.set(key, { node_id, field, text, paths });
  };
  const { fields, metadata } = spec;
  add(rootId, ["title"], fields);
  add(rootId, ["metadata", "title"], metadata);
  add(rootId, ["metadata", "description"], metadata);
  for (const id of new Set([rootId, ...spec.order, ...spec.ids])) {
    const node = spec.node(id);
    if (node === undefined) continue;
    add(id, ["hierarchy", id, "title"], node.raw);
    add(id, ["hierarchy", id, "description"], node.raw);
    add(id, ["hierarchy", id, "metadata", "description"], node.metadata);
  }
  return [...found.values()];
}

/** The maximum number of replacements of one call. */
export const maxReplacements = 1_000;

/** A text after the replacement. */
export interface Replaced {
  readonly text: string;
  /** The number of matches. */
  readonly count: number;
}

/** Replaces matches in texts; returns the results in the same order. */
export type Replace = (texts: readonly ReplaceableText[]) => readonly Replaced[];

/** The scope and function of a replacement. */
export interface FindReplaceInput {
  /** The scope of the replacement. @default "all" */
  readonly scope?: ReplaceScope | undefined;
  readonly replace: Replace;
  /** Also change tasks that another agent has claimed. @default false */
  readonly force?: boolean | undefined;
}

/** A text before and after the replacement, truncated. */
export interface TextChange extends Pick<ReplaceableText, "node_id" | "field"> {
  readonly before: string;
  readonly after: string;
}

/** The result of a replacement. */
export interface FindReplaceResult {
  readonly spec_id: string;
  readonly total_replacements: number;
  readonly nodes_affected: number;
  /** The first changes; `total_replacements` counts all replacements. */
  readonly changes: readonly TextChange[];
}

const maxReportedChanges = 10;
const maxReportedLength = 200;

/** Replaces text in the titles and descriptions of a spec and its nodes. */
export function findReplace({
  scope = "all",
  replace,
  force = false,
}: FindReplaceInput): Plan<FindReplaceResult> {
  return (spec, context) => {
    const texts = replaceableTexts(spec, scope);
    const replaced = replace(texts);
    const total = replaced.reduce((sum, { count }) => sum + count, 0);
    if (total > maxReplacements) throw tooManyMatches();
    const changed = texts.flatMap((source, index) => {
      const text = replaced[index]?.text ?? source.text;
      return text === source.text ? [] : [{ source, text }];
    });
    for (const { source, text } of changed) {
      const lease = activeLease(context.leases, source.node_id, context.now);
      if (lease !== undefined && !force) throw taskHeldError(spec, "replace texts of", lease, context);
      requireWithinLimits(source, text);
    }
    const result: FindReplaceResult = {
      spec_id: spec.id,
      total_replacements: total,
      nodes_affected: new Set(changed.map(({ source }) => source.node_id)).size,
      changes: changed
        .slice(0, maxReportedChanges)
        .map(({ source: { node_id, field, text: before }, text: after }) => ({
          node_id,
          field,
          before: shorten(before),
          after: shorten(after),
        })),
    };
    if (changed.length === 0)
      return unchanged(
        result,
        total === 0
          ? "No text matches; nothing was changed"
          : "The text and its replacement are equal; nothing was changed",
      );
    const edits = changed.flatMap(({ source: { paths }, text }) =>
      paths.map((path): Edit => ({ op: "set", path, value: text })),
    );
    return finishChange(spec, context, { edits, touched: [], result: () => result });
  };
}

/** Creates the error of a pattern with too many matches. */
export function tooManyMatches(): ContractError {
  return new ContractError(`Cannot replace: the text occurs in more than ${maxReplacements} places`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Use a longer text, or search only titles or only descriptions.",
    details: { field: "find", constraint: "max_replacements", limit: maxReplacements },
  });
}

function requireWithinLimits({ node_id, field }: ReplaceableText, text: string): void {
  const name = `${field} of ${node_id}`;
  if (field === "title") requireTitle(name, text);
  else requireText(name, text);
}

function shorten(text: string): string {
  const points = text.length > maxReportedLength ? [...text.slice(0, 2 * maxReportedLength + 2)] : [];
  return points.length > maxReportedLength ? `${points.slice(0, maxReportedLength - 1).join("")}…` : text;
}
