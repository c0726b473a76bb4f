import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { runProgram } from "../specs/programs.ts";
import { hasTerminal, openTerminal } from "../terminal.ts";

/** The script of a server without a logger, as another author would write it. */
const script = `
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { serveHttp } from "@foundry-mcp/toolkit/http";
const buoy = defineTool({ name: "buoy", version: "1.0.0", description: "Reads a buoy", run: () => { throw new Error("no\\u001b[31m route"); } });
const registry = createRegistry({ name: "buoys", version: "1.0.0", tools: [buoy] });
const server = await serveHttp(registry, { port: 0 });
await fetch(server.url + "/api/tools/buoy", { method: "POST", headers: { "user-agent": "ann" } });
await server.close();
`;
const command = [process.execPath, "--input-type=module", "-e", script];
const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm", NO_COLOR: "1" };
const cwd = join(root, "packages/toolkit");

describe("the log of a server without a logger", () => {
  it.skipIf(!hasTerminal)("is text on a terminal, an error with its stack", async () => {
    const terminal = openTerminal(command, { cwd, env });
    expect(await terminal.ended).toBe(0);
    const lines = terminal.text.replaceAll(/^\d\d:\d\d:\d\d /gm, "").split("\n");
    expect(lines[0]).toMatch(/^info {2}listening url=http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines[1]).toMatch(/^error tools\/call tool=buoy error_code=INTERNAL_ERROR/);
    expect(terminal.text).toMatch(/ err="no\\x1b\[31m\s+route"\n {9}Error: no\\x1b\[31m route\n {13}at /);
    expect(lines.at(-2)).toMatch(/^info {2}stopped url=/);
  });

  it("is JSON elsewhere", async () => {
    const { code, stderr } = await runProgram(command, { cwd, env });
    const lines = stderr.trim().split("\n");
    expect([code, lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)]).toEqual([
      0,
      ["listening", "tools/call", "stopped"],
    ]);
  });
});
