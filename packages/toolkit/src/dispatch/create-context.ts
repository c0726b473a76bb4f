import { type UnknownRecord, type WarningDetail, warning } from "@foundry-mcp/contract";
import type { PreparedTool } from "../catalogue/prepared-tool.ts";
import {
  cannotAsk,
  InputRequired,
  readElicitAnswer,
  readSampleAnswer,
  toElicitRequest,
} from "../context/ask.ts";
import { toContentBlock } from "../context/attachment.ts";
import type { Caller, Round } from "../context/call.ts";
import type { Context } from "../context/context.ts";
import type { Logger } from "../context/logger.ts";
import { createPager, noPager, type RecordingPager } from "../context/pager.ts";
import type { RequestIds } from "../context/request-id.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { Target } from "./find-action.ts";
import type { Flight } from "./flight.ts";
import type { ValidInput } from "./validate-input.ts";

/** What a handler told beside its payload. */
export interface Told {
  readonly warnings: WarningDetail[];
  readonly blocks: UnknownRecord[];
  readonly pager: RecordingPager;
  /** A question that must be answered before the call can be. */
  question?: InputRequired;
}

/** What a context is made of. */
export interface ContextParts {
  readonly caller: Caller;
  readonly target: Target;
  readonly input: ValidInput;
  readonly ids: RequestIds;
  readonly flight: Flight;
  readonly logger: Logger;
}

/** Creates the context of one call, and the place where what it is told is kept. */
export function createContext(parts: ContextParts): { readonly context: Context; readonly told: Told } {
  const { caller, target, flight } = parts;
  const { requestId } = parts.ids;
  const told: Told = { warnings: [], blocks: [], pager: createPagerOf(target, parts.input) };
  let logger: Logger | undefined;

  const ask = async (capability: "elicitation" | "sampling", request: Parameters<Ask>[0]) => {
    if (caller.asker === undefined) throw cannotAsk(capability);
    flight.check();
    flight.pause();
    try {
      return await flight.race(caller.asker(request));
    } catch (thrown) {
      // A handler that swallows this must not turn the question into an answer.
      if (thrown instanceof InputRequired) told.question = thrown;
      throw thrown;
    } finally {
      flight.resume();
    }
  };

  const context: Context = {
    requestId,
    tool: target.tool.name,
    action: target.action.name,
    surface: caller.surface,
    client: caller.client,
    get signal() {
      return flight.signal;
    },
    get logger() {
      logger ??= parts.logger.child({ request_id: requestId, tool: target.tool.name });
      return logger;
    },
    page: told.pager,
    round: caller.round ?? noRound,
    progress(progress, total, message) {
      caller.sendProgress?.({ progress, total, message });
    },
    warn(first: string, message?: string, facts?: UnknownRecord) {
      told.warnings.push(toWarning(first, message, facts));
    },
    attach(attachment) {
      told.blocks.push(toContentBlock(attachment));
    },
    log(level, data) {
      caller.sendLog?.(level, data);
    },
    closeStream() {
      caller.closeStream?.();
    },
    elicit: async (question: Parameters<typeof toElicitRequest>[0]) =>
      (await readElicitAnswer(question, await ask("elicitation", toElicitRequest(question)))) as never,
    sample: async (request) =>
      readSampleAnswer(await ask("sampling", { method: "sampling/createMessage", params: request })),
  };
  return { context, told };
}

const noRound: Round = { responses: {}, state: undefined };

type Ask = NonNullable<Caller["asker"]>;

function createPagerOf({ tool, action }: Target, { query, limit, cursor }: ValidInput): RecordingPager {
  if (action.definition.page === undefined) return noPager(action.label);
  return createPager(toQuery(tool, action.name, query), limit, cursor);
}

function toQuery(tool: PreparedTool, action: string, filters: UnknownRecord) {
  return tool.isPlain ? { tool: tool.name, filters } : { tool: tool.name, action, filters };
}

function toWarning(
  first: string,
  message: string | undefined,
  facts: UnknownRecord | undefined,
): WarningDetail {
  if (typeof first !== "string" || (message !== undefined && typeof message !== "string")) {
    throw toolFault("Cannot warn: code and message must be texts");
  }
  return message === undefined ? { message: first } : warning(first, message, facts);
}
