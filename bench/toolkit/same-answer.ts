import assert from "node:assert/strict";
import type { Connection } from "./connections.ts";

interface Answer {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly data?: { readonly items?: readonly unknown[] } };
}

/** The maximum difference in length. Only durations and ids may differ in length. */
const mostDifference = 16;

/**
 * Checks that all servers send the same answer in both channels, because a server with a shorter answer would seem
 * faster.
 */
export async function checkSameAnswer(
  connections: ReadonlyMap<string, Connection>,
  count: number,
): Promise<void> {
  let wanted: number | undefined;
  for (const [name, connection] of connections) {
    const { content, structuredContent } = (await connection.call(count)) as Answer;
    const text = content[0]?.text ?? "";
    assert.deepEqual(JSON.parse(text), structuredContent, `${name} sends two different answers`);
    assert.equal(structuredContent?.data?.items?.length, count, `${name} does not find ${count} rows`);
    wanted ??= text.length;
    assert.ok(
      Math.abs(text.length - wanted) <= mostDifference,
      `${name} answers with ${text.length} characters, the others with ${wanted}`,
    );
  }
}
