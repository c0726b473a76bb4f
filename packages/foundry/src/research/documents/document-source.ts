/** Where a document is, as callers name it: exactly one of path, text, url and content_id. */
export interface DocumentSource {
  /** A file. */
  readonly path?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  /** What is kept in the archive, by its hash. */
  readonly content_id?: string | undefined;
  /** What the text is; else that is found out. */
  readonly content_type?: string | undefined;
}
