import { ContractError } from "@foundry-mcp/contract";

/** A place of a document that a spec cannot be made to say. */
export interface ImportProblem {
  readonly line: number;
  readonly task_id: string | null;
  readonly error: ContractError;
}

/** The failure of a whole import, with every place that is in its way. */
export function importFailure(specId: string, problems: readonly ImportProblem[]): ContractError {
  const places = problems.toSorted((a, b) => a.line - b.line);
  const [first] = places;
  const more = places.length === 1 ? "" : `, and ${places.length - 1} more`;
  return new ContractError(
    `Cannot import the Markdown, and nothing was changed: line ${first?.line}: ${first?.error.message}${more}`,
    {
      ...first?.error.options,
      remediation:
        `Change the lines that details.places names, and import again. ${first?.error.options.remediation ?? ""}`.trim(),
      details: {
        spec_id: specId,
        place_count: places.length,
        places: places.slice(0, 50).map(({ line, task_id, error }) => ({
          line,
          task_id,
          error: error.message,
          error_code: error.code,
        })),
      },
    },
  );
}
