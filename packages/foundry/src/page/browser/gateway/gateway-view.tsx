import { useEffect, useState } from "preact/hooks";
import { callTool } from "../api/call-tool.ts";
import { type CallError, toText } from "../api/envelope.ts";
import { counted } from "../parts/counted.ts";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Loading } from "../parts/loading.tsx";
import { Text } from "../parts/text.tsx";
import { hasTool } from "../state/session.ts";
import { CallForm } from "./call-form.tsx";

/** An upstream as the tool `gateway` reports it. */
interface Upstream {
  readonly name: string;
  readonly label?: string;
  readonly state: string;
  readonly reason?: string;
  readonly tools?: number;
  readonly denied?: number;
  readonly calls?: number;
  readonly failures?: Readonly<Record<string, number>>;
  readonly restarts?: number;
  readonly breaker?: string;
  readonly chars_before?: number;
  readonly chars_after?: number;
  readonly latency_ms?: Readonly<Record<string, number>>;
  readonly server?: { readonly name?: string; readonly version?: string };
}

interface Status {
  readonly upstreams: readonly Upstream[];
  readonly warnings?: readonly string[];
  readonly tokens_saved?: number;
  readonly definitions?: { readonly listed_tokens?: number; readonly hidden_tokens?: number };
}

const pollMs = 2_000;

/** The servers behind the gateway, their calls, and a form that makes a call. */
export function GatewayView() {
  const isGateway = hasTool("gateway");
  const [read, setRead] = useState<{ readonly status?: Status; readonly error?: CallError }>({});
  useEffect(() => {
    if (!isGateway) return;
    let isEnded = false;
    const poll = async () => {
      // A hidden page asks nothing.
      if (document.hidden) return;
      const answer = await callTool<Status>("gateway");
      if (!isEnded)
        setRead((before) => (answer.ok ? { status: answer.data } : { ...before, error: answer.error }));
    };
    void poll();
    const timer = setInterval(poll, pollMs);
    return () => {
      isEnded = true;
      clearInterval(timer);
    };
  }, [isGateway]);
  const { status, error } = read;
  return (
    <div class="gateway-view">
      <h1>Gateway</h1>
      {!isGateway && (
        <Empty icon="gate" title="No gateway is served here">
          <p>
            A gateway stands before other MCP servers and gives each of their answers the same format. Start
            this server again with the configuration of your MCP servers:
          </p>
          <pre>npx foundry-mcp serve --gateway FILE</pre>
        </Empty>
      )}
      {isGateway && error !== undefined && <ErrorBox error={error} />}
      {isGateway && status === undefined && error === undefined && (
        <Loading label="Reading the state of the gateway" />
      )}
      {status !== undefined && <GatewayStatus status={status} />}
      <CallForm />
    </div>
  );
}

function GatewayStatus({ status }: { readonly status: Status }) {
  const { upstreams, warnings = [], tokens_saved = 0, definitions = {} } = status;
  const calls = upstreams.reduce((sum, each) => sum + (each.calls ?? 0), 0);
  const failures = upstreams.reduce(
    (sum, { failures: own = {} }) => sum + Object.values(own).reduce((a, b) => a + b, 0),
    0,
  );
  return (
    <>
      <div class="stat-tiles">
        {[
          [
            upstreams.filter(({ state }) => state === "ready").length,
            `of ${counted(upstreams.length, "server")} ready`,
          ],
          [calls, calls === 1 ? "call" : "calls"],
          [failures, failures === 1 ? "failure" : "failures"],
          [tokens_saved, "tokens saved in answers"],
          [definitions.hidden_tokens ?? 0, "tokens of definitions kept out"],
        ].map(([value, name]) => (
          <p key={String(name)} class="stat-tile">
            <strong>{Number(value).toLocaleString()}</strong>
            <span>{name}</span>
          </p>
        ))}
      </div>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          <Text text={warning} max={400} />
        </p>
      ))}
      <ul class="upstreams">
        {upstreams.map((upstream) => (
          <UpstreamCard key={upstream.name} upstream={upstream} />
        ))}
      </ul>
    </>
  );
}

function UpstreamCard({ upstream }: { readonly upstream: Upstream }) {
  const {
    name,
    state,
    reason,
    tools = 0,
    denied = 0,
    calls = 0,
    failures = {},
    restarts = 0,
    breaker = "closed",
    server,
    latency_ms,
  } = upstream;
  const saved = Math.max(0, (upstream.chars_before ?? 0) - (upstream.chars_after ?? 0));
  const codes = Object.entries(failures);
  return (
    <li class={`upstream upstream-${state}`}>
      <h2>
        <Text text={name} max={80} />
        <span class={`tag state-${state === "ready" ? "good" : "bad"}`}>{state}</span>
        {breaker !== "closed" && <span class="tag state-bad">breaker {breaker}</span>}
      </h2>
      {server !== undefined && (
        <p class="quiet">
          <Text text={`${toText(server.name)} ${toText(server.version)}`} max={80} />
        </p>
      )}
      {reason !== undefined && (
        <p class="problem">
          <Text text={reason} max={300} />
        </p>
      )}
      <dl class="facts">
        {[
          ["Tools", denied > 0 ? `${tools}, ${denied} denied` : tools],
          ["Calls", calls.toLocaleString()],
          ["Restarts", restarts],
          ["Characters saved", saved.toLocaleString()],
          ...Object.entries(latency_ms ?? {}).map(
            ([key, value]) => [`Latency ${key}`, `${Math.round(value)} ms`] as const,
          ),
        ].map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {codes.length > 0 && (
        <ul class="codes" aria-label="Failures by code">
          {codes.map(([code, count]) => (
            <li key={code} class="tag">
              <code>{code}</code> {count}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
