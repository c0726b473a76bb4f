import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, readManifest } from "./manifest.ts";

/** A component of CycloneDX 1.6, as far as we write it. */
interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
  /** The packages whose code is part of this package. */
  readonly components?: readonly Component[];
}

/**
 * Returns the software bill of materials of staged packages in the format CycloneDX 1.6. The bundled packages are read
 * from the license texts that are published with the packages, so there is no second list.
 *
 * @param staged - the folders of the packages
 * @param modules - the folder in which their dependencies are installed
 */
export function createSbom(staged: readonly string[], modules: string): object {
  const manifests = staged.map((folder) => ({ folder, manifest: readManifest(folder) }));
  const own = new Set(manifests.map(({ manifest }) => manifest.name));
  const packages = manifests.map(({ folder, manifest }) => ({
    ...toComponent(manifest, "MIT"),
    components: bundledIn(folder).map((bundled) => ({
      ...bundled,
      // A package may be part of several packages.
      "bom-ref": `${manifest.name}:${bundled["bom-ref"]}`,
    })),
  }));
  const installed = new Map(
    manifests.flatMap(({ manifest }) =>
      Object.keys(manifest.dependencies ?? {})
        .filter((name) => !own.has(name))
        .map((name) => [name, readInstalled(join(modules, name))] as const),
    ),
  );
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString() },
    components: [...packages, ...installed.values()],
    dependencies: manifests.map(({ manifest }) => ({
      ref: toPurl(manifest),
      dependsOn: Object.entries(manifest.dependencies ?? {}).map(([name, version]) =>
        toPurl({ name, version }),
      ),
    })),
  };
}

/** The files of licenses: of the library, of the programs, and of the page. */
const licenseFiles = ["dist/THIRD-PARTY.txt", "dist/bin/THIRD-PARTY.txt", "dist/page/site/THIRD-PARTY.txt"];

/** Returns the packages whose code a staged package contains, each once. */
function bundledIn(folder: string): readonly Component[] {
  const all = licenseFiles.flatMap((path) => readBundled(join(folder, path)));
  return [...new Map(all.map((each) => [each["bom-ref"], each])).values()];
}

/** Reads the packages of a file of licenses. */
function readBundled(path: string): readonly Component[] {
  if (!existsSync(path)) return [];
  const heads = readFileSync(path, "utf8").matchAll(
    /^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm,
  );
  return [...heads].map(([, name = "", version = "", license = ""]) =>
    toComponent({ name, version }, license),
  );
}

function readInstalled(folder: string): Component {
  const manifest = readManifest(folder) as Manifest & { readonly license?: string };
  return toComponent(manifest, manifest.license);
}

function toComponent(manifest: Pick<Manifest, "name" | "version">, license: string | undefined): Component {
  const { name, version } = manifest;
  const purl = toPurl(manifest);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  };
}

/** Returns the package URL of a package of npm. */
function toPurl({ name, version }: Pick<Manifest, "name" | "version">): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
