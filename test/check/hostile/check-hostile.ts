import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CheckReport } from "foundry-mcp/check";
import { describe, expect, it } from "vitest";
import { type CliResult, envelopeOf, findProcesses, runFoundryCli } from "../run-check-cli.ts";
import { type HostileServer, httpServers, stdioServers } from "./hostile-servers.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));

/** Returns the command that starts a hostile server. The marker is used to find its processes. */
export function hostileCommand(name: string, marker = ""): readonly string[] {
  return [process.execPath, pathOf("server"), name, marker];
}

/**
 * Checks the promises of the checker. Whatever the server does, a typed answer arrives in time and no process is left
 * behind.
 */
export function describeHostile(isWanted: (server: HostileServer) => boolean): void {
  describe.concurrent("a hostile server over stdio", () => {
    it.for(stdioServers.filter(isWanted))("$name", async (server) => {
      const marker = `hostile-${randomUUID()}`;
      const command = hostileCommand(server.name, marker);
      const result = await runFoundryCli(["contract", "check", ...toLimits(server), "--", ...command]);
      judge(server, result);
      expect(findProcesses(marker)).toEqual([]);
    });
  });

  describe.concurrent("a hostile server over HTTP", () => {
    it.for(httpServers.filter(isWanted))("$name", async (server) => {
      const child = spawn(process.execPath, [pathOf("http"), server.name], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      try {
        const [port] = (await once(child.stdout, "data")) as [Buffer];
        const url = `http://127.0.0.1:${String(port).trim()}/mcp`;
        judge(server, await runFoundryCli(["contract", "check", ...toLimits(server), "--url", url]));
      } finally {
        child.stdin.end();
      }
    });
  });
}

/**
 * Returns the time limit of a call. The limit is one second if the server makes calls wait. Otherwise, it is long
 * enough for a busy machine, on which any answer may take a second.
 */
function toLimits(server: HostileServer): readonly string[] {
  const { breaks = [], perhaps = [], fails, told } = server;
  const waits =
    [...breaks, ...perhaps].includes("MCP-17") || fails === "TIMEOUT" || told === "did not answer in time";
  const { seconds = waits ? 1 : 10 } = server;
  return ["--time-limit", String(Math.max(10, 2 * seconds)), "--call-timeout", String(seconds)];
}

function judge(server: HostileServer, result: CliResult): void {
  const { fails, told = "", verdict, breaks = [], perhaps = [], megabytes = 500 } = server;
  const { error, data } = envelopeOf(result);
  if (result.peakMegabytes !== undefined) expect(result.peakMegabytes).toBeLessThan(megabytes);
  if (fails !== undefined) {
    expect([data["error_code"], error]).toEqual([
      fails,
      expect.stringMatching(/^Cannot (connect to|check) /),
    ]);
    expect(JSON.stringify({ error, data }).toLowerCase()).toContain(told.toLowerCase());
    return;
  }
  const report = data as unknown as CheckReport;
  const failed = report.rules.filter(({ status }) => status === "failed").map(({ rule }) => rule);
  expect(failed.filter((rule) => !perhaps.includes(rule))).toEqual(breaks);
  expect(["CONTRACT_BROKEN", "CHECK_INCOMPLETE", undefined]).toContain(data["error_code"]);
  if (verdict !== undefined) expect(report.verdict).toBe(verdict);
  const [first] = report.findings.filter(({ rule }) => rule === breaks.at(0) || rule === breaks.at(-1));
  if (told !== "") expect(first?.evidence).toContain(told);
}
