import { ContractError, isContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type {
  FallbackUse,
  FallbackValue,
  ParameterResolver,
  ParameterResolvers,
} from "@foundry-mcp/toolkit/cli";
import { type IdWorkspace, type ListedSpecId, listSpecIds } from "../app/list-spec-ids.ts";
import { findByTitle, type Titled } from "../specs/model/find-by-title.ts";
import { isTaskNode } from "../specs/model/find-node.ts";
import type { SpecNode } from "../specs/model/spec-model.ts";

/** The workspace and the environment in which ids are looked up. */
export interface IdDeps {
  readonly workspace: IdWorkspace;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variable that names the spec for commands without one. */
export const specVariable = "FOUNDRY_SPEC";

/** The form of ids that Foundry assigns to nodes. Such an id is complete: `task-1-1` never means `task-1-10`. */
const wholeNodeId = /^(?:phase|group|task|subtask|verify|research)(?:-\d+)+$/;

/** The action on specs in the trash. */
const restoreAction = "spec restore";
/** The action on specs that are not active yet. */
const activateAction = "lifecycle activate";

/** Creates the resolvers of ids, so that ids may be shortened, omitted and completed on the command line. */
export function createIdResolvers({ workspace, env }: IdDeps): ParameterResolvers {
  /** The list is cached, because a command may need the list several times. */
  let listed: Promise<readonly ListedSpecId[]> | undefined;
  const listIds = () => {
    listed ??= listSpecIds(workspace);
    return listed;
  };
  const listTrash = async () => (await workspace.store()).trash();
  const findSpecs = async (prefix: string, _args: UnknownRecord = {}, action?: string) => {
    const specs = await unlessRefused<readonly { readonly id: string }[]>(
      action === restoreAction ? listTrash() : listIds(),
    );
    const ids = specs?.map(({ id }) => id) ?? [];
    return [...new Set(ids)].filter((id) => id.startsWith(prefix));
  };
  const toSpecId = async (text: string) => {
    const found = await findSpecs(text);
    return found.length === 1 ? found[0] : text;
  };
  /**
   * Returns the spec that was changed last, because `undo` reverts the last change in any spec. The history has the time
   * of each change. The spec itself does not, because an undo also restores the time that the spec contains.
   */
  const findChangedSpec = async (): Promise<FallbackValue | undefined> => {
    const store = await unlessRefused(workspace.store());
    const { specs = [] } = (await unlessRefused(store?.list())) ?? {};
    const changes = await Promise.all(
      specs.map(async ({ id, updated }) => {
        const [last] = (await unlessRefused(store?.history(id))) ?? [];
        return { id, at: Date.parse(last?.at ?? updated ?? "") || 0 };
      }),
    );
    const [last] = changes.toSorted((a, b) => b.at - a.at);
    const trash = (await unlessRefused(store?.trash())) ?? [];
    const [deleted] = trash.toSorted((a, b) => b.at.localeCompare(a.at));
    if (deleted !== undefined && Date.parse(deleted.at) > (last?.at ?? 0)) throw deletedLast(deleted.id);
    return last && { value: last.id, reason: "the spec that was changed last" };
  };
  const findTrashedSpec = async (): Promise<FallbackValue | undefined> => {
    const trashed = await listTrash();
    // The spec that was deleted last is listed first.
    const ids = trashed.toSorted((a, b) => b.at.localeCompare(a.at)).map(({ id }) => id);
    const [only, second] = ids;
    if (only === undefined || second !== undefined) throw unclearTrash(ids);
    return { value: only, reason: "the only spec in the trash" };
  };
  const findOmittedSpec = async ({ isRequired, action }: FallbackUse): Promise<FallbackValue | undefined> => {
    if (action === restoreAction) return isRequired ? findTrashedSpec() : undefined;
    const named = env[specVariable];
    if (named !== undefined && named !== "")
      return { value: (await toSpecId(named)) ?? named, reason: `by ${specVariable}` };
    if (!isRequired) return undefined;
    // Where there are no specs at all, the reason helps, and a missing id does not.
    await listIds();
    if (action === "spec undo") return findChangedSpec();
    const specs = await listIds();
    const from = action === activateAction ? "pending" : "active";
    const meant = specs.flatMap(({ id, folder }) => (folder === from ? [id] : []));
    const [only, second] = meant;
    if (only === undefined || second !== undefined) throw unclearSpec(meant, from);
    return { value: only, reason: `the only ${from} spec` };
  };
  const listNodes = async (given: unknown, isMeant: (node: SpecNode) => boolean) => {
    const specId =
      typeof given === "string"
        ? await toSpecId(given)
        : (await unlessRefused(findOmittedSpec({ isRequired: true })))?.value;
    if (specId === undefined) return [];
    const spec = await unlessRefused(workspace.store().then((store) => store.read(specId)));
    return spec?.model.orderedNodes.filter(isMeant) ?? [];
  };
  const nodeResolver = (isMeant: (node: SpecNode) => boolean): ParameterResolver => ({
    isWhole: (text) => wholeNodeId.test(text),
    find: async (prefix, { spec_id: given }) => {
      const nodes = await listNodes(given, isMeant);
      return nodes.map(({ id }) => id).filter((id) => id.startsWith(prefix));
    },
    findNamed: async (title, { spec_id: given }) => findOnlyTitled(title, await listNodes(given, isMeant)),
  });
  const findNamedSpec = async (title: string) => {
    const store = await unlessRefused(workspace.store());
    return findOnlyTitled(title, (await unlessRefused(store?.list()))?.specs ?? []);
  };
  return {
    spec_id: { find: findSpecs, findNamed: findNamedSpec, fallback: findOmittedSpec },
    task_id: nodeResolver(isTaskNode),
    verify_id: nodeResolver(({ type }) => type === "verify"),
    phase_id: nodeResolver(({ type }) => type === "phase"),
  };
}

/** Returns the id of the only spec or node with a title. */
function findOnlyTitled(title: string, items: readonly Titled[]): string | undefined {
  const { ids, isExact } = findByTitle(title, items);
  return isExact && ids.length === 1 ? ids[0] : undefined;
}

/** Creates the error for an undo without a spec if the last change deleted a spec. */
function deletedLast(spec_id: string): ContractError {
  return new ContractError(`Cannot choose a spec to undo: the last change deleted "${spec_id}"`, {
    errorCode: "INVALID_STATE",
    remediation:
      "Restore the deleted spec: {1}; or give the id of the spec whose last change is to be undone.",
    remedy: { tool: "spec", action: "restore", arguments: { spec_id } },
    details: { spec_id, reason: "deleted" },
  });
}

/** Creates the error for a restoration without a spec if the trash is empty, or has more than one spec. */
function unclearTrash(ids: readonly string[]): ContractError {
  const [last, ...others] = ids;
  const count = last === undefined ? "none is" : `${ids.length} are`;
  return validationError(
    { field: "spec_id", constraint: "required", expected: ids.slice(0, maxListed), received: null },
    {
      message: `Cannot choose a spec: ${count} in the trash, and spec_id is required`,
      remediation:
        last === undefined
          ? "No spec needs to be restored; {1} lists the specs."
          : `Restore the spec that was deleted last: {1}; or give the id of another: ${listNames(others)}.`,
      remedy:
        last === undefined
          ? { tool: "spec", action: "list" }
          : { tool: "spec", action: "restore", arguments: { spec_id: last } },
    },
  );
}

/** Creates the error for a command without a spec if no spec is in the folder that it acts on, or more than one. */
function unclearSpec(active: readonly string[], folder: "active" | "pending"): ContractError {
  const count = active.length === 0 ? "none" : active.length;
  return validationError(
    { field: "spec_id", constraint: "required", expected: active.slice(0, maxListed), received: null },
    {
      message: `Cannot choose a spec: ${count} ${active.length < 2 ? "is" : "are"} ${folder}, and spec_id is required`,
      remediation:
        active.length === 0
          ? `Give the id of the spec, or set ${specVariable}; {1} lists the specs.`
          : `Give the id of the spec, or set ${specVariable} to one of: ${listNames(active)}.`,
      ...(active.length === 0 ? { remedy: { tool: "spec", action: "list" } } : {}),
    },
  );
}

function listNames(ids: readonly string[]): string {
  const rest = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return `${ids.slice(0, maxListed).join(", ")}${rest}`;
}

/** The maximum number of specs that an error lists. */
const maxListed = 10;

/** Returns undefined if specs cannot be read, because the command itself reports the reason. */
async function unlessRefused<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (isContractError(thrown)) return undefined;
    throw thrown;
  }
}
