import { type ClientContext, openClientContext } from '../../client/client-context.ts';
import { Refusal } from '../../refusal.ts';
import { type Command, type Input, SWITCH, type Terminal, TEXT, textOf } from '../command.ts';
import { type ProgressBars, openProgressBars } from './progress-bars.ts';

/** The context of a reader's command; `bars` shows the progress of downloads. */
export type ReaderContext = ClientContext & { readonly bars: ProgressBars };

type ReaderCommand = Omit<Command, 'run'> & {
  readonly run: (context: ReaderContext, input: Input, terminal: Terminal) => Promise<number>;
};

const STOPPED = 'Stopped: no partial files are left';

/** A command that talks to a stall over HTTP. Ctrl-C ends its requests and lets it clean up; a second one ends the process. */
export function readerCommand({ run, options, ...command }: ReaderCommand): Command {
  return {
    ...command,
    options: { url: TEXT, json: SWITCH, ...options },
    async run(input, terminal) {
      const controller = new AbortController();
      const onSignal = (): void => {
        if (controller.signal.aborted) terminal.exit(1);
        controller.abort(new Refusal('invalid-request', STOPPED));
      };
      // SIGHUP: the terminal was closed or its connection lost.
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const signal of signals) process.on(signal, onSignal);
      const bars = openProgressBars(terminal);
      const context = openClientContext(textOf(input, 'url'), {
        environment: terminal.environment,
        packageStall: terminal.packageStall ?? null,
        signal: controller.signal,
        say: bars.say,
      });
      try {
        return await run({ ...context, bars }, input, terminal);
      } finally {
        bars.end();
        for (const signal of signals) process.off(signal, onSignal);
      }
    },
  };
}
