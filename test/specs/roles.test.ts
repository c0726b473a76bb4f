import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

const spec_id = "harbour-2026-01-01-001";
const secrets = {
  observer: "token-of-the-observer-01",
  author: "token-of-the-author-0001",
  maintainer: "token-of-the-maintainer1",
  operator: "token-of-the-environment",
} as const;
type Caller = keyof typeof secrets;
const sha256 = createHash("sha256").update(secrets.author).digest("hex");
const userFile = `
[[tokens]]
token = "${secrets.observer}"
principal = "olga"
role = "observer"

[[tokens]]
sha256 = "sha256:${sha256}"
principal = "arno"
role = "author"
tier = "pro"

[[tokens]]
token = "${secrets.maintainer}"
principal = "mia"
role = "maintainer"
`;
const intruder = "token-of-a-repository-01";
const workspaceFile = `[[tokens]]\ntoken = "${intruder}"\nprincipal = "eve"\nrole = "maintainer"\n`;

let place: TestWorkspace;
let server: HttpServer;
let base: string;
let log = "";

const writeUserFile = async (folder: string, text: string) => {
  await mkdir(join(folder, ".config", "foundry"), { recursive: true });
  await writeFile(join(folder, ".config", "foundry", "foundry.toml"), text);
};

/** Calls a tool over the HTTP API. Returns the status and the envelope. */
async function call(token: string, tool: string, args: object): Promise<readonly [number, Envelope]> {
  const response = await fetch(`${base}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(args),
  });
  return [response.status, (await response.json()) as Envelope];
}

beforeAll(async () => {
  place = await createWorkspace();
  const spec = specOf(spec_id);
  const nodes = spec.hierarchy as Record<string, object>;
  nodes["verify-1-1"] = { ...nodes["task-1-1"], type: "verify", title: "It holds" };
  nodes["phase-1"] = {
    ...nodes["phase-1"],
    children: ["task-1-1", "task-1-2", "task-1-3", "verify-1-1"],
    total_tasks: 4,
  };
  await place.write(`active/${spec_id}.json`, spec);
  await writeUserFile(place.folder, userFile);
  await writeFile(join(place.folder, "foundry.toml"), workspaceFile);
  server = await openHttpServer(place.folder, ["--tools", "all", "--log-level", "info"], {
    FOUNDRY_TOKEN: secrets.operator,
  });
  server.child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  base = server.url.replace(/\/mcp$/, "");
});
afterAll(async () => {
  await server?.close();
  await place?.remove();
});

const held = { spec_id, task_id: "task-1-1", dry_run: true };
const forced = { op: "complete", task_id: "task-1-1", force: true };
const no = "FORBIDDEN";
/** Each row: a call, and its outcome for an observer, an author and a maintainer. */
const table: readonly (readonly [string, object, string, string, string])[] = [
  ["server", { action: "context" }, "ok", "ok", "ok"],
  ["spec", { action: "list" }, "ok", "ok", "ok"],
  ["spec", { action: "validate", spec_id }, "ok", "ok", "ok"],
  ["spec", { action: "fix", spec_id, dry_run: true }, no, "ok", "ok"],
  ["spec", { action: "fix", spec_id, dry_run: true, force: true }, no, no, "ok"],
  ["spec", { action: "import", markdown: "# New\n", dry_run: true }, no, "ok", "ok"],
  ["spec", { action: "rollback", spec_id, to_revision: "1-x", confirm: true }, no, no, "NOT_FOUND"],
  ["task", { action: "info", spec_id, task_id: "task-1-1" }, "ok", "ok", "ok"],
  ["task", { action: "next", spec_id }, no, "ok", "ok"],
  ["task", { action: "complete", ...held }, no, "ok", "ok"],
  ["task", { action: "complete", ...held, force: false }, no, "ok", "ok"],
  ["task", { action: "complete", ...held, force: true }, no, no, "ok"],
  ["task", { action: "release", spec_id, task_id: "task-1-1", force: true }, no, no, "ok"],
  ["task", { action: "batch", spec_id, dry_run: true, operations: [forced] }, no, no, "ok"],
  ["task", { action: "add", spec_id, dry_run: true, parent: "phase-1", title: "More" }, no, "ok", "ok"],
  ["authoring", { action: "spec-create", name: "New", dry_run: true }, no, "ok", "ok"],
  ["authoring", { action: "apply", spec_id, dry_run: true, operations: [forced] }, no, no, "ok"],
  [
    "authoring",
    { action: "apply", spec_id, dry_run: true, operations_text: JSON.stringify([forced]) },
    no,
    no,
    "ok",
  ],
  ["authoring", { action: "note-list", spec_id }, "ok", "ok", "ok"],
  ["journal", { action: "list", spec_id }, "ok", "ok", "ok"],
  ["journal", { action: "add", spec_id, dry_run: true, title: "T", content: "C" }, no, "ok", "ok"],
  [
    "verification",
    { action: "add", spec_id, verify_id: "verify-1-1", result: "PASSED", dry_run: true },
    no,
    "ok",
    "ok",
  ],
  [
    "verification",
    { action: "execute", spec_id, verify_id: "verify-1-1", argv: ["true"] },
    no,
    no,
    "FEATURE_DISABLED",
  ],
  ["review", { action: "prepare", spec_id }, "ok", "ok", "ok"],
  ["review", { action: "list", spec_id }, "ok", "ok", "ok"],
  ["review", { action: "add", spec_id, verdict: "approved", summary: "S", dry_run: true }, no, "ok", "ok"],
  ["lifecycle", { action: "state", spec_id }, "ok", "ok", "ok"],
  ["lifecycle", { action: "activate", spec_id, dry_run: true }, no, "ok", "ok"],
  ["lifecycle", { action: "complete", spec_id, dry_run: true, force: true, reason: "R" }, no, no, "ok"],
  ["lifecycle", { action: "archive", spec_id, dry_run: true }, no, no, "ok"],
  ["lifecycle", { action: "move", spec_id, to_folder: "pending", dry_run: true }, no, no, "ok"],
  ["research", { action: "list" }, "ok", "ok", "ok"],
  ["research", { action: "delete", research_id: "r", confirm: true }, no, no, "NOT_FOUND"],
];

describe("the tokens of the user's file", () => {
  it("give a principal, a role and a tier, and FOUNDRY_TOKEN the highest role", async () => {
    const who = async (caller: Caller) => {
      const [status, { data }] = await call(secrets[caller], "server", { action: "context" });
      return [status, data["principal"], data["role"], data["tier"]];
    };
    expect([
      await who("observer"),
      await who("author"),
      await who("maintainer"),
      await who("operator"),
    ]).toEqual([
      [200, "olga", "observer", "community"],
      [200, "arno", "author", "pro"],
      [200, "mia", "maintainer", "community"],
      [200, "operator", "maintainer", "community"],
    ]);
  });

  it.each(table)("allow by role: %s %j", async (tool, args, ...expected) => {
    const outcomes: unknown[] = [];
    for (const caller of ["observer", "author", "maintainer"] as const) {
      const [, { success, data }] = await call(secrets[caller], tool, args);
      outcomes.push(success ? "ok" : data["error_code"]);
    }
    expect(outcomes).toEqual(expected);
  });

  it("name the needed role where a call is refused", async () => {
    const refusal = async (args: object) => {
      const [status, { error, data }] = await call(secrets.author, "task", args);
      return [status, error, data["remediation"], data["details"]];
    };
    const remediation = "Call with a token of the role maintainer, or use what the role author may call.";
    const details = { role: "author", needed_role: "maintainer" };
    expect(await refusal({ action: "complete", ...held, force: true })).toEqual([
      403,
      'Cannot use force of task(action="complete") as author: it needs the role maintainer',
      remediation,
      details,
    ]);
  });

  it("are shown nowhere", async () => {
    const [, { data }] = await call(secrets.observer, "server", { action: "context" });
    const { tokens } = data["configuration"] as Readonly<Record<string, unknown>>;
    const file = join(place.folder, ".config", "foundry", "foundry.toml");
    expect(tokens).toEqual({ value: "3 tokens", from: file });
    const doctor = await callCli(["doctor"], { cwd: place.folder });
    const said = JSON.stringify([data, doctor]);
    for (const secret of [...Object.values(secrets), intruder, sha256]) expect(said).not.toContain(secret);
  });
});

describe("the tokens of a workspace's file", () => {
  it("are not used, and the server says so", async () => {
    const [status] = await call(intruder, "spec", { action: "list" });
    expect(status).toBe(401);
    const [, { data }] = await call(secrets.observer, "server", { action: "context" });
    const own = join(place.folder, ".config", "foundry", "foundry.toml");
    expect(data["configuration_warnings"]).toEqual([
      `Not used: ${join(place.folder, "foundry.toml")} sets tokens, which a workspace may not set. Set it in ${own}`,
    ]);
  });
});

describe("GET /metrics", () => {
  const get = async (url: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/metrics`, { headers });
    return [response.status, response.headers.get("content-type"), await response.text()] as const;
  };

  it("needs a token, and counts the calls", async () => {
    expect((await get(base))[0]).toBe(401);
    await call(secrets.observer, "spec", { action: "list" });
    const [status, type, text] = await get(base, secrets.observer);
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toMatch(/^mcp_server_operation_duration_count\{[^}]*gen_ai_tool_name="spec"[^}]*\} \d+$/m);
  });

  it("is there without tokens, and not with --metrics false", async () => {
    const other = await createWorkspace();
    try {
      for (const [args, expected] of [
        [[], 200],
        [["--metrics", "false"], 404],
      ] as const) {
        const plain = await openHttpServer(other.folder, args);
        const [status] = await get(plain.url.replace(/\/mcp$/, ""));
        await plain.close();
        expect(status).toBe(expected);
      }
    } finally {
      await other.remove();
    }
  });
});

