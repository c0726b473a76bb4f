import type { Section } from "../report.ts";
import {
  type Connection,
  connectHttp,
  connectStdio,
  type Era,
  type Listener,
  listen,
} from "./connections.ts";
import { connectInMemory, inProcess } from "./in-memory.ts";
import { again, bare, fastmcp, type GroupOptions, toolkit, toSections } from "./tables.ts";

/** Additional rows of the toolkit, which show the overhead of the log line and of checking the output. */
const sideRows = [
  { name: "toolkit, LOG_LEVEL=error", env: { LOG_LEVEL: "error" } },
  { name: "toolkit, NODE_ENV=development", env: { NODE_ENV: "development" } },
] as const;

/** Measures calls over stdin and stdout of child processes. */
export async function overStdio(era: Era, options: GroupOptions): Promise<Section[]> {
  const servers: readonly { name: string; file: string; env?: NodeJS.ProcessEnv }[] = [
    { name: bare, file: "bare-stdio" },
    { name: toolkit, file: "toolkit-stdio" },
    // fastmcp is based on SDK 1.x, which does not support 2026-07-28.
    ...(era === "legacy"
      ? [
          { name: fastmcp, file: "fastmcp-stdio" },
          { name: again(fastmcp), file: "fastmcp-stdio" },
        ]
      : sideRows.map((row) => ({ ...row, file: "toolkit-stdio" }))),
    { name: again(bare), file: "bare-stdio" },
  ];
  const connections = new Map<string, Connection>();
  try {
    for (const { name, file, env } of servers) connections.set(name, await connectStdio(file, era, env));
    return await toSections(`stdio, ${clientOf(era)}`, connections, options);
  } finally {
    await closeAll(connections.values());
  }
}

/** Measures calls over HTTP on the loopback interface. The same processes serve both kinds of client. */
export async function overHttp(options: GroupOptions): Promise<Section[]> {
  const servers = [
    { name: bare, file: "bare-http", sessions: "/sessions" },
    { name: toolkit, file: "toolkit-http", sessions: "/mcp" },
    { name: fastmcp, file: "fastmcp-http", sessions: "/mcp", isLegacyOnly: true },
    { name: again(fastmcp), file: "fastmcp-http", sessions: "/mcp", isLegacyOnly: true },
    { name: again(bare), file: "bare-http", sessions: "/sessions" },
  ];
  const listeners = new Map<string, Listener>();
  const sections: Section[] = [];
  try {
    for (const { name, file } of servers) listeners.set(name, await listen(file));
    for (const era of ["2026-07-28", "legacy"] as const) {
      const connections = new Map<string, Connection>();
      try {
        for (const { name, sessions, isLegacyOnly } of servers) {
          if (era !== "legacy" && isLegacyOnly) continue;
          const url = `${listeners.get(name)?.origin}${era === "legacy" ? sessions : "/mcp"}`;
          connections.set(name, await connectHttp(url, era));
        }
        sections.push(...(await toSections(`HTTP, ${clientOf(era)}`, connections, options)));
      } finally {
        await closeAll(connections.values());
      }
    }
    return sections;
  } finally {
    await closeAll(listeners.values());
  }
}

/** Measures calls in this process. */
export async function inMemory(options: GroupOptions): Promise<Section[]> {
  const connections = await connectInMemory();
  try {
    return await toSections("in memory, no log", connections, options, inProcess);
  } finally {
    await closeAll(connections.values());
  }
}

function clientOf(era: Era): string {
  return era === "legacy" ? "a client of 2025-11-25" : `a client of ${era}`;
}

async function closeAll(items: Iterable<{ close(): Promise<void> }>): Promise<void> {
  await Promise.allSettled([...items].map((item) => item.close()));
}
