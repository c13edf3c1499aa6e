import type { Command } from './command.ts';
import { connectCommand } from './reader/connect.ts';
import { filesCommand } from './reader/files.ts';
import { gitCredentialCommand } from './reader/git-credential.ts';
import { inspectCommand } from './reader/inspect.ts';
import { installCommand } from './reader/install.ts';
import { libraryCommand, redeemCommand } from './reader/library.ts';
import { listCommand } from './reader/list.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './reader/login.ts';
import { notesCommand } from './reader/notes.ts';
import { openCommand } from './reader/open.ts';
import { outdatedCommand } from './reader/outdated.ts';
import { searchCommand } from './reader/search.ts';
import { uninstallCommand } from './reader/uninstall.ts';
import { updateCommand } from './reader/update.ts';
import { verifyCommand } from './reader/verify.ts';

/**
 * The commands that talk to a stall over HTTP, except `ask`: the full program has another `ask`, which can also ask a book on
 * this machine.
 */
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
