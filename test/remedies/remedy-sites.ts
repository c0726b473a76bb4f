import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A remedy in the compiled code. */
export interface RemedySite {
  /** The path of the file below the root of the repository. */
  readonly file: string;
  /** The offset in UTF-16 units, because V8 counts in these units. */
  readonly offset: number;
  /** The source of the remedy's first line. */
  readonly text: string;
}

/** Matches a remedy, which is a literal that begins with its first member. */
const literal =
  /\{\s*(?:tool: "\w+",\s*action|command: (?:"foundry-cli|`\$\{programName\})|setting: "|wait: )/g;

/** Finds every remedy that the packages can return. */
export function findRemedySites(root: string): readonly RemedySite[] {
  return ["contract", "toolkit", "foundry"].flatMap((name) => {
    const folder = `packages/${name}/dist`;
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js") && !/(^|\/)(bin|testing)\/|\.(test|suite)\.js$/.test(path))
      .toSorted()
      .flatMap((path) => sitesIn(root, `${folder}/${path}`));
  });
}

function sitesIn(root: string, file: string): readonly RemedySite[] {
  const source = readFileSync(join(root, file), "utf8");
  return [...source.matchAll(literal)].map(({ index, 0: text }) => ({
    file,
    offset: index,
    text: `${text}${source.slice(index + text.length).split("\n")[0]}`.replaceAll(/\s+/g, " "),
  }));
}
