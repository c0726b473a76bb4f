import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer, openStdioServer } from "../specs/programs.ts";
import { specOf } from "../specs/workspace.ts";

// Returns the contents outside of the workspace, and of the workspace folders that all callers share.
const canary = "CANARY-9d1f77";
const secret = `The ${canary} is kept here and nowhere else. Whoever reads the ${canary} has got out.\n`;
const open = "The tide turns twice a day, and the harbour keeps a table of it for all to read.\n";

const base = mkdtempSync(join(tmpdir(), "confinement-"));
const outside = join(base, "outside");
const repo = join(base, "repo");
const at = (...names: string[]) => join(repo, ...names);
const isWindows = process.platform === "win32";

for (const folder of [
  "outside",
  "repo-evil",
  "repo/specs/active",
  "repo/specs/.foundry/research",
  "repo/docs",
])
  mkdirSync(join(base, folder), { recursive: true });
for (const file of [
  "outside/canary.txt",
  "outside/canary.md",
  "repo-evil/canary.txt",
  "repo/specs/.foundry/kept.md",
])
  writeFileSync(join(base, file), secret);
writeFileSync(at("notes.md"), open);
writeFileSync(at("docs", "open.md"), open);
writeFileSync(at("specs", "active", "one.json"), JSON.stringify(specOf("one")));
for (const [name, target] of [
  ["link.txt", join(outside, "canary.txt")],
  ["up.txt", "../outside/canary.txt"],
  ["chain.txt", "link.txt"],
  ["linked", outside],
  ["proc.txt", `/proc/self/root${join(outside, "canary.txt")}`],
  ["zero.txt", "/dev/zero"],
  ["loop.txt", "loop.txt"],
  ["private.md", "specs/.foundry/kept.md"],
  ["docs/linked.md", join(outside, "canary.md")],
  ["docs/folder.md", outside],
  ["docs/zero.md", "/dev/zero"],
  ["docs/private.md", "../specs/.foundry/kept.md"],
] as const)
  symlinkSync(target, at(...name.split("/")));
if (!isWindows) execFileSync("mkfifo", [at("pipe.txt"), at("docs", "pipe.md")]);

/** Paths to the canary, devices and pipes, each with the reason for which it is not read. */
const paths: readonly (readonly [path: string, reason: string])[] = [
  [join(outside, "canary.txt"), "forbidden"],
  ["../outside/canary.txt", "forbidden"],
  ["./docs/../../outside/canary.txt", "forbidden"],
  ["docs/./.././../outside/canary.txt", "forbidden"],
  ["../repo-evil/canary.txt", "forbidden"],
  ["../repo/../outside/canary.txt", "forbidden"],
  ["../OUTSIDE/CANARY.TXT", "forbidden"],
  ["../outside/missing.txt", "forbidden"],
  [`/${join(outside, "canary.txt")}`, "forbidden"],
  [`/proc/self/root${join(outside, "canary.txt")}`, "forbidden"],
  ["/proc/self/cwd/notes.md", "forbidden"],
  ["/proc/self/environ", "forbidden"],
  ["/dev/stdin", "forbidden"],
  ["/dev/fd/0", "forbidden"],
  ["/dev/zero", "forbidden"],
  ["/", "forbidden"],
  ["..", "forbidden"],
  ["link.txt", "forbidden"],
  ["up.txt", "forbidden"],
  ["chain.txt", "forbidden"],
  ["linked", "forbidden"],
  ["linked/canary.txt", "forbidden"],
  ["linked/../outside/canary.txt", "not_found"],
  ["proc.txt", "forbidden"],
  ["zero.txt", "forbidden"],
  ["loop.txt", "not_found"],
  ["pipe.txt", "not_file"],
  ["private.md", "forbidden"],
  ["specs/.foundry/kept.md", "forbidden"],
  ["specs/./.foundry/../.foundry/kept.md", "forbidden"],
  [`file://${join(outside, "canary.txt")}`, "not_found"],
  [`file:${join(outside, "canary.txt")}`, "not_found"],
  ["..%2foutside%2fcanary.txt", "not_found"],
  ["%2e%2e/outside/canary.txt", "not_found"],
  ["..%c0%afoutside/canary.txt", "not_found"],
  ["..\\outside\\canary.txt", "not_found"],
  ["\u2024\u2024/outside/canary.txt", "not_found"],
  ["../outside/canary.txt\0.md", "forbidden"],
  ["notes.md\0/../../outside/canary.txt", "forbidden"],
  ["notes.md\0", "not_found"],
  ["~/canary.txt", "not_found"],
  ["$HOME/canary.txt", "not_found"],
  ["", "is_folder"],
];

