import { isRecord, type JsonValue } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { applyEdits, type Edit } from "../../../files/json-text/edit.ts";
import { editText } from "../../../files/json-text/edit-text.ts";
import { isEqualJson } from "../diff/diff-fields.ts";
import { rollUp } from "../rollup.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { createCheckContext } from "../validate/check-context.ts";
import { type Finding, severityOf } from "../validate/diagnostics.ts";
import { runChecks } from "../validate/validate-spec.ts";
import { writeMarkers, writeWholeConflict } from "./conflict-markers.ts";
import { mergeHierarchy, mergeMetadata } from "./merge-hierarchy.ts";
import { type MergeConflict, mergeMembers, mergeValue, type Sides, setOrRemove } from "./merge-members.ts";
import { type RenamedNode, renameNewNodes } from "./rename-new-nodes.ts";
import { restoreRemoved } from "./restore-removed.ts";
import { linksOf, listOf, nodesOf } from "./spec-nodes.ts";
import { toEdits } from "./to-edits.ts";

/** The result of a merge. */
export interface SpecMerge {
  /**
   * The merged text in the format of the side `ours`. The text contains conflict markers if there are
   * conflicts.
   */
  readonly text: Buffer;
  /** The paths of the values that both sides changed, such as `hierarchy.task-1-1.title`. */
  readonly conflicts: readonly string[];
  /**
   * The reasons why the whole file could not be merged: one side is not a spec, or the result would be
   * invalid.
   */
  readonly problems: readonly string[];
  readonly renamed: readonly RenamedNode[];
}

/** Merges the changes of two sides of a spec file, field by field. */
export function mergeSpecs(texts: Sides<Buffer>): SpecMerge {
  const { ours, theirs } = texts;
  const done = (text: Buffer) => ({ text, conflicts: [], problems: [], renamed: [] });
  if (texts.base.equals(theirs) || ours.equals(theirs)) return done(ours);
  if (texts.base.equals(ours)) return done(theirs);
  // Git passes an empty base if both sides created the file.
  const base = texts.base.length === 0 ? {} : parseSpec(texts.base);
  const [first, second] = [parseSpec(ours), parseSpec(theirs)];
  if (base === undefined || first === undefined || second === undefined) {
    const side = first === undefined ? "ours" : second === undefined ? "theirs" : "the common ancestor";
    return {
      text: writeWholeConflict(ours, theirs),
      conflicts: [],
      problems: [`${side} is not a spec that can be read`],
      renamed: [],
    };
  }
  // The values may be equal although the bytes differ. A side that only reformatted the file has no change to
  // merge.
  if (isEqualJson(base, second) || isEqualJson(first, second)) return done(ours);
  if (isEqualJson(base, first)) return done(theirs);
  return mergeDocuments({ base, ours: first, theirs: second }, ours);
}

function mergeDocuments(given: Sides<SpecDocument>, text: Buffer): SpecMerge {
  const { theirs: renamedTheirs, renamed } = renameNewNodes(given.base, given.ours, given.theirs);
  const ours = restoreRemoved(given.base, given.ours, renamedTheirs);
  const theirs = restoreRemoved(given.base, renamedTheirs, given.ours);
  const sides = { base: given.base, ours: ours.document, theirs: theirs.document };
  const conflicts: MergeConflict[] = [];
  const hierarchy = mergeHierarchy(sides, conflicts);
  const merged = mergeMembers(sides, [], (key, values, path) => {
    if (key === "hierarchy") return hierarchy;
    if (mirrors.has(key)) return values.ours ?? values.theirs;
    if (key === "metadata") return mergeMetadata(values, path, conflicts);
    return mergeValue(values, path, conflicts, key === "journal" ? "journal" : "items");
  });
  conflicts.push(...removals(merged, ours.subtrees, "theirs"), ...removals(merged, theirs.subtrees, "ours"));
  const edits = withCounts(given.ours, toEdits(given.ours, merged), merged["last_updated"]);
  const problems = newErrors(applyEdits(given.ours, edits), [given.ours, renamedTheirs]);
  if (problems.length > 0) {
    const all = toEdits(given.ours, applyEdits(given.ours, edits), true);
    const whole = all.map((edit): MergeConflict => ({ path: edit.path, shown: "ours", edits: [edit] }));
    return { text: writeMarkers(text, whole), conflicts: whole.map(nameOf), problems, renamed };
  }
  const clean = Buffer.concat([...editText(text, edits).chunks]);
  if (conflicts.length === 0) return { text: clean, conflicts: [], problems, renamed };
  return { text: writeMarkers(clean, conflicts), conflicts: conflicts.map(nameOf), problems, renamed };
}

