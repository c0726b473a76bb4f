import { ContractError, type UnknownRecord } from "@foundry-mcp/contract";
import { ProtocolError } from "@modelcontextprotocol/server";

/**
 * A failure that the protocol wants told as an error of the request, not as an answer of the tool.
 * A handler may catch it and go another way, as it may any failure.
 */
export class Refusal extends ContractError {
  readonly #code: number;
  readonly #members: UnknownRecord;

  /** `members` are what the protocol itself wants in the error's data. */
  constructor({ message, options }: ContractError, code: number, members: UnknownRecord = {}) {
    super(message, options);
    this.#code = code;
    this.#members = members;
  }

  /** True for a refusal; never throws, whatever a handler threw. */
  static is(thrown: unknown): thrown is Refusal {
    try {
      return thrown instanceof Refusal;
    } catch {
      return false;
    }
  }

  /** The error of the request; the envelope rides along. */
  toProtocolError(envelope: object): ProtocolError {
    return new ProtocolError(this.#code, this.message, { ...envelope, ...this.#members });
  }
}
