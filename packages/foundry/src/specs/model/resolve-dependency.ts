import { type ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { isTaskType, nearestIds } from "./find-node.ts";
import { nearestName } from "./nearest-name.ts";
import { type NodeType, rootId } from "./spec-document.ts";

/** A node whose id or title may occur as the name of a dependency. */
export interface NamedNode {
  readonly id: string;
  readonly title: string;
  readonly type: NodeType;
}

/**
 * The nodes that the dependencies of a call may refer to: the nodes of the spec, and the nodes that the call
 * adds.
 */
export interface DependencyScope {
  readonly specId: string;
  /** Returns the id of the node if the name is an id; undefined if the name is not an id. */
  readonly idOf: (name: string) => string | undefined;
  /** Returns all nodes in the order of work. This function is called only for a name that is not an id. */
  readonly nodes: () => Iterable<NamedNode>;
}

/** The name with which a task refers to a node that it waits for. */
export interface DependencyName {
  readonly name: string;
  /** The parameter that contains the name, such as `tasks[1].depends_on[0]`. */
  readonly field: string;
  /** The id of the task that waits. If several tasks have the title, the name does not refer to this task. */
  readonly waiting: string;
}

/** Resolves a name to the id of a node. Throws if the name cannot be resolved. */
export type ResolveDependency = (dependency: DependencyName) => string;

/**
 * Creates the resolver of dependencies. All calls that add tasks use this resolver. A name is an id, or the
 * title of exactly one task. If no task has the title, the name may be the title of exactly one phase or
 * group. Case and surrounding blanks of a title are ignored.
 */
export function createDependencyResolver(scope: DependencyScope): ResolveDependency {
  let titles: ReadonlyMap<string, readonly NamedNode[]> | undefined;
  return (dependency) => {
    const { name, waiting } = dependency;
    const id = scope.idOf(name);
    if (id === rootId) throw rootDependency(dependency);
    if (id !== undefined) return id;
    titles ??= groupByTitle(scope.nodes());
    const named = titles.get(toKey(name)) ?? [];
    const others = named.filter((node) => node.id !== waiting);
    const tasks = others.filter(({ type }) => isTaskType(type));
    const [found, second] = tasks.length > 0 ? tasks : others;
    if (second !== undefined) throw ambiguous(dependency, tasks.length > 0 ? tasks : others);
    // If only the waiting task itself has the title, the check for cycles reports the dependency.
    return (found ?? named[0])?.id ?? throwUnknown(dependency, scope);
  };
}

function groupByTitle(nodes: Iterable<NamedNode>): ReadonlyMap<string, readonly NamedNode[]> {
  const titles = new Map<string, NamedNode[]>();
  for (const node of nodes) {
    if (node.id === rootId) continue;
    const key = toKey(node.title);
    const same = titles.get(key);
    if (same === undefined) titles.set(key, [node]);
    else same.push(node);
  }
  return titles;
}

function toKey(title: string): string {
  return title.trim().toLowerCase();
}

function rootDependency({ name, field }: DependencyName): ContractError {
  return validationError(
    { field, constraint: "task", received: name, expected: "the id or title of a task or phase" },
    {
      message: `Cannot use "${name}" as ${field}: it is the root of the spec, which cannot have dependencies`,
    },
  );
}

function ambiguous({ name, field }: DependencyName, nodes: readonly NamedNode[]): ContractError {
  const ids = nodes.map(({ id }) => id);
  const listed = ids.slice(0, maxListed).join(", ");
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return validationError(
    { field, constraint: "unique", received: name, expected: ids.slice(0, maxListed) },
    {
      message: `Cannot resolve ${field}: ${ids.length} tasks have the title that it gives: ${listed}${more}`,
      remediation: `Give one of the ids in place of the title: ${listed}${more}.`,
    },
  );
}

const maxListed = 20;

function throwUnknown({ name, field, waiting }: DependencyName, { specId, nodes }: DependencyScope): never {
  const all = [...nodes()].filter(({ id }) => id !== rootId && id !== waiting);
  const title = nearestName(
    name.trim(),
    all.map((node) => node.title),
  );
  const titled = all.find((node) => node.title === title);
  const near = titled === undefined ? nearestIds(all, name) : [titled.id];
  const guess =
    titled === undefined
      ? near.length === 0
        ? ""
        : ` The nearest are ${near.join(", ")}.`
      : ` The nearest is "${titled.title}" (${titled.id}).`;
  throw notFound("task", name, {
    remediation: `Give in ${field} the id or the title of a task of the spec or of the same call.${guess}`,
    details: { spec_id: specId, field, ...(near.length === 0 ? {} : { nearest: near }) },
  });
}
