import { stripUserInfo } from "@foundry-mcp/toolkit";
import type { ResearchSource } from "./research-request.ts";

/**
 * Returns the display name of a source. The name is its path, its URL without credentials, its content id, its
 * search, or `text`.
 */
export function sourceName({ path, url, content_id, search }: ResearchSource): string {
  if (search !== undefined) return path === undefined ? search : `${search} in ${path}`;
  return path ?? (url === undefined ? undefined : stripUserInfo(url)) ?? content_id ?? "text";
}

/** Returns a key that is equal for sources with the same location. Returns undefined for a literal text. */
export function sourceKey({ path, url, content_id }: ResearchSource): string | undefined {
  if (path !== undefined) return `path ${path.replace(/^(\.\/+)+/, "").replace(/\/(\.?\/)+/g, "/")}`;
  if (url !== undefined) return `url ${withoutFragment(url)}`;
  return content_id === undefined ? undefined : `content_id ${content_id}`;
}

function withoutFragment(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href;
}
