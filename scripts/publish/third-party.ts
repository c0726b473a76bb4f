import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Metafile } from "esbuild";

/** Returns the names of the packages that contain the given files. */
export function toPackages(paths: readonly string[]): readonly string[] {
  const names = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** Returns the folders of the packages whose code is in the bundles. */
export function toPackageFolders(workingDir: string, metafiles: readonly Metafile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined) folders.add(resolve(workingDir, folder));
    }
  }
  return folders;
}

/** Returns the licenses of packages, as a text that is published with their code. */
export function toNotices(folders: Iterable<string>): string {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      version: string;
      license?: string;
    };
    const files = readdirSync(folder).filter((each) => /^(licen[cs]e|notice)(\.|$)/i.test(each));
    const text = files.map((file) => `\n${readFileSync(join(folder, file), "utf8").trim()}\n`).join("");
    return `${name} ${version} (${license ?? "no licence named"})\n${text}`;
  });
  return `The files in this folder contain code of these packages.\n\n${texts.toSorted().join("\n---\n\n")}`;
}
