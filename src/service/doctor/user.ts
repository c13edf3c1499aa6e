import { statSync } from 'node:fs';
import { ok, type Result, skip, warn } from './result.ts';
import { databaseFile, noteOf, type Subject } from './subject.ts';

/** The user that runs the stall, and whether the doctor runs as the same one. */
export function examineUser({ config, server }: Subject): Result {
  const own = process.getuid?.();
  if (own === undefined) return skip('This system has no user ids');
  const runner = noteOf(server)?.uid ?? ownerOf(databaseFile(config)) ?? ownerOf(config.data) ?? own;
  if (runner === 0)
    return warn(
      server.state === 'running' ? 'The server runs as root' : 'The stall belongs to root',
      'Give it a user of its own: "chown -R" the data directory to that user, and start the server as that user',
    );
  if (own !== runner)
    return warn(
      `The doctor runs as user ${own}, the stall as user ${runner}: the doctor may not see all that the stall sees`,
      `Run it as that user: sudo -u '#${runner}' bookstall doctor`,
    );
  return ok(`The stall runs as user ${runner}`);
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}
