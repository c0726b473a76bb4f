import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { parseMcpServers } from "../servers/mcp-servers-file.ts";
import { parseGatewayConfig } from "./config/gateway-config.ts";
import type { SharedCounts } from "./observe/shared-counts.ts";
import { fixtureEntry, openTestGateway, silent, type TestGateway } from "./testing/open-test-gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-"));
const gateways: TestGateway[] = [];
const open = async (...given: Parameters<typeof openTestGateway>) => {
  const gateway = await openTestGateway(...given);
  gateways.push(gateway);
  return gateway;
};
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const good = fixtureEntry("good");
const namesOf = ({ registry }: TestGateway) => registry.definitions.map(({ name }) => name);

describe("the tools of a gateway", () => {
  it("have the name of their server before their own, unless there is only one server", async () => {
    expect(namesOf(await open({ one: good, two: good }))).toEqual([
      "content",
      "one__call",
      "one__change",
      "two__call",
      "two__change",
    ]);
    expect(namesOf(await open({ one: good }))).toEqual(["content", "call", "change"]);
  });

  it("are denied, renamed and limited by the rules of the file, and a later rule wins", async () => {
    const gateway = await open(
      { one: good, two: good },
      {
        tools: {
          "two__*": { allow: false },
          two__call: { allow: true, name: "ask", max_tokens: 50, dialect: "envelope-v1" },
        },
        servers: { one: { enabled: false } },
      },
    );
    expect(namesOf(gateway)).toEqual(["content", "ask"]);
    const { value } = await gateway.dispatch({ tool: "ask", args: { text: "word ".repeat(300) } });
    expect(value).toMatchObject({ tool_id: "ask", error: null });
    expect(JSON.stringify(value).length).toBeLessThan(2_000);
    expect(gateway.status.upstreams).toEqual([expect.objectContaining({ name: "two", tools: 1, denied: 1 })]);
  });

  it("follow the list of their server", async () => {
    const gateway = await open({ one: fixtureEntry("changes-list") });
    const changes: object[] = [];
    gateway.registry.onChange((change) => changes.push(change));
    await gateway.call("change");
    await vi.waitFor(() => expect(namesOf(gateway)).toEqual(["content", "call", "change", "added_1"]));
    expect(changes).toEqual([{ kind: "tools" }]);
  });

  it("are those of a server that lists garbage, without the garbage", async () => {
    const gateway = await open({ one: fixtureEntry("lists-garbage"), two: fixtureEntry("lists-forever") });
    const [, first, second, ...others] = gateway.registry.definitions;
    expect([first, second].map((tool) => [tool?.name, tool?.inputSchema["type"]])).toEqual([
      ["one__call", "object"],
      ["two__t0", "object"],
    ]);
    expect(others).toEqual([expect.objectContaining({ name: "two__t1" })]);
  });
});

describe("rules that name nothing", () => {
  it("are told in the status and in the log, once the servers are known", async () => {
    const warnings: unknown[] = [];
    const ignore = () => {};
    const logger: Logger = {
      ...{ debug: ignore, info: ignore, error: ignore },
      warn: (...given: unknown[]) => void warnings.push(given),
      child: () => logger,
    };
    const reason = 'gateway.tools["change"] matches no tool; did you mean one__change?';
    const gateway = await open(
      { one: good, two: good },
      {
        servers: { two: { enabled: false } },
        tools: { change: { allow: false }, two__call: { allow: false } },
      },
      { logger },
    );
    expect(gateway.status.warnings).toEqual([reason]);
    await vi.waitFor(() => expect(warnings).toEqual([[{ reason }, "gateway configuration"]]));
  });
});

