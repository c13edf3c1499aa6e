/** The place that supports a block of text: blocks `start..end` of the `source`th document or search result. */
export type Location = { readonly source: number; readonly start: number; readonly end: number };

/** An event of a model's answer. `input` counts all tokens of the prompt, cached or not; 0 means not counted. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'location'; readonly location: Location }
  | { readonly type: 'block-end' }
  | { readonly type: 'usage'; readonly input: number; readonly output: number }
  | { readonly type: 'stop'; readonly reason: string }
  /** The server has sent nothing for a moment. */
  | { readonly type: 'pause' };

/**
 * Reads one answer of a model's server from its bytes, event by event. `isComplete` is true once nothing more may follow; `end` refuses
 * model-failed if the connection closed too early or sent no answer; `usage` gives the last token counts.
 */
export type StreamReader = {
  readonly push: (bytes: Uint8Array) => Iterable<ModelEvent>;
  readonly isComplete: () => boolean;
  readonly end: () => void;
  readonly usage: () => { readonly input: number; readonly output: number };
};
