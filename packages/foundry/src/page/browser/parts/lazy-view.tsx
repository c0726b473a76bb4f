import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBox } from "./error-box.tsx";
import { Loading } from "./loading.tsx";

/** Returns a component whose code is loaded when it is shown for the first time. */
export function lazyView<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined;
  return function LazyView(props: P) {
    const [, render] = useState({});
    const [failure, setFailure] = useState<string>();
    useEffect(() => {
      if (Loaded !== undefined || failure !== undefined) return;
      load().then(
        (view) => {
          Loaded = view;
          render({});
        },
        (cause) => setFailure(String(cause)),
      );
    }, [failure]);
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (failure === undefined) return <Loading label={`Loading ${name}`} />;
    const error = {
      code: "NOT_LOADED",
      message: `Cannot load this view: ${failure}`,
      remedy: "The server may have been updated. Load the page again.",
      details: {},
      status: 0,
      raw: undefined,
    };
    return <ErrorBox error={error} onRetry={() => setFailure(undefined)} />;
  };
}