describe("a long list", () => {
  it("is paged by limit and cursor without asking the server again, without gap and repeat", async () => {
    const gateway = await open({ one: good });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { success, data, meta } = await gateway.call("call", {
        rows: 105,
        limit: 25,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect([success, data["kind"], meta.pagination?.total_count]).toEqual([true, "list", 105]);
      seen.push(...(data["rows"] as UnknownRecord[]).map(({ id }) => id));
      cursor = meta.pagination?.cursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 105 }, (_, id) => id));
    expect([pages, gateway.status.upstreams[0]?.calls]).toEqual([5, 1]);
  });

  it("that exceeds the budget is cut to a page that fits, and goes on from there", async () => {
    const gateway = await open({ one: good }, {}, { maxTokens: 1_000 });
    const first = await gateway.dispatch({ tool: "call", args: { rows: 500 } });
    const { cursor, has_more, total_count } = first.envelope.meta.pagination ?? {};
    expect([has_more, total_count, typeof cursor]).toEqual([true, 500, "string"]);
    expect(first.text.length).toBeLessThan(4_500);
    const next = await gateway.call("call", { rows: 500, cursor });
    const rowsOf = (data: object) => (data as { rows: { id: number }[] }).rows.map(({ id }) => id);
    const kept = rowsOf(first.envelope.data);
    expect(rowsOf(next.data)[0]).toBe(kept.length);
  });

  it.each([
    [300, 300],
    [300, 299],
    [300, 0],
  ])("has a true pagination beside another list: %i and %i rows", async (rows, others) => {
    const gateway = await open({ one: good }, {}, { maxTokens: 3_000 });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const args = { rows, others, ...(cursor === undefined ? {} : { cursor }) };
      const { data, meta } = await gateway.call("call", args);
      const page = data["rows"] as UnknownRecord[];
      expect(meta.pagination).toEqual({
        cursor: seen.length + page.length < rows ? expect.any(String) : null,
        has_more: seen.length + page.length < rows,
        total_count: rows,
        page_size: page.length,
      });
      seen.push(...page.map(({ id }) => id));
      cursor = meta.pagination?.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: rows }, (_, id) => id));
  });

  it("refuses the cursor of another query and of another principal", async () => {
    const gateway = await open({ one: good }, {}, { archive: createMemoryArchive() });
    const { meta } = await gateway.call("call", { rows: 30, limit: 10 });
    const cursor = meta.pagination?.cursor;
    const other = await gateway.call("call", { rows: 31, limit: 10, cursor });
    expect(other.data).toMatchObject({ error_code: "INVALID_CURSOR" });
    const stranger = await gateway.dispatch(
      { tool: "call", args: { rows: 30, limit: 10, cursor } },
      { principal: { id: "stranger", role: "maintainer" } },
    );
    expect(stranger.envelope.data).toMatchObject({ error_code: "CONTENT_NOT_FOUND" });
  });

  it("is left to the server if the server has a cursor of its own", async () => {
    const gateway = await open({ one: good });
    const { data } = await gateway.call("change", { cursor: "theirs", limit: 5 });
    expect(data).toMatchObject({ args: { cursor: "theirs", limit: 5 } });
  });
});

describe("a server that dies", () => {
  it("is started again after kill -9, and the next call is answered by the new process", async () => {
    const gateway = await open({ one: good, two: good });
    const before = await gateway.call("one__call");
    process.kill(Number(before.data["pid"]), "SIGKILL");
    await vi.waitFor(
      () => expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", restarts: 1 }),
      {
        timeout: 20_000,
      },
    );
    const after = await gateway.call("one__call");
    expect([after.success, after.data["pid"] === before.data["pid"]]).toEqual([true, false]);
    expect(gateway.status.upstreams[1]).toMatchObject({ restarts: 0 });
  });

  it("during a call of an idempotent tool is called again after its restart", async () => {
    const gateway = await open({ one: fixtureEntry("exits-once", { MARK: join(folder, "read") }) });
    expect(await gateway.call("call", { value: 3 })).toMatchObject({
      success: true,
      data: { args: { value: 3 } },
    });
  });

  it("during a call of any other tool is not called again, and the answer says that it may have run", async () => {
    const gateway = await open({ one: fixtureEntry("exits-once", { MARK: join(folder, "write") }) });
    expect(await gateway.call("change")).toMatchObject({
      success: false,
      data: { error_code: "UNAVAILABLE", details: { upstream: "one", may_have_run: true } },
    });
  });

  it("again and again is not called any more for a time, and the answer tells when", async () => {
    const gateway = await open(
      { one: fixtureEntry("never-answers") },
      { servers: { one: { timeout: 0.1 } } },
    );
    for (let count = 0; count < 5; count += 1) await gateway.call("change");
    const refused = await gateway.call("change");
    expect(refused).toMatchObject({
      success: false,
      error: "Cannot call the server one: it failed repeatedly, last: The server did not answer in time",
      data: { error_code: "UNAVAILABLE", retry_after_seconds: 5, details: { upstream: "one" } },
    });
    expect(gateway.status.upstreams[0]).toMatchObject({
      breaker: "open",
      calls: 6,
      failures: { TIMEOUT: 5, UNAVAILABLE: 1 },
    });
  });

  it("before it lists its tools makes them unavailable, with the reason", async () => {
    const gateway = await open({ one: fixtureEntry("exits-at-start"), two: good });
    expect(await gateway.call("one__call")).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Cannot call the server one: .*stderr: No key: none is not valid$/),
      data: { error_code: "UNAVAILABLE", retry_after_seconds: 2 },
    });
    expect((await gateway.dispatch({ tool: "two__nothing", args: {} })).tool).toBeUndefined();
  });
});

