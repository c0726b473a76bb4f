import { listCommandTools } from "@foundry-mcp/toolkit/cli";
import { describe, expect, it } from "vitest";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";

const load = () => Promise.reject(new Error("No call is made."));
const deps = { load, cwd: "/", workspace: openWorkspace(load, "/"), warnings: () => [] };
const list = (tool?: string) => listCommandTools(createCliRegistry(deps, tool), { name: "foundry-mcp" });

const whole = await list();
const ofRegistry = ["server", "content"];
const tools = [...new Set(Object.values(whole))].filter((tool) => !ofRegistry.includes(tool));

describe("a registry with one tool", () => {
  it.each(tools)("has every command of %s, and no other", async (tool) => {
    const own = Object.entries(whole).filter(([, other]) => other === tool || ofRegistry.includes(other));
    expect(await list(tool)).toEqual(Object.fromEntries(own));
  });
});
