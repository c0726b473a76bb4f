import { type Failure, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { type Implementation, type Progress, ProtocolError } from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { rpcErrorName } from "../result/read-fault.ts";
import { anyResult } from "./any-result.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { clientCapabilitiesKey, followTask, offerTasks } from "./follow-task.ts";
import { taskOf } from "./lift-task.ts";
import { capabilitiesFrom, type OpenClient, openClient } from "./open-client.ts";
import { openTransport } from "./open-transport.ts";
import { type QuestionReceiver, RunningRequests, sendWithAnswers } from "./relayed-questions.ts";

/** The unmodified reply to a request. */
export type RawReply =
  | { readonly kind: "result"; readonly result: unknown }
  /** A JSON-RPC error of the server. */
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly data: unknown }
  /** No readable reply arrived; the failure gives the reason. */
  | { readonly kind: "none"; readonly failure: Failure };

/** The options of one request. */
export interface RawRequestOptions {
  /** The time limit of the request in milliseconds. @default the timeout of the connection */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * For `tools/call`: true to follow a call that becomes a task to its end; "required" for a tool that a server of protocol
   * version 2025-11-25 runs only as a task.
   */
  readonly followsTasks?: boolean | "required" | undefined;
  /** True to return the questions of a server of protocol version 2026-07-28 as the result of the request. */
  readonly returnsQuestions?: boolean | undefined;
  /** Receives the questions of the server during this request; only with the option `relaysQuestions`. */
  readonly questions?: QuestionReceiver | undefined;
  /**
   * For `tools/call`: the definition of the tool, from which the SDK derives the headers of a call over HTTP. Needed only
   * for a tool whose input schema contains `x-mcp-header`.
   */
  readonly tool?: UnknownRecord | undefined;
}

/** A connection whose replies are neither validated nor converted. */
export interface RawConnection extends AsyncDisposable {
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: UnknownRecord | undefined;
  readonly protocolVersion: string | undefined;
  /** False once the connection is closed. */
  isOpen(): boolean;
  /** Sends any request of the protocol; never throws. */
  request(method: string, params?: UnknownRecord, options?: RawRequestOptions): Promise<RawReply>;
  /** Ends the connection, and the server process if `connectRaw` started one; a second call does nothing. */
  close(): Promise<void>;
}

/** The options of a raw connection. */
export interface RawOptions extends ConnectOptions {
  /**
   * True to offer elicitation and sampling to the server, and to pass its questions to the receiver of the request
   * during which they are asked.
   * @default false
   */
  readonly relaysQuestions?: boolean | undefined;
}

/** A target of a raw connection: anything that speaks MCP. */
export type RawTarget = Parameters<typeof openTransport>[0];

/**
 * Connects to a server and returns its replies unmodified, for programs that check or translate replies; other
 * programs use `connect`. Throws a ContractError if the server cannot be reached.
 *
 * @example
 * await using connection = await connectRaw({ command: "npx", args: ["some-mcp-server"] });
 * const reply = await connection.request("tools/list");
 */
export async function connectRaw(target: RawTarget, options: RawOptions = {}): Promise<RawConnection> {
  const { relaysQuestions = false } = options;
  const running = new RunningRequests();
  const opened = await openClient(() => openTransport(target, options), {
    ...options,
    ...(relaysQuestions ? { onQuestion: (request) => running.ask(request) } : {}),
  });
  opened.client.setNotificationHandler("notifications/message", ({ params: { level, data } }) =>
    running.log(level, data),
  );
  return toRawConnection(opened, options, running);
}

function toRawConnection(
  { client, isOpen, close }: OpenClient,
  options: RawOptions,
  running: RunningRequests,
): RawConnection {
  const offered: UnknownRecord =
    options.relaysQuestions === true
      ? { elicitation: { form: {}, url: {} }, sampling: {} }
      : { ...capabilitiesFrom(options) };
  const isModern = () => (client.getNegotiatedProtocolVersion() ?? "") >= "2026-07-28";
  const takesTasks = () => {
    const { tasks } = (client.getServerCapabilities() ?? {}) as { tasks?: { requests?: { tools?: object } } };
    return tasks?.requests?.tools !== undefined;
  };
  /** Returns the capabilities that a request declares, otherwise those of the connection. */
  const capabilitiesOf = ({ _meta: meta }: UnknownRecord): UnknownRecord => {
    const declared = isRecord(meta) ? meta[clientCapabilitiesKey] : undefined;
    return isRecord(declared) ? declared : offered;
  };
  const toTaskRequest = (params: UnknownRecord, followsTasks: boolean | "required"): UnknownRecord => {
    if (followsTasks === false) return params;
    if (isModern()) return offerTasks(params, capabilitiesOf(params));
    return followsTasks === "required" && takesTasks() ? { ...params, task: {} } : params;
  };

  async function request(
    method: string,
    params: UnknownRecord = {},
    {
      timeoutMs,
      signal,
      onProgress,
      tool,
      questions,
      returnsQuestions = false,
      followsTasks = false,
    }: RawRequestOptions = {},
  ): Promise<RawReply> {
    const sendOptions = {
      timeout: toTimeout(timeoutMs, options.timeoutMs),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      ...(questions === undefined && !returnsQuestions ? {} : { allowInputRequired: true }),
    };
    const send = (sent: UnknownRecord): Promise<unknown> =>
      tool === undefined
        ? client.request({ method, params: sent }, anyResult, sendOptions)
        : client.callTool(sent as never, { ...sendOptions, toolDefinition: withoutOutput(tool) as never });
    const remove = running.add(questions);
    try {
      const asked = toTaskRequest(params, followsTasks);
      const result = await sendWithAnswers(asked, send, returnsQuestions ? undefined : questions);
      const task = followsTasks === false ? undefined : taskOf(result, takesTasks());
      if (task === undefined) return { kind: "result", result };
      const follow = { signal, onProgress, questions, timeoutMs: toTimeout(options.timeoutMs) };
      return { kind: "result", result: await followTask(client, task, capabilitiesOf(asked), follow) };
    } catch (thrown) {
      if (thrown instanceof ProtocolError && isOpen() && !isLost(thrown)) {
        const { code, message, data } = thrown;
        return { kind: "error", code, message, data };
      }
      return { kind: "none", failure: readProtocolError(thrown, { signal }) };
    } finally {
      remove();
    }
  }
  return {
    get serverInfo() {
      return client.getServerVersion();
    },
    get capabilities() {
      return client.getServerCapabilities() as UnknownRecord | undefined;
    },
    get protocolVersion() {
      return client.getNegotiatedProtocolVersion();
    },
    isOpen,
    request,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Converts the JSON-RPC error of a reply to the value that `readProtocolError` reads. */
export function toRpcError({ code, message, data }: Extract<RawReply, { readonly kind: "error" }>): Error {
  return Object.assign(new Error(message), { name: rpcErrorName, code, data });
}

/** Removes the output schema, because a result that violates the schema must still be returned. */
function withoutOutput({ outputSchema: _, ...definition }: UnknownRecord): UnknownRecord {
  return definition;
}

/**
 * True for the error that the transport itself creates when a reply breaks off; the server did not send this error.
 */
function isLost({ code, message }: ProtocolError): boolean {
  return code === -32_000 && message === "Connection closed";
}
