import { isRecord, unavailable, validationError } from "@foundry-mcp/contract";
import type { Resource } from "../define/resource.ts";
import { findResource, resourceNotFound } from "./find-resource.ts";

/** How many resources one session, or one stream of 2026-07-28, subscribes to. */
export const maxSubscriptions = 100;
/** The longest URI that is kept, in UTF-16 code units. */
export const maxUriLength = 1_024;

/** Adds a subscription; throws for a resource that the server does not have, and for one too many. */
export function subscribe(subscriptions: Set<string>, resources: readonly Resource[], uri: string): void {
  if (subscriptions.has(uri)) return;
  if (uri.length > maxUriLength) {
    const message = `Cannot subscribe: the URI has ${uri.length} characters`;
    throw validationError(
      { field: "uri", constraint: "maximum", expected: `at most ${maxUriLength} characters` },
      { message, remediation: "Subscribe to a URI that resources/list returns." },
    );
  }
  if (findResource(resources, uri) === undefined) throw resourceNotFound(resources, uri);
  if (subscriptions.size < maxSubscriptions) {
    subscriptions.add(uri);
    return;
  }
  throw unavailable(`Cannot subscribe: this session has ${maxSubscriptions} subscriptions already`, {
    errorCode: "RESOURCE_EXHAUSTED",
    remediation: "Unsubscribe from another resource with resources/unsubscribe, then subscribe again.",
    details: { limit: maxSubscriptions },
  });
}

/**
 * Reduces the resources of a `subscriptions/listen` request to those that the server has, up to the maximum. The
 * server acknowledges what is left, so that the client knows. Anything malformed is left to the SDK to refuse.
 */
export function narrowListen(message: unknown, resources: readonly Resource[]): unknown {
  if (!isRecord(message) || !isRecord(message["params"])) return message;
  const { params } = message;
  const { notifications } = params;
  if (!isRecord(notifications) || !Array.isArray(notifications["resourceSubscriptions"])) return message;
  const uris: readonly unknown[] = notifications["resourceSubscriptions"];
  const known = new Set<string>();
  for (const uri of uris) {
    // An element that is no text makes the request malformed.
    if (typeof uri !== "string") return message;
    if (known.size < maxSubscriptions && isKnown(uri, resources)) known.add(uri);
  }
  return {
    ...message,
    params: { ...params, notifications: { ...notifications, resourceSubscriptions: [...known] } },
  };
}

function isKnown(uri: string, resources: readonly Resource[]): boolean {
  return uri.length <= maxUriLength && findResource(resources, uri) !== undefined;
}
