import type { Connection } from "@foundry-mcp/toolkit/client";

/** Reads archived content completely. A small budget requires many pages. */
export async function readKept(
  server: Connection,
  names: object,
  maxTokens = 2_000,
): Promise<{ readonly text: string; readonly pages: number }> {
  let text = "";
  let pages = 0;
  for await (const { data } of server.pages<{ text?: string; items?: readonly unknown[] }>("content", {
    action: "get",
    ...names,
    max_tokens: maxTokens,
  })) {
    pages++;
    if (data.text === undefined) throw new Error(`${JSON.stringify(names)} is a list`);
    text += data.text;
  }
  return { text, pages };
}
