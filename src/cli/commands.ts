import type { Program } from './command.ts';
import { completionCommand } from './completion.ts';
import { readerCommands } from './reader.ts';
import { announceCommand } from './stall/announce.ts';
import { accountCommands, linkCommand, personalDataCommands } from './stall/account.ts';
import { codeCommands } from './stall/code.ts';
import { backupCommand, restoreCommand } from './stall/backup.ts';
import { askCommand } from './stall/ask.ts';
import { checkCommand } from './stall/check.ts';
import { doctorCommand } from './stall/doctor.ts';
import { editionCommands } from './stall/edition.ts';
import { grantCommands } from './stall/grant.ts';
import { groupCommands } from './stall/group.ts';
import { importCommand } from './stall/import.ts';
import { keyCommands } from './stall/key.ts';
import { logCommands } from './stall/logs.ts';
import { mailCommands } from './stall/mail.ts';
import { questionsCommand } from './stall/questions.ts';
import { initCommand, newCommand } from './stall/new.ts';
import { pushCommand } from './stall/push.ts';
import { orderCommands } from './stall/order.ts';
import { reindexCommand } from './stall/reload.ts';
import { sellCheckCommand, sellSetupCommand, sellTestCommand } from './stall/sell.ts';
import { serveCommand } from './stall/serve.ts';
import { signCommand } from './stall/sign.ts';

/** Every command, in the order of help, the man page and the Handbook's reference. */
export const PROGRAM: Program = {
  first: ['init', 'import', 'check', 'serve', 'doctor', 'install'],
  groups: {
    Content: [
      initCommand,
      newCommand,
      importCommand,
      checkCommand,
      questionsCommand,
      reindexCommand,
      pushCommand,
    ],
    Editions: [signCommand, ...editionCommands, announceCommand],
    People: [
      ...accountCommands,
      linkCommand,
      ...personalDataCommands,
      ...keyCommands,
      ...grantCommands,
      ...groupCommands,
    ],
    Selling: [
      sellSetupCommand,
      sellCheckCommand,
      sellTestCommand,
      ...orderCommands,
      ...codeCommands,
      ...mailCommands,
    ],
    Running: [serveCommand, doctorCommand, ...logCommands, backupCommand, restoreCommand],
    'For readers': [...readerCommands, askCommand, completionCommand(() => PROGRAM)],
  },
};
