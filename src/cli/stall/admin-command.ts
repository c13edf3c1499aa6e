import { type Office, openOffice } from '../../app.ts';
import { readSetting } from '../../config.ts';
import { type Command, SWITCH, type Input, type Terminal, TEXT } from '../command.ts';

type OfficeCommand = Omit<Command, 'run'> & {
  readonly run: (office: Office, input: Input, terminal: Terminal) => Promise<number>;
};

/** A command on accounts, keys, grants or logs: the office of an existing data directory is open while it runs. */
export function officeCommand({ run, options, ...command }: OfficeCommand): Command {
  return {
    ...command,
    options: { data: TEXT, json: SWITCH, ...options },
    async run(input, terminal) {
      const office = await openOffice(readSetting('data', input.flags, terminal.environment));
      try {
        return await run(office, input, terminal);
      } finally {
        await office.close();
      }
    },
  };
}
