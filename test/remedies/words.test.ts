import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { readSourceFiles, root } from "../source-files.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";

let workspace: TestWorkspace;
let registry: ReturnType<typeof createCliRegistry>;
let opened: ReturnType<typeof openWorkspace>;
beforeAll(async () => {
  workspace = await createWorkspace();
  const load = () => loadSettings({ env: {}, cwd: workspace.folder });
  opened = openWorkspace(load, workspace.folder);
  registry = createCliRegistry({ load, cwd: workspace.folder, workspace: opened });
});
afterAll(async () => {
  await opened?.close();
  await workspace?.remove();
});

const actionsOf = () =>
  registry.tools.flatMap((tool) => [...tool.actions.values()].map((action) => ({ tool: tool.name, action })));

describe("a required confirmation", () => {
  it("says in each failure what the call does, and names the dry run where there is one", async () => {
    const confirmed = actionsOf().filter(
      ({ action }) => action.input.parameters.get("confirm")?.isRequired === true,
    );
    const said = await Promise.all(
      confirmed.flatMap(({ tool, action }) =>
        [{}, { confirm: "yes" }, { confirm: false }].map(async (args) => {
          const { data } = await registry.call(tool, { action: action.name, ...args });
          const hasDryRun = action.input.parameters.has("dry_run");
          const [, effect = "", dryRun] =
            /onfirm with confirm: true that the call ([a-z ]+?)(?: \(with (dry_run: true) as well, it only shows the changes\))?[.;]/.exec(
              String(data["remediation"]),
            ) ?? [];
          return { name: `${tool} ${action.name}`, effect, dryRun: dryRun !== undefined, hasDryRun };
        }),
      ),
    );
    expect(said.filter(({ effect, dryRun, hasDryRun }) => effect === "" || dryRun !== hasDryRun)).toEqual([]);
    expect(new Set(said.map(({ name }) => name)).size).toBeGreaterThanOrEqual(5);
  });
});

describe("a remediation", () => {
  it("names no path of the envelope, which a terminal does not show", () => {
    expect(remediations().filter(({ text }) => /\b(?:data|details|meta)\.[a-z]/.test(text))).toEqual([]);
  });

  it("names parameters by their place, which each surface writes as its callers do", () => {
    const names = new Set(actionsOf().flatMap(({ action }) => [...action.input.parameters.keys()]));
    const isName = (word: string) => names.has(word) && (word.includes("_") || word === "force");
    const bare = remediations().filter(({ text }) =>
      text
        .replaceAll(/\{--\w+(?:=\w+)?\}|"\w+"/g, "")
        .split(/[^\w]+/)
        .some(isName),
    );
    expect(bare).toEqual([]);
  });
});

/** Returns the literals of all remediations in the sources; expressions in them are left out. */
function remediations() {
  return readSourceFiles()
    .filter(({ path, isTest }) => !isTest && !/\/(?:testing|check)\//.test(path))
    .flatMap(({ path }) => {
      const code = readFileSync(join(root, path), "utf8");
      return [...code.matchAll(/\bremediation(?::| =)([\s\S]+?)(?:[,;]\n|\n\s*\})/g)].flatMap(
        ([, value = ""]) =>
          [...value.matchAll(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([literal]) => ({
            path,
            text: literal.replaceAll(/\$\{[^}]*\}/g, ""),
          })),
      );
    });
}
