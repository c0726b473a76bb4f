import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** One import or re-export of a source file. */
export interface SourceImport {
  readonly specifier: string;
  /** True for an import of types only, which does not exist at run time. */
  readonly isTypeOnly: boolean;
}

/** A source file of a package, as the layering rules see it. */
export interface SourceFile {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  /** The folder of the package: contract, toolkit or foundry. */
  readonly package: string;
  readonly isTest: boolean;
  readonly imports: readonly SourceImport[];
}

/** Returns every TypeScript file in the src folders of the packages. */
export function readSourceFiles(): SourceFile[] {
  const packages = readdirSync(join(root, "packages"));
  return packages.flatMap((name) =>
    listFiles(join(root, "packages", name, "src")).map((file) => {
      const path = relative(root, file).split(sep).join("/");
      const isTest = /\.(test|suite)\.ts$|\/testing\//.test(path);
      return { path, package: name, isTest, imports: readImports(readFileSync(file, "utf8")) };
    }),
  );
}

/** Returns the path of the file that a relative import names. */
export function resolveImport(from: SourceFile, specifier: string): string {
  return relative(root, resolve(root, dirname(from.path), specifier))
    .split(sep)
    .join("/");
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Returns the imports and re-exports of a source text. */
export function readImports(text: string): SourceImport[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?([^;"'`=]*?)\s+from\s+"([^"]+)";/gms);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g);
  return [
    ...[...statements].map(([, type, names = "", specifier = ""]) => ({
      specifier,
      isTypeOnly:
        type !== undefined ||
        (names.includes("{") && namesOf(names).every((name) => name.startsWith("type "))),
    })),
    ...[...dynamic].map(([, specifier = ""]) => ({ specifier, isTypeOnly: false })),
  ];
}

function namesOf(clause: string): string[] {
  return clause
    .replace(/[{}]/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
