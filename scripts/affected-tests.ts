import { dirname, join } from "node:path/posix";

/** The source files of a repository by path, relative to its root. */
export type Sources = ReadonlyMap<string, string>;

const isTest = (path: string) => path.endsWith(".test.ts") && !path.endsWith(".prove.test.ts");
/** Tests of rules for all sources; they are fast. */
const ofAllSources =
  /^test\/(layering|exports|file-access|recursion|type-guards|architecture|words|docs-\w+)\.test\.ts$/;

/**
 * Returns the test files that depend on changed files: those that import a changed file, directly or through other
 * files, and those of rules for all sources. A test that only starts a program is not found.
 */
export function findAffectedTests(sources: Sources, changed: readonly string[]): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources)
    for (const imported of importsOf(path, text))
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
  const reached = new Set<string>();
  const todo = [...changed];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    todo.push(...(importers.get(path) ?? []));
  }
  const hasChanges = changed.length > 0;
  return [...sources.keys()]
    .filter((path) => isTest(path) && (reached.has(path) || (hasChanges && ofAllSources.test(path))))
    .toSorted();
}

/** Returns the paths of the source files that a file imports. */
function importsOf(path: string, text: string): readonly string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return specifiers.flatMap((name) => {
    if (name.startsWith(".")) return [join(dirname(path), name)];
    const built = /^#built\/(\w+)\/(.+)\.js$/.exec(name);
    if (built !== null) return [`packages/${built[1]}/src/${built[2]}.ts`];
    const own = /^(?:@foundry-mcp\/(contract|toolkit)|(foundry)-mcp)(?:\/([\w-]+))?$/.exec(name);
    return own === null ? [] : [`packages/${own[1] ?? own[2]}/src/${own[3] ?? "index"}.ts`];
  });
}
