import type { LeftOut } from "./list-documents.ts";

interface UnwantedKind {
  readonly reason: string;
  readonly path: RegExp;
  /** Matches the questions for which these documents are wanted. */
  readonly asked: RegExp;
  readonly error: string;
}

/** The kinds of documents in a folder that seldom answer a question, known by their paths. */
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
 * Returns why a document of a folder is left out, or undefined if it is read. A document that somebody names is always
 * read, and so is one that the question asks about.
 */
export function findUnwanted(path: string, question: string): LeftOut | undefined {
  const kind = unwantedKinds.find((each) => each.path.test(path) && !each.asked.test(question));
  if (kind === undefined) return undefined;
  const { reason, error } = kind;
  return { name: path, reason, error, remediation: "Name the file itself to read it." };
}

/** The reasons for which documents of a folder are left out by their paths. */
export const unwantedReasons: readonly string[] = unwantedKinds.map(({ reason }) => reason);
