import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { readSourceFiles, resolveImport, root, type SourceFile } from "./source-files.ts";

/** A node of a syntax tree, with only the members that this file reads. */
interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The functions in the sources by name, as `path#name`, with the functions that each of them mentions. */
export type CallGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds the functions that each function mentions, in all sources that are shipped. A mention counts as a call,
 * because functions are passed to `map` and similar methods. Methods are resolved within their class through `this`,
 * and functions in other files are resolved through imports.
 */
export function readCallGraph(): CallGraph {
  const files = readSourceFiles().filter(({ isTest }) => !isTest);
  const trees = new Map(files.map((file) => [file.path, parse(file.path)]));
  const names = new Map(files.map(({ path }) => [path, functionNames(trees.get(path) as SyntaxNode)]));
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const own = names.get(file.path) ?? new Set();
    const imported = importedFunctions(file, trees.get(file.path) as SyntaxNode, names);
    walk(trees.get(file.path) as SyntaxNode, undefined, (node, inside) => {
      if (inside === undefined) return;
      const mentioned = mentionOf(node);
      if (mentioned === undefined) return;
      const target = own.has(mentioned) ? `${file.path}#${mentioned}` : imported.get(mentioned);
      if (target === undefined) return;
      const from = `${file.path}#${inside}`;
      graph.set(from, (graph.get(from) ?? new Set()).add(target));
    });
  }
  return graph;
}

/**
 * Returns the groups of functions that call themselves, directly or through each other. The groups and their members
 * are sorted.
 */
export function recursiveGroups(graph: CallGraph): string[][] {
  const groups = strongComponents(graph).filter(
    ([first = "", ...others]) => others.length > 0 || graph.get(first)?.has(first),
  );
  return groups.map((group) => group.toSorted()).toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
}

/** Returns the strongly connected components of a graph, by Tarjan's algorithm with an explicit stack. */
function strongComponents(graph: CallGraph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const components: string[][] = [];
  const lower = (name: string, to: number) => low.set(name, Math.min(low.get(name) ?? to, to));
  for (const root of graph.keys()) {
    if (order.has(root)) continue;
    const path = [{ name: root, waiting: [...(graph.get(root) ?? [])], parent: "" }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { name, waiting, parent } = top;
      if (!order.has(name)) {
        order.set(name, order.size);
        lower(name, order.size - 1);
        open.push(name);
        isOpen.add(name);
      }
      const next = waiting.pop();
      if (next !== undefined) {
        if (!order.has(next)) path.push({ name: next, waiting: [...(graph.get(next) ?? [])], parent: name });
        else if (isOpen.has(next)) lower(name, order.get(next) as number);
        continue;
      }
      path.pop();
      if (parent !== "") lower(parent, low.get(name) as number);
      if (low.get(name) !== order.get(name)) continue;
      const component = open.splice(open.lastIndexOf(name));
      for (const each of component) isOpen.delete(each);
      components.push(component);
    }
  }
  return components;
}

function parse(path: string): SyntaxNode {
  return parseAst(readFileSync(join(root, path), "utf8"), {
    lang: path.endsWith(".tsx") ? "tsx" : "ts",
  }) as unknown as SyntaxNode;
}

/** Visits every node, and passes the name of the innermost named function around it. */
function walk(
  node: SyntaxNode,
  inside: string | undefined,
  visit: (node: SyntaxNode, inside: string | undefined) => void,
): void {
  visit(node, inside);
  const name = nameOfFunction(node);
  for (const [member, value] of Object.entries(node)) {
    // The name in a declaration is not a mention, and types do not call anything.
    if (member === "typeAnnotation" || member === "returnType" || member === "typeArguments") continue;
    if (["id", "key", "property"].includes(member) && node["computed"] !== true) continue;
    if (typeof value !== "object" || value === null) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isCode(child)) walk(child, name ?? inside, visit);
  }
}

/** Returns true for a node that is executed. A type is not executed, but an expression with a type may be. */
function isCode(child: unknown): child is SyntaxNode {
  const type = (child as SyntaxNode | null)?.type;
  return typeof type === "string" && (!type.startsWith("TS") || type.endsWith("Expression"));
}

/**
 * Returns the name of the function that a node declares. The node is a declaration, a method, or a variable or
 * property whose value is a function.
 */
function nameOfFunction(node: SyntaxNode): string | undefined {
  const { type, id, key, value, init } = node as SyntaxNode & Record<string, SyntaxNode | null | undefined>;
  if (type === "FunctionDeclaration") return identifier(id);
  if (type === "VariableDeclarator" && isFunction(init)) return identifier(id);
  if (type === "MethodDefinition" || (type === "PropertyDefinition" && isFunction(value)))
    return `this.${identifier(key)}`;
  if (type === "Property" && isFunction(value)) return `this.${identifier(key)}`;
  return undefined;
}

/** Returns the name that a node mentions, which is an identifier or a member of `this`. */
function mentionOf(node: SyntaxNode): string | undefined {
  if (node.type === "Identifier") return identifier(node);
  const { object, property } = node as SyntaxNode & Record<string, SyntaxNode | undefined>;
  if (node.type !== "MemberExpression" || object?.type !== "ThisExpression") return undefined;
  return `this.${identifier(property)}`;
}

function identifier(node: SyntaxNode | null | undefined): string {
  const name = typeof node?.["name"] === "string" ? node["name"] : "";
  return node?.type === "PrivateIdentifier" ? `#${name}` : name;
}

function isFunction(node: SyntaxNode | null | undefined): boolean {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

function functionNames(tree: SyntaxNode): Set<string> {
  const names = new Set<string>();
  walk(tree, undefined, (node) => {
    const name = nameOfFunction(node);
    if (name !== undefined) names.add(name);
  });
  return names;
}

/** Returns the functions that a file imports by relative path, keyed by their local names. */
function importedFunctions(
  file: SourceFile,
  tree: SyntaxNode,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of tree["body"] as SyntaxNode[]) {
    const source = String((statement["source"] as SyntaxNode | null | undefined)?.["value"] ?? "");
    if (statement.type !== "ImportDeclaration" || !source.startsWith(".")) continue;
    const path = resolveImport(file, source);
    for (const { imported, local } of statement["specifiers"] as Record<string, SyntaxNode | undefined>[]) {
      const name = identifier(imported);
      if (names.get(path)?.has(name)) found.set(identifier(local), `${path}#${name}`);
    }
  }
  return found;
}
