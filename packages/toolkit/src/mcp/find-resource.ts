import { type ContractError, notFound } from "@foundry-mcp/contract";
import { UriTemplate } from "@modelcontextprotocol/server";
import type { FixedResource, Resource, ResourceTemplate } from "../define/resource.ts";
import { suggest } from "../text/did-you-mean.ts";

/** The resource that a URI names, with the values of the variables of its template. */
export type FoundResource =
  | { readonly resource: FixedResource; readonly variables?: undefined }
  | { readonly resource: ResourceTemplate; readonly variables: Readonly<Record<string, string | string[]>> };

/** Finds the resource of a URI, a fixed one before a template; undefined where the server has none. */
export function findResource(resources: readonly Resource[], uri: string): FoundResource | undefined {
  for (const resource of resources) if (isFixed(resource) && resource.uri === uri) return { resource };
  for (const resource of resources) {
    if (isFixed(resource)) continue;
    const variables = new UriTemplate(resource.uriTemplate).match(uri);
    if (variables !== null) return { resource, variables };
  }
  return undefined;
}

/** True for a resource that has one URI. */
export function isFixed(resource: Resource): resource is FixedResource {
  return resource.uri !== undefined;
}

/** Creates the failure of a URI that no resource has. */
export function resourceNotFound(resources: readonly Resource[], uri: string): ContractError {
  const addresses = resources.map((resource) => resource.uri ?? String(resource.uriTemplate));
  return notFound("resource", uri, { remediation: suggest(uri, addresses) });
}
