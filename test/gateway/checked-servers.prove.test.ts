import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { afterAll, expect, it } from "vitest";
import { foundryCli } from "../bins.ts";
import { pathOf, type RealServer, realCalls } from "./real-calls.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly rules: readonly { readonly rule: string; readonly level: string; readonly status: string }[];
  readonly unchecked?: readonly { readonly what: string }[];
}

/** Checks the gateway before a server; the checker makes the calls of the real-server tests. */
function check(server: RealServer): Promise<Envelope<Report & Record<string, unknown>>> {
  const data = join(folder, server);
  mkdirSync(data, { recursive: true });
  const calls = join(folder, `${server}.json`);
  const listed = realCalls[server].map(({ tool, args }, index) => ({
    name: `${index} ${tool}`,
    tool,
    arguments: JSON.parse(JSON.stringify(args).replaceAll(/"\$(?=[/"])/g, `"${data}`)) as object,
  }));
  // Each tool must be seen to refuse a call, and the gateway itself checks its own parameters.
  const refused = [...new Set(realCalls[server].map(({ tool }) => tool))].map((tool) => ({
    name: `${tool} with a wrong limit`,
    tool,
    arguments: { limit: "many" },
    expect: "failure",
  }));
  // Long answers, so that the list of what was left out has a second page.
  const long =
    server === "hello-world"
      ? ["a", "b", "c"].map((letter) => ({
          name: `echo of many ${letter}`,
          tool: "echo",
          arguments: { message: `${letter} `.repeat(4_000) },
        }))
      : [];
  writeFileSync(calls, JSON.stringify({ search: true, calls: [...listed, ...long, ...refused] }));
  const gateway = [foundryCli, "gateway", "--log-level", "silent", "--max-tokens", "600", "--"];
  const command = [process.execPath, pathOf(server), ...(server === "filesystem" ? [data] : [])];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    MEMORY_FILE_PATH: join(data, "memory.jsonl"),
  };
  const args = [
    "contract",
    "check",
    "--json",
    "--calls",
    calls,
    "--time-limit",
    "100",
    "--call-timeout",
    "20",
    "--",
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [foundryCli, ...args, process.execPath, ...gateway, ...command],
      { env, maxBuffer: 2 ** 26 },
      (_error, stdout) => {
        try {
          resolve(JSON.parse(stdout) as Envelope<Report & Record<string, unknown>>);
        } catch (thrown) {
          reject(thrown);
        }
      },
    );
  });
}

/** What the checker cannot see; everything else must be checked. */
const notSeen: Readonly<Partial<Record<RealServer, readonly string[]>>> = {
  // The checker answers no questions, so these tools have no success.
  everything: ["trigger-elicitation-request", "trigger-url-elicitation", "trigger-sampling-request"],
  // The answers of this server are too short to be shortened, so the archive has no second page.
  "sequential-thinking": ["MCP-41", "MCP-42"],
};

it.each(Object.keys(realCalls) as RealServer[])(
  "the checker breaks no MUST of the gateway before %s",
  async (server) => {
    const data: Report = (await check(server)).data as never;
    const broken = data.rules.flatMap(({ rule, level, status }) =>
      level === "MUST" && status === "failed" ? [rule] : [],
    );
    const unchecked = (data.unchecked ?? []).map(({ what }) => what);
    expect([broken, unchecked]).toEqual([[], notSeen[server] ?? []]);
  },
);
