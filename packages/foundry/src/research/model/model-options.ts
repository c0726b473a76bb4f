/** Which model is asked, and how. */
export interface ModelOptions {
  /** Such as http://127.0.0.1:8080/v1; `/chat/completions` is added. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; never logged, never told. */
  readonly key?: string | undefined;
  /** How long one answer may take altogether. @default 60_000 */
  readonly timeoutMs?: number | undefined;
}
