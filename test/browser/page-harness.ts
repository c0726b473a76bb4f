import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { callCli, type HttpServer, openHttpServer } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { findRequiredChromium } from "./find-chromium.ts";

/** The path of the browser; undefined if there is none, and the proofs of the page are skipped. */
export const executablePath = findRequiredChromium();
if (executablePath === undefined)
  process.stderr.write("No chromium on the PATH: the proofs of the page are skipped.\n");

/** Starts the browser. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? "",
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--enable-precise-memory-info", "--js-flags=--expose-gc"],
  });
}

/** A workspace with a server that serves the page. */
export interface PageServer {
  readonly workspace: TestWorkspace;
  /** The address of the page. */
  readonly address: string;
  readonly port: number;
  /** Calls a command in another process, as a colleague or an agent would. */
  cli(...argv: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Ends the server without a warning. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The grants of a server that asks for tokens. */
export type Grants = readonly {
  readonly token: string;
  readonly principal: string;
  readonly role: string;
  readonly expires?: string;
}[];

/** Starts a server in a new workspace. */
export async function openPageServer(
  specs: Readonly<Record<string, object | string>>,
  grants: Grants = [],
  /** MCP servers that are served by a gateway beside the specs. */
  mcpServers: object = {},
): Promise<PageServer> {
  const workspace = await createWorkspace();
  for (const [name, content] of Object.entries(specs)) await workspace.write(name, content);
  if (grants.length > 0) {
    const folder = join(workspace.folder, ".config", "foundry");
    await mkdir(folder, { recursive: true });
    const lines = grants.flatMap((grant) => [
      "[[tokens]]",
      ...Object.entries(grant).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    ]);
    await writeFile(join(folder, "foundry.toml"), `${lines.join("\n")}\n`, { mode: 0o600 });
  }
  const args = ["--specs-dir", workspace.specs];
  const options = [...args];
  if (Object.keys(mcpServers).length > 0) {
    const file = join(workspace.folder, "servers.json");
    await writeFile(file, JSON.stringify({ mcpServers }));
    options.push("--gateway", file);
  }
  const env = { FOUNDRY_AUTHOR: "Grace" };
  let server: HttpServer = await openHttpServer(workspace.folder, options, env);
  const { port, origin } = new URL(server.url);
  return {
    workspace,
    address: `${origin}/`,
    port: Number(port),
    async cli(...argv) {
      const envelope = await callCli([...argv, "--json", ...args], {
        cwd: workspace.folder,
        env: { FOUNDRY_AUTHOR: "Ada" },
      });
      if (!envelope.success) throw new Error(`${argv.join(" ")}: ${envelope.error}`);
      return envelope.data as Readonly<Record<string, unknown>>;
    },
    async kill() {
      const ended = new Promise((resolve) => server.child.once("exit", resolve));
      server.child.kill("SIGKILL");
      await ended;
    },
    async start() {
      server = await openHttpServer(workspace.folder, [...options, "--port", port], env);
    },
    async close() {
      await server.close();
      await workspace.remove();
    },
  };
}

/** A page, and everything in it that went wrong. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts, messages of the console, and violations of the Content-Security-Policy. */
  readonly faults: readonly string[];
}

/** Failed requests are part of what some proofs do. */
const expectedFaults = /Failed to load resource|net::ERR_/;

/** Opens the page at a route, and collects faults. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (/error|warning/.test(message.type()) && !expectedFaults.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  await page.exposeFunction("reportViolation", (text: string) => void faults.push(`csp: ${text}`));
  await page.addInitScript(`
    addEventListener("securitypolicyviolation", (event) =>
      reportViolation(event.violatedDirective + " " + event.blockedURI + " " + event.sample));
  `);
  page.setDefaultTimeout(15_000);
  await page.goto(address);
  return { page, faults };
}
