import { isRecord, unavailable, validationError } from "@foundry-mcp/contract";
import type { Resource } from "../define/resource.ts";
import { findResource, resourceNotFound } from "./find-resource.ts";

/**
 * The maximum number of resources to which one session, or one stream of protocol version 2026-07-28, can
 * subscribe.
 */
export const maxSubscriptions = 100;
/** The maximum length of a subscribed URI, in UTF-16 code units. */
export const maxUriLength = 1_024;

/**
 * Adds a subscription; throws if the server has no such resource or if the maximum number of subscriptions is
 * reached.
 */
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
 * Shortens the list of resources in a `subscriptions/listen` request: removes resources that the server does
 * not have, and resources above the maximum. The server acknowledges the remaining resources, so that the
 * client learns which were accepted. A malformed request is returned unchanged; the SDK refuses it.
 */
export function narrowListen(message: unknown, resources: readonly Resource[]): unknown {
  if (!isRecord(message) || !isRecord(message["params"])) return message;
  const { params } = message;
  const { notifications } = params;
  if (!isRecord(notifications) || !Array.isArray(notifications["resourceSubscriptions"])) return message;
  const uris: readonly unknown[] = notifications["resourceSubscriptions"];
  const known = new Set<string>();
  for (const uri of uris) {
    // A URI that is not a string makes the request malformed.
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
