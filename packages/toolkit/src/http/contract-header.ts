/** The response contract that a request asks for in its header; undefined where it asks for none. */
export function contractOf({ headers }: Request): string | undefined {
  return headers.get("foundry-response-contract") ?? undefined;
}
