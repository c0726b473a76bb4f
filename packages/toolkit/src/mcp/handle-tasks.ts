import type { McpRequestContext, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { JobStore } from "../jobs/job-store.ts";
import type { McpHost } from "./create-mcp-server.ts";

/** Accepts any parameters: they are validated in one place, which answers with envelopes. */
const anyParams = z.looseObject({});

/** Answers the requests about tasks, which are jobs here. The code is loaded on the first such request. */
export function handleTasks(
  host: McpHost,
  server: Server,
  era: McpRequestContext["era"],
  store: JobStore,
): void {
  if (era === "modern") handleTasks2026(host, server, store);
  else handleTasks2025(host, server, store);
}

function handleTasks2025(host: McpHost, server: Server, store: JobStore): void {
  for (const method of ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] as const) {
    server.setRequestHandler(method, { params: anyParams }, async (params, context) => {
      const { answerTaskRequest2025 } = await import("./answer-tasks-2025.ts");
      return answerTaskRequest2025(host, store, { method, params, server, context });
    });
  }
}

function handleTasks2026(host: McpHost, server: Server, store: JobStore): void {
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"] as const) {
    server.setRequestHandler(method, { params: anyParams }, async (params, context) => {
      const { answerTaskRequest } = await import("./answer-tasks.ts");
      return answerTaskRequest(host, store, { method, params, context });
    });
  }
}