describe("a grant that is not in order", () => {
  const good = `[[tokens]]\ntoken = "${secrets.observer}"\nprincipal = "olga"\n`;
  it.each([
    [
      "an unknown role",
      `${good}[[tokens]]\ntoken = "${secrets.author}"\nprincipal = "arno"\nrole = "auther"\n`,
      'tokens[1].role "auther" is none of observer, author, maintainer: did you mean author?',
      "Use observer or author or maintainer.",
    ],
    [
      "a short token",
      `${good}[[tokens]]\ntoken = "short-secret"\nprincipal = "arno"\n`,
      "tokens[1].token is shorter than 16 characters",
      "Take a longer one: openssl rand -hex 32",
    ],
    [
      "the token of the environment",
      `${good}[[tokens]]\ntoken = "${secrets.operator}"\nprincipal = "arno"\n`,
      "tokens[1] and FOUNDRY_TOKEN are the same token",
      "Give each grant its own.",
    ],
  ])("stops serve: %s", async (_title, text, fault, remedy) => {
    const other = await createWorkspace();
    try {
      await writeUserFile(other.folder, text);
      const file = join(other.folder, ".config", "foundry", "foundry.toml");
      const options = { cwd: other.folder, env: { FOUNDRY_TOKEN: secrets.operator } };
      const answer = await callCli(["serve", "--port", "0", "--log-level", "silent"], options);
      expect([answer.error, answer.data]).toEqual([
        `Cannot use the setting tokens of ${file}: ${fault}`,
        {
          error_code: "VALIDATION_ERROR",
          error_type: "validation",
          remediation: `${remedy} tokens[0] is the first [[tokens]] of ${file}.`,
          details: { field: "tokens", constraint: "setting" },
        },
      ]);
      const said = JSON.stringify(answer);
      for (const secret of [...Object.values(secrets), "short-secret"]) expect(said).not.toContain(secret);
    } finally {
      await other.remove();
    }
  });
});

