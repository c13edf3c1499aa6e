import { type AdminServices, openAdmin } from '../../app.ts';
import { readSetting } from '../../config.ts';
import { type Command, SWITCH, type Input, type Output, TEXT } from '../command.ts';

type OfficeCommand = Omit<Command, 'run' | 'options'> &
  Partial<Pick<Command, 'options'>> & {
    readonly run: (admin: AdminServices, input: Input, terminal: Output) => Promise<number | void>;
  };

/** A command on accounts, keys, grants or logs: the office of an existing data directory is open while it runs. */
export function adminCommand({ run, options, ...command }: OfficeCommand): Command {
  return {
    ...command,
    options: { data: TEXT, json: SWITCH, ...options },
    async run(input, terminal) {
      const admin = await openAdmin(readSetting('data', input.flags, terminal.environment));
      try {
        return await run(admin, input, terminal);
      } finally {
        await admin.close();
      }
    },
  };
}
