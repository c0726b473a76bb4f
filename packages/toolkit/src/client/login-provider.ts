import { ContractError } from "@foundry-mcp/contract";
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** The stored data of a login. All of it is secret. */
export interface LoginState {
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
}

/** The place where the login at one server is stored. */
export interface LoginStore {
  /** Reads the login; an empty object if there is none. */
  read(): Promise<LoginState>;
  /** Replaces the login. */
  write(state: LoginState): Promise<void>;
  /** The advice to the user if there is no login, or if the login has expired. */
  readonly remediation?: string | undefined;
}

/** A client that an authorization server knows already; without one, the client registers itself. */
export interface LoginClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** The step of a login that the user performs. */
export interface LoginDialog {
  readonly redirectUrl: string;
  readonly state: string;
  readonly client?: LoginClient | undefined;
  readonly scope?: string | undefined;
  /** Shows the page of the authorization server to the user. */
  readonly open: (page: URL) => void | Promise<void>;
}

/**
 * Creates the provider of the SDK that reads a login from its store. Without a dialog, the provider refreshes tokens, and
 * fails if the user has to log in.
 */
export function createLoginProvider(store: LoginStore, dialog?: LoginDialog): OAuthClientProvider {
  let verifier = "";
  const update = async (change: LoginState) => store.write({ ...(await store.read()), ...change });
  return {
    redirectUrl: dialog?.redirectUrl ?? "http://127.0.0.1/callback",
    clientMetadata: {
      client_name: "Foundry",
      redirect_uris: [dialog?.redirectUrl ?? "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: dialog?.client?.secret === undefined ? "none" : "client_secret_post",
      ...(dialog?.scope === undefined ? {} : { scope: dialog.scope }),
    },
    ...(dialog === undefined ? {} : { state: () => dialog.state }),
    async clientInformation() {
      const { client } = await store.read();
      // Without a login, the client must not register itself for each call.
      if (client === undefined && dialog === undefined) throw loginNeeded(store);
      return client;
    },
    saveClientInformation: (client) => update({ client }),
    tokens: async () => (await store.read()).tokens,
    saveTokens: (tokens) => update({ tokens }),
    async redirectToAuthorization(page) {
      if (dialog === undefined) throw loginNeeded(store);
      await dialog.open(page);
    },
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === "all" || scope === "tokens") await update({ tokens: undefined });
      if (scope === "all" || scope === "client") await update({ client: undefined });
    },
  };
}

function loginNeeded({ remediation }: LoginStore): ContractError {
  return new ContractError("The server needs a login", {
    errorCode: "UNAUTHORIZED",
    ...(remediation === undefined ? {} : { remediation }),
  });
}
