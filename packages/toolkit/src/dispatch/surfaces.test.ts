import { ContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { Surface } from "../context/call.ts";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";

const listed = defineTool({
  name: "listed",
  version: "1.0.0",
  description: "Refers to the hidden tool",
  readOnly: true,
  run: () => {
    throw new ContractError("Nothing here", {
      remediation: "Call {1}.",
      remedy: { tool: "hidden", action: "read" },
    });
  },
});
const hidden = defineTool({
  name: "hidden",
  version: "1.0.0",
  description: "Exists over the API only",
  surfaces: ["api"],
  actions: {
    read: action({ readOnly: true, run: () => ({ done: true }) }),
    write: action({ role: "author", run: () => ({ done: true }) }),
  },
});
const writer = defineTool({ name: "writer", version: "1.0.0", description: "Writes", run: () => ({}) });
const registry = createRegistry({
  name: "s",
  version: "1.0.0",
  roles: ["observer", "author", "maintainer"],
  tools: [listed, hidden, writer],
  unserved: { hidden: "start the server with --tools all" },
});
const call = async (surface: Surface, tool: string, args: object = {}) =>
  (await registry.dispatch({ tool, args }, { surface, client: { name: "c" } })).envelope;

describe("a tool that exists on one surface", () => {
  it("is called there, and is not served on the others, which learn how to have it served", async () => {
    expect((await call("api", "hidden", { action: "read" })).data).toEqual({ done: true });
    for (const surface of ["in-process", "stdio", "http", "cli"] as const) {
      const { success, data } = await call(surface, "hidden", { action: "read" });
      expect([surface, success, data["error_code"], data["remediation"]]).toEqual([
        surface,
        false,
        "NOT_FOUND",
        "The tool hidden exists, but is not served here: start the server with --tools all.",
      ]);
    }
  });

  it("is named by remedies without that advice, where it can be called", async () => {
    const remedyOn = async (surface: Surface) => (await call(surface, "listed")).data["remediation"];
    expect([await remedyOn("api"), await remedyOn("stdio")]).toEqual([
      'Call hidden(action="read").',
      'Call hidden(action="read") (to have it served, start the server with --tools all).',
    ]);
  });

  it("is listed and described by the tool server there, and nowhere else", async () => {
    const listedOn = async (surface: Surface) => {
      const { data } = await call(surface, "server", { action: "tools" });
      return (data["tools"] as readonly { readonly name: string }[]).map(({ name }) => name);
    };
    expect(await listedOn("api")).toEqual(["listed", "hidden", "writer", "server"]);
    expect(await listedOn("http")).toEqual(["listed", "writer", "server"]);
    const schema = (surface: Surface) => call(surface, "server", { action: "schema", tool: "hidden" });
    expect([(await schema("api")).success, (await schema("http")).success]).toEqual([true, false]);
  });

  it("is in the list of what a caller may call there, by role", () => {
    const of = (surface: Surface, role: string) => registry.listCallable(surface, role);
    expect(of("api", "maintainer")).toEqual(["listed", "hidden", "writer", "server"]);
    expect(of("api", "observer")).toEqual(["listed", "hidden", "server"]);
    expect(of("http", "author")).toEqual(["listed", "server"]);
    expect(registry.definitions.map(({ name }) => name)).toEqual(["listed", "writer", "server"]);
  });
});
