/** Ways to set a text apart; where there are no colours they give it back as it is. */
export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** How an answer is shown to people: the width is known on a terminal only. */
export interface Canvas {
  readonly width: number | undefined;
  readonly colors: Colors;
}
