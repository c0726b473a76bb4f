import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { callCli, cliScript, openHttpServer, plainEnv, runCli } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { createPageClient } from "./page-client.ts";

let place: TestWorkspace;
/** The folder of a program `xdg-open` that writes the addresses it gets into a file. */
let programs: string;
beforeEach(async () => {
  place = await createWorkspace();
  programs = join(place.folder, "..", `${place.folder.split("/").at(-1)}-programs`);
  await mkdir(programs);
  await writeOpener(programs, join(programs, "opened"));
});
afterEach(async () => {
  await place.remove();
  await rm(programs, { recursive: true, force: true });
});

async function writeOpener(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "xdg-open"), `#!/bin/sh\necho "$@" >> '${file}'\n`);
  await chmod(join(folder, "xdg-open"), 0o755);
}
const opened = (file = join(programs, "opened")) => readFile(file, "utf8").catch(() => "");
const desktop = (...folders: readonly string[]) => ({
  DISPLAY: ":9",
  PATH: [...folders, programs, process.env["PATH"]].join(":"),
});

/** Starts `page` as a server, and returns its address. */
async function startPage(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = spawn(process.execPath, [cliScript, "page", "--log-level", "error", ...args], {
    cwd: place.folder,
    env: { ...plainEnv(place.folder), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => stop(child));
  let text = "";
  for await (const chunk of child.stderr) {
    text += String(chunk);
    const [, url] = /The page is at (\S+)\n/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`page ended: ${text}`);
}
/** Starts a server of a folder, which ends with the test. */
async function startServer(...given: Parameters<typeof openHttpServer>) {
  const server = await openHttpServer(...given);
  onTestFinished(() => stop(server.child));
  return new URL(server.url);
}
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  // A server that ends by itself waits for the connections that fetch keeps.
  child.kill("SIGKILL");
  await ended;
}

// Other systems find the program at a fixed place, which a test cannot replace.
describe.skipIf(process.platform !== "linux")("foundry-cli page", () => {
  it("serves the workspace and opens its page; a second one opens the page of the first", async () => {
    const url = await startPage(desktop(), "--port", "0");
    await expect.poll(opened).toBe(`${url}\n`);
    expect((await createPageClient(url.replace(/\/$/, "")).session()).data["workspace"]).toEqual({
      specs_dir: place.specs,
    });
    const { port } = new URL(url);
    const options = { cwd: place.folder, env: desktop() };
    const again = await callCli(["page", "--port", port], options);
    expect(again.data).toEqual({ url, opened: true });
    await expect.poll(opened).toBe(`${url}\n${url}\n`);
    const human = await runCli(["page", "--port", port, "--human"], options);
    expect(human.stdout).toBe(`The page is at ${url} and opens in your browser\n`);
  });

  it("prints the address where there is no desktop, or if it must not open the page", async () => {
    const { port, origin } = await startServer(place.folder);
    const answer = { url: `${origin}/`, opened: false };
    for (const [env, ...args] of [
      [{ ...desktop(), DISPLAY: "" }],
      [desktop(), "--no-open"],
      // Without the program, no browser can be opened.
      [{ DISPLAY: ":9", PATH: "/nowhere" }],
    ] as const) {
      const { data } = await callCli(["page", "--port", port, ...args], { cwd: place.folder, env });
      expect(data).toEqual(answer);
    }
    expect(await opened()).toBe("");
  });

  it("runs no program of the workspace", async () => {
    const { port } = await startServer(place.folder);
    const mine = join(place.folder, "bin");
    await writeOpener(mine, join(place.folder, "stolen"));
    const env = { DISPLAY: ":9", PATH: `.:bin:${mine}:/nowhere` };
    const { data } = await callCli(["page", "--port", port], { cwd: place.folder, env });
    expect([data["opened"], await opened(join(place.folder, "stolen"))]).toEqual([false, ""]);
  });

  it("opens the page of a server that requires a token, without a token in the address", async () => {
    const token = "a-long-secret-0123456789";
    const { port, origin } = await startServer(place.folder, [], { FOUNDRY_TOKEN: token });
    const env = { ...desktop(), FOUNDRY_TOKEN: token };
    const { data } = await callCli(["page", "--port", port], { cwd: place.folder, env });
    expect(data).toEqual({ url: `${origin}/`, opened: true });
    await expect.poll(opened).toBe(`${origin}/\n`);
  });

  it("serves at another port if another program, or a server of another workspace, has the port", async () => {
    const other = await createWorkspace();
    onTestFinished(() => other.remove());
    const server = await startServer(other.folder);
    const stranger = createServer((socket) => socket.destroy());
    onTestFinished(() => void stranger.close());
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const ports = [server.port, (stranger.address() as { readonly port: number }).port];
    for (const port of ports) {
      const url = await startPage(desktop(), "--port", String(port), "--no-open");
      expect(new URL(url).port).not.toBe(String(port));
      const { data } = await createPageClient(url.replace(/\/$/, "")).session();
      expect(data["workspace"]).toEqual({ specs_dir: place.specs });
    }
  });
});
