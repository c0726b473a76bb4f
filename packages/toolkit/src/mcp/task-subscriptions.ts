import { isContractError, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { CLIENT_CAPABILITIES_META_KEY, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { hasEnded } from "../jobs/job.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { Registry } from "../registry/registry.ts";
import { jobRunnerOf } from "./job-runner.ts";
import { maxSubscriptions } from "./subscriptions.ts";
import { toDetailedTask } from "./task-form.ts";
import { tasksExtension } from "./task-names.ts";

/** The maximum number of tasks of one subscription, because each task is read at the interval of its polls. */
const maxTasks = 16;

/** The surroundings of the subscriptions of one connection, or of one stream of notifications. */
export interface TaskSubscriptionOptions {
  readonly registry: Registry;
  readonly store: JobStore;
  readonly principal: string;
  /** Sends a notification to the client. */
  readonly send: (message: UnknownRecord) => void;
}

/** A request to listen whose acknowledgement was not sent yet, or a subscription. */
interface Subscription {
  readonly taskIds: readonly string[];
  /** True if the request asked for changes of the list of tools, too. */
  readonly hasTools: boolean;
  isOpen: boolean;
}

/**
 * The subscriptions to tasks of protocol version 2026-07-28. A client names tasks in the filter of
 * `subscriptions/listen`, which the SDK does not know. Therefore this class takes the ids of the tasks out of the
 * request, adds the accepted ones to the acknowledgement, and sends `notifications/tasks` itself.
 */
export class TaskSubscriptions {
  readonly #options: TaskSubscriptionOptions;
  readonly #subscriptions = new Map<unknown, Subscription>();

  constructor(options: TaskSubscriptionOptions) {
    this.#options = options;
  }

  /** Takes the ids of tasks out of a request to listen; returns any other message unchanged. */
  receive(message: unknown): unknown {
    if (!isRecord(message)) return message;
    if (message["method"] === "notifications/cancelled" && isRecord(message["params"]))
      this.end(message["params"]["requestId"]);
    if (message["method"] !== "subscriptions/listen" || !isRecord(message["params"])) return message;
    const { params, id } = message;
    const { notifications } = params;
    if (!isRecord(notifications)) return message;
    const { taskIds, ...others } = notifications;
    const wanted = offersTasks(params) ? toIds(taskIds) : [];
    const open = [...this.#subscriptions.values()].filter(({ isOpen }) => isOpen);
    if (wanted.length === 0 || open.length >= maxSubscriptions) return message;
    const hasTools = others["toolsListChanged"] === true;
    this.#subscriptions.set(id, { taskIds: wanted, hasTools, isOpen: true });
    // The SDK ends a stream at once whose filter is empty.
    return { ...message, params: { ...params, notifications: { ...others, toolsListChanged: true } } };
  }

  /**
   * Adds the accepted tasks to the acknowledgement of a request to listen, and starts their notifications after this
   * turn. Returns undefined for a notification that the client did not ask for, and any other message unchanged.
   */
  async pass<T extends object>(message: T): Promise<T | undefined> {
    const { method, params, id: answered } = message as UnknownRecord;
    // The answer to the request ends the subscription, also if the SDK refuses the request.
    if (method === undefined) this.end(answered);
    if (!isRecord(params)) return message;
    const id = isRecord(params["_meta"]) ? params["_meta"][SUBSCRIPTION_ID_META_KEY] : undefined;
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return message;
    const { hasTools, taskIds } = subscription;
    if (method === "notifications/tools/list_changed" && !hasTools) return undefined;
    if (method !== "notifications/subscriptions/acknowledged") return message;
    const accepted = await this.#accept(taskIds);
    const { toolsListChanged: _added, ...others } = params["notifications"] as UnknownRecord;
    const notifications = { ...others, ...(hasTools ? { toolsListChanged: true } : {}), taskIds: accepted };
    setImmediate(() => {
      const ends = accepted.map((taskId) => this.#follow(taskId, id, subscription));
      // When all tasks have ended, there is room for another subscription.
      void Promise.allSettled(ends).then(() => {
        subscription.isOpen = false;
      });
    });
    return { ...message, params: { ...params, notifications } };
  }

  /** Ends the subscription of a request; does nothing for other requests. */
  end(id: unknown): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription !== undefined) subscription.isOpen = false;
    this.#subscriptions.delete(id);
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const subscription of this.#subscriptions.values()) subscription.isOpen = false;
    this.#subscriptions.clear();
  }

  /** Returns the tasks that the principal may read. */
  async #accept(taskIds: readonly string[]): Promise<readonly string[]> {
    const { store, principal } = this.#options;
    const accepted: string[] = [];
    for (const taskId of taskIds) {
      const isKnown = await store.get(principal, taskId).then(
        () => true,
        () => false,
      );
      if (isKnown) accepted.push(taskId);
    }
    return accepted;
  }

  /** Sends the state of a task now and after each change, until the task or the subscription has ended. */
  async #follow(taskId: string, subscriptionId: unknown, subscription: Subscription): Promise<void> {
    const { registry, store, principal, send } = this.#options;
    const runner = jobRunnerOf(registry, store);
    let sent: string | undefined;
    while (subscription.isOpen) {
      // The wait begins before the job is read, so that no change is missed.
      const changed = runner.changed(taskId);
      const job = await store.get(principal, taskId).catch(unlessGone);
      if (job === undefined) return;
      if (job === "unavailable") {
        await changed;
        continue;
      }
      const task = toDetailedTask(job);
      // A renewed lease changes the job, but not the task.
      const text = JSON.stringify(task);
      if (text !== sent && subscription.isOpen) {
        const params = { ...task, _meta: { [SUBSCRIPTION_ID_META_KEY]: subscriptionId } };
        send({ jsonrpc: "2.0", method: "notifications/tasks", params });
        sent = text;
      }
      if (hasEnded(job)) return;
      await changed;
    }
  }
}

/** Returns undefined for a job that has expired. While the store is unavailable, the job is read again later. */
function unlessGone(thrown: unknown): "unavailable" | undefined {
  return isContractError(thrown) && thrown.code === "JOB_NOT_FOUND" ? undefined : "unavailable";
}

function offersTasks(params: UnknownRecord): boolean {
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isRecord(capabilities) ? capabilities["extensions"] : undefined;
  return isRecord(extensions) && extensions[tasksExtension] !== undefined;
}

function toIds(taskIds: unknown): readonly string[] {
  if (!Array.isArray(taskIds)) return [];
  const ids = taskIds.filter((each): each is string => typeof each === "string");
  return [...new Set(ids)].slice(0, maxTasks);
}
