import type { JsonObject } from "@foundry-mcp/contract";
import { applyEdits } from "../../../files/json-text/edit.ts";
import type { ChangeContext } from "../change.ts";
import type { Priority } from "../known-values.ts";
import { definedValues } from "../node-edits.ts";
import { requirePlanning } from "../planning-fields.ts";
import type { DependencyName } from "../resolve-dependency.ts";
import { rootId, type SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { requireText, requireTexts, requireTitle } from "../text-limits.ts";
import { addUnlinkedPhase, type PhaseInput, treeDependencies, type WorkTree } from "./add-phase.ts";
import { linkTasks } from "./link-tasks.ts";
import { toNodeDocument } from "./new-node.ts";
import { updateSpec } from "./update-spec.ts";

/** The fields of a new spec. */
export interface NewSpecInput {
  readonly title: string;
  readonly description?: string | undefined;
  readonly mission?: string | undefined;
  /** The category of the spec. @default "implementation" */
  readonly category?: string | undefined;
  readonly owner?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Further fields of the metadata, such as plan_path. */
  readonly metadata?: JsonObject | undefined;
  readonly phases?:
    | readonly (Omit<PhaseInput, "position"> & { readonly tasks?: readonly WorkTree[] | undefined })[]
    | undefined;
}

/** The document of a new spec, and the highest numbers that its node ids use. */
export interface NewSpec {
  readonly document: SpecDocument;
  readonly marks: Readonly<Record<string, number>>;
}

/** Creates the document of a new spec. The members have the order that spec files use. */
export function createSpec(
  id: string,
  input: NewSpecInput,
  context: Pick<ChangeContext, "now" | "author">,
): NewSpec {
  const { phases = [] } = input;
  requireTitle("title", input.title);
  for (const field of ["description", "mission", "owner", "category"] as const)
    requireText(field, input[field]);
  requireTexts("labels", input.labels);
  requirePlanning({ priority: input.priority, labels: input.labels });
  let document: SpecDocument = emptySpec(id, input, context.now);
  let marks: Readonly<Record<string, number>> = {};
  const names: DependencyName[] = [];
  const newContext: ChangeContext = { ...context, folder: "pending", marks, leases: new Map(), newToken: "" };
  for (const [index, { tasks = [], ...phase }] of phases.entries()) {
    const path = `phases[${index}].tasks`;
    const change = addUnlinkedPhase({ phase, tasks }, path)(new SpecModel(document), {
      ...newContext,
      marks,
    });
    document = applyEdits(document, change.edits);
    marks = { ...marks, ...change.marks };
    names.push(...treeDependencies(tasks, change.result.tasks_created, path));
  }
  // A task may wait for a task of a later phase, so dependencies are added last.
  if (names.length > 0) document = applyEdits(document, linkTasks(new SpecModel(document), names).edits);
  const { metadata = {} } = input;
  if (Object.keys(metadata).length > 0)
    document = applyEdits(document, updateSpec({ metadata })(new SpecModel(document), newContext).edits);
  return { document, marks };
}

/**
 * Returns the id of a new spec. The id consists of the slug of the title, the date and the first free number.
 */
export function newSpecId(title: string, date: string, isTaken: (id: string) => boolean): string {
  const stem = `${toSlug(title)}-${date.slice(0, 10)}`;
  for (let number = 1; ; number++) {
    const id = `${stem}-${String(number).padStart(3, "0")}`;
    if (!isTaken(id)) return id;
  }
}

const maxSlugLength = 60;

/** Converts a title to lower-case letters, digits and hyphens. */
export function toSlug(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "");
  return slug.slice(0, maxSlugLength).replace(/-$/, "") || "spec";
}

function emptySpec(
  id: string,
  {
    title,
    description = "",
    mission = "",
    owner = "",
    category = "implementation",
    priority,
    labels,
  }: NewSpecInput,
  now: string,
): JsonObject {
  const metadata = {
    description,
    mission,
    objectives: [],
    complexity: "low",
    estimated_hours: 0,
    assumptions: [],
    owner,
    category,
    template: "empty",
    ...definedValues({ priority, labels }),
  };
  const root = toNodeDocument({ type: "spec", title, parent: null, metadata: { purpose: "", category } });
  return {
    spec_id: id,
    title,
    generated: now,
    last_updated: now,
    metadata,
    progress_percentage: 0,
    status: "pending",
    current_phase: null,
    hierarchy: { [rootId]: root },
    journal: [],
  };
}
