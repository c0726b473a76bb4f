import type { Facts } from "../report.ts";
import { startServer } from "../start/started-server.ts";
import { createBacklog } from "./backlog.ts";
import { createFoundry } from "./foundry.ts";
import type { Peers } from "./install-peers.ts";

const tasks = 1_000;

/** Counts the tokens of the tool definitions, and of a list of a thousand tasks with the default options. */
export async function countTokens(peers: Peers, scratch: string): Promise<Facts> {
  const { encode } = await import("gpt-tokenizer/encoding/o200k_base");
  const count = (value: unknown) => encode(typeof value === "string" ? value : JSON.stringify(value)).length;
  const foundry = await createFoundry(scratch, tasks);
  const backlog = await createBacklog(peers, scratch, tasks);
  const list = { action: "query", spec_id: foundry.specId };
  const programs = [
    {
      program: "Foundry",
      server: foundry.server,
      tool: "task",
      input: list as Readonly<Record<string, unknown>>,
    },
    ...(backlog === undefined
      ? []
      : [{ program: "Backlog.md", server: backlog.server, tool: "task_list", input: {} }]),
  ];
  const rows = [];
  for (const { program, server, tool, input } of programs) {
    const started = await startServer(server);
    try {
      const { content } = await started.call(tool, input);
      const texts = (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text);
      rows.push({
        program,
        tools: started.tools.length,
        definitions: count(started.tools),
        "list of 1,000 tasks": count(texts.join("")),
      });
    } finally {
      await started.close();
    }
  }
  return { kind: "facts", rows };
}
