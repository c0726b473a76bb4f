import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of a package.json that is read to publish a package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads the package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** Returns the entry points of a package that have code, as paths in its folder `dist` without extension. */
export function entryPointsOf({ exports }: Manifest): readonly string[] {
  return Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, "")],
  );
}

/**
 * Returns the package.json to publish. Only packages that stay separate remain as dependencies; the code of the other
 * dependencies is part of the package.
 */
export function toPublished(manifest: Manifest, separate: ReadonlySet<string>): Manifest {
  const { private: _, dependencies = {}, peerDependencies = {}, ...rest } = manifest;
  const undeclared = [...separate].filter(
    (name) => !Object.hasOwn(dependencies, name) && !Object.hasOwn(peerDependencies, name),
  );
  if (undeclared.length > 0)
    throw new Error(`Cannot publish ${manifest.name}: ${undeclared.join(" and ")} is not a dependency of it`);
  const kept = Object.entries(dependencies).filter(([name]) => separate.has(name));
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { dependencies: Object.fromEntries(kept) }),
    ...(Object.keys(peerDependencies).length === 0 ? {} : { peerDependencies }),
  };
}
