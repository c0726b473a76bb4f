import { expect, it } from "vitest";
import { programName, toProgramName } from "./program-name.ts";

it.each([
  ["/usr/local/bin/foundry-cli", "", "foundry-cli"],
  ["/usr/local/bin/foundry-mcp", "", "foundry-mcp"],
  ["/project/node_modules/foundry-mcp/bin/foundry-mcp.cjs", "", "foundry-mcp"],
  ["/project/node_modules/foundry-mcp/dist/cli/foundry-mcp.js", "", "foundry-mcp"],
  ["/project/node_modules/.bin/foundry-mcp", "foundry-mcp tasks next", "npx foundry-mcp"],
  ["/project/node_modules/.bin/foundry-mcp", "foundry-mcp", "npx foundry-mcp"],
  ["/project/node_modules/.bin/foundry-mcp", '"foundry-mcp" init', "npx foundry-mcp"],
  ["/project/node_modules/.bin/foundry-cli", "foundry-cli version", "npx foundry-cli"],
  // The program is started by a script of a package.json, or by a test runner.
  ["/project/node_modules/.bin/foundry-cli", "vitest run", "foundry-cli"],
  ["/project/node_modules/vitest/vitest.mjs", "vitest run", "foundry-cli"],
  ["", "", "foundry-cli"],
])("is called %s by %j: %s", (path, npmScript, name) => {
  expect(toProgramName(path, npmScript)).toBe(name);
});

it("is foundry-cli in other programs", () => {
  expect(programName).toBe("foundry-cli");
});
