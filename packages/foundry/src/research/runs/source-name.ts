import { stripUserInfo } from "@foundry-mcp/toolkit";
import type { ResearchSource } from "./research-request.ts";

/** What a source is called in lists: its path, its URL without a password, its content id, its search, or `text`. */
export function nameOf({ path, url, content_id, search }: ResearchSource): string {
  if (search !== undefined) return path === undefined ? search : `${search} in ${path}`;
  return path ?? (url === undefined ? undefined : stripUserInfo(url)) ?? content_id ?? "text";
}

/** The same for every way to name the same place; undefined for a text, which is nowhere. */
export function placeOf({ path, url, content_id }: ResearchSource): string | undefined {
  if (path !== undefined) return `path ${path.replace(/^(\.\/+)+/, "").replace(/\/(\.?\/)+/g, "/")}`;
  if (url !== undefined) return `url ${withoutFragment(url)}`;
  return content_id === undefined ? undefined : `content_id ${content_id}`;
}

/** A part of a page is the page. */
function withoutFragment(url: string): string {
  return changed(url, (parsed) => {
    parsed.hash = "";
  });
}

function changed(url: string, change: (parsed: URL) => void): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
}
