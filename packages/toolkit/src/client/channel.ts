import type { Envelope } from "@foundry-mcp/contract";
import type { Implementation, Progress, Tool } from "@modelcontextprotocol/client";
import type { TaskHandle } from "./lift-task.ts";

/** The parameters of one call. */
export interface ChannelCall {
  readonly name: string;
  readonly args: object | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with the handle of a call that has become a task; false to call without a task. */
  readonly onTask?: ((task: TaskHandle) => void) | undefined;
  readonly followsTasks: boolean;
  readonly onContent?: ((blocks: readonly object[]) => void) | undefined;
}

/** The options for listing tools. */
export type ListOptions = Partial<Pick<ChannelCall, "timeoutMs" | "signal">>;

/** The transport-specific part of a connection. */
export interface Channel {
  readonly serverInfo: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  /** False once the connection is closed. */
  isOpen(): boolean;
  /** Calls a tool; every outcome is an envelope. */
  call(call: ChannelCall): Promise<Envelope>;
  /** Follows a task to its end; every outcome is an envelope. */
  follow(task: TaskHandle, call: Omit<ChannelCall, "name" | "args">): Promise<Envelope>;
  /** Lists the tools; throws a ContractError if they cannot be listed. */
  listTools(options?: ListOptions): Promise<readonly Tool[]>;
  close(): Promise<void>;
}