describe("a changed configuration", () => {
  const toNext = (mcpServers: object, section: object = {}) => {
    const text = JSON.stringify({ mcpServers, gateway: section });
    const servers = parseMcpServers(text, { file: "test.json", env: {} });
    return {
      servers: servers.names.map((name) => ({ name, target: servers.toTarget(name) })),
      config: parseGatewayConfig(text, "test.json"),
    };
  };

  it("leaves servers that are unchanged alone, adds and removes others, and tells clients once", async () => {
    const gateway = await open({ one: good, two: good });
    const pid = (await gateway.call("one__call")).data["pid"];
    const changes: object[] = [];
    gateway.registry.onChange((change) => changes.push(change));
    await gateway.reconfigure(toNext({ one: good, three: good }));
    expect(changes).toEqual([{ kind: "tools" }]);
    await gateway.started();
    expect(namesOf(gateway)).toEqual(["content", "one__call", "one__change", "three__call", "three__change"]);
    expect((await gateway.call("one__call")).data["pid"]).toBe(pid);
    expect(await gateway.call("two__call")).toMatchObject({ success: false });
    expect(gateway.status.upstreams.map(({ name, restarts }) => [name, restarts])).toEqual([
      ["one", 0],
      ["three", 0],
    ]);
  });

  it("applies new rules and new names to servers that stay", async () => {
    const gateway = await open({ one: good, two: good });
    const pid = (await gateway.call("one__call")).data["pid"];
    await gateway.reconfigure(toNext({ one: good }, { tools: { one__change: { allow: false } } }));
    expect([namesOf(gateway), (await gateway.call("call")).data["pid"]]).toEqual([["content", "call"], pid]);
    await gateway.reconfigure(toNext({ one: good }, { expose: "search" }));
    expect(namesOf(gateway)).toEqual(["content", "find_tools", "call_tool"]);
    await gateway.reconfigure(toNext({ one: good }));
    expect([namesOf(gateway), (await gateway.call("call")).data["pid"]]).toEqual([
      ["content", "call", "change"],
      pid,
    ]);
  });

  it("lets the running calls of a removed server end", async () => {
    const gateway = await open({ one: fixtureEntry("reports-progress"), two: good });
    const reports: object[] = [];
    const running = gateway.registry.dispatch(
      { tool: "one__call", args: { value: 1 } },
      { surface: "stdio", client: { name: "test" }, sendProgress: (progress) => reports.push(progress) },
    );
    await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 30_000 });
    await gateway.reconfigure(toNext({ two: good }));
    expect((await running).envelope).toMatchObject({ success: true, data: { args: { value: 1 } } });
  });
});

describe("a running call", () => {
  it("reports the progress of the server", async () => {
    const gateway = await open({ one: fixtureEntry("reports-progress") });
    const reports: object[] = [];
    await gateway.registry.dispatch(
      { tool: "call", args: {} },
      {
        surface: "stdio",
        client: { name: "test" },
        sendProgress: (progress) => reports.push(progress),
      },
    );
    expect(reports).toEqual([{ progress: 1, total: 2, message: "half" }]);
  });

  it("ends when its client cancels it, and leaves the server as it is", async () => {
    const gateway = await open({ one: fixtureEntry("good", {}, "slow-change") });
    const cancel = new AbortController();
    const running = gateway.dispatch({ tool: "change", args: {} }, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 50);
    expect((await running).envelope.data).toMatchObject({ error_code: "CANCELLED" });
    expect(await gateway.call("call")).toMatchObject({ success: true });
    expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", breaker: "closed" });
  });
});

