import type { AdminCommand } from './platform/cli/admin-command.ts';
import type { Command, Program } from './platform/cli/command.ts';
import { findTitle } from './publishing/scan.ts';
import { listPriced } from './publishing/sell-check.ts';
import { openStore, type Store } from './store.ts';
import { completionCommand } from './platform/cli/completion.ts';
import { readerCommands } from './reader-commands.ts';
import { announceCommand } from './selling/announce.cli.ts';
import { accountCommands, linkCommand, personalDataCommands } from './office/account.cli.ts';
import { codeCommands } from './selling/code.cli.ts';
import { backupCommand, restoreCommand } from './office/backup.cli.ts';
import { askCommand as askOverHttp } from './installing/client/ask.cli.ts';
import { askCommand } from './publishing/ask.cli.ts';
import { checkCommand } from './publishing/check.cli.ts';
import { doctorCommand } from './office/doctor.cli.ts';
import { editionCommands } from './publishing/edition.cli.ts';
import { grantCommands } from './accounts/grant.cli.ts';
import { groupCommands } from './accounts/group.cli.ts';
import { importCommand } from './publishing/import.cli.ts';
import { keyCommands } from './publishing/key.cli.ts';
import { logCommands } from './office/logs.cli.ts';
import { mailCommands } from './selling/mail.cli.ts';
import { questionsCommand } from './publishing/questions.cli.ts';
import { initCommand, newCommand } from './publishing/new.cli.ts';
import { pushCommand } from './publishing/push.cli.ts';
import { orderCommands } from './selling/order.cli.ts';
import { reindexCommand } from './publishing/reload.cli.ts';
import { sellCheckCommand, sellSetupCommand, sellTestCommand } from './publishing/sell.cli.ts';
import { serveCommand } from './serve.cli.ts';
import { signCommand } from './publishing/sign.cli.ts';

const withStore = (...commands: readonly AdminCommand<Store>[]): readonly Command[] =>
  commands.map((complete) => complete(openStore));

export const PROGRAM: Program = {
  first: ['init', 'import', 'check', 'serve', 'doctor', 'install'],
  groups: {
    Content: [
      initCommand,
      newCommand,
      importCommand,
      checkCommand,
      questionsCommand,
      reindexCommand(openStore),
      pushCommand,
    ],
    Editions: [signCommand, ...withStore(...editionCommands, announceCommand)],
    People: withStore(
      ...accountCommands,
      linkCommand,
      ...personalDataCommands,
      ...keyCommands,
      ...grantCommands,
      ...groupCommands,
    ),
    Selling: [
      sellSetupCommand,
      ...withStore(
        sellCheckCommand,
        sellTestCommand,
        ...orderCommands(listPriced),
        ...codeCommands,
        ...mailCommands(findTitle),
      ),
    ],
    Running: [serveCommand, doctorCommand, ...withStore(...logCommands), backupCommand, restoreCommand],
    'For readers': [...readerCommands, askCommand(askOverHttp), completionCommand(() => PROGRAM)],
  },
};
