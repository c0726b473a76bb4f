import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSourceFiles, root } from "../source-files.ts";
import { findRemedySites, type RemedySite } from "./remedy-sites.ts";

const program = join(root, ".build/test/remedies/run-scenarios.js");

/** Remedies that no scenario reaches, with the test that does. */
const reachedElsewhere: Readonly<Record<string, string>> = {
  "packages/foundry/dist/specs/model/validate/metadata.js": "test/remedies/diagnostics.test.ts",
  "packages/foundry/dist/app/agents/plan-agent-files.js": "test/specs/init-agent.test.ts",
  "packages/contract/dist/errors/failures.js": "packages/contract/src/errors/errors.test.ts",
  "packages/foundry/dist/postgres/error-mappings.js": "test/postgres/archive.test.ts",
  "packages/foundry/dist/postgres/migrate.js": "packages/foundry/src/postgres/migrate.test.ts",
  "packages/foundry/dist/postgres/workspaces.js": "test/postgres/reads-create-nothing.prove.test.ts",
  // A spec of 100,000 nodes.
  "packages/foundry/dist/specs/model/text-limits.js": "packages/foundry/src/specs/model/text-limits.test.ts",
  // Another program writes at the same time.
  "packages/foundry/dist/specs/stores/store-failures.js { wait": "test/specs/other-programs.prove.test.ts",
};

/** Files that name calls to a model or a server author, or write them. */
const mayNameCalls: readonly string[] = [
  "packages/foundry/src/app/agents/agent-page.ts",
  "packages/foundry/src/app/create-server-registry.ts",
  "packages/foundry/src/check/rules/fidelity-rules.ts",
  "packages/foundry/src/specs/tools/spec-prompts.ts",
];

let coverage: string;
let faults: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  coverage = mkdtempSync(join(tmpdir(), "remedies-"));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  faults = JSON.parse(text) as typeof faults;
}, 120_000);
afterAll(() => rmSync(coverage, { recursive: true, force: true }));

describe("remedies", () => {
  it("help in the state in which they are given", () => {
    const names = Object.keys(faults);
    process.stdout.write(`${names.length} scenarios, ${findRemedySites(root).length} remedies in the code\n`);
    expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({});
  });

  it("are data: no sentence spells a call out, which other surfaces write in another way", () => {
    const spelled = readSourceFiles()
      .filter(({ isTest }) => !isTest)
      .map(({ path }) => path)
      .filter((path) => {
        const code = readFileSync(join(root, path), "utf8").replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
        return /\w\(action=/.test(code);
      });
    expect(spelled.toSorted()).toEqual(mayNameCalls.toSorted());
  });

  it("are each reached by a scenario", () => {
    const count = readCoverage(coverage);
    const missed = findRemedySites(root).filter((site) => count(site) === 0);
    const names = missed.map(({ file, text }) => `${file} ${text}`);
    const isListed = (name: string) => Object.keys(reachedElsewhere).some((known) => name.startsWith(known));
    expect(names.filter((name) => !isListed(name))).toEqual([]);
    const unused = Object.keys(reachedElsewhere).filter(
      (known) => !names.some((name) => name.startsWith(known)),
    );
    expect(unused).toEqual([]);
    expect(Object.values(reachedElsewhere).filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });
});

interface CoverageFile {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}
interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Reads how often the program ran the code at a place; 0 where it did not load the file. */
function readCoverage(folder: string): (site: RemedySite) => number {
  const files = new Map<string, Range[]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as CoverageFile;
    for (const { url, functions } of result)
      files.set(url, [...(files.get(url) ?? []), ...functions.flatMap(({ ranges }) => ranges)]);
  }
  return ({ file, offset }) => {
    const ranges = files.get(pathToFileURL(join(root, file)).href) ?? [];
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    // The innermost range tells.
    return (
      around.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count ?? 0
    );
  };
}
