/**
 * Replaces the parameters that a remediation names, which each surface writes in its own way: `dry_run: true` over MCP
 * is `--dry-run` on the command line, and `spec_id` is `<spec_id>`.
 */
export function withPlainNames(envelope: unknown): unknown {
  const { data } = (envelope ?? {}) as { readonly data?: { readonly remediation?: unknown } };
  if (typeof data?.remediation !== "string") return envelope;
  const remediation = data.remediation
    .replace(/--([a-z][a-z-]*)/g, (_, name: string) => name.replaceAll("-", "_"))
    .replace(/<(\w+)>/g, "$1")
    .replace(/\b(\w+): (?:true|false)\b/g, "$1");
  return { ...(envelope as object), data: { ...data, remediation } };
}
