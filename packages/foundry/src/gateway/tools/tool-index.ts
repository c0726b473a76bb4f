import { isRecord } from "@foundry-mcp/contract";
import { scoreTerm, toIdf, toLengthNorm } from "../../ranking/bm25.ts";
import type { ServedTool } from "./served-upstream.ts";

/**
 * The parameter b of BM25, which is the strength of length normalization. It is low, because a long description does
 * not make a tool less relevant.
 */
const b = 0.3;
/** The weight of a word in each part of a tool's definition. */
const weights = { name: 4, title: 2, description: 1, parameter: 1 };
/** The maximum number of characters that are indexed from each part of a definition. */
const maxChars = 4_000;

interface IndexedTool {
  readonly tool: ServedTool;
  readonly frequencies: ReadonlyMap<string, number>;
  readonly length: number;
}

/** A search result: a tool and its BM25 score. */
export interface FoundTool {
  readonly tool: ServedTool;
  readonly score: number;
}

/** A BM25 index of the names, titles, descriptions and parameters of tools. */
export class ToolIndex {
  readonly #tools: readonly IndexedTool[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #averageLength: number;

  constructor(tools: readonly ServedTool[]) {
    this.#tools = tools.map(indexTool);
    let total = 0;
    for (const { frequencies, length } of this.#tools) {
      total += length;
      for (const word of frequencies.keys())
        this.#documentFrequency.set(word, (this.#documentFrequency.get(word) ?? 0) + 1);
    }
    this.#averageLength = total / Math.max(1, this.#tools.length);
  }

  /**
   * Returns the tools that contain at least one word of the query, best first. Tools with equal scores keep their order
   * in the list.
   */
  search(query: string, limit: number): readonly FoundTool[] {
    const words = [...new Set(toWords(query))];
    return this.#tools
      .map((indexed) => ({ tool: indexed.tool, score: this.#score(indexed, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit);
  }

  #score({ frequencies, length }: IndexedTool, words: readonly string[]): number {
    const lengthNorm = toLengthNorm(b, length / Math.max(1, this.#averageLength));
    let score = 0;
    for (const word of words) {
      const frequency = frequencies.get(word);
      if (frequency === undefined) continue;
      const idf = toIdf(this.#documentFrequency.get(word) ?? 0, this.#tools.length);
      score += scoreTerm(idf, frequency, lengthNorm);
    }
    return score;
  }
}

function indexTool(tool: ServedTool): IndexedTool {
  const { name, definition } = tool;
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const word of toWords(text.slice(0, maxChars))) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(name, weights.name);
  add(definition.title ?? "", weights.title);
  add(definition.description, weights.description);
  const { properties } = definition.inputSchema;
  for (const [parameter, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    const about = isRecord(schema) && typeof schema["description"] === "string" ? schema["description"] : "";
    add(`${parameter} ${about}`, weights.parameter);
  }
  return { tool, frequencies, length };
}

/** Splits a text into lower-case words without a plural s. For example, `listIssues` becomes `list` and `issue`. */
function toWords(text: string): readonly string[] {
  const parts = text.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").toLowerCase();
  return (parts.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word,
  );
}
