import { describe, expect, it } from "vitest";
import { action } from "../define/action.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";

const roles = ["observer", "author", "maintainer"];
const demo = { name: "demo", version: "1.0.0", description: "Demo" };
const run = () => ({});
const registryOf = (tool: Tool, options: Partial<RegistryOptions> = { roles }): Registry =>
  createRegistry({ name: "roles", version: "1.0.0", tools: [tool], ...options });

/** Lists the actions that each role may call. */
async function allowedTo(registry: Registry, names: readonly string[]) {
  const rows: Record<string, readonly string[]> = {};
  for (const name of registry.tools[0]?.actions.keys() ?? []) {
    const allowed: string[] = [];
    for (const role of names) {
      const { data, success } = await registry.call(
        "demo",
        { action: name },
        { principal: { id: "ann", role } },
      );
      if (success) allowed.push(role);
      else expect(data["error_code"]).toBe("FORBIDDEN");
    }
    rows[name] = allowed;
  }
  return rows;
}

const actions = {
  read: action({ readOnly: true, run }),
  write: action({ run }),
  draft: action({ role: "author", run }),
  peek: action({ role: "author", readOnly: true, run }),
  ping: action({ role: "observer", run }),
  wipe: action({ role: "maintainer", run }),
};

describe("an action", () => {
  it("needs its own role, else the lowest or the highest", async () => {
    expect(await allowedTo(registryOf(defineTool({ ...demo, actions })), [...roles, "stranger"])).toEqual({
      read: ["observer", "author", "maintainer", "stranger"],
      write: ["maintainer"],
      draft: ["author", "maintainer"],
      peek: ["author", "maintainer"],
      ping: ["observer", "author", "maintainer", "stranger"],
      wipe: ["maintainer"],
    });
  });

  it("needs the role of its tool where it has none", async () => {
    const tool = defineTool({ ...demo, role: "author", actions });
    expect(await allowedTo(registryOf(tool), roles)).toEqual({
      read: ["author", "maintainer"],
      write: ["author", "maintainer"],
      draft: ["author", "maintainer"],
      peek: ["author", "maintainer"],
      ping: ["observer", "author", "maintainer"],
      wipe: ["maintainer"],
    });
  });

  it("is refused with the role that it needs", async () => {
    const registry = registryOf(defineTool({ ...demo, actions }), { roles, role: "observer" });
    const { error, data } = await registry.call("demo", { action: "draft" });
    expect([error, data]).toEqual([
      'Cannot call demo(action="draft") as observer: it needs the role author',
      {
        error_code: "FORBIDDEN",
        error_type: "authorization",
        remediation: "Call with a token of the role author, or use what the role observer may call.",
        details: { role: "observer", needed_role: "author" },
      },
    ]);
  });

  it("may need a higher role for a part of it", async () => {
    const tool = defineTool({
      ...demo,
      role: "author",
      run: (_input, { requireRole, role }) => {
        requireRole("maintainer", "force");
        return { role };
      },
    });
    const registry = registryOf(tool);
    const callAs = async (role: string) => {
      const { error, data } = await registry.call("demo", {}, { principal: { id: "ann", role } });
      return error ?? data;
    };
    expect(await callAs("author")).toBe("Cannot use force of demo as author: it needs the role maintainer");
    expect(await callAs("maintainer")).toEqual({ role: "maintainer" });
    const other = registryOf(
      defineTool({ ...demo, run: (_input, { requireRole }) => requireRole("maintainr", "force") }),
    );
    expect((await other.call("demo")).error).toBe(
      'Cannot ask for role "maintainr": this server has no such role. Did you mean maintainer? Use one of: maintainer, author, observer.',
    );
  });
});

describe("a declared role", () => {
  const toldOf = async (tool: Tool) => {
    const registry = registryOf(tool);
    const { data } = await registry.call("server", { action: "schema", tool: "demo" });
    const shown = (data["actions"] as readonly { readonly role?: string }[]).map(({ role }) => role);
    return [registry.definitions[0]?._meta["foundry-mcp/actions"], shown];
  };

  it("is told in the definition and the schema, and nothing is where none is declared", async () => {
    const { read, write, draft, wipe } = actions;
    expect(await toldOf(defineTool({ ...demo, actions: { read, write } }))).toEqual([
      { readOnly: ["read"] },
      [undefined, undefined],
    ]);
    expect(await toldOf(defineTool({ ...demo, actions: { read, draft, wipe } }))).toEqual([
      { readOnly: ["read"], role: { author: ["draft"], maintainer: ["wipe"] } },
      [undefined, "author", "maintainer"],
    ]);
    expect(await toldOf(defineTool({ ...demo, role: "author", run }))).toEqual([
      { role: "author" },
      ["author"],
    ]);
    expect(await toldOf(defineTool({ ...demo, run }))).toEqual([undefined, [undefined]]);
  });

  it.each([
    [defineTool({ ...demo, role: "autor", run }), "tool demo"],
    [defineTool({ ...demo, actions: { go: action({ role: "autor", run }) } }), 'demo(action="go")'],
  ])("that the registry does not have is refused, with the nearest: %#", (tool, label) => {
    const fault = 'its role "autor" is none of observer, author, maintainer: did you mean author?';
    expect(() => registryOf(tool)).toThrow(`Cannot declare ${label}: ${fault}`);
    const registry = createRegistry({ name: "roles", version: "1.0.0", roles });
    expect(() => registry.addTool(tool)).toThrow(`Cannot declare ${label}: ${fault}`);
  });
});

describe("the roles of a registry", () => {
  const plain = defineTool({ ...demo, run });

  it("are observer and maintainer by default, and callers have the highest", () => {
    const { roles: byDefault, role } = registryOf(plain, {}).options;
    expect([byDefault, role]).toEqual([["observer", "maintainer"], "maintainer"]);
    expect(registryOf(plain, { roles: ["reader", "owner"] }).options.role).toBe("owner");
  });

  it.each([
    [{ roles: [] }, "roles names no role"],
    [{ roles: "observer" }, "roles names no role"],
    [{ roles: ["observer", ""] }, "roles[1] is no name: a letter, then at most 39 of A–Z, a–z, 0–9, _ and -"],
    [{ roles: ["observer", "observer"] }, "roles has observer twice"],
    [{ roles, role: "autor" }, 'role "autor" is none of observer, author, maintainer: did you mean author?'],
    [{ role: "author" }, 'role "author" is none of observer, maintainer'],
  ])("are refused where nobody could have them: %j", (options, fault) => {
    expect(() => registryOf(plain, options as never)).toThrow(`Cannot create a registry: ${fault}`);
  });
});