let stdio: Connection;
let http: HttpServer;
beforeAll(async () => {
  const env = { HOME: outside };
  stdio = await openStdioServer(repo, ["--tools", "all"], env);
  http = await openHttpServer(repo, ["--tools", "all"], env);
});
afterAll(async () => {
  await Promise.all([stdio?.close(), http?.close()]);
  rmSync(base, { recursive: true, force: true });
});

type Ask = (tool: string, args: object) => Promise<Envelope>;
const surfaces: Readonly<Record<string, Ask>> = {
  stdio: (tool, args) => stdio.callTool(tool, { ...args }),
  http: async (tool, args) => {
    const url = http.url.replace("/mcp", `/api/tools/${tool}`);
    return (await (await fetch(url, { method: "POST", body: JSON.stringify(args) })).json()) as Envelope;
  },
};

/** Arguments with the given path, for each parameter of each `research` action that takes a path. */
const places: Readonly<Record<string, (path: string) => object>> = {
  "digest source.path": (path) => ({ action: "digest", source: { path } }),
  "digest source.url": (path) => ({ action: "digest", source: { url: path } }),
  "digest source.content_id": (path) => ({ action: "digest", source: { content_id: path } }),
  "digest paths": (path) => ({ action: "digest", paths: [path] }),
  "digest-batch paths": (path) => ({ action: "digest-batch", paths: [path, "notes.md"] }),
  "digest-batch sources.path": (path) => ({ action: "digest-batch", sources: [{ path }] }),
  "digest-batch sources.url": (path) => ({ action: "digest-batch", sources: [{ url: path }] }),
  "digest-batch sources.content_id": (path) => ({ action: "digest-batch", sources: [{ content_id: path }] }),
  "digest-batch sources.search": (path) => ({
    action: "digest-batch",
    query: canary,
    sources: [{ search: "folder", path }],
  }),
  "verify source.path": (path) => ({ action: "verify", digest: digestOfNotes, source: { path } }),
  "verify source.url": (path) => ({ action: "verify", digest: digestOfNotes, source: { url: path } }),
  "verify source.content_id": (path) => ({
    action: "verify",
    digest: digestOfNotes,
    source: { content_id: path },
  }),
  "verify research_id": (path) => ({ action: "verify", research_id: path }),
  "start paths": (path) => ({ action: "start", question: canary, paths: [path] }),
  "start sources.path": (path) => ({ action: "start", question: canary, sources: [{ path }] }),
  "start sources.url": (path) => ({ action: "start", question: canary, sources: [{ url: path }] }),
  "start sources.content_id": (path) => ({
    action: "start",
    question: canary,
    sources: [{ content_id: path }],
  }),
  "start sources.search": (path) => ({
    action: "start",
    question: canary,
    sources: [{ search: "folder", path }],
  }),
  "resume research_id": (path) => ({ action: "resume", research_id: path }),
  "status research_id": (path) => ({ action: "status", research_id: path }),
  "report research_id": (path) => ({ action: "report", research_id: path }),
  "cancel research_id": (path) => ({ action: "cancel", research_id: path }),
  "delete research_id": (path) => ({ action: "delete", research_id: path, confirm: true }),
};
let digestOfNotes: unknown;

/** Returns the text of an answer without the values that the call has sent. */
const textOf = (envelope: Envelope, args: object) => {
  let text = JSON.stringify(envelope);
  for (const sent of stringsIn(args)) text = text.replaceAll(JSON.stringify(sent).slice(1, -1), "");
  return text;
};
const stringsIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? value === "" || value === canary
      ? []
      : [value]
    : value !== null && typeof value === "object"
      ? Object.values(value).flatMap(stringsIn)
      : [];

