import { type ContractError, notFound } from "@foundry-mcp/contract";
import { UriTemplate } from "@modelcontextprotocol/server";
import type { FixedResource, Resource, ResourceTemplate } from "../define/resource.ts";
import { suggest } from "../text/did-you-mean.ts";

/** The resource that a URI identifies; for a template, also the values of its variables. */
export type FoundResource =
  | { readonly resource: FixedResource; readonly variables?: undefined }
  | { readonly resource: ResourceTemplate; readonly variables: Readonly<Record<string, string | string[]>> };

/**
 * Finds the resource of a URI; a fixed resource takes precedence over a template. A slash at the end of the URI is
 * optional. Returns undefined if no resource matches.
 */
export function findResource(resources: readonly Resource[], uri: string): FoundResource | undefined {
  return find(resources, uri) ?? (uri.endsWith("/") ? find(resources, uri.slice(0, -1)) : undefined);
}

function find(resources: readonly Resource[], uri: string): FoundResource | undefined {
  for (const resource of resources) if (isFixed(resource) && resource.uri === uri) return { resource };
  for (const resource of resources) {
    if (isFixed(resource)) continue;
    const variables = matchTemplate(resource.uriTemplate, uri);
    if (variables !== null) return { resource, variables };
  }
  return undefined;
}

/** Matches a URI against a template; null for no match and for a template that the SDK cannot parse. */
function matchTemplate(template: string, uri: string): ReturnType<UriTemplate["match"]> {
  try {
    return new UriTemplate(template).match(uri);
  } catch {
    return null;
  }
}

/** True for a resource with a fixed URI instead of a template. */
export function isFixed(resource: Resource): resource is FixedResource {
  return resource.uri !== undefined;
}

/** Creates the failure for a URI that matches no resource. */
export function resourceNotFound(resources: readonly Resource[], uri: string): ContractError {
  const addresses = resources.map((resource) => resource.uri ?? String(resource.uriTemplate));
  return notFound("resource", uri, { remediation: suggest(uri, addresses) });
}
