import { join } from "node:path";
import { notFound } from "@foundry-mcp/contract";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import type { HttpRoute } from "@foundry-mcp/toolkit/http";
import { readSiteFile, type SiteFile } from "./site-file.ts";
import { siteHeaders } from "./site-headers.ts";

const assetsPath = "/assets/";

/**
 * Creates the routes of the built files of the page: `/` for browsers, and `/assets/`. The files contain no data of
 * the workspace, so they need no token.
 */
export function createSiteRoutes(folder: string): readonly HttpRoute[] {
  // Links are not followed, so every path below the folder is a file of the build.
  const files = createWorkspaceFiles({ root: folder, privateFolder: "." });
  // The name of an asset contains the hash of its content, so an asset never changes.
  const assets = new Map<string, SiteFile>();
  const findAsset = async (name: string): Promise<SiteFile | undefined> => {
    const file = assets.get(name) ?? (await readSiteFile(files, join(folder, "assets"), name));
    if (file !== undefined) assets.set(name, file);
    return file;
  };
  return [
    {
      name: "page",
      path: "/",
      isOpen: true,
      isPage: true,
      async handle(request) {
        // Programs that do not ask for HTML get the list of routes.
        if (!accepts(request, "accept", "text/html")) return undefined;
        const index = await readSiteFile(files, folder, "index.html");
        return index === undefined ? notBuilt() : toResponse(request, index, "no-cache");
      },
    },
    {
      path: `${assetsPath}*`,
      isOpen: true,
      async handle(request, { fail }) {
        const name = new URL(request.url).pathname.slice(assetsPath.length);
        const file = await findAsset(name);
        if (file !== undefined) return toResponse(request, file, "public, max-age=31536000, immutable");
        const response = fail(notFound("file", name, { remediation: "Reload the page." }));
        for (const [header, value] of Object.entries(siteHeaders)) response.headers.set(header, value);
        response.headers.set("cache-control", "no-store");
        return response;
      },
    },
  ];
}

function toResponse(request: Request, { type, etag, bytes, gzipped }: SiteFile, cache: string): Response {
  const headers: Record<string, string> = {
    ...siteHeaders,
    etag,
    "cache-control": cache,
    "content-type": type,
    vary: "Accept, Accept-Encoding",
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  if (gzipped === undefined || !accepts(request, "accept-encoding", "gzip"))
    return new Response(bytes, { headers });
  return new Response(gzipped, { headers: { ...headers, "content-encoding": "gzip" } });
}

/** True if a header lists a value, such as `text/html`, and does not exclude the value with `q=0`. */
function accepts({ headers }: Request, header: string, value: string): boolean {
  return (headers.get(header) ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === value && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}

/** Answers a browser if the checkout was installed, but the page was not built. */
function notBuilt(): Response {
  const text =
    "The page is not built.\n\nBuild it with: npm run build\nThen reload this address.\n\nThe server works without the page: MCP is at /mcp, and the tools are at /api.\n";
  return new Response(text, {
    status: 503,
    headers: { ...siteHeaders, "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" },
  });
}
