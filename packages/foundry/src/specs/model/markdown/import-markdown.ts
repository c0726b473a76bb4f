import { isContractError, validationError } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { circularDependency } from "../changes/change-dependency.ts";
import { createSpec, type NewSpec } from "../changes/create-spec.ts";
import { type CreatedNode, toCreatedNodes } from "../changes/created-nodes.ts";
import { finishChange } from "../changes/finish-change.ts";
import { taskHeldError } from "../claims/claim-guard.ts";
import { findNewCycle } from "../dependencies.ts";
import { activeLease } from "../lease.ts";
import { highestNumbers } from "../new-ids.ts";
import { rootId } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { requireRoom } from "../text-limits.ts";
import { nodeFieldEdits, requireNewNode, specFieldEdits } from "./field-edits.ts";
import { type ImportProblem, importFailure, type Loss } from "./import-report.ts";
import { linkChanges, linkEdits } from "./link-edits.ts";
import { type DraftMatch, matchDraft } from "./match-draft.ts";
import type { ParsedMarkdown } from "./parse-markdown.ts";
import { statusSteps } from "./status-steps.ts";
import { toDraft, toOutline } from "./to-draft.ts";
import { treeChange } from "./tree-edits.ts";

/** Options of an import. */
export interface ImportOptions {
  /** The title of the spec, which replaces the title of the document. */
  readonly name?: string | undefined;
  /** Remove nodes that the document does not contain. @default false */
  readonly remove_missing?: boolean | undefined;
}

