import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Copies type declarations so that they need only the packages that stay separate. */
export interface TypeCopy {
  /** The declaration files of the entry points. */
  readonly entryPoints: readonly string[];
  /** The folder of the package's declarations, and its copy. */
  readonly from: string;
  readonly to: string;
  /** True for a package that stays separate, so that its types are imported from the package. */
  readonly isSeparate: (name: string) => boolean;
}

/** The result of copying type declarations. */
export interface CopiedTypes {
  /** The names of separate packages that the declarations import. */
  readonly separate: ReadonlySet<string>;
  /** The folders of packages whose declarations were copied. */
  readonly copied: ReadonlySet<string>;
}

/** An import in a declaration file. In comments, the SDK writes single quotes. */
const imports = /((?:\bfrom|\bimport)\s*\(?\s*)"([^"\s|,]+)"/g;

/**
 * Copies the declarations that are reachable from the entry points. Declarations of bundled packages are copied to
 * the folder `types`, because the packages are not installed.
 */
export function copyTypes({ entryPoints, from, to, isSeparate }: TypeCopy): CopiedTypes {
  const separate = new Set<string>();
  const copied = new Set<string>();
  const done = new Set<string>();
  const todo = [...entryPoints];
  const toCopy = (file: string): string => {
    const owner = findPackage(file);
    return file.startsWith(from + sep)
      ? join(to, relative(from, file))
      : join(to, "types", owner.name.replace("/", "__"), relative(owner.folder, file));
  };
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const target = toCopy(file);
    const text = readFileSync(file, "utf8").replaceAll(
      imports,
      (whole, before: string, specifier: string) => {
        if (specifier.startsWith(".")) {
          todo.push(toDeclaration(join(dirname(file), specifier)));
          return whole;
        }
        const name = toPackageName(specifier);
        if (specifier.startsWith("node:")) return whole;
        if (isSeparate(name)) {
          separate.add(name);
          return whole;
        }
        const declaration = resolveTypes(specifier, file);
        todo.push(declaration);
        return `${before}"${toSpecifier(dirname(target), toCopy(declaration))}"`;
      },
    );
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n"));
    if (file.startsWith(from + sep)) continue;
    const owner = findPackage(file);
    if (copied.has(owner.folder)) continue;
    copied.add(owner.folder);
    const type = owner.type ?? "commonjs";
    const manifest = join(to, "types", owner.name.replace("/", "__"), "package.json");
    mkdirSync(dirname(manifest), { recursive: true });
    writeFileSync(manifest, `${JSON.stringify({ type })}\n`);
  }
  return { separate, copied };
}

function toPackageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Returns the declaration file of a JavaScript or TypeScript file. */
function toDeclaration(path: string): string {
  const declaration = /\.d\.[cm]?ts$/.test(path) ? path : path.replace(/\.([cm]?)[jt]s$/, ".d.$1ts");
  if (!existsSync(declaration)) throw new Error(`Cannot copy types: ${declaration} is missing`);
  return declaration;
}

function toSpecifier(folder: string, declaration: string): string {
  const path = relative(folder, declaration)
    .replaceAll(sep, "/")
    .replace(/\.d\.([cm]?)ts$/, ".$1js");
  return path.startsWith(".") ? path : `./${path}`;
}

interface PackageFolder {
  readonly folder: string;
  readonly name: string;
  readonly type?: string;
}

/** Returns the package that contains a file. */
function findPackage(file: string): PackageFolder {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { name?: string; type?: string };
    if (manifest.name !== undefined) return { ...manifest, folder, name: manifest.name };
  }
  throw new Error(`Cannot copy types: no package contains ${file}`);
}

interface Exports {
  readonly [condition: string]: Exports | string;
}

/** Returns the declaration file of an import of a package. */
function resolveTypes(specifier: string, importer: string): string {
  const name = toPackageName(specifier);
  const subpath = `.${specifier.slice(name.length)}`;
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) {
      const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as {
        readonly exports?: Exports;
        readonly types?: string;
        readonly typings?: string;
      };
      let target: Exports | string | undefined = manifest.exports?.[subpath];
      while (typeof target === "object") target = target["types"] ?? target["import"] ?? target["default"];
      target ??= subpath === "." ? (manifest.types ?? manifest.typings) : subpath;
      if (target === undefined) throw new Error(`Cannot copy types: ${specifier} has none`);
      return toDeclaration(join(place, target));
    }
    if (folder === dirname(folder)) throw new Error(`Cannot copy types: ${specifier} is not installed`);
  }
}
