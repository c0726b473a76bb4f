/** How well each sentence fits, from 0 to 1. */
export type Scores = Float32Array;
