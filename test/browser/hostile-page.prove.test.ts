import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer } from "../specs/programs.ts";
import { specOf } from "../specs/workspace.ts";
import { findRequiredChromium } from "./find-chromium.ts";
import { type HostileSite, openAnswer, openHostileSite } from "./hostile-site.ts";

const executablePath = findRequiredChromium();
if (executablePath === undefined)
  process.stderr.write("No chromium on the PATH: the proof that no page in a browser gets in is skipped.\n");

const canary = "CANARY-51c2aa";
const text = `The ${canary} of the harbour is for its own people only, and for no page of the web.\n`;
const base = mkdtempSync(join(tmpdir(), "hostile-page-"));
const repo = join(base, "repo");

/**
 * Creates a repository as an attacker would commit it. Its settings request every permission that a setting could
 * give.
 */
function writeRepository(folder: string, settings: string): void {
  mkdirSync(join(folder, "specs", "active"), { recursive: true });
  writeFileSync(
    join(folder, "specs", "active", "one.json"),
    JSON.stringify(specOf("one", { title: canary })),
  );
  writeFileSync(join(folder, "notes.md"), text);
  writeFileSync(join(folder, "foundry.toml"), settings);
}
const hostileSettings = `tools = "all"
host = "0.0.0.0"
port = 3999
allowed_hosts = ["evil.example", "localhost", "127.0.0.1", "0.0.0.0"]
tier = "enterprise"
verify_programs = ["*"]
`;

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const modern = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "page", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

/**
 * The requests that the page posts. They read and write over every route, and each request has a parameter that takes
 * any text.
 */
const bodies: readonly (readonly [path: string, body: string, filler: string])[] = [
  ["/api/tools/spec", JSON.stringify({ action: "get", spec_id: "one" }), "ignored"],
  ["/api/tools/research", JSON.stringify({ action: "digest", source: { path: "notes.md" } }), "query"],
  [
    "/api/tools/authoring",
    JSON.stringify({ action: "spec-create", name: "Written by a page" }),
    "description",
  ],
  ["/api/tools/journal", JSON.stringify({ action: "add", spec_id: "one", title: "By a page" }), "content"],
  [
    "/mcp",
    rpc("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "page", version: "1" },
    }),
    "ignored",
  ],
  [
    "/mcp",
    rpc("tools/call", { ...modern, name: "spec", arguments: { action: "get", spec_id: "one" } }),
    "ignored",
  ],
];
const paths = ["/healthz", "/readyz", "/mcp", "/api/tools/spec", "/"];

/** The names and contents of everything below a folder. */
const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => [path, createHash("sha256").update(readFileSync(path)).digest("hex")]);

type Attempt = readonly [name: string, read: string | null];
const attack = (page: Page, target: string): Promise<readonly Attempt[]> =>
  page.evaluate(`attack(${JSON.stringify(target)}, ${JSON.stringify(bodies)}, ${JSON.stringify(paths)})`);

/** Returns true for the answer that refuses a page and contains no other information. */
const isRefusal = (read: string) => read.includes('"error_code":"FORBIDDEN"') && !read.includes(canary);

