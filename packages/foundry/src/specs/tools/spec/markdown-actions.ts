import { type Envelope, type Remedy, validationError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { newSpecId } from "../../model/changes/create-spec.ts";
import type { ImportResult } from "../../model/markdown/import-markdown.ts";
import type { ParsedMarkdown } from "../../model/markdown/parse-markdown.ts";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import type { SpecReader } from "../../stores/spec-store.ts";
import { type ChangeInput, changeSpec, repeatedCallWarning, toChangeOptions } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { changeOptions, createdNodes, specId, specRevision } from "../parameters.ts";
import { purposeOf, type Workspace } from "../workspace.ts";

interface ImportInput extends Omit<ChangeInput, "spec_id"> {
  readonly spec_id?: string | undefined;
  readonly markdown: string;
  readonly name?: string | undefined;
  readonly status?: SpecFolder | undefined;
  readonly remove_missing?: boolean | undefined;
  readonly confirm?: true | undefined;
}

/** Creates the actions of `spec` that export and import Markdown. */
export function markdownActions(workspace: Workspace) {
  return {
    export: action({
      description: "Export a spec as Markdown",
      input: () => z.object({ spec_id: specId }),
      output: () => payload({ ...specRevision, markdown: z.string() }),
      readOnly: true,
      cli: { command: "specs export", arguments: ["spec_id"], show: showMarkdown },
      run: async ({ spec_id }, context) => {
        const { toMarkdown } = await import("../../model/markdown/to-markdown.ts");
        const { model, revision } = await readSpec(workspace, spec_id, context);
        return { spec_id, revision, markdown: toMarkdown(model) };
      },
    }),
    import: action({
      description: "Import Markdown as a new spec, or into spec_id",
      input: () =>
        z.object({
          markdown: z.string(),
          spec_id: specId.optional().describe("Spec to update (default: a new one)"),
          name: z.string().min(1).optional().describe("Title of a new spec"),
          status: z.enum(specFolders).optional().describe("Of a new spec (default: pending)"),
          remove_missing: z
            .boolean()
            .optional()
            .describe("Remove tasks that are not in the Markdown; needs confirm"),
          confirm: z.literal(true).optional().describe("Confirm. Must be true for remove_missing"),
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
        }),
      destructive: true,
      cli: { command: "specs import", arguments: ["markdown"], files: ["markdown"] },
      run: async (input, context) => {
        const { parseMarkdown } = await import("../../model/markdown/parse-markdown.ts");
        const parsed = parseMarkdown(input.markdown);
        const result =
          input.spec_id === undefined
            ? await createFrom(workspace, parsed, input, context)
            : await changeFrom(workspace, parsed, { ...input, spec_id: input.spec_id }, context);
        warnOfLosses(result, context);
        return result;
      },
    }),
  };
}

async function changeFrom(
  workspace: Workspace,
  parsed: ParsedMarkdown,
  whole: ImportInput & { readonly spec_id: string },
  context: Context,
) {
  const { status, confirm, ...input } = whole;
  if (status !== undefined)
    refuse("status", "only a new spec begins somewhere", "Move the spec with {1}.", {
      tool: "lifecycle",
      action: "move",
      arguments: { spec_id: whole.spec_id, to_folder: status },
    });
  if (input.remove_missing && confirm !== true && input.dry_run !== true)
    refuse(
      "remove_missing",
      "it removes tasks, and confirm is missing",
      "Look with dry_run: true, then give confirm: true.",
    );
  const { importMarkdown } = await import("../../model/markdown/import-markdown.ts");
  const { name, remove_missing } = input;
  const plan = importMarkdown(parsed, { name, remove_missing });
  return { ...(await changeSpec(workspace, whole, plan, context)), created: false };
}

async function createFrom(
  workspace: Workspace,
  parsed: ParsedMarkdown,
  input: ImportInput,
  context: Context,
) {
  for (const field of ["if_revision", "remove_missing"] as const)
    if (input[field] !== undefined)
      refuse(field, "it is about a spec that is there", "Give spec_id as well, or leave it out.");
  const { name, status = "pending", dry_run = false } = input;
  const { requireTitleOf, specFromMarkdown } = await import("../../model/markdown/import-markdown.ts");
  const title = requireTitleOf(parsed, name);
  const store = await workspace.store(purposeOf(input));
  const now = new Date().toISOString();
  const id = await newId(store, parsed, title, now, context);
  const { author, action: done, key } = toChangeOptions({ ...input, spec_id: "" }, context);
  const {
    document,
    result,
    warnings = [],
  } = specFromMarkdown(id, parsed, { name }, { now, author: author ?? "" });
  for (const warning of warnings) context.warn(warning);
  if (dry_run) return { ...result, revision: null, created: true };
  const snapshot = await store.create(id, document, status, { author, action: done, key });
  if (snapshot.id !== id) context.warn(repeatedCallWarning);
  return { ...result, spec_id: snapshot.id, revision: snapshot.revision, created: true };
}

/** Returns the id that the document names if it is free, or else a new one from the title. */
async function newId(
  store: SpecReader,
  { draft: { specId: wanted } }: ParsedMarkdown,
  title: string,
  now: string,
  context: Context,
): Promise<string> {
  const taken = new Set((await store.list()).specs.map(({ id }) => id));
  if (wanted !== undefined && /^[a-z0-9][a-z0-9-]{0,199}$/.test(wanted) && !taken.has(wanted)) return wanted;
  const id = newSpecId(title, now, (each) => taken.has(each));
  if (wanted !== undefined && taken.has(wanted))
    context.warn(
      `There is a spec "${wanted}" already; this one is "${id}". To change that one, give its spec_id`,
    );
  return id;
}

function warnOfLosses({ losses }: Pick<ImportResult, "losses">, context: Context): void {
  const [first] = losses;
  if (first === undefined) return;
  const more = losses.length === 1 ? "" : `; ${losses.length - 1} more in data.losses`;
  context.warn(
    "PARTIAL_FAILURE",
    `Not everything has a place in a spec: line ${first.line}, ${JSON.stringify(first.text)}: ${first.why}${more}`,
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
