import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { expect, it } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";

const workspace = { research: {}, archive: createMemoryArchive() };
const registry = createCliRegistry({ load: undefined, cwd: "", workspace } as never);

/** The actions and their parameters whose texts must match a regular expression. */
const patterns = registry.tools.flatMap((tool) =>
  [...tool.actions.values()].flatMap((action) =>
    [...action.input.parameters].flatMap(([name, { json }]) =>
      typeof json["pattern"] === "string" ? [[tool.name, action.name, name, json["pattern"]] as const] : [],
    ),
  ),
);

it("has parameters with regular expressions", () => {
  expect(patterns.length).toBeGreaterThan(20);
});

it("describes the form of every parameter in words, not as a regular expression", async () => {
  for (const [tool, action, name, pattern] of patterns) {
    const { error, data } = await registry.call(tool, { action, [name]: " " });
    const texts = [error, data["remediation"]].join(" ");
    expect([tool, action, name, texts.includes(pattern) || /must match|\\S/.test(texts)]).toEqual([
      ...[tool, action, name, false],
    ]);
    expect(texts).toContain(`${name} must `);
  }
});