describe.skipIf(executablePath === undefined)(
  "a page of an attacker in Chromium",
  { timeout: 300_000 },
  () => {
    let browser: Browser;
    /** The address of the page of another origin. */
    let site: HostileSite;
    let server: HttpServer;
    let port: number;
    /** The page that was loaded from a name and port that now lead to the server, as after DNS rebinding. */
    let rebound: Page;
    let foreign: Page;

    beforeAll(async () => {
      writeRepository(repo, hostileSettings);
      browser = await chromium.launch({
        executablePath: executablePath ?? "",
        chromiumSandbox: process.getuid?.() !== 0,
        args: ["--host-resolver-rules=MAP evil.example 127.0.0.1"],
      });
      site = await openHostileSite();
      const before = await openHostileSite();
      port = before.port;
      rebound = await browser.newPage();
      await rebound.goto(`http://evil.example:${port}/page`);
      foreign = await browser.newPage();
      await foreign.goto(`http://evil.example:${site.port}/page`);
      // After this step, the attacker's name and port lead to the server.
      await before.close();
      server = await openHttpServer(repo, ["--port", String(port), "--host", "127.0.0.1"]);
    });
    afterAll(async () => {
      await browser?.close();
      await Promise.all([server?.close(), site?.close()]);
      rmSync(base, { recursive: true, force: true });
    });

    it("reaches a server without a guard by every attempt", async () => {
      const open = await openHostileSite();
      try {
        const reads = await attack(foreign, `http://127.0.0.1:${open.port}`);
        const names: readonly string[] = await foreign.evaluate("attemptNames");
        expect([...new Set(open.requests.map(({ attempt }) => attempt))].toSorted()).toEqual(
          names.toSorted(),
        );
        const written = open.requests.filter(({ method }) => method === "POST").map(({ attempt }) => attempt);
        // A beacon with JSON is preflighted with credentials, which the open site does not allow.
        expect([...new Set(written)].toSorted()).toEqual(
          names
            .filter((name) => / json| text| type|no-|form|sandbox|keep/.test(name) && name !== "beacon json")
            .toSorted(),
        );
        const readers = reads.filter(([, read]) => read === openAnswer).map(([name]) => name.split(",")[0]);
        expect([...new Set(readers)].toSorted()).toEqual(
          [
            "fetch",
            "fetch in a sandbox",
            "fetch json",
            "fetch json of mcp 2025",
            "fetch json of mcp 2026",
            "fetch text",
          ].concat(["fetch without type", "xhr", "xhr json", "xhr text"]),
        );
      } finally {
        await open.close();
      }
    });

    it.each([
      "http://evil.example",
      "http://127.0.0.1",
      "http://localhost",
      "http://0.0.0.0",
      "http://[::1]",
    ])("reads and writes nothing at %s, by rebinding or from another origin", async (origin) => {
      const before = snapshot(base);
      for (const page of [rebound, foreign]) {
        const reads = await attack(page, `${origin}:${port}`);
        expect(reads.length).toBeGreaterThan(100);
        expect(reads.filter(([, read]) => read !== null && !isRefusal(read))).toEqual([]);
        // The browser does not even let a page of another origin read that the request was refused.
        const isRebound = page === rebound && origin === "http://evil.example";
        if (!isRebound) expect(reads.filter(([, read]) => read !== null)).toEqual([]);
      }
      expect(snapshot(base)).toEqual(before);
    });

    it("would have read and written with the same calls from a program", async () => {
      const before = snapshot(base);
      const call = async (path: string, body: string) => {
        const headers = { "content-type": "text/plain" };
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
        return (await answer.json()) as Envelope;
      };
      for (const [path, body, filler] of bodies.filter(([each]) => each !== "/mcp")) {
        const form = filler === "ignored" ? body : `${body.slice(0, -1)},"${filler}":"="}`;
        expect([path, (await call(path, form)).success]).toEqual([path, true]);
      }
      expect(JSON.stringify(await call("/api/tools/spec", bodies[0]?.[1] ?? ""))).toContain(canary);
      expect(snapshot(base)).not.toEqual(before);
    });

    it("finds no server where a repository names a folder outside of it for its specs", async () => {
      const clone = join(base, "clone");
      writeRepository(clone, `${hostileSettings}specs_dir = "/etc"\n`);
      const serve = ["serve", "--host", "127.0.0.1", "--port", "0"];
      const { success, error } = await callCli(serve, { cwd: clone });
      expect([success, error]).toEqual([
        false,
        `Cannot use the setting specs_dir of ${join(clone, "foundry.toml")}: its path leads outside the folder of that file`,
      ]);
    });
  },
);
