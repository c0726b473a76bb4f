import type { LeftOut } from "./list-documents.ts";

interface UnwantedKind {
  readonly reason: string;
  readonly path: RegExp;
  /** Matches questions that ask about documents of this kind. For such a question, the documents are read. */
  readonly asked: RegExp;
  readonly error: string;
}

/** The kinds of documents that rarely answer a question, such as licences, recognized by their paths. */
const unwantedKinds: readonly UnwantedKind[] = [
  {
    reason: "vendored",
    path: /(?:^|\/)(?:vendor|vendored|third[-_]?party|bower_components|node_modules|site-packages|\.venv|venv)\//i,
    asked: /\b(?:vendor|vendored|third[- ]party|dependenc(?:y|ies))\b/i,
    error: "It belongs to software of others that is kept in the folder",
  },
  {
    reason: "licence",
    path: /(?:^|\/)(?:licen[cs]es?|copying|copyright|patents|notice|(?:a|l)?gpl|gfdl|apache|mit|bsd)(?:[-._][\w.+-]*)?\.(?:txt|text|md|markdown|html?|rst)$/i,
    asked:
      /\b(?:licen[cs]\w*|copyright\w*|copying|patents?|warrant\w*|redistribut\w*|legal\w*|gpl|mit|bsd|apache)\b/i,
    error: "It is the text of a licence or a notice",
  },
  {
    reason: "generated",
    path: /(?:^|\/)(?:genindex(?:-\w+)?|search|searchindex|py-modindex|modindex|404|sitemap|robots|[\w.-]+[-.]lock|[\w.-]+\.min)\.(?:html?|txt|md|xhtml)$/i,
    asked: /\b(?:index|sitemap|robots)\b/i,
    error: "A program generated it: an index, a search page, a lock file or minified text",
  },
];

/**
 * Returns the reason why a document of a folder is left out, or undefined if it is read. A document that the caller
 * names itself is always read.
 */
export function findUnwanted(path: string, question: string): LeftOut | undefined {
  const kind = unwantedKinds.find((each) => each.path.test(path) && !each.asked.test(question));
  if (kind === undefined) return undefined;
  const { reason, error } = kind;
  return { name: path, reason, error, remediation: "Name the file itself to read it." };
}

/** The reason codes of documents that are left out because of their paths. */
export const unwantedReasons: readonly string[] = unwantedKinds.map(({ reason }) => reason);