/** The fields at the top of a file that are derived from the nodes. */
const mirrors: ReadonlySet<string> = new Set(["progress_percentage", "status", "current_phase"]);

/** Parses a side; returns undefined if the side is not a spec. */
function parseSpec(text: Buffer): SpecDocument | undefined {
  try {
    const value = parseJsonText(text.toString().replace(/^\uFEFF/, ""));
    if (!isRecord(value) || !isRecord(value["hierarchy"])) return undefined;
    return Object.values(value["hierarchy"]).every(isRecord) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the edits of the counts of all nodes, because each count may combine changes of both sides. */
function withCounts(ours: SpecDocument, edits: readonly Edit[], lastUpdated: unknown): readonly Edit[] {
  const model = new SpecModel(ours);
  const ids = new Set([...model.ids, ...model.after(edits).ids]);
  const now = typeof lastUpdated === "string" ? lastUpdated : "";
  const counts = rollUp(model, edits, [...ids], now).edits;
  return [...edits, ...counts.filter(({ path }) => lastUpdated !== undefined || path[0] !== "last_updated")];
}

/**
 * Returns the conflicts between a side that removed subtrees and the side that changed these subtrees. The
 * merged text shows the changed subtrees.
 */
function removals(
  spec: SpecDocument,
  subtrees: readonly (readonly string[])[],
  shown: MergeConflict["shown"],
): readonly MergeConflict[] {
  const gone = new Set<unknown>(subtrees.flat());
  if (gone.size === 0) return [];
  const lists = Object.entries(nodesOf(spec)).flatMap(([id, node]) => {
    if (gone.has(id)) return [];
    const links = Object.keys(linksOf(node)).map((key) => ({
      path: ["hierarchy", id, "dependencies", key],
      list: listOf(linksOf(node), key),
    }));
    return [{ path: ["hierarchy", id, "children"], list: listOf(node, "children") }, ...links];
  });
  const listEdits = lists
    .filter(({ list }) => list.some((id) => gone.has(id)))
    .map(({ path, list }) => setOrRemove(path, list.filter((id) => !gone.has(id)) as readonly JsonValue[]));
  return subtrees.map((ids, index) => ({
    path: ["hierarchy", ids[0] ?? ""],
    shown,
    // Each list is edited once for all subtrees. Therefore, only the first conflict contains these edits.
    edits: [
      ...(index === 0 ? listEdits : []),
      ...ids.map((id): Edit => ({ op: "remove", path: ["hierarchy", id] })),
    ],
  }));
}

/** Returns the errors of a merged spec that are not in either side. */
function newErrors(merged: SpecDocument, sides: readonly SpecDocument[]): readonly string[] {
  const keyOf = ({ code, path }: Finding) => JSON.stringify([code, path]);
  const known = new Set(sides.flatMap(errorsOf).map(keyOf));
  return errorsOf(merged)
    .filter((error) => !known.has(keyOf(error)))
    .map(({ message }) => message);
}

/** Returns all errors of a spec; the answer of a validation lists only some of many. */
function errorsOf(spec: SpecDocument): readonly Finding[] {
  const errors: Finding[] = [];
  runChecks(createCheckContext(spec), (finding) => {
    if (severityOf(finding, false) === "error") errors.push(finding);
  });
  return errors;
}

function nameOf({ path }: MergeConflict): string {
  return path.join(".");
}