describe.each(Object.entries(surfaces))("over %s", (_surface, ask) => {
  it("documents of the workspace are read", async () => {
    const { success, data } = await ask("research", { action: "digest", source: { path: "notes.md" } });
    expect(success).toBe(true);
    digestOfNotes = data["digest"] ?? data["source"];
    expect(JSON.stringify(data)).toContain("The tide turns twice a day");
  });

  it.each(paths.filter(([, reason]) => !(isWindows && reason === "not_file")))(
    "digest does not read %j: %s",
    async (path, reason) => {
      const answer = await ask("research", { action: "digest", source: { path } });
      expect([answer.success, (answer.data["details"] as { reason?: string } | undefined)?.reason]).toEqual([
        false,
        reason,
      ]);
      expect(JSON.stringify(answer)).not.toContain(`${canary} is kept`);
    },
  );

  it("a folder with links to the outside shows that they are left out, and nothing of them", async () => {
    const answer = await ask("research", {
      action: "digest-batch",
      query: canary,
      sources: [{ path: "docs" }],
    });
    const text = JSON.stringify(answer);
    expect(text).not.toContain(`${canary} is kept`);
    expect(answer.success).toBe(true);
    expect(text).toContain("docs/open.md");
  });

  it.each(Object.keys(places))("%s gets out of the workspace by no path", async (place) => {
    for (const [path] of paths) {
      const args = places[place]?.(path) ?? {};
      const answer = await ask("research", args);
      const told = textOf(answer, args);
      expect(told, `${place} ${path}`).not.toContain(`${canary} is kept`);
      expect(told, `${place} ${path}`).not.toContain(outside);
      const id = answer.data["research_id"];
      if (typeof id !== "string" || !place.startsWith("start")) continue;
      const report = await ask("research", { action: "report", research_id: id });
      expect(JSON.stringify(report), `${place} ${path}`).not.toContain(`${canary} is kept`);
    }
  });

  it("the table has every action and parameter that may name something to read", async () => {
    const tools = await stdio.listTools();
    const research = tools.find(({ name }) => name === "research")?.inputSchema as unknown as {
      properties: Record<string, { enum?: readonly string[] }>;
    };
    const actions = research.properties["action"]?.enum ?? [];
    const tried = new Set(Object.keys(places).map((place) => place.split(" ")[0]));
    expect(actions.filter((action) => !tried.has(action))).toEqual(["list"]);
    const parameters = new Set(Object.keys(places).map((place) => place.split(/[ .]/)[1]));
    const notPaths = [
      "action",
      "query",
      "snippets",
      "use_model",
      "include_source",
      "digest",
      "question",
      "max_sources",
    ];
    const others = ["background", "format", "confirm", "limit", "cursor", "max_tokens"];
    expect(
      Object.keys(research.properties).filter(
        (name) => ![...parameters, ...notPaths, ...others].includes(name),
      ),
    ).toEqual([]);
  });

  it("the server still answers", async () => {
    expect((await ask("research", { action: "digest", source: { path: "notes.md" } })).success).toBe(true);
  });
});

describe("every parameter of every other tool", () => {
  it("reads and writes nothing outside", async () => {
    const before = snapshot(outside);
    const tools = (await stdio.listTools()).filter(({ name }) => name !== "research");
    for (const { name, inputSchema } of tools) {
      const { properties = {} } = inputSchema as unknown as {
        properties?: Record<string, { enum?: string[] }>;
      };
      for (const action of properties["action"]?.enum ?? [undefined]) {
        // The action `wait` is not tested, because it waits for a change, and takes only the id of a spec.
        if (action === "wait") continue;
        const calls = Object.keys(properties)
          .filter((parameter) => parameter !== "action")
          .flatMap((parameter) =>
            ["../../../outside/canary", join(outside, "canary.txt")]
              .flatMap((path) => [path, [path], { path, file: path }])
              .map((value) => ({ spec_id: "one", action, [parameter]: value })),
          );
        const answers = await Promise.all(calls.map((args) => surfaces["http"]?.(name, args)));
        expect(JSON.stringify(answers), `${name} ${action}`).not.toContain(`${canary} is kept`);
      }
    }
    expect(snapshot(outside)).toEqual(before);
  });
});

const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => [
      name,
      name.endsWith(".txt") || name.endsWith(".md") ? readFileSync(join(folder, name), "utf8") : "",
    ]);

type Env = Readonly<Record<string, string>>;
type Digest = (cwd: string, env: Env, path: string) => Promise<Envelope>;
const toDigest = (path: string) => ({ action: "digest", source: { path } });

