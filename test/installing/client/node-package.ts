// The reader's package for Node, as a stall hands it out.
import { join } from 'node:path';
import { temporaryDirectory } from '../../helpers/harness.ts';

/** Takes a stall's `/client.tgz` and unpacks it; gives the new directory, which holds the archive and `package/`. */
export async function unpackClient(stall: { fetch(path: string): Promise<Response> }): Promise<string> {
  const directory = temporaryDirectory();
  await Bun.write(join(directory, 'client.tgz'), await (await stall.fetch('/client.tgz')).bytes());
  const code = await Bun.spawn(['tar', '-xzf', 'client.tgz'], { cwd: directory }).exited;
  if (code !== 0) throw new Error(`tar refused the package with ${code}`);
  return directory;
}