/** The result of an import. Nodes are listed by id; the id `spec-root` means the spec itself. */
export interface ImportResult {
  readonly spec_id: string;
  readonly added: readonly string[];
  /** The added nodes with their titles. */
  readonly created_nodes: readonly CreatedNode[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly losses: readonly Loss[];
}

/** A new spec and the result of its import. */
export interface ImportedSpec extends NewSpec, Pick<Change<ImportResult>, "result" | "warnings"> {}

/** Creates a spec from a document. Ids in the document are preserved where possible. */
export function specFromMarkdown(
  id: string,
  parsed: ParsedMarkdown,
  { name }: Pick<ImportOptions, "name">,
  context: Pick<ChangeContext, "now" | "author">,
): ImportedSpec {
  const title = requireTitleOf(parsed, name);
  const { document } = createSpec(id, { title }, context);
  const draft = { ...parsed.draft, specId: undefined };
  const {
    edits,
    result,
    warnings,
    marks = {},
  } = importMarkdown({ ...parsed, draft }, { name })(new SpecModel(document), {
    ...context,
    folder: "pending",
    marks: {},
    leases: new Map(),
    newToken: "",
  });
  // All nodes of a new spec are new, so no node counts as changed.
  return { document: applyEdits(document, edits), marks, result: { ...result, changed: [] }, warnings };
}

/** Returns the title of a new spec: the given title or, if there is none, the title of the document. */
export function requireTitleOf({ draft }: ParsedMarkdown, name: string | undefined): string {
  const title = name ?? draft.title;
  if (title !== undefined) return title;
  throw validationError(
    { field: "name", constraint: "required" },
    {
      message: "Cannot make a spec of the Markdown: it has no title, and no name was given",
      remediation: 'Begin the document with a line "# Title", or give name.',
    },
  );
}

/**
 * Changes the titles, fields, order, tasks and statuses of a spec to match a document. Nodes that the
 * document does not contain are kept, unless `remove_missing` is set. If any part of the document cannot be
 * applied, nothing changes.
 */
export function importMarkdown(
  { draft: given, losses: parseLosses }: ParsedMarkdown,
  { name, remove_missing: isRemoving = false }: ImportOptions = {},
): Plan<ImportResult> {
  return (spec, context) => {
    requireSameSpec(spec, given.specId);
    const draft = name === undefined ? given : { ...given, title: name };
    const outline = toOutline(spec);
    const stored = toDraft(spec, outline);
    const matched = matchDraft(spec, outline, draft, context);
    const targets = [...matched.targets.values()];
    const added = targets.filter(({ isNew }) => isNew).map(({ id }) => id);
    requireRoom(spec, added.length);
    const removed: ReadonlySet<string> = isRemoving ? matched.missing : new Set();
    const links = linkChanges(spec, matched, removed);
    const problems: ImportProblem[] = [...links.problems];
    const tree = treeChange(spec, outline, matched, !isRemoving, links.links);
    const changed = new Set([...tree.arranged, ...tree.moved, ...tree.retyped, ...links.changed]);
    const kept = new Map([...links.links].filter(([id]) => !removed.has(id)));
    const edits: Edit[] = [...tree.edits, ...linkEdits(spec, kept)];
    const collect = (line: number, id: string | null, make: () => readonly Edit[]) => {
      try {
        const made = make();
        if (made.length > 0 && id !== null) changed.add(id);
        edits.push(...made);
      } catch (error) {
        if (!isContractError(error)) throw error;
        problems.push({ line, task_id: id, error });
      }
    };
    collect(1, rootId, () => specFieldEdits(spec, draft, stored));
    for (const target of targets) {
      const node = spec.node(target.id);
      collect(target.draft.line, target.isNew ? null : target.id, () => {
        if (!target.isNew && node !== undefined) return nodeFieldEdits(node, target);
        requireNewNode(target);
        return [];
      });
    }
    problems.push(...leaseProblems(spec, matched, [...changed, ...removed], context));
    if (problems.length > 0) throw importFailure(spec.id, problems);
    const touched = [...added, ...tree.moved, ...tree.arranged, ...tree.retyped];
    const first =
      edits.length === 0 ? [] : finishChange(spec, context, { edits, touched, result: () => null }).edits;
    const after = spec.after(first);
    if (tree.moved.length + links.added.length > 0) requireNoNewCycle(spec, after, matched, links.added);
    const steps = statusSteps(spec, after, targets, context);
    if (steps.problems.length > 0) throw importFailure(spec.id, steps.problems);
    for (const id of steps.changed) changed.add(id);
    for (const id of added) changed.delete(id);
    return {
      edits: [...first, ...steps.edits],
      result: {
        spec_id: spec.id,
        added,
        created_nodes: toCreatedNodes(after, added),
        changed: [...changed].filter((id) => !removed.has(id)),
        removed: [...removed],
        losses: [...parseLosses, ...matched.losses, ...steps.losses].toSorted((a, b) => a.line - b.line),
      },
      ...toWarnings([...missingWarning(isRemoving ? [] : [...matched.missing]), ...steps.warnings]),
      marks: { ...highestNumbers(removed), ...matched.marks },
      leases: steps.leases,
    };
  };
}

/** Refuses a document that names another spec. */
function requireSameSpec(spec: SpecModel, id: string | undefined): void {
  if (id === undefined || id === spec.id) return;
  throw validationError(
    { field: "markdown", constraint: "spec_id", received: id, expected: spec.id },
    {
      message: `Cannot import the Markdown into spec "${spec.id}": its front matter names spec "${id}"`,
      remediation: 'Remove the line "spec_id" from the document, or leave out {--spec_id}.',
    },
  );
}

function leaseProblems(
  spec: SpecModel,
  { targets }: DraftMatch,
  ids: readonly string[],
  { leases, now, author }: ChangeContext,
): readonly ImportProblem[] {
  if (leases.size === 0) return [];
  return ids.flatMap((id): readonly ImportProblem[] => {
    const lease = activeLease(leases, id, now);
    if (lease === undefined) return [];
    const error = taskHeldError(spec, "import", lease, { author });
    return [{ line: targets.get(id)?.draft.line ?? 0, task_id: id, error }];
  });
}

function requireNoNewCycle(
  before: SpecModel,
  after: SpecModel,
  { targets }: DraftMatch,
  added: readonly string[],
): void {
  const path = findNewCycle(before, after);
  if (path === undefined) return;
  const id = path.find((each) => added.includes(each)) ?? path.find((each) => targets.has(each)) ?? "";
  const blocker = path[path.indexOf(id) + 1] ?? "";
  const error = circularDependency(before, id, blocker, path);
  throw importFailure(before.id, [{ line: targets.get(id)?.draft.line ?? 0, task_id: id, error }]);
}

function toWarnings(warnings: readonly string[]): Pick<Change<ImportResult>, "warnings"> {
  return warnings.length === 0 ? {} : { warnings };
}

function missingWarning(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [];
  const names = missing.slice(0, 5).join(", ");
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return [
    `${names}${more} ${missing.length === 1 ? "is" : "are"} not in the Markdown, and stay in the spec; remove_missing removes them`,
  ];
}
