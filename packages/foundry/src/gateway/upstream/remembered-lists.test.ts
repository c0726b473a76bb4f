import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { afterAll, describe, expect, it } from "vitest";
import { fixtureEntry, openTestGateway } from "../testing/open-test-gateway.ts";
import { RememberedLists } from "./remembered-lists.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-remembered-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string) => ({
  path: join(folder, "cache", name),
  files: createWorkspaceFiles({ root: join(folder, "cache"), privateFolder: ".", isPersonal: true }),
});

const lists = {
  tools: [{ name: "a", description: "", inputSchema: { type: "object" }, annotations: {}, meta: {} }],
  prompts: [],
  resources: [],
};

describe("remembered lists", () => {
  it("are found by a later process, for the same configuration only", async () => {
    const file = fileOf("lists.json");
    const first = await RememberedLists.open(file);
    expect(first.find("one", "node a.js")).toBeUndefined();
    first.set("one", "node a.js", lists);
    await first.close();
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    const second = await RememberedLists.open(file);
    expect(second.find("one", "node a.js")).toEqual(lists);
    expect([second.find("one", "node b.js"), second.find("two", "node a.js")]).toEqual([
      undefined,
      undefined,
    ]);
    const third = await RememberedLists.open(file);
    third.set("one", "node b.js", lists);
    await third.close();
    const fourth = await RememberedLists.open(file);
    expect([fourth.find("one", "node a.js"), fourth.find("one", "node b.js")]).toEqual([undefined, lists]);
  });

  it.each([
    ["no JSON", "{"],
    ["another format", '{"format":1,"entries":[]}'],
    [
      "entries of another form",
      '{"format":2,"entries":[5,["a"],["b",{"tools":[{"name":1}],"prompts":[],"resources":[]}]]}',
    ],
  ])("are empty if the file has %s, and the file is replaced", async (_name, text) => {
    const file = fileOf("broken.json");
    writeFileSync(file.path, text);
    const remembered = await RememberedLists.open(file);
    expect(remembered.find("one", "x")).toBeUndefined();
    remembered.set("one", "x", lists);
    await remembered.close();
    expect(JSON.parse(readFileSync(file.path, "utf8"))).toMatchObject({ format: 2 });
  });

  it("are served while their server starts, and a call waits for the server", async () => {
    const file = fileOf("gateway.json");
    const first = await openTestGateway(
      { one: fixtureEntry("good") },
      {},
      { remembered: await RememberedLists.open(file) },
    );
    await first.close();
    const remembered = await RememberedLists.open(file);
    const second = await openTestGateway({ one: fixtureEntry("good") }, {}, { remembered }, { waits: false });
    try {
      expect(second.status.upstreams[0]).toMatchObject({ state: "starting", tools: 2 });
      expect(second.registry.options.prepare?.()).toBeUndefined();
      expect(second.registry.definitions.map(({ name }) => name)).toEqual(["content", "call", "change"]);
      expect(await second.call("call", { value: 1 })).toMatchObject({
        success: true,
        data: { args: { value: 1 } },
      });
    } finally {
      await second.close();
    }
  });
});
