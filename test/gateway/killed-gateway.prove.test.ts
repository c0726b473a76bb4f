import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Envelope } from "@foundry-mcp/contract";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { connect } from "@foundry-mcp/toolkit/client";
import { afterAll, expect, it } from "vitest";
import { foundryCli } from "../bins.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-kill-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});
const fixture = fileURLToPath(
  new URL("../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
const config = join(folder, "servers.json");
const archive = join(folder, "archive");
const entry = (way: string) => ({ command: process.execPath, args: [fixture, way] });
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: { one: entry("reports-progress"), two: entry("good"), slow: entry("answers-late") },
  }),
);

async function findPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function start(port: number): Promise<ChildProcess> {
  const args = ["gateway", "--config", config, "--port", String(port), "--archive-dir", archive];
  const child = spawn(
    process.execPath,
    [foundryCli, ...args, "--max-tokens", "600", "--log-level", "silent"],
    {
      env: { PATH: process.env["PATH"], HOME: folder },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  children.push(child);
  if (child.stderr !== null) await once(createInterface({ input: child.stderr }), "line");
  return child;
}

/** Makes calls, some with answers that are archived, and calls back after each answer. */
function callMany(url: string, count: number, onAnswer: () => void = () => {}): Promise<readonly Envelope[]> {
  return Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      const answers: Envelope[] = [];
      let connection = await connect(url, { protocol: "2026-07-28" }).catch(() => undefined);
      for (let call = 0; call < count / 8; call += 1) {
        connection ??= await connect(url, { protocol: "2026-07-28" }).catch(() => undefined);
        if (connection === undefined) continue;
        const [tool, args] =
          call % 2 === 0 ? ["two__call", { rows: 60 + worker }] : ["one__call", { call, worker }];
        answers.push(await connection.callTool(tool as string, args as object));
        onAnswer();
      }
      await connection?.close();
      return answers;
    }),
  ).then((lists) => lists.flat());
}

it("gives typed failures when it is killed during 200 calls; its archive verifies, and it serves again", async () => {
  const port = await findPort();
  const url = `http://127.0.0.1:${port}/mcp`;
  let gateway = await start(port);
  let answered = 0;
  const calls = callMany(url, 200, () => {
    answered += 1;
    if (answered === 60) gateway.kill("SIGKILL");
  });
  await once(gateway, "exit");
  gateway = await start(port);
  const answers = await calls;
  const codes = new Set(
    answers.map(({ success, data }) =>
      success ? "OK" : String((data as { error_code: string }).error_code),
    ),
  );
  expect(
    [...codes].filter((code) => !["OK", "UNAVAILABLE", "DEPENDENCY_UNAVAILABLE"].includes(code)),
  ).toEqual([]);
  expect(answers.filter(({ success }) => success).length).toBeGreaterThan(60);
  const after = await callMany(url, 16);
  expect(after.map(({ success }) => success)).toEqual(after.map(() => true));
  gateway.kill("SIGTERM");
  await once(gateway, "exit");
  const stored = createFileArchive({ folder: archive });
  const entries = await stored.list("local");
  expect(entries.length).toBeGreaterThan(3);
  // Reading verifies the hash of each entry.
  for (const each of entries) expect((await stored.read(each)).length).toBeGreaterThan(0);
});

it("answers the running calls after SIGTERM, refuses later ones, and ends", async () => {
  const port = await findPort();
  const gateway = await start(port);
  const api = `http://127.0.0.1:${port}/api/tools`;
  const post = (call: number) =>
    fetch(`${api}/slow__call`, { method: "POST", body: JSON.stringify({ call }) }).then(
      async (response) => ((await response.json()) as Envelope).success,
    );
  const running = Array.from({ length: 20 }, (_, call) => post(call));
  // Each call takes three seconds in the server, so all of them run when the signal arrives.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  gateway.kill("SIGTERM");
  expect(await Promise.all(running)).toEqual(running.map(() => true));
  expect(await once(gateway, "exit")).toEqual([0, null]);
});
