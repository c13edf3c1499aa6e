/**
 * What an agent is connected to: a stall, and a link with an install token if its holder made one, which then stands for the
 * stall in paths. `reads` is whether that link may also read. `isFree` leaves out all that needs a key. `slug` is an item's for
 * the lines that name one.
 */
export type ConnectPlace = {
  readonly origin: string;
  readonly link: string | null;
  readonly reads?: boolean;
  readonly isFree?: boolean;
  readonly slug: string;
};

/**
 * One thing to run or paste. `line` is one physical line for a shell; `file` is where a text is pasted instead. `kept` says
 * what the agent keeps and where, `undo` is the line that takes it back. `isFreeSkills` marks one that
 * takes the free skills of the stall alone.
 */
export type ConnectStep = {
  readonly does: string;
  readonly line: string;
  readonly file: string | null;
  readonly kept: string | null;
  readonly undo: string | null;
  readonly isFreeSkills: boolean;
};

/** A step with what it has beside its line. */
export function connectStep(does: string, line: string, more: Partial<ConnectStep> = {}): ConnectStep {
  return { does, line, file: null, kept: null, undo: null, isFreeSkills: false, ...more };
}
