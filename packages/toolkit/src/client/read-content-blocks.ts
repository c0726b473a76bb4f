import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { isTooDeep } from "@foundry-mcp/contract/input";
import { isSpecType } from "@modelcontextprotocol/client";
import { sortContent } from "../result/content-blocks.ts";

/**
 * Returns the content blocks of a tool result that are not text and that clients accept; a malformed block would make
 * clients refuse the whole answer.
 *
 * @example
 * for (const block of readContentBlocks(result)) context.attach({ type: "block", block });
 */
export function readContentBlocks(result: unknown): readonly UnknownRecord[] {
  if (!isRecord(result) || isTooDeep(result)) return [];
  return sortContent(result["content"]).others.filter((block) => isSpecType.ContentBlock(block));
}
