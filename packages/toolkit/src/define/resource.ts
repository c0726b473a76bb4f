import type { UnknownRecord } from "@foundry-mcp/contract";
import type { RequestContext } from "../context/context.ts";

/** What a resource holds: text, bytes, or the contents as MCP writes them. */
export type ResourceContents = string | Uint8Array | { readonly contents: readonly UnknownRecord[] };

/** What a resource is, apart from what it holds. */
export interface ResourceOptions {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A resource with one address. */
export interface FixedResource extends ResourceOptions {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  readonly read: (context: RequestContext) => ResourceContents | Promise<ResourceContents>;
}

/** One of the resources behind a template. */
export interface ListedResource extends ResourceOptions {
  readonly uri: string;
}

/** Resources whose addresses follow a template (RFC 6570), such as `note://{id}`. */
export interface ResourceTemplate extends ResourceOptions {
  readonly uri?: undefined;
  readonly uriTemplate: string;
  readonly read: (
    variables: Readonly<Record<string, string | string[]>>,
    context: RequestContext,
  ) => ResourceContents | Promise<ResourceContents>;
  /** The resources that exist now, for clients that list them. */
  readonly list?:
    | ((context: RequestContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>)
    | undefined;
  /** Completions of a variable's value. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
}

/** Values that begin as what was typed does. */
export type Completer = (typed: string) => readonly string[] | Promise<readonly string[]>;

/** A resource as the registry keeps it. */
export type Resource = FixedResource | ResourceTemplate;

/** Declares a resource, with a `uri` or a `uriTemplate`. */
export function defineResource<R extends Resource>(resource: R): R {
  return resource;
}
