import { ContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { toFieldErrors } from "../schema/field-errors.ts";
import { type JsonSchema, type Schema, toInputJsonSchema } from "../schema/schema.ts";

/** A question to the user of the client: a form, or a web page to open. */
export type Question<S extends Schema = Schema> =
  | { readonly message: string; readonly schema: S | JsonSchema }
  | { readonly message: string; readonly url: string };

/** The user's answer to a question. */
export type ElicitAnswer<T = UnknownRecord> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" | "cancel" };

/** A request to the client's model: the parameters of `sampling/createMessage`. */
export interface SampleRequest {
  readonly messages: readonly UnknownRecord[];
  readonly maxTokens: number;
  readonly [key: string]: unknown;
}

/** The model's answer to a sampling request. */
export interface SampleAnswer {
  readonly role: string;
  readonly content: unknown;
  readonly model?: string;
  readonly [key: string]: unknown;
}

/** A request from the server to its client, in MCP form. */
export interface AskRequest {
  readonly method: "elicitation/create" | "sampling/createMessage";
  readonly params: UnknownRecord;
}

/**
 * Sends a request to the client and returns its answer. If the client answers by repeating the call, `name` is the
 * name of the question in both messages.
 */
export type Asker = (request: AskRequest, name?: string) => Promise<unknown>;

/**
 * The exception that ends a handler whose question must be sent in the result of the current call. The client
 * answers by repeating the call, and the handler then runs again from its start with the answer.
 */
export class InputRequired extends Error {
  override readonly name = "InputRequired";

  readonly result: UnknownRecord;

  constructor(result: UnknownRecord) {
    super("The client must be asked before this call can be answered");
    this.result = result;
  }
}

/** True for an InputRequired; never throws, regardless of the value. */
export function isInputRequired(thrown: unknown): thrown is InputRequired {
  try {
    return thrown instanceof InputRequired;
  } catch {
    return false;
  }
}

/** Converts a question to its MCP request. */
export function toElicitRequest(question: Question): AskRequest {
  const { message } = question;
  if ("url" in question) {
    return { method: "elicitation/create", params: { mode: "url", message, url: question.url } };
  }
  const { schema } = question;
  const requestedSchema = isSchema(schema) ? toInputJsonSchema(schema) : schema;
  return { method: "elicitation/create", params: { mode: "form", message, requestedSchema } };
}

/**
 * Reads the answer to a question; the content of the answer is untrusted and is validated against the schema of the
 * question.
 */
export async function readElicitAnswer(question: Question, answer: unknown): Promise<ElicitAnswer> {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: unknown };
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") throw noAnswer("elicitation/create");
  const accepted = (content ?? {}) as UnknownRecord;
  if ("url" in question || !isSchema(question.schema)) return { action, content: accepted };
  const result = await question.schema["~standard"].validate(accepted);
  if (result.issues !== undefined) {
    throw validationError(toFieldErrors(result.issues, accepted), {
      message: "The answer to the question does not fit the form",
    });
  }
  return { action, content: result.value as UnknownRecord };
}

/** Reads the answer to a sampling request. */
export function readSampleAnswer(answer: unknown): SampleAnswer {
  const { role, content } = (answer ?? {}) as Partial<SampleAnswer>;
  if (typeof role !== "string" || content === undefined) throw noAnswer("sampling/createMessage");
  return answer as SampleAnswer;
}

/** Returns the capability that a client needs to answer a request. */
export function capabilityOf({ method }: AskRequest): "elicitation" | "sampling" {
  return method === "elicitation/create" ? "elicitation" : "sampling";
}

/** Creates the failure of a question to a client that lacks the capability to answer it. */
export function cannotAsk(capability: "elicitation" | "sampling"): ContractError {
  return new ContractError(`Cannot ask the client: it does not offer ${capability}`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: `Call from a client that offers ${capability}, or give the answer as an argument where the tool takes one.`,
    details: { capability },
  });
}

function noAnswer(method: string): ContractError {
  return new ContractError(`The client sent no usable answer to ${method}`, { errorCode: "UPSTREAM_ERROR" });
}

function isSchema(schema: Schema | JsonSchema): schema is Schema {
  return "~standard" in schema;
}
