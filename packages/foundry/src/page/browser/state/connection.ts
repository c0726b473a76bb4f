import { parseJsonText } from "@foundry-mcp/contract/input";
import { toRecord, toText } from "../api/envelope.ts";
import { type EventStream, followEvents } from "../api/event-stream.ts";
import type { ServerEvent } from "../api/parse-events.ts";
import { openSession } from "./session.ts";
import { createStore } from "./store.ts";

/** Whether changes arrive. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "offline"; readonly since: number; readonly retryAt: number };

/** The connection to the server's stream of changes. */
export const connection = createStore<Connection>({ state: "connecting" });

/** A change of a spec, or of its claims, as the server reports it. */
export interface SpecChange {
  readonly specId: string;
  /** Undefined if the report does not name the revision. */
  readonly revision: string | undefined;
  readonly isDeleted: boolean;
}

type Follower = { onChange(change: SpecChange): void; onGap(): void };
const followers = new Set<Follower>();

/** Calls the follower for every change, and after every gap in which changes may have been missed. */
export function followChanges(follower: Follower): () => void {
  followers.add(follower);
  return () => void followers.delete(follower);
}

let stream: EventStream | undefined;
let serverId: string | undefined;

/** Opens the stream; it stays open until the page is closed or the token is refused. */
export function openConnection(): void {
  stream?.close();
  stream = followEvents({
    onEvent,
    onDown: (retryAt) =>
      connection.update((before) => ({
        state: "offline",
        since: before.state === "offline" ? before.since : Date.now(),
        retryAt,
      })),
    onRefused: () => void openSession(),
  });
}

/** Ends the stream. */
export function closeConnection(): void {
  stream?.close();
  stream = undefined;
  connection.set({ state: "connecting" });
}

/** Tries to connect now, and not only after the delay. */
export function retryNow(): void {
  stream?.retryNow();
}

function onEvent({ event, data }: ServerEvent): void {
  const fields = toRecord(parse(data));
  if (event === "hello") {
    const wasOffline = connection.get().state === "offline";
    connection.set({ state: "live" });
    const id = toText(fields["server_id"]);
    const isGap = serverId !== undefined && (fields["resumed"] !== true || id !== serverId);
    // A server that was started again may have other tools, and other rights for this page.
    if (serverId !== undefined && id !== serverId) void openSession();
    serverId = id;
    if (isGap || wasOffline) for (const each of followers) each.onGap();
  } else if (event === "change") {
    const specId = toText(fields["spec_id"]);
    if (specId === "") return;
    const change = {
      specId,
      revision: toText(fields["revision"]) || undefined,
      isDeleted: fields["deleted"] === true,
    };
    for (const each of followers) each.onChange(change);
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
