import { errorCatalogue } from "@foundry-mcp/contract";
import { describe, expect, test } from "vitest";
import { remediationOf, toContractError, toDisplayName } from "./document-failures.ts";
import { UnusableDocument, type UnusableReason } from "./unusable-document.ts";

const codes: Readonly<Record<UnusableReason, string>> = {
  empty: "VALIDATION_ERROR",
  binary: "INVALID_FORMAT",
  encrypted: "INVALID_FORMAT",
  broken: "INVALID_FORMAT",
  charset: "INVALID_FORMAT",
  no_reader: "DEPENDENCY_UNAVAILABLE",
  too_large: "CONTENT_TOO_LARGE",
  too_slow: "TIMEOUT",
  unreachable: "UPSTREAM_ERROR",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  not_file: "INVALID_PATH",
  is_folder: "INVALID_PATH",
};

describe("toContractError", () => {
  test.each(Object.entries(codes) as [UnusableReason, string][])(
    "%s is %s, with a remediation",
    (reason, code) => {
      const cause = new UnusableDocument(reason, "It is so");
      const error = toContractError(cause, "docs/a.md");
      expect({ message: error.message, cause: error.cause, ...error.options }).toEqual({
        message: 'Cannot read "docs/a.md": it is so',
        cause,
        errorCode: code,
        remediation: remediationOf(reason),
        details: { reason, source: "docs/a.md" },
      });
      expect(errorCatalogue).toHaveProperty(code);
      expect(remediationOf(reason)).toMatch(/^[A-Z].{40,}\.$/);
    },
  );

  test("names the package to install", () => {
    expect(remediationOf("no_reader")).toContain("npm install pdfjs-dist");
  });

  test.each([
    ["The PDF is broken", "the PDF is broken"],
    ["Its server answers 500", "its server answers 500"],
    ["PDFs are odd", "PDFs are odd"],
  ])("joins name and reason to one sentence: %s", (message, why) => {
    expect(toContractError(new UnusableDocument("broken", message), "x").message).toBe(
      `Cannot read "x": ${why}`,
    );
  });
});

describe("toDisplayName", () => {
  test.each([
    ["docs/a.md", "docs/a.md"],
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["https://me:secret@example.com/a", "https://example.com/a"],
    ["https://secret@example.com/a", "https://example.com/a"],
    ["http:me:secret@example.com/a", "http://example.com/a"],
    ["HTTP:\\\\me:se@cret@example.com\\a", "http://example.com/a"],
    ["ht\ttp://me:secret@example.com/a", "http://example.com/a"],
    ["ftp://me:secret@example.com/a", "ftp://example.com/a"],
    ["http://me:secret@exa mple.com:99999/a", "http://exa mple.com:99999/a"],
    ["//me:secret@example.com/a", "//example.com/a"],
    ["me:secret@example.com/a", "example.com/a"],
    ["mail me@example.com", "mail me@example.com"],
    ["a\nb\0c\u2028d", "a b c d"],
    ["\ud800", "�"],
  ])("%j is shown as %j", (name, shown) => {
    expect(toDisplayName(name)).toBe(shown);
  });

  test("truncates long names", () => {
    expect(toDisplayName("😀".repeat(200))).toBe("😀".repeat(200));
    expect(toDisplayName("x".repeat(10_000))).toBe(`${"x".repeat(199)}…`);
    expect(toDisplayName(`a${"😀".repeat(500)}`)).toBe(`a${"😀".repeat(198)}…`);
    expect(toDisplayName(`http://me:${"secret".repeat(1_000)}@example.com/`)).not.toContain("secret");
  });
});
