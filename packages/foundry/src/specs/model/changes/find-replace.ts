import { ContractError, type UnknownRecord } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { taskHeldError } from "../claims/claim-guard.ts";
import { activeLease } from "../lease.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { requireText, requireTitle } from "../text-limits.ts";
import { finishChange, unchanged } from "./finish-change.ts";

/** Where to look. */
export const replaceScopes = ["all", "titles", "descriptions"] as const;

/** The texts that are looked at. */
export type ReplaceScope = (typeof replaceScopes)[number];

/** A text that people wrote, and all places where its file has it. */
export interface ReplaceableText {
  readonly node_id: string;
  readonly field: "title" | "description";
  readonly text: string;
  readonly paths: readonly EditPath[];
}

/** The titles and descriptions of a spec: its own, then those of its nodes in the order of work. */
export function replaceableTexts(spec: SpecModel, scope: ReplaceScope): readonly ReplaceableText[] {
  const found = new Map<string, ReplaceableText>();
  const add = (node_id: string, path: EditPath, holder: UnknownRecord) => {
    const field = path.at(-1) as ReplaceableText["field"];
    const text = holder[field];
    if (typeof text !== "string" || text === "" || !isWanted(field, scope)) return;
    // What a file repeats of one thing is one text, as long as it says the same.
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

function isWanted(field: ReplaceableText["field"], scope: ReplaceScope): boolean {
  return scope === "all" || scope === `${field}s`;
}

/** The most places that one call may change. */
export const maxReplacements = 1_000;

/** What became of a text. */
export interface Replaced {
  readonly text: string;
  /** How often it was found. */
  readonly count: number;
}

/** Replaces something in many texts; gives what became of each, in their order. */
export type Replace = (texts: readonly ReplaceableText[]) => readonly Replaced[];

/** Where to replace, and how. */
export interface FindReplaceInput {
  /** @default "all" */
  readonly scope?: ReplaceScope | undefined;
  readonly replace: Replace;
  /** Also in tasks that somebody holds. @default false */
  readonly force?: boolean | undefined;
}

/** A text before and after, shortened. */
export interface TextChange {
  readonly node_id: string;
  readonly field: "title" | "description";
  readonly before: string;
  readonly after: string;
}

/** What is told of a replacement. */
export interface FindReplaceResult {
  readonly spec_id: string;
  readonly total_replacements: number;
  readonly nodes_affected: number;
  /** The first ones. */
  readonly changes: readonly TextChange[];
}

const maxReportedChanges = 10;
const maxReportedLength = 200;

/** Replaces something in the titles and descriptions of a spec and its nodes. */
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
    const changed = texts.flatMap((place, index) => {
      const text = replaced[index]?.text ?? place.text;
      return text === place.text ? [] : [{ place, text }];
    });
    for (const { place, text } of changed) {
      const lease = activeLease(context.leases, place.node_id, context.now);
      if (lease !== undefined && !force) throw taskHeldError("replace texts of", lease);
      requireFit(place, text);
    }
    const result: FindReplaceResult = {
      spec_id: spec.id,
      total_replacements: total,
      nodes_affected: new Set(changed.map(({ place }) => place.node_id)).size,
      changes: changed
        .slice(0, maxReportedChanges)
        .map(({ place: { node_id, field, text: before }, text: after }) => ({
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
          ? "Nothing was found, and nothing was changed"
          : "What was found is the same as its replacement; nothing was changed",
      );
    const edits = changed.flatMap(({ place: { paths }, text }) =>
      paths.map((path): Edit => ({ op: "set", path, value: text })),
    );
    return finishChange(spec, context, { edits, touched: [], result: () => result });
  };
}

/** The failure of a pattern that fits too much. */
export function tooManyMatches(): ContractError {
  return new ContractError(`Cannot replace: it is found in more than ${maxReplacements} places`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Look for something more precise, or in titles or descriptions only.",
    details: { field: "find", constraint: "max_replacements", limit: maxReplacements },
  });
}

function requireFit({ node_id, field }: ReplaceableText, text: string): void {
  const name = `${field} of ${node_id}`;
  if (field === "title") requireTitle(name, text);
  else requireText(name, text);
}

function shorten(text: string): string {
  const points = text.length > maxReportedLength ? [...text.slice(0, 2 * maxReportedLength + 2)] : [];
  return points.length > maxReportedLength ? `${points.slice(0, maxReportedLength - 1).join("")}…` : text;
}
