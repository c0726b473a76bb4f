import { listCommandTools } from "@foundry-mcp/toolkit/cli";
import { describe, expect, it } from "vitest";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";

const load = () => Promise.reject(new Error("No call is made."));
const deps = { load, cwd: "/", workspace: openWorkspace(load, "/"), warnings: () => [] };
const list = (tool?: string) => listCommandTools(createCliRegistry(deps, tool), { name: "foundry-mcp" });

const whole = await list();
/** The built-in tools describe all tools, so a command of theirs opens all tools. */
const builtIn = ["server", "content"];
const tools = [...new Set(Object.values(whole))].filter((tool) => !builtIn.includes(tool));

describe("a registry with one tool", () => {
  it.each(tools)("has every command of %s, and no other", async (tool) => {
    const own = Object.entries(whole).filter(([, other]) => other === tool);
    expect(await list(tool)).toEqual(Object.fromEntries(own));
  });
});
