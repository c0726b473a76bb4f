import type { Logger, Registry } from "@foundry-mcp/toolkit";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { chooseTool, toFullName } from "../config/tool-choice.ts";
import type { Approval, ApprovedTools } from "../drift/approved-tools.ts";
import type { AnswerPager } from "../shape/page-answer.ts";
import type { UpstreamLists, UpstreamTool } from "../upstream/definitions.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { ServedNames } from "./served-names.ts";
import { createUpstreamPrompt, createUpstreamResource } from "./upstream-items.ts";
import { createUpstreamTool } from "./upstream-tool.ts";
import { createWithheldTool } from "./withheld-tool.ts";

/** A tool of an upstream, as the gateway serves it. */
export interface ServedTool {
  readonly name: string;
  readonly upstream: string;
  readonly definition: UpstreamTool;
  /** True if the tool is not in the list of tools, and clients find it with find_tools. */
  readonly isHidden: boolean;
}

/** The dependencies of `ServedUpstream`. */
export interface ServingDeps {
  readonly registry: Registry;
  readonly config: GatewayConfig;
  readonly pager: AnswerPager;
  readonly logger: Logger;
  /** The approved tool definitions. Undefined if definitions are not compared. */
  readonly approved: ApprovedTools | undefined;
  readonly questions: OpenQuestions;
  readonly toolNames: ServedNames;
  readonly promptNames: ServedNames;
  /** True if the names of tools and prompts begin with the name of their upstream. */
  readonly isPrefixed: boolean;
}

/** A registered item. `text` is its definition as JSON, with which a change is detected. */
interface Registered {
  readonly name: string;
  readonly text: string;
}

/**
 * Registers the tools, prompts and resources of one upstream in the gateway, and updates them when their lists change.
 */
export class ServedUpstream {
  readonly #upstream: Upstream;
  readonly #deps: ServingDeps;
  readonly #tools = new Map<string, Registered & { readonly served: ServedTool }>();
  readonly #prompts = new Map<string, Registered>();
  readonly #resources = new Map<string, Registered>();
  #lists: UpstreamLists | undefined;
  #order: readonly string[] = [];
  /** The number of tools that the configuration does not allow. */
  denied = 0;
  /** The full names (`server__tool`) of all tools of the server, including denied tools. */
  listed: readonly string[] = [];
  /** The tools whose definitions are not approved. */
  drifted: readonly { readonly name: string; readonly approval: Approval }[] = [];
  /** True once the server has listed its tools. */
  isListed = false;

  constructor(upstream: Upstream, deps: ServingDeps) {
    this.#upstream = upstream;
    this.#deps = deps;
  }

  /** The tools that are currently served, in the order in which the server lists them. */
  get tools(): readonly ServedTool[] {
    return this.#order.flatMap((name) => this.#tools.get(name)?.served ?? []);
  }

  /** Applies changed rules of the configuration to the items of the upstream. */
  refresh(): void {
    if (this.#lists !== undefined) this.update(this.#lists);
  }

  /**
   * Adds new items, removes items that are no longer listed, and replaces changed items. Clients receive a single
   * notification.
   */
  update(lists: UpstreamLists): void {
    const { tools, prompts, resources } = lists;
    const { registry } = this.#deps;
    this.#lists = lists;
    registry.batch(() => {
      this.#updateTools(tools);
      this.#updateItems(this.#prompts, prompts, ({ name }) => name, {
        factsOf: ({ name }) => this.#wanted(name),
        add: (prompt) => {
          const name = this.#deps.promptNames.take(
            this.#wanted(prompt.name),
            this.#upstream.name,
            prompt.name,
          );
          registry.addPrompt(createUpstreamPrompt(name, prompt, this.#upstream));
          return name;
        },
        remove: (name) => {
          this.#deps.promptNames.release(name);
          registry.removePrompt(name);
        },
      });
      this.#updateItems(this.#resources, resources, ({ address }) => address, {
        add: (resource) => {
          registry.addResource(createUpstreamResource(resource, this.#upstream));
          return resource.address;
        },
        remove: (address) => registry.removeResource(address),
      });
    });
  }

  #updateTools(definitions: readonly UpstreamTool[]): void {
    const { registry, config, pager, questions, toolNames, approved } = this.#deps;
    const { name: server } = this.#upstream;
    const choices = new Map(definitions.map(({ name }) => [name, chooseTool(config, server, name)]));
    const allowed = definitions.filter(({ name }) => choices.get(name)?.isAllowed === true);
    this.listed = definitions.map(({ name }) => toFullName(server, name));
    this.isListed = true;
    this.denied = definitions.length - allowed.length;
    this.#order = [...new Set(allowed.map(({ name }) => name))];
    const approvals = new Map<string, Approval>();
    if (approved !== undefined && config.drift !== "off")
      for (const definition of allowed) approvals.set(definition.name, approved.check(server, definition));
    this.drifted = [...approvals].flatMap(([name, approval]) =>
      approval === "approved" ? [] : [{ name: toFullName(server, name), approval }],
    );
    const isHidden = (config.servers[server]?.expose ?? config.expose) === "search";
    this.#updateItems(this.#tools, allowed, ({ name }) => name, {
      factsOf: ({ name }) => [
        choices.get(name),
        isHidden,
        this.#wanted(name),
        config.drift,
        approvals.get(name),
      ],
      add: (definition) => {
        const choice = choices.get(definition.name) ?? chooseTool(config, server, definition.name);
        const wanted = choice.name ?? this.#wanted(definition.name);
        const name = toolNames.take(wanted, server, definition.name);
        const approval = approvals.get(definition.name) ?? "approved";
        if (approval !== "approved" && config.drift === "withhold") {
          registry.addTool(createWithheldTool(name, server, approval));
          return name;
        }
        const tool = createUpstreamTool(name, definition, choice, {
          ...{ upstream: this.#upstream, pager, questions },
          hasChanged: approval === "changed",
        });
        registry.addTool(isHidden ? { ...tool, unlisted: true } : tool);
        return name;
      },
      remove: (name) => {
        toolNames.release(name);
        registry.removeTool(name);
      },
      extend: (name, definition) => ({ served: { name, upstream: server, definition, isHidden } }),
    });
  }

  #wanted(name: string): string {
    return this.#deps.isPrefixed ? toFullName(this.#upstream.name, name) : name;
  }

  #updateItems<T, R extends Registered>(
    known: Map<string, R>,
    items: readonly T[],
    keyOf: (item: T) => string,
    {
      add,
      remove,
      extend,
      factsOf,
    }: {
      /** Returns the settings that affect how an item is served. If they change, the item is registered again. */
      readonly factsOf?: (item: T) => unknown;
      readonly add: (item: T) => string;
      readonly remove: (name: string) => unknown;
      readonly extend?: (name: string, item: T) => object;
    },
  ): void {
    const wanted = new Map(items.map((item) => [keyOf(item), item]));
    const texts = new Map([...wanted].map(([key, item]) => [key, JSON.stringify([item, factsOf?.(item)])]));
    for (const [key, { name, text }] of known) {
      if (texts.get(key) === text) continue;
      remove(name);
      known.delete(key);
    }
    for (const [key, item] of wanted) {
      if (known.has(key)) continue;
      try {
        const name = add(item);
        known.set(key, { name, text: texts.get(key) ?? "", ...extend?.(name, item) } as R);
      } catch (err) {
        // An item that cannot be registered is logged and skipped, so that the other items are still served.
        this.#deps.logger.warn(
          { upstream: this.#upstream.name, item: key.slice(0, 200), err },
          "upstream item",
        );
      }
    }
  }
}
