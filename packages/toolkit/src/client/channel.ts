import type { Envelope } from "@foundry-mcp/contract";
import type { Implementation, Progress, Tool } from "@modelcontextprotocol/client";

/** One call, ready to be sent. */
export interface ChannelCall {
  readonly name: string;
  readonly args: object | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onContent?: ((blocks: readonly object[]) => void) | undefined;
}

/** How long to wait for the list of tools. */
export type ListOptions = Partial<Pick<ChannelCall, "timeoutMs" | "signal">>;

/** A way to a server; what a connection is built on. */
export interface Channel {
  readonly serverInfo: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  /** False once no call can get through any more. */
  isOpen(): boolean;
  /** Answers with an envelope, whatever happens. */
  call(call: ChannelCall): Promise<Envelope>;
  /** Throws a ContractError where the list cannot be had. */
  listTools(options?: ListOptions): Promise<readonly Tool[]>;
  close(): Promise<void>;
}
