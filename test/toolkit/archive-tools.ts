import { createRegistry, defineTool, type Logger, type Registry } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { z } from "zod";

/**
 * Returns a text with the given number of characters. The text has words, several scripts, quotes and wide
 * characters, without repetitions.
 */
export function longText(length: number): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < length; index++) {
    const part = `${index}. "Far out" in the unchärted 中文 backwaters 👋\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length).toWellFormed();
}

const long = defineTool({
  name: "long",
  version: "1.0.0",
  description: "Answers at any length",
  input: z.object({ length: z.int() }),
  output: z.object({ title: z.string(), text: z.string(), tags: z.array(z.string()) }),
  readOnly: true,
  run: ({ length }) => ({ title: "Long", text: longText(length), tags: ["a", "b"] }),
});

/** Creates a server with an archive and a tool whose responses exceed the budget. */
export function createArchiveRegistry(archive: ContentArchive, maxTokens: number, logger?: Logger): Registry {
  return createRegistry({
    name: "archive",
    version: "1.0.0",
    tools: [long],
    budget: { maxTokens, archive },
    logger,
  });
}
