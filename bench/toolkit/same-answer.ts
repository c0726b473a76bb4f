import assert from "node:assert/strict";
import type { Connection } from "./connections.ts";

interface Answer {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly data?: { readonly items?: readonly unknown[] } };
}

/** Durations and ids are of different length, and nothing else may be. */
const mostDifference = 16;

/** Makes sure that all servers send the same in both channels: a shorter answer would look like a faster server. */
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
