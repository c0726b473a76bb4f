import type { UnknownRecord } from "@foundry-mcp/contract";
import type { RequestContext } from "../context/context.ts";

/** The contents of a resource: text, bytes, or contents in MCP form. */
export type ResourceContents = string | Uint8Array | { readonly contents: readonly UnknownRecord[] };

/** The metadata of a resource. */
export interface ResourceOptions {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** A resource with a fixed URI. */
export interface FixedResource extends ResourceOptions {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  readonly read: (context: RequestContext) => ResourceContents | Promise<ResourceContents>;
}

/** A resource that matches a template, as `list` returns it. */
export interface ListedResource extends ResourceOptions {
  readonly uri: string;
}

/** Resources whose URIs follow a template (RFC 6570), such as `note://{id}`. */
export interface ResourceTemplate extends ResourceOptions {
  readonly uri?: undefined;
  readonly uriTemplate: string;
  readonly read: (
    variables: Readonly<Record<string, string | string[]>>,
    context: RequestContext,
    uri: string,
  ) => ResourceContents | Promise<ResourceContents>;
  /** Lists the existing resources. */
  readonly list?:
    | ((context: RequestContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>)
    | undefined;
  /** Functions that complete the values of variables, by the name of the variable. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
}

/** A function that returns the values that begin with the typed text. */
export type Completer = (typed: string) => readonly string[] | Promise<readonly string[]>;

/** A resource as the registry stores it. */
export type Resource = FixedResource | ResourceTemplate;

/** Declares a resource, with a `uri` or a `uriTemplate`. */
export function defineResource<R extends Resource>(resource: R): R {
  return resource;
}
