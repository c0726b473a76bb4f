import { type ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { isTaskType, nearestIds } from "./find-node.ts";
import { nearestName } from "./nearest-name.ts";
import { type NodeType, rootId } from "./spec-document.ts";

/** A node that a dependency may name. */
export interface NamedNode {
  readonly id: string;
  readonly title: string;
  readonly type: NodeType;
}

/** The nodes that dependencies of a call may name: those of the spec, and those that the call adds. */
export interface DependencyScope {
  readonly specId: string;
  /** The id that an id stands for, where a node has it. */
  readonly idOf: (name: string) => string | undefined;
  /** All nodes in the order of work; read only for a name that is no id. */
  readonly nodes: () => Iterable<NamedNode>;
}

/** A name that a task gives for what it waits for. */
export interface DependencyName {
  readonly name: string;
  /** Where it was given: `tasks[1].depends_on[0]`. */
  readonly field: string;
  /** The task that waits; of several tasks with one title it is not meant. */
  readonly waiting: string;
}

/** Resolves a name to the id of a node, or throws. */
export type ResolveDependency = (dependency: DependencyName) => string;

/**
 * Creates the resolver of dependencies, for every way to add tasks. A name is the id of a task or a phase, or the title
 * of exactly one: of a task, else of a phase or group. Case and surrounding blanks of a title make no difference.
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
    // A task that names only itself is left to the check for cycles.
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
    { message: `Cannot use "${name}" as ${field}: it is the root of the spec, which waits for nothing` },
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
