/** The OpenTelemetry API. */
export type TelemetryApi = typeof import("@opentelemetry/api");

/** The member of the global object in which the API, major version 1, keeps the registered SDKs. */
const registered = Symbol.for("opentelemetry.js.api.1");

let api: TelemetryApi | undefined;
let loading: Promise<void> | undefined;

/** Returns the API; undefined while no SDK is registered, because nobody would observe the calls. */
export function telemetryApi(): TelemetryApi | undefined {
  return api;
}

/**
 * Loads the API if an SDK is registered, and returns a promise only while the API is being loaded. Without an SDK,
 * loading the API would take a tenth of the time in which a server starts.
 */
export function loadTelemetryApi(): Promise<void> | undefined {
  if (api !== undefined || !(registered in globalThis)) return undefined;
  loading ??= import("@opentelemetry/api").then(
    (loaded) => {
      api = loaded;
    },
    () => {
      // If the API cannot be loaded, the server answers calls without telemetry.
      loading = Promise.resolve();
    },
  );
  return loading;
}
