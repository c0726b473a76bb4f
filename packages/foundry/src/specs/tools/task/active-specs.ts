import { isContractError, type Remedy, validationError } from "@foundry-mcp/contract";
import { waitCall } from "../../model/no-task.ts";
import { priorityRank } from "../../model/priority.ts";
import type { WorkFilter } from "../../model/work-filter.ts";
import type { SpecReader, SpecSummary } from "../../stores/spec-store.ts";
import type { Workspace } from "../workspace.ts";

/** The result of a search for a task in one spec. */
interface SearchAnswer {
  readonly found: boolean;
  readonly reason?: string;
  readonly message?: string;
}

/** The maximum number of specs that a response without a task names. */
const maxNamed = 5;

/**
 * Searches the given spec. If no spec is given, searches all active specs with open work until a task is
 * found. Summaries show which specs have open work, so no other specs are read.
 */
export async function searchSpecs<R extends SearchAnswer>(
  workspace: Workspace,
  specId: string | undefined,
  filter: WorkFilter | undefined,
  search: (spec_id: string) => Promise<R>,
) {
  if (specId !== undefined) return search(specId);
  const { specs } = await (await workspace.store()).list();
  const searched: (R & { readonly spec_id: string })[] = [];
  for (const { id } of openSpecs(specs, "active")) {
    const answer = await search(id).catch(ignoreMissing);
    if (answer?.found) return answer;
    if (answer !== undefined) searched.push({ ...answer, spec_id: id });
  }
  return toNothingFound(specs, searched, filter);
}

/** Returns the active specs with open work, in the order in which they are searched. */
export async function activeSpecs(store: SpecReader): Promise<readonly SpecSummary[]> {
  return openSpecs((await store.list()).specs, "active");
}

/**
 * Returns the specs with open work, sorted by priority. Specs of equal priority are sorted by age, and the
 * oldest spec comes first.
 */
function openSpecs(specs: readonly SpecSummary[], folder: SpecSummary["folder"]): readonly SpecSummary[] {
  const rank = ({ planning = {} }: SpecSummary) => priorityRank(planning);
  // A spec without a creation time comes after all specs with a creation time.
  const age = ({ created }: SpecSummary) => created ?? "\uffff";
  return specs
    .filter((spec) => spec.folder === folder && spec.progress.completed < spec.progress.total)
    .toSorted((a, b) => rank(a) - rank(b) || compare(age(a), age(b)) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Ignores the error for a missing spec, because a spec may be removed between the list and the search. */
function ignoreMissing(error: unknown): undefined {
  if (isContractError(error) && error.code === "SPEC_NOT_FOUND") return undefined;
  throw error;
}

/** The reason why no active spec has a task, and the calls that help. */
interface NothingFound {
  readonly found: false;
  readonly reason: string;
  readonly message: string;
  readonly spec_complete: boolean;
  readonly specs?: readonly object[];
  readonly specs_count?: number;
  readonly remedy: Remedy;
  readonly other_remedies?: readonly Remedy[];
}

function toNothingFound<R extends SearchAnswer>(
  specs: readonly SpecSummary[],
  searched: readonly (R & { readonly spec_id: string })[],
  filter: WorkFilter | undefined,
): NothingFound | R {
  if (searched.length === 0) {
    const active = specs.filter(({ folder }) => folder === "active");
    const isComplete = active.some(({ progress }) => progress.total > 0);
    const why = active.length === 0 ? "No spec is active." : "No active spec has open tasks.";
    return {
      found: false,
      reason: isComplete ? "complete" : "empty",
      message: isComplete ? "All tasks of the active specs are completed." : why,
      spec_complete: isComplete,
      ...toRemedies(specs),
    };
  }
  // If only one spec was searched, the response contains the reason of this spec, as if the call had named
  // the spec.
  const [only] = searched;
  if (searched.length === 1 && only !== undefined) return only;
  const reasons = new Set(searched.map(({ reason }) => reason));
  const reason = ["in_progress", "blocked", "no_match"].find((each) => reasons.has(each)) ?? "blocked";
  return {
    found: false,
    reason,
    message: `No task is ready in ${searched.length} active specs with open work.`,
    spec_complete: false,
    specs: searched
      .slice(0, maxNamed)
      .map(({ spec_id, reason: why, message }) => ({ spec_id, reason: why, message })),
    specs_count: searched.length,
    remedy: waitCall({ ...filter }),
  };
}

/**
 * Returns the calls for the next step. The next step is to complete an active spec whose work is done, to
 * activate a pending spec with open work, or to create a new spec.
 */
function toRemedies(specs: readonly SpecSummary[]): {
  readonly remedy: Remedy;
  readonly other_remedies?: readonly Remedy[];
} {
  const done = specs.find(({ folder, progress }) => folder === "active" && progress.total > 0);
  const [pending] = openSpecs(specs, "pending");
  const [remedy, ...others]: readonly Remedy[] = [
    ...[done].flatMap((spec) => (spec === undefined ? [] : [toLifecycle("complete", spec)])),
    ...[pending].flatMap((spec) => (spec === undefined ? [] : [toLifecycle("activate", spec)])),
  ];
  if (remedy === undefined) return { remedy: { tool: "authoring", action: "spec-create", needs: ["name"] } };
  return { remedy, ...(others.length === 0 ? {} : { other_remedies: others }) };
}

function toLifecycle(action: string, { id }: SpecSummary): Remedy {
  return { tool: "lifecycle", action, arguments: { spec_id: id } };
}

/** Refuses parameters that concern a single spec if no spec is given. */
export function requireSpecFor(
  input: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
): void {
  if (input["spec_id"] !== undefined) return;
  for (const [name, why] of Object.entries(parameters)) {
    if (input[name] === undefined) continue;
    throw validationError(
      { field: "spec_id", constraint: "required" },
      {
        message: `Cannot take ${name} without spec_id: ${why}`,
        remediation: `Give {--spec_id}, or leave {--${name}} out; {1} lists the specs.`,
        remedy: { tool: "spec", action: "list" },
      },
    );
  }
}
