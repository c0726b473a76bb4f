import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSourceFiles, root } from "../source-files.ts";
import { findRemedySites, type RemedySite } from "./remedy-sites.ts";

const program = join(root, ".build/test/remedies/run-scenarios.js");

/** Remedies that no scenario reaches, each with the test that reaches the remedy. */
const reachedElsewhere: Readonly<Record<string, string>> = {
  "packages/foundry/dist/specs/model/validate/metadata.js": "test/remedies/diagnostics.test.ts",
  "packages/foundry/dist/specs/model/validate/node-metadata.js": "test/remedies/diagnostics.test.ts",
  "packages/foundry/dist/app/agents/plan-agent-files.js": "test/specs/init-agent.test.ts",
  // These remedies require a terminal, or a user's own settings file.
  "packages/foundry/dist/app/config-tool.js": "packages/foundry/src/app/config-tool.test.ts",
  "packages/foundry/dist/app/user-settings-file.js": "packages/foundry/src/app/config-tool.test.ts",
  "packages/foundry/dist/app/edit-spec.js": "packages/foundry/src/app/edit-tool.test.ts",
  "packages/foundry/dist/app/git/plan-merge-driver.js":
    "packages/foundry/src/app/git/plan-merge-driver.test.ts",
  // Ids may be omitted only on the command line.
  "packages/foundry/dist/cli/id-resolvers.js": "packages/foundry/src/cli/id-resolvers.test.ts",
  "packages/contract/dist/errors/failures.js": "packages/contract/src/errors/errors.test.ts",
  "packages/foundry/dist/postgres/error-mappings.js": "test/postgres/archive.test.ts",
  "packages/foundry/dist/postgres/migrate.js": "packages/foundry/src/postgres/migrate.test.ts",
  "packages/foundry/dist/postgres/workspaces.js": "test/postgres/reads-create-nothing.prove.test.ts",
  // This remedy requires a spec of 100,000 nodes.
  "packages/foundry/dist/specs/model/text-limits.js": "packages/foundry/src/specs/model/text-limits.test.ts",
  // This remedy requires that another program writes at the same time.
  "packages/foundry/dist/specs/stores/store-failures.js { wait": "test/specs/other-programs.prove.test.ts",
};

/** Source files in which a literal with a tool and an action is not a remedy. */
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

/**
 * Returns the number of times that the program executed the code at a position. Returns 0 if the program did not load
 * the file.
 */
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
    // The count of the innermost range applies.
    return (
      around.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count ?? 0
    );
  };
}
