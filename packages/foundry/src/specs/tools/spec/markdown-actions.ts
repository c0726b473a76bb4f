import { type Envelope, type Remedy, validationError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { newSpecId } from "../../model/changes/create-spec.ts";
import { diffSpecs, type SpecDiff } from "../../model/diff/diff-specs.ts";
import type { ImportResult } from "../../model/markdown/import-markdown.ts";
import type { ParsedMarkdown } from "../../model/markdown/parse-markdown.ts";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { SpecModel } from "../../model/spec-model.ts";
import type { SpecReader } from "../../stores/spec-store.ts";
import { importView } from "../../views/spec-change-view.ts";
import { changeOptions } from "../change-parameters.ts";
import { type ChangeInput, changeSpec, repeatedCallWarning, toChangeOptions } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import { createdNodes, specRevision } from "../payload-parts.ts";
import { listTakenIds } from "../taken-ids.ts";
import { purposeOf, type Workspace } from "../workspace.ts";

interface ImportInput extends Omit<ChangeInput, "spec_id"> {
  readonly spec_id?: string | undefined;
  readonly markdown: string;
  readonly as_new?: boolean | undefined;
  readonly name?: string | undefined;
  readonly status?: SpecFolder | undefined;
  readonly remove_missing?: boolean | undefined;
  readonly confirm?: true | undefined;
}

/** The length of Markdown, in UTF-16 code units, from which on an import runs as a job. */
const longMarkdown = 100_000;

/** Creates the actions of `spec` that export and import Markdown. */
export function markdownActions(workspace: Workspace) {
  return {
    export: action({
      description: "Export a spec as Markdown",
      input: () => z.object({ spec_id: specId }),
      output: () => payload({ ...specRevision, markdown: z.string() }),
      readOnly: true,
      cli: { command: "specs export", arguments: ["spec_id"], show: showMarkdown },
      run: ({ spec_id }, context) => exportMarkdown(workspace, spec_id, context),
    }),
    import: action({
      description: "Import Markdown: update the spec it names, or create one",
      input: () =>
        z.object({
          markdown: z.string(),
          spec_id: specId.optional().describe("Spec to update. Default: spec_id of the front matter"),
          as_new: z
            .boolean()
            .optional()
            .describe("Create a new spec. Otherwise, the spec that the Markdown names is updated"),
          name: z.string().min(1).optional().describe("Title of a new spec"),
          status: z.enum(specFolders).optional().describe("Default: pending. Folder of a new spec"),
          remove_missing: z
            .boolean()
            .optional()
            .describe("Remove tasks missing from the Markdown; needs confirm"),
          confirm: z.literal(true).optional().describe("Confirm. Must be true if remove_missing is true"),
          ...changeOptions,
        }),
      output: () =>
        payload({
          spec_id: z.string(),
          revision: z.string().nullable(),
          created: z.boolean(),
          added: z.array(z.string()),
          created_nodes: createdNodes(),
          changed: z.array(z.string()),
          removed: z.array(z.string()),
          losses: rows({ line: z.int(), text: z.string(), why: z.string() }),
          diff: z.looseObject({}).optional(),
        }),
      destructive: true,
      task: "optional",
      detaches: true,
      cli: {
        command: "specs import",
        arguments: ["markdown"],
        files: ["markdown"],
        show: viewOf(() => importView),
      },
      run: async (input, context) => {
        // A document of usual size is imported faster than a client can ask for the state of a job.
        if (input.markdown.length >= longMarkdown) await context.detach();
        return importInto(workspace, input, context);
      },
    }),
  };
}

/** Exports a spec as Markdown. */
export async function exportMarkdown(workspace: Workspace, spec_id: string, context: Context) {
  const { toMarkdown } = await import("../../model/markdown/to-markdown.ts");
  const { model, revision } = await readSpec(workspace, spec_id, context);
  return { spec_id, revision, markdown: toMarkdown(model) };
}

/**
 * Imports Markdown into a spec. The parameter `spec_id` or the front matter names the spec; otherwise, a new
 * spec is created.
 */
export async function importInto(workspace: Workspace, input: ImportInput, context: Context) {
  const { parseMarkdown } = await import("../../model/markdown/parse-markdown.ts");
  const parsed = parseMarkdown(input.markdown);
  if (parsed.draft.specId === undefined) await refuseStrayId(input.markdown);
  const spec_id = await targetOf(workspace, parsed, input);
  const result =
    spec_id === undefined
      ? await createFrom(workspace, parsed, input, context)
      : await changeFrom(workspace, parsed, { ...input, spec_id }, context);
  warnOfLosses(result, context);
  return result;
}

/** Refuses a document whose front matter would be imported as text, because text is above it. */
async function refuseStrayId(markdown: string): Promise<void> {
  const { findStrayId } = await import("../../model/markdown/parse-front-matter.ts");
  const line = findStrayId(markdown);
  if (line === undefined) return;
  throw validationError(
    { field: "markdown", constraint: "front_matter" },
    {
      message: `Cannot import the Markdown: line ${line} is not in the front matter, but names a spec_id`,
      remediation:
        'Begin the document with a line ---, the line "spec_id" and another line ---, without text above them; or remove the line "spec_id".',
    },
  );
}

/** Returns the spec that an import changes; undefined if the import creates a new spec. */
async function targetOf(
  workspace: Workspace,
  { draft }: ParsedMarkdown,
  input: ImportInput,
): Promise<string | undefined> {
  const { spec_id, as_new = false } = input;
  if (as_new && spec_id !== undefined)
    refuse("as_new", "spec_id names a spec to update", "Leave out spec_id or as_new.");
  if (as_new || spec_id !== undefined || draft.specId === undefined) return spec_id;
  const { specs } = await (await workspace.store(purposeOf(input))).list();
  return specs.some(({ id }) => id === draft.specId) ? draft.specId : undefined;
}

async function changeFrom(
  workspace: Workspace,
  parsed: ParsedMarkdown,
  whole: ImportInput & { readonly spec_id: string },
  context: Context,
) {
  const { status, confirm, as_new: _, ...input } = whole;
  if (status !== undefined)
    refuse("status", "the Markdown updates an existing spec", "Move the spec with {1}.", {
      tool: "lifecycle",
      action: "move",
      arguments: { spec_id: whole.spec_id, to_folder: status },
    });
  if (input.remove_missing && confirm !== true && input.dry_run !== true)
    refuse(
      "remove_missing",
      "it removes tasks, and confirm is missing",
      "See the changes with {--dry_run=true}, then confirm with {--confirm=true} that the import removes tasks.",
    );
  const { importMarkdown } = await import("../../model/markdown/import-markdown.ts");
  const { name, remove_missing } = input;
  const plan = importMarkdown(parsed, { name, remove_missing });
  const planDiff: Plan<ImportResult & { readonly diff?: SpecDiff }> = (spec, planning) => {
    const change = plan(spec, planning);
    if (input.dry_run !== true) return change;
    return { ...change, result: { ...change.result, diff: diffSpecs(spec, spec.after(change.edits)) } };
  };
  return { ...(await changeSpec(workspace, whole, planDiff, context)), created: false };
}

async function createFrom(
  workspace: Workspace,
  parsed: ParsedMarkdown,
  input: ImportInput,
  context: Context,
) {
  for (const field of ["if_revision", "remove_missing"] as const)
    if (input[field] !== undefined)
      refuse(field, "it applies to an existing spec", "Give spec_id as well, or leave it out.");
  const { name, status = "pending", dry_run = false } = input;
  const { requireTitleOf, specFromMarkdown } = await import("../../model/markdown/import-markdown.ts");
  const title = requireTitleOf(parsed, name);
  const store = await workspace.store(purposeOf(input));
  const now = new Date().toISOString();
  const id = await newId(store, input.as_new === true ? undefined : parsed.draft.specId, title, now, context);
  const { author, action: done, key } = toChangeOptions({ ...input, spec_id: "" }, context);
  const {
    document,
    result,
    warnings = [],
  } = specFromMarkdown(id, parsed, { name }, { now, author: author ?? "" });
  for (const warning of warnings) context.warn(warning);
  if (dry_run) {
    const diff = diffSpecs(new SpecModel({ hierarchy: {} }), new SpecModel(document));
    return { ...result, revision: null, created: true, diff };
  }
  const snapshot = await store.create(id, document, status, { author, action: done, key });
  if (snapshot.id !== id) context.warn(repeatedCallWarning);
  return { ...result, spec_id: snapshot.id, revision: snapshot.revision, created: true };
}

/**
 * Returns the id for a new spec: the id that the document names, if a new spec can have it. Otherwise, the id
 * is created from the title.
 */
async function newId(
  store: SpecReader,
  wanted: string | undefined,
  title: string,
  now: string,
  context: Context,
): Promise<string> {
  const taken = await listTakenIds(store);
  if (wanted !== undefined && /^[a-z0-9][a-z0-9-]{0,199}$/.test(wanted) && !taken.has(wanted)) return wanted;
  const id = newSpecId(title, now, (each) => taken.has(each));
  if (wanted !== undefined && taken.has(wanted))
    context.warn(
      `There is a deleted spec "${wanted}"; this one is "${id}". To change the deleted one, restore it first`,
    );
  return id;
}

function warnOfLosses({ losses }: Pick<ImportResult, "losses">, context: Context): void {
  const [first] = losses;
  if (first === undefined) return;
  const more = losses.length === 1 ? "" : `; ${losses.length - 1} more are listed`;
  context.warn(
    "PARTIAL_FAILURE",
    `Some lines cannot be imported: line ${first.line}, ${JSON.stringify(first.text)}: ${first.why}${more}`,
    { loss_count: losses.length },
  );
}

function refuse(field: string, why: string, remediation: string, remedy?: Remedy): never {
  throw validationError(
    { field, constraint: "import" },
    { message: `Cannot import with this ${field}: ${why}`, remediation, remedy },
  );
}

function showMarkdown({ data }: Envelope): string | undefined {
  return "markdown" in data && typeof data["markdown"] === "string" ? data["markdown"] : undefined;
}