describe("a tool that is not shaped", () => {
  it("has its own schemas and answers; a failure of the gateway has the form of a tool result", async () => {
    const gateway = await open(
      { one: good, two: fixtureEntry("never-answers") },
      {
        tools: { "*": { shape: false, timeout: 0.2 } },
      },
    );
    const definition = gateway.registry.definitions.find(({ name }) => name === "one__call");
    expect(definition).toEqual({
      name: "one__call",
      description: "Tool call",
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      _meta: expect.anything(),
    });
    const { result } = await gateway.dispatch({ tool: "one__call", args: { limit: 1 } });
    const [block] = (result?.["content"] ?? []) as { text: string }[];
    expect(JSON.parse(block?.text ?? "")).toMatchObject({ name: "call", args: { limit: 1 } });
  });
});

describe("a gateway with search", () => {
  const section = { expose: "search", servers: { two: { expose: "all" } } };

  it("lists the tools of the search, and those of servers that are not searched", async () => {
    const gateway = await open({ one: good, two: good }, section);
    expect(namesOf(gateway)).toEqual(["content", "find_tools", "call_tool", "two__call", "two__change"]);
    const { definitions } = gateway.status;
    expect(definitions.hidden_tokens).toBeGreaterThan(20);
  });

  it("finds a tool by words, and calls it with its own rules", async () => {
    const gateway = await open(
      { one: good },
      { expose: "search", tools: { one__call: { dialect: "envelope-v1" } } },
    );
    expect((await gateway.call("find_tools", { query: "changes" })).data).toEqual({
      tools: [
        {
          name: "change",
          server: "one",
          description: "Tool change",
          input_schema: { type: "object", properties: { cursor: { type: "string" } } },
        },
      ],
      searched: 2,
    });
    const { value, tool } = await gateway.dispatch({
      tool: "call_tool",
      args: { name: "call", arguments: { rows: 10, limit: 2 } },
    });
    expect([tool, value]).toEqual(["call", expect.objectContaining({ tool_id: "call" })]);
    expect(gateway.status.upstreams[0]).toMatchObject({ calls: 1 });
  });

  it.each([
    [{ name: "chang" }, "NOT_FOUND", { field: "name" }],
    [{ name: "call_tool" }, "VALIDATION_ERROR", { field: "name" }],
    [{}, "MISSING_REQUIRED", { field: "name" }],
  ])("refuses %j with %s", async (args, code, details) => {
    const gateway = await open({ one: good }, { expose: "search" });
    const { data } = await gateway.call("call_tool", args);
    expect(data).toMatchObject({ error_code: code, details });
  });
});

describe("counts shared with other gateways", () => {
  it("are exchanged once at a time, and removed after the exchange that is running", async () => {
    const done: string[] = [];
    let finish = () => {};
    const sharedCounts: SharedCounts = {
      async exchange() {
        done.push("exchange");
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        done.push("exchanged");
        return [];
      },
      close: async () => void done.push("close"),
    };
    const gateway = await openTestGateway({}, {}, { sharedCounts });
    const reading = [gateway.readStatus(), gateway.readStatus()];
    const closing = gateway.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual(["exchange"]);
    finish();
    await Promise.all([...reading, closing]);
    expect(done).toEqual(["exchange", "exchanged", "close"]);
  });

  it("warn once of an exchange that fails, until one succeeds", async () => {
    const lines: string[] = [];
    const write = (level: string) => (_facts: object, text?: string) => void lines.push(`${level}: ${text}`);
    const logger = { ...silent, warn: write("warn"), debug: write("debug") } as Logger;
    let fails = true;
    const sharedCounts: SharedCounts = {
      async exchange() {
        if (fails) throw new Error("permission denied for table gateway");
        return [];
      },
      close: async () => {},
    };
    const gateway = await open({}, {}, { sharedCounts, logger });
    await gateway.readStatus();
    await gateway.readStatus();
    expect(lines).toEqual(["warn: gateway counts", "debug: gateway counts"]);
    fails = false;
    await gateway.readStatus();
    fails = true;
    await gateway.readStatus();
    expect(lines.slice(2)).toEqual(["warn: gateway counts"]);
  });
});
