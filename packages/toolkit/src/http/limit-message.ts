import { type ContractError, isRecord, validationError } from "@foundry-mcp/contract";
import { mayBeTooDeep, tooDeep } from "@foundry-mcp/contract/input";
import { limitMessageDepth } from "../mcp/message-depth.ts";
import { type AnswerId, answerIdOf } from "../mcp/rpc-error.ts";
import type { Body } from "./read-body.ts";

/** A message that the SDK can handle, or the reason for refusing the message and the id for the answer. */
export type LimitedMessage =
  | { readonly message: unknown }
  | { readonly refusal: ContractError; readonly id: AnswerId | undefined };

/**
 * The maximum number of messages in a batch. The SDK has the same limit, but parses every message before it checks
 * the limit.
 */
const maxBatchSize = 100;

/** Limits the depth of a message and the size of a batch, before other code parses the messages. */
export function limitMessage({ value, text }: Extract<Body, { readonly kind: "json" }>): LimitedMessage {
  if (Array.isArray(value) && value.length > maxBatchSize) return { refusal: batchTooLarge(), id: null };
  if (!mayBeTooDeep(text)) return { message: value };
  const message = limitMessageDepth(value);
  return message === undefined
    ? { refusal: tooDeep("the message"), id: isRecord(value) ? answerIdOf(value) : null }
    : { message };
}

function batchTooLarge(): ContractError {
  return validationError(
    { field: "batch", constraint: "maximum", expected: `at most ${maxBatchSize} messages` },
    {
      message: `Cannot read the batch: it has more than ${maxBatchSize} messages`,
      remediation: `Send at most ${maxBatchSize} messages in one request.`,
    },
  );
}