/** How a server is started for one digest, by its transport. */
const digestOver: Readonly<Record<string, Digest>> = {
  stdio: async (cwd, env, path) => {
    const server = await openStdioServer(cwd, ["--tools", "all"], env);
    try {
      return await server.callTool("research", toDigest(path));
    } finally {
      await server.close();
    }
  },
  "MCP over HTTP": async (cwd, env, path) => {
    const server = await openHttpServer(cwd, ["--tools", "all"], env);
    try {
      const client = await connect(new URL(server.url));
      return await client.callTool("research", toDigest(path)).finally(() => client.close());
    } finally {
      await server.close();
    }
  },
  "/api": async (cwd, env, path) => {
    const server = await openHttpServer(cwd, ["--tools", "all"], env);
    try {
      const url = server.url.replace("/mcp", "/api/tools/research");
      const body = JSON.stringify(toDigest(path));
      return (await (await fetch(url, { method: "POST", body })).json()) as Envelope;
    } finally {
      await server.close();
    }
  },
};

describe.each(Object.entries(digestOver))("wherever specs_dir points, over %s", (_transport, digest) => {
  const refusal = { success: false, data: { error_code: "FORBIDDEN", details: { reason: "forbidden" } } };

  it("the home folder is not read", async () => {
    const env = { HOME: repo, FOUNDRY_SPECS_DIR: at("specs") };
    expect(await digest(outside, env, at("notes.md"))).toMatchObject(refusal);
    expect(await digest(outside, env, "../notes.md")).toMatchObject(refusal);
  });

  it("the root of the file system is not read", async () => {
    const env = { HOME: outside, FOUNDRY_SPECS_DIR: "/" };
    expect(await digest(repo, env, join(outside, "canary.txt"))).toMatchObject(refusal);
    expect(await digest(repo, env, at("notes.md"))).toMatchObject(refusal);
  });

  it('the folders beside a repository are not read because its file says specs_dir = "."', async () => {
    const clone = join(base, "clone");
    mkdirSync(join(clone, "active"), { recursive: true });
    writeFileSync(join(clone, "foundry.toml"), 'specs_dir = "."\n');
    writeFileSync(join(clone, "notes.md"), open);
    const env = { HOME: join(base, "nobody") };
    expect(await digest(clone, env, "../outside/canary.txt")).toMatchObject(refusal);
    expect(await digest(clone, env, join(outside, "canary.txt"))).toMatchObject(refusal);
    expect((await digest(clone, env, "notes.md")).success).toBe(true);
  });

  it('the folders above a specs folder are not read because the file says specs_dir = "plans/deep"', async () => {
    const clone = join(base, "nested");
    mkdirSync(join(clone, "plans", "deep", "active"), { recursive: true });
    writeFileSync(join(clone, "foundry.toml"), 'specs_dir = "plans/deep"\n');
    for (const name of ["notes.md", "plans/notes.md"]) writeFileSync(join(clone, name), open);
    const env = { HOME: join(base, "nobody") };
    for (const path of ["../../outside/canary.txt", "../notes.md", join(clone, "notes.md")])
      expect(await digest(clone, env, path), path).toMatchObject(refusal);
    expect((await digest(clone, env, "notes.md")).success).toBe(true);
  });
});

describe("a person", () => {
  it("a run that came with the repository reads nothing outside when a person resumes it", async () => {
    const id = "research-20260102-0a1b2c";
    const folder = at("specs", ".foundry", "research", id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const sources = [{ path: join(outside, "canary.txt") }, { path: "link.txt" }, { path: "notes.md" }];
    const run = {
      version: 1,
      research_id: id,
      principal: "local",
      created_at: "2026-01-02T03:04:05.000Z",
      state: "started",
      request: { question: `Where is the ${canary} kept?`, sources, max_sources: 200, snippets: 5 },
    };
    writeFileSync(join(folder, "run.json"), JSON.stringify(run));
    const resumed = await callCli(["research", "resume", id], { cwd: repo, env: { HOME: outside } });
    expect(resumed).toMatchObject({ success: true, data: { state: "completed" } });
    const { data } = await callCli(["research", "report", id], { cwd: repo, env: { HOME: outside } });
    expect(data["counts"]).toMatchObject({ failed: 2 });
    expect(JSON.stringify(data)).not.toContain(`${canary} is kept`);
    rmSync(folder, { recursive: true });
  });

  it("reads any file on the command line", async () => {
    const path = join(outside, "canary.txt");
    const { success, data } = await callCli(["research", "digest", path], { cwd: repo });
    expect([success, JSON.stringify(data).includes(`${canary} is kept`)]).toEqual([true, true]);
  });
});