describe("the audit", () => {
  it("has a line for each call that may change something, with the ids and no other argument", async () => {
    const words = "words that are content";
    const change = { action: "start", spec_id, task_id: "task-1-2", note: words };
    const answers = [
      await call(secrets.author, "task", change),
      await call(secrets.observer, "task", change),
    ];
    await call(secrets.author, "task", { action: "info", spec_id, task_id: "task-1-2" });
    await server.close();
    const requests = answers.map(([, { meta }]) => meta.request_id);
    const lines = log
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const audited = lines.filter((line) => requests.includes(String(line["request_id"])));
    const facts = {
      tool: "task",
      surface: "api",
      client: "node",
      duration_ms: expect.any(Number),
      audit: true,
      action: "start",
      ids: { spec_id, task_id: "task-1-2" },
      msg: "tools/call",
      pid: server.child.pid,
      hostname: expect.any(String),
      time: expect.any(Number),
    };
    expect(audited).toEqual([
      { ...facts, level: 30, request_id: requests[0], success: true, principal: "arno", role: "author" },
      {
        ...facts,
        level: 40,
        request_id: requests[1],
        success: false,
        principal: "olga",
        role: "observer",
        error_code: "FORBIDDEN",
      },
    ]);
    expect(lines.some((line) => line["action"] === "info")).toBe(false);
    for (const secret of [...Object.values(secrets), intruder, words]) expect(log).not.toContain(secret);
  });
});
