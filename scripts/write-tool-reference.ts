/**
 * Writes docs/reference/tools.md from the declarations of the tools that ship.
 *
 * Run with `npx tsc -b && node .build/scripts/write-tool-reference.js`.
 */
import { writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { createRegistry, toReference } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";

/** Where the reference stands, from the root of the repository. */
export const toolReferencePath = "docs/reference/tools.md";

const head = `# Tools

<!-- Written by scripts/write-tool-reference.ts; do not edit. To write it anew: npx tsc -b && node .build/scripts/write-tool-reference.js -->

Every server that is made with the toolkit has the tool \`server\`, unless it says \`serverTool: false\`, and one that keeps
what its answers leave out has \`content\`. The page is written from their declarations, as \`toReference(registry)\` writes
one for the tools of your own server.

`;

/** The text of the reference. */
export function renderToolReference(): string {
  const registry = createRegistry({
    name: "foundry-mcp",
    version: "0.1.0",
    budget: { archive: createMemoryArchive() },
  });
  return `${head}${toReference(registry).trimEnd()}\n`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync(toolReferencePath, renderToolReference());
}
