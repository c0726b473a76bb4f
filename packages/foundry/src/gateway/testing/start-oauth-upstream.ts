import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An MCP server that requires an access token, and its authorization server at the same address. */
export interface OAuthUpstream {
  readonly url: string;
  /** The grant types for which tokens were issued, in order. */
  readonly grants: readonly string[];
  /** Makes all access tokens invalid; refresh tokens stay valid. */
  expire(): void;
  /** Makes all tokens invalid. */
  revoke(): void;
  /** If true, the authorization server redirects the user back without a code, as it does after a refusal. */
  refuses: boolean;
  close(): Promise<void>;
}

const textOf = async (request: IncomingMessage) => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** Starts a server that repeats the access token in its answers, to test that the gateway masks the token. */
export async function startOAuthUpstream(): Promise<OAuthUpstream> {
  const access = new Set<string>();
  const refresh = new Set<string>();
  const codes = new Map<string, { readonly challenge: string; readonly client: string }>();
  const grants: string[] = [];
  const clients = new Map<string, readonly string[]>();
  let base = "";
  let upstream: OAuthUpstream;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", base);
    const send = (value: object, status = 200) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return send({ resource: `${base}/mcp`, authorization_servers: [base] });
    if (pathname.startsWith("/.well-known/")) {
      return send({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (pathname === "/register") {
      const metadata = JSON.parse(await textOf(request)) as { readonly redirect_uris: readonly string[] };
      const client_id = randomBytes(8).toString("hex");
      clients.set(client_id, metadata.redirect_uris);
      return send({ ...metadata, client_id }, 201);
    }
    if (pathname === "/authorize") {
      const [client, redirect] = [
        searchParams.get("client_id") ?? "",
        searchParams.get("redirect_uri") ?? "",
      ];
      if (clients.get(client)?.includes(redirect) !== true) return send({ error: "invalid_client" }, 400);
      const target = new URL(redirect);
      target.searchParams.set("state", searchParams.get("state") ?? "");
      const code = randomBytes(16).toString("hex");
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", client });
      if (upstream.refuses) target.searchParams.set("error", "access_denied");
      else target.searchParams.set("code", code);
      return response.writeHead(302, { Location: target.href }).end();
    }
    if (pathname === "/token") {
      const form = new URLSearchParams(await textOf(request));
      const grant = form.get("grant_type") ?? "";
      const known = codes.get(form.get("code") ?? "");
      const verifier = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isValid =
        grant === "authorization_code"
          ? known?.challenge === verifier && known.client === form.get("client_id")
          : refresh.delete(form.get("refresh_token") ?? "");
      if (!isValid) return send({ error: "invalid_grant" }, 400);
      grants.push(grant);
      const tokens = {
        access_token: randomBytes(16).toString("hex"),
        refresh_token: randomBytes(16).toString("hex"),
        token_type: "Bearer",
        expires_in: 3_600,
      };
      access.add(tokens.access_token);
      refresh.add(tokens.refresh_token);
      return send(tokens);
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !access.has(token))
      return response
        .writeHead(401, {
          "WWW-Authenticate": `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end();
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(await textOf(request)) as {
      readonly id?: number;
      readonly method: string;
    };
    if (id === undefined) return response.writeHead(202).end();
    const result = (value: object) => send({ jsonrpc: "2.0", id, result: value });
    if (method === "initialize")
      return result({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "oauth", version: "1.0.0" },
      });
    if (method === "tools/list")
      return result({ tools: [{ name: "call", inputSchema: { type: "object" } }] });
    if (method === "tools/call")
      return result({ content: [{ type: "text", text: `403 Forbidden: ${token}` }], isError: true });
    return send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  upstream = {
    url: `${base}/mcp`,
    grants,
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    refuses: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}
