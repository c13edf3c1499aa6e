// The image of the release's Dockerfile, built and run by buildah, which needs no daemon, above a Debian of this machine.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { run, serve } from './program.ts';

/** Builds the image from a release's archive. `debian` is a root file system, in place of the one that the Dockerfile names. */
export async function buildImage(debian: string, archive: string) {
  const directory = temporaryDirectory();
  const context = join(directory, 'context');
  mkdirSync(context);
  const storage = ['--root', join(directory, 'root'), '--runroot', join(directory, 'run')];
  const program = ['buildah', ...storage, '--storage-driver', 'vfs'];
  const buildah = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(words, { program });
    if (code !== 0) throw new Error(`buildah ${words.join(' ')} ended with ${code}: ${err}`);
    return out.trim();
  };
  await run(['-xzf', archive, '-C', context, '--strip-components=1'], { program: ['tar'] });
  const dockerfile = readFileSync(join(context, 'Dockerfile'), 'utf8');
  const [, base = ''] = /^FROM (\S+)$/m.exec(dockerfile) ?? [];
  const bare = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', bare, debian, '/');
  await buildah('commit', '--quiet', '--rm', bare, `docker.io/library/${base}`);
  await buildah(
    'build',
    '--quiet',
    '--isolation=chroot',
    '--pull-never',
    '--format=docker',
    '--tag=stall',
    context,
  );
  return {
    /** A container of the image on a stall's directory, whose content it may only read. */
    async container(stall: string) {
      const name = await buildah('from', '--pull-never', 'localhost/stall');
      // Of these buildah makes volumes of its own, above ours.
      await buildah('config', '--volume=/stall/content-', '--volume=/stall/data-', name);
      const mounts = [`${join(stall, 'content')}:/stall/content:ro`, `${join(stall, 'data')}:/stall/data`];
      const inside = [
        'run',
        '--isolation=chroot',
        '--cap-drop=ALL',
        ...mounts.flatMap((one) => ['-v', one]),
        name,
        '--',
      ];
      const started = join(directory, `${name}-started`);
      return {
        run: (...words: readonly string[]) => buildah(...inside, ...words),
        /** Starts the image's own command, on a free port of this machine. */
        async serve() {
          const served = await serve(stall, ['--host', '127.0.0.1'], {
            program: [...program, ...inside, 'bookstall'],
          });
          writeFileSync(started, '');
          return {
            ...served,
            async stop(): Promise<number> {
              process.kill(Number(readFileSync(join(stall, 'data/serve.pid'), 'utf8')), 'SIGTERM');
              return served.exited;
            },
          };
        },
        /** The files that were written since it served, outside of content and data. */
        async written(): Promise<readonly string[]> {
          const root = await buildah('mount', name);
          const { out } = await run([root, '-xdev', '-newer', started, '-type', 'f'], { program: ['find'] });
          return out.split('\n').filter((path) => path !== '');
        },
      };
    },
  };
}

/** The users of the processes with this name whose data are a stall's. */
export function ownersOf(name: string, stall: string): readonly string[] {
  const pid = readFileSync(join(stall, 'data/serve.pid'), 'utf8').trim();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return new RegExp(`^Name:\\t${name}$`, 'm').test(status) ? [/^Uid:\t(\d+)/m.exec(status)?.[1] ?? ''] : [];
}
