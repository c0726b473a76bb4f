import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpServer, openHttpServer } from "../specs/programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "../specs/workspace.ts";
import { sendRaw } from "../toolkit/raw-http.ts";
import { createPageClient } from "./page-client.ts";

const spec_id = "harbour-2026-01-01-001";
const tokens = {
  observer: "token-of-the-observer-01",
  author: "token-of-the-author-0001",
  expired: "token-of-the-year-2020-01",
};
const userFile = `
[[tokens]]
token = "${tokens.observer}"
principal = "olga"
role = "observer"

[[tokens]]
token = "${tokens.author}"
principal = "arno"
role = "author"
expires = "2999-01-31T12:00:00Z"

[[tokens]]
token = "${tokens.expired}"
principal = "arno"
role = "author"
expires = 2020-01-31T12:00:00Z
`;

let place: TestWorkspace;
let server: HttpServer;
let url: string;
let open: HttpServer;
let openUrl: string;
beforeAll(async () => {
  place = await createWorkspace();
  await place.write(`active/${spec_id}.json`, specOf(spec_id));
  open = await openHttpServer(place.folder, ["--tools", "core"]);
  openUrl = open.url.replace(/\/mcp$/, "");
  await mkdir(join(place.folder, ".config", "foundry"), { recursive: true });
  await writeFile(join(place.folder, ".config", "foundry", "foundry.toml"), userFile);
  server = await openHttpServer(place.folder, ["--tools", "core"]);
  url = server.url.replace(/\/mcp$/, "");
});
afterAll(async () => {
  await Promise.all([server?.close(), open?.close()]);
  await place.remove();
});

const tools = {
  observer: ["spec", "task", "lifecycle", "authoring", "journal", "verification", "review", "research"],
};

describe("the session of a page", () => {
  it("without tokens is that of the person at this machine", async () => {
    const { data } = await createPageClient(openUrl).session();
    expect(data).toEqual({
      server: { name: "foundry-mcp", version: expect.any(String) },
      authenticated: false,
      token_required: false,
      principal: "local",
      role: "maintainer",
      can_write: true,
      workspace: { specs_dir: place.specs },
      tools: expect.arrayContaining(tools.observer),
      gateway: false,
      gateway_tools: [],
      events: true,
    });
  });

  it.each([
    ["observer", "olga", false],
    ["author", "arno", true],
  ] as const)("with the token of an %s has the rights of the role", async (role, principal, can_write) => {
    const { data } = await createPageClient(url, tokens[role]).session();
    expect(data).toMatchObject({ authenticated: true, token_required: true, principal, role, can_write });
  });

  it.each([
    ["missing", undefined],
    ["wrong", "token-that-was-guessed-1"],
    ["expired", tokens.expired],
  ])("with a token that is %s is refused, as is every other route with data", async (reason, token) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    for (const [method, path] of [
      ["GET", "/page/session"],
      ["GET", "/events"],
      ["POST", "/api/tools/spec"],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method, headers });
      expect([path, response.status, (await response.json()) as object]).toMatchObject([
        path,
        401,
        { success: false, data: { error_code: "UNAUTHORIZED", details: { reason } } },
      ]);
    }
    // The files of the page contain no data, and the page must be shown to ask for a token.
    expect((await fetch(`${url}/`, { headers: { accept: "text/html" } })).status).not.toBe(401);
  });
});

describe("/api", () => {
  it("has every tool, while --tools limits what MCP clients see", async () => {
    const page = createPageClient(openUrl);
    const journal = await page.call("journal", { action: "add", spec_id, title: "T", content: "C" });
    expect([journal.success, journal.error]).toEqual([true, null]);
    const client = await connect(open.url);
    try {
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).toEqual(["spec", "task", "lifecycle", "content", "server"]);
      const refused = await client.callTool("journal", { action: "list", spec_id });
      expect([refused.success, refused.data["error_code"]]).toEqual([false, "NOT_FOUND"]);
    } finally {
      await client.close();
    }
  });

  it("lets an observer read with every tool, and write with none", async () => {
    const page = createPageClient(url, tokens.observer);
    const { data: session } = await page.session();
    expect(session["tools"]).toEqual(expect.arrayContaining(["spec", "task", "journal"]));
    expect((await page.call("journal", { action: "list", spec_id })).success).toBe(true);
    const before = await page.call("spec", { action: "get", spec_id });
    for (const [tool, args] of [
      ["task", { action: "complete", task_id: "task-1-1" }],
      ["task", { action: "block", task_id: "task-1-1", reason: "r" }],
      ["task", { action: "add", parent: "phase-1", title: "T" }],
      ["spec", { action: "undo" }],
      ["spec", { action: "delete", confirm: true }],
      ["lifecycle", { action: "archive" }],
      ["journal", { action: "add", title: "T", content: "C" }],
      ["authoring", { action: "phase-add", title: "T" }],
      ["verification", { action: "add", task_id: "task-1-1", result: "PASSED" }],
      ["review", { action: "add", summary: "S" }],
      ["research", { action: "start", question: "Q" }],
    ] as const) {
      const { data } = await page.call(tool, { spec_id, ...args });
      expect([tool, args.action, data["error_code"]]).toEqual([tool, args.action, "FORBIDDEN"]);
    }
    const after = await page.call("spec", { action: "get", spec_id });
    expect(after.data["revision"]).toBe(before.data["revision"]);
    const written = await createPageClient(url, tokens.author).call("task", {
      ...{ action: "start", spec_id, task_id: "task-1-1" },
    });
    expect(written.success).toBe(true);
  });
});

describe("a page of another site", () => {
  const page = { accept: "text/html" };
  const foreign: [string, Record<string, string>][] = [
    ["a foreign Host", { host: "evil.example" }],
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["the Origin null", { origin: "null" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ];
  const routes = ["GET /", "GET /assets/a.js", "GET /page/session", "GET /events", "POST /api/tools/journal"];

  it.each(foreign.flatMap(([title, headers]) => routes.map((route) => [title, route, headers] as const)))(
    "with %s is refused at %s",
    async (_title, route, headers) => {
      const [method = "", target = ""] = route.split(" ");
      const lines = Object.entries({ host: "localhost", ...page, ...headers });
      for (const port of [new URL(openUrl).port, new URL(url).port]) {
        const { status } = await sendRaw(Number(port), {
          method,
          target,
          headers: lines.map(([name, value]) => `${name}: ${value}`),
          ...(method === "POST" && { body: "{}" }),
        });
        expect(status).toBe(403);
      }
    },
  );

  it("may link to the page, which opens in a tab and in no frame", async () => {
    const statusOf = async (destination: string) => {
      const headers = ["host: localhost", "accept: text/html", "sec-fetch-site: cross-site"];
      const { status } = await sendRaw(Number(new URL(openUrl).port), {
        method: "GET",
        target: "/",
        headers: [...headers, "sec-fetch-mode: navigate", `sec-fetch-dest: ${destination}`],
      });
      return status;
    };
    expect(await statusOf("document")).not.toBe(403);
    expect(await statusOf("iframe")).toBe(403);
  });
});
