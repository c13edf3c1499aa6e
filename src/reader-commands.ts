import type { Command } from './platform/cli/command.ts';
import { checkQuoteCommand } from './installing/client/check-quote.cli.ts';
import { connectCommand } from './installing/client/connect.cli.ts';
import { filesCommand } from './installing/client/files.cli.ts';
import { gitCredentialCommand } from './installing/client/git-credential.cli.ts';
import { inspectCommand } from './installing/client/inspect.cli.ts';
import { installCommand } from './installing/client/install.cli.ts';
import { libraryCommand, redeemCommand } from './installing/client/library.cli.ts';
import { listCommand } from './installing/client/list.cli.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './installing/client/login.cli.ts';
import { notesCommand } from './installing/client/notes.cli.ts';
import { openCommand } from './installing/client/open.cli.ts';
import { outdatedCommand } from './installing/client/outdated.cli.ts';
import { searchCommand } from './installing/client/search.cli.ts';
import { uninstallCommand } from './installing/client/uninstall.cli.ts';
import { updateCommand } from './installing/client/update.cli.ts';
import { verifyCommand } from './installing/client/verify.cli.ts';

/** The commands that talk to a stall over HTTP, except `ask`: that of the full program can also ask a book on this machine. */
export const readerCommands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  libraryCommand,
  redeemCommand,
  installCommand,
  updateCommand,
  outdatedCommand,
  verifyCommand,
  checkQuoteCommand,
  listCommand,
  uninstallCommand,
  filesCommand,
  inspectCommand,
  searchCommand,
  notesCommand,
  openCommand,
  connectCommand,
  gitCredentialCommand,
];
