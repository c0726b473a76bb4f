import { ContractError } from "@foundry-mcp/contract";

/** A line of a document that cannot be applied to the spec. */
export interface ImportProblem {
  readonly line: number;
  readonly task_id: string | null;
  readonly error: ContractError;
}

/** Creates the error of an import, which lists every problem. */
export function importFailure(specId: string, problems: readonly ImportProblem[]): ContractError {
  const sorted = problems.toSorted((a, b) => a.line - b.line);
  const [first] = sorted;
  const more = sorted.length === 1 ? "" : `, and ${sorted.length - 1} more`;
  return new ContractError(
    `Cannot import the Markdown, and nothing was changed: line ${first?.line}: ${first?.error.message}${more}`,
    {
      ...first?.error.options,
      remediation:
        `Correct the lines that have a problem, and import again. ${first?.error.options.remediation ?? ""}`.trim(),
      details: {
        spec_id: specId,
        place_count: sorted.length,
        places: sorted.slice(0, 50).map(({ line, task_id, error }) => ({
          line,
          task_id,
          error: error.message,
          error_code: error.code,
        })),
      },
    },
  );
}

/** A part of a document that a spec cannot store. */
export interface Loss {
  readonly line: number;
  /** The beginning of the part's text. */
  readonly text: string;
  readonly why: string;
}

/** Creates a loss. The text of the loss is truncated to 80 characters. */
export function toLoss(line: number, text: string, why: string): Loss {
  const start = text.slice(0, 200).trim();
  return { line, text: start.length <= 80 ? start : `${[...start].slice(0, 79).join("")}…`, why };
}
